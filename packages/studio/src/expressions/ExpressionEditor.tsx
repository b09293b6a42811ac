// The field in which expressions are written.
import {
  autocompletion,
  closeCompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { Problem } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useProblemText } from '../words/problem-words.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { completionsAt, type FieldChoices, type SaidElsewhere } from './completions.ts';

interface ExpressionEditorProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly isReadOnly: boolean;
  readonly choices: FieldChoices;
  /** Of this very text: the part that each is about is underlined. */
  readonly problems: readonly Problem[];
  /** Whether the author was in the plain field before it. */
  readonly hadFocus: RefObject<boolean>;
}

const tokenMatcher = new MatchDecorator({ regexp: /\{\{[\s\S]*?\}\}/g, decoration: Decoration.mark({ class: 'token' }) });

/** `{{ … }}` in another colour. */
const tokens = ViewPlugin.define<{ decorations: DecorationSet; update(update: ViewUpdate): void }>(
  (view) => ({
    decorations: tokenMatcher.createDeco(view),
    update(update) {
      this.decorations = tokenMatcher.updateDeco(update, this.decorations);
    },
  }),
  { decorations: ({ decorations }) => decorations },
);

const setMistakes = StateEffect.define<DecorationSet>();

/** Underlines what problems are about. While the author types on, a mark moves with its text, until the next check. */
const mistakes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) =>
    effects.reduce((now, effect) => (effect.is(setMistakes) ? effect.value : now), marks.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf(problems: readonly Problem[], length: number): DecorationSet {
  const marks = problems.flatMap(({ range, severity, message }) => {
    if (range === undefined) return [];
    const [start, end] = [Math.min(range.start, length), Math.min(range.end, length)];
    return start < end ? [Decoration.mark({ class: `mistake ${severity}`, attributes: { title: message } }).range(start, end)] : [];
  });
  return RangeSet.of(marks, true);
}

/** The page's nonce: CodeMirror adds its own style sheet, which the content security policy permits only with it. */
const cspNonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** What completions say in Spanish, for who reads it, once it is there. */
function useSaid(): SaidElsewhere | undefined {
  const isSpanish = useLanguage().locale.startsWith('es');
  const [said, setSaid] = useState<SaidElsewhere>();
  useEffect(() => {
    if (isSpanish) import('./functions-es.ts').then(setSaid, () => undefined); // without it they are said in English
  }, [isSpanish]);
  return isSpanish ? said : undefined;
}

/** A list that is not shown yet takes no Escape: who writes fast means the field. */
function forgetList(editor: EditorView): boolean {
  if (completionStatus(editor.state) === 'pending') closeCompletion(editor);
  return false;
}

/** A text with expressions, with completion of what may be read here. */
export default function ExpressionEditor({ id, label, text, onChange, isReadOnly, choices, problems, hadFocus }: ExpressionEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const say = useWords();
  const said = useSaid();
  const problemText = useProblemText();
  const titles = {
    always: say('complete.always'),
    sometimes: say('complete.sometimes'),
    canvas: say('complete.canvas'),
    fields: say('complete.fields'),
    scopes: say('complete.scopes'),
    functions: say('complete.functions'),
  };
  const known = useRef({ choices, onChange, titles, said });
  known.current = { choices, onChange, titles, said };
  const editable = useRef(new Compartment());

  // In the step in which the plain field goes: a key that is pressed while nothing has the focus would be lost.
  useLayoutEffect(() => {
    if (place.current === null) return;
    const complete = (context: CompletionContext): CompletionResult | null =>
      completionsAt(context.state.doc.toString(), context.pos, known.current.choices, known.current.titles, known.current.said);
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          history(),
          keymap.of([{ key: 'Escape', run: forgetList }, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          // Without a delay: who writes fast means Enter, too.
          autocompletion({ override: [complete], icons: false, interactionDelay: 0, defaultKeymap: false }),
          EditorView.lineWrapping,
          EditorView.theme({ '.cm-scroller': { fontFamily: 'inherit' } }),
          EditorView.cspNonce.of(cspNonce()),
          EditorView.contentAttributes.of({ id, 'aria-label': label, dir: 'auto' }),
          editable.current.of(EditorState.readOnly.of(isReadOnly)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.view.hasFocus) known.current.onChange(update.state.doc.toString());
          }),
          tokens,
          mistakes,
        ],
      }),
    });
    view.current = editor;
    if (hadFocus.current) {
      hadFocus.current = false;
      editor.focus();
      editor.dispatch({ selection: { anchor: editor.state.doc.length } });
    }
    return () => editor.destroy();
  }, [id, label]);
  useEffect(() => {
    view.current?.dispatch({ effects: editable.current.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    const before = editor?.state.doc.toString();
    if (editor !== undefined && before !== undefined && before !== text)
      editor.dispatch({ changes: { from: 0, to: before.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    editor?.dispatch({
      effects: setMistakes.of(
        marksOf(
          problems.map((one) => ({ ...one, message: problemText(one).message })),
          editor.state.doc.length,
        ),
      ),
    });
  }, [problems, problemText]);

  /** Writes the braces where the author is, and offers what can stand between them. */
  const insertVariable = (): void => {
    const editor = view.current;
    if (editor === undefined) return;
    const { from, to } = editor.state.selection.main;
    editor.focus();
    editor.dispatch({ changes: { from, to, insert: '{{}}' }, selection: { anchor: from + 2 } });
    startCompletion(editor);
  };
  return (
    <div className="expression-field">
      <div className="expression" ref={place} />
      {!isReadOnly && (
        <button
          type="button"
          className="quiet insert-variable"
          aria-label={`${say('form.insertVariable')}: ${label}`}
          onClick={insertVariable}
        >
          <Plus size={12} aria-hidden /> {say('form.insertVariable')}
        </button>
      )}
    </div>
  );
}
