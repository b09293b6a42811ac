import { autocompletion, type CompletionContext, completionKeymap, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { completionsAt, type FieldChoices } from './completions.ts';

interface ExpressionEditorProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly isReadOnly: boolean;
  readonly choices: FieldChoices;
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

/** The page's nonce: CodeMirror adds a style sheet of its own, and the content policy takes none without. */
const cspNonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** A text with expressions, with completion of what may be read here. */
export default function ExpressionEditor({ id, label, text, onChange, isReadOnly, choices }: ExpressionEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const known = useRef({ choices, onChange });
  known.current = { choices, onChange };
  const editable = useRef(new Compartment());

  useEffect(() => {
    if (place.current === null) return;
    const complete = (context: CompletionContext): CompletionResult | null =>
      completionsAt(context.state.doc.toString(), context.pos, known.current.choices);
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          history(),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          autocompletion({ override: [complete], icons: false }),
          EditorView.lineWrapping,
          EditorView.cspNonce.of(cspNonce()),
          EditorView.contentAttributes.of({ id, 'aria-label': label, dir: 'auto' }),
          editable.current.of(EditorState.readOnly.of(isReadOnly)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.view.hasFocus) known.current.onChange(update.state.doc.toString());
          }),
          tokens,
        ],
      }),
    });
    view.current = editor;
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

  return <div className="expression" ref={place} />;
}
