/** The editors that are made by hand, by the hint of their field. Each says which values it can show; others have the generated form. */
import type { Json } from '@hilo/engine/contract';
import { AnswerKind } from './AnswerKind.tsx';
import { isTexts, TextsEditor } from './Chips.tsx';
import type { EditorProps } from './editor-props.ts';
import { isWeek } from './hours.ts';
import { isSpoken, MessageEditor } from './MessageEditor.tsx';
import { readMoment } from './moment.ts';
import { MomentEditor } from './MomentEditor.tsx';
import { RuleEditor } from './RuleEditor.tsx';
import { isSentence } from './rules.ts';
import { WeekEditor } from './WeekEditor.tsx';

interface MadeEditor {
  readonly Editor: React.ComponentType<EditorProps>;
  readonly fits: (value: Json | undefined) => boolean;
}

const editors: ReadonlyMap<string, MadeEditor> = new Map<string, MadeEditor>([
  ['message', { Editor: MessageEditor, fits: isSpoken }],
  ['answer', { Editor: AnswerKind, fits: (value) => value === undefined || typeof value === 'object' }],
  ['texts', { Editor: TextsEditor, fits: (value) => value === undefined || isTexts(value) }],
  ['rule', { Editor: RuleEditor, fits: isSentence }],
  ['week', { Editor: WeekEditor, fits: isWeek }],
  [
    'moment',
    { Editor: MomentEditor, fits: (value) => value === undefined || (typeof value === 'string' && readMoment(value) !== undefined) },
  ],
]);

/** The editor for a value, where there is one that can show it. */
export function editorFor(hint: string | undefined, value: Json | undefined): MadeEditor['Editor'] | undefined {
  const made = hint === undefined ? undefined : editors.get(hint);
  return made?.fits(value) === true ? made.Editor : undefined;
}

/** Whether a form with these hints has an editor made by hand. */
export const hasEditor = (hints: { readonly [field: string]: string }): boolean => Object.values(hints).some((hint) => editors.has(hint));
