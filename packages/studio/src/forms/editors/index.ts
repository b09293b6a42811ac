/** The editors that are made by hand, by the hint of their field. Each says which values it can show; others have the generated form. */
import type { Json } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';
import { AnswerKind } from './AnswerKind.tsx';
import { isAssignments, isCases } from './assignments.ts';
import { cardsOf } from './cards.ts';
import { CasesEditor, isTexts, TextsEditor } from './Chips.tsx';
import type { EditorProps } from './editor-props.ts';
import { isWeek } from './hours.ts';
import { loadRare } from './load-rare.ts';
import { isSpoken, MessageEditor } from './MessageEditor.tsx';
import { isMethod } from './methods.ts';
import { readMoment } from './moment.ts';
import { MomentEditor } from './MomentEditor.tsx';
import { isWays } from './named-ways.ts';
import { isPairs } from './pairs.ts';
import { isSentence } from './rules.ts';
import { isTools } from './tools.ts';

interface MadeEditor {
  readonly Editor: React.ComponentType<EditorProps>;
  readonly fits: (value: Json | undefined) => boolean;
}

const isText = (value: Json | undefined): boolean => value === undefined || typeof value === 'string';
const isNumber = (value: Json | undefined): boolean => value === undefined || typeof value === 'number';

const editors: ReadonlyMap<string, MadeEditor> = new Map<string, MadeEditor>([
  ['message', { Editor: MessageEditor, fits: (value) => isSpoken(value) || cardsOf(value) !== undefined }],
  ['media', { Editor: loadRare('MediaEditor'), fits: isText }],
  ['saveAs', { Editor: loadRare('SaveAsEditor'), fits: isText }],
  ['invalid', { Editor: loadRare('InvalidEditor'), fits: isText }],
  ['pairs', { Editor: loadRare('PairsEditor'), fits: isPairs }],
  ['method', { Editor: loadRare('MethodEditor'), fits: isMethod }],
  ['body', { Editor: loadRare('BodyEditor'), fits: isPairs }],
  ['parameters', { Editor: loadRare('ParametersEditor'), fits: isPairs }],
  ['tools', { Editor: loadRare('ToolsEditor'), fits: isTools }],
  ['exits', { Editor: loadRare('ExitsEditor'), fits: isWays }],
  ['options', { Editor: loadRare('OptionsEditor'), fits: isWays }],
  ['budgets', { Editor: loadRare('BudgetsEditor'), fits: (value) => value === undefined || isRecord(value) }],
  ['variables', { Editor: loadRare('VariablesEditor'), fits: (value) => value === undefined || isTexts(value) }],
  ['checks', { Editor: loadRare('ChecksEditor'), fits: (value) => value === undefined || isTexts(value) }],
  ['answer', { Editor: AnswerKind, fits: (value) => value === undefined || typeof value === 'object' }],
  ['texts', { Editor: TextsEditor, fits: (value) => value === undefined || isTexts(value) }],
  ['assignments', { Editor: loadRare('AssignmentsEditor'), fits: isAssignments }],
  ['cases', { Editor: CasesEditor, fits: isCases }],
  ['operator', { Editor: loadRare('OperatorSelect'), fits: isNumber }],
  ['team', { Editor: loadRare('TeamSelect'), fits: isNumber }],
  ['rule', { Editor: loadRare('RuleEditor'), fits: isSentence }],
  ['week', { Editor: loadRare('WeekEditor'), fits: isWeek }],
  [
    'moment',
    {
      Editor: MomentEditor,
      fits: (value) => value === undefined || (typeof value === 'string' && readMoment(value) !== undefined),
    },
  ],
]);

/** Fields of standard nodes that have an editor here, beside the hints that the nodes give themselves. */
const made: { readonly [type: string]: { readonly [field: string]: string } } = {
  agent: { tools: 'tools', exits: 'exits', limits: 'budgets', withhold: 'variables', redact: 'checks' },
  ask: { saveAs: 'saveAs', invalidMessage: 'invalid' },
  api: { method: 'method', headers: 'pairs', query: 'pairs', body: 'body' },
  decide: { options: 'options' },
  template: { parameters: 'parameters' },
  set: { assignments: 'assignments' },
  switch: { cases: 'cases' },
  handoff: { operatorId: 'operator', teamId: 'team' },
};

/** The hints of a node's fields. */
export const hintsOf = (type: string, hints: { readonly [field: string]: string }): { readonly [field: string]: string } =>
  Object.hasOwn(made, type) ? { ...hints, ...made[type] } : hints;

/** The editor for the value of a field, where there is one that can show it. The file of a message has one in every node. */
export function editorFor(hint: string | undefined, value: Json | undefined, at: string): MadeEditor['Editor'] | undefined {
  const made = editors.get(hint ?? (at.endsWith('.mediaUrl') ? 'media' : ''));
  return made?.fits(value) === true ? made.Editor : undefined;
}

/** Whether a form with these hints has an editor made by hand. */
export const hasEditor = (hints: { readonly [field: string]: string }): boolean => Object.values(hints).some((hint) => editors.has(hint));
