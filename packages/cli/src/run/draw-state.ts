import { inspect } from 'node:util';
import type { ExecutionRecord, HistoryEntry, HistoryRecord, Json, JsonObject, ScopeName } from '@hilo/engine/contract';
import { type Paint, printable } from '../paint.ts';
import { table } from '../table.ts';
import { clockText, dayTimeText, durationText } from './time.ts';

/** The parts of the conversation that drawing executions and histories needs. */
export interface StateScene {
  readonly paint: Paint;
  readonly columns: number;
  readonly nowMs: number;
  readonly nameOf: (executionId: string) => string;
}

/** Executions, their waits, and the variables of the youngest. */
export function drawState(executions: readonly ExecutionRecord[], scene: StateScene): string {
  const { paint, nowMs } = scene;
  if (executions.length === 0) return paint('dim', 'Nothing has been started yet.');
  const rows = executions.map(({ executionId, workflowId, version, state }) => [
    scene.nameOf(executionId),
    `${workflowId} v${version}`,
    state.status,
    printable(state.wait?.nodeId ?? state.visit?.nodeId ?? state.ending?.failure?.nodeId ?? ''),
    describeState(state, nowMs),
  ]);
  const youngest = executions.findLast(({ parent }) => parent === undefined);
  return [
    table(['execution', 'workflow', 'status', 'node', 'at'], rows, scene),
    ...(youngest === undefined
      ? []
      : ['', paint('bold', `variables of ${scene.nameOf(youngest.executionId)}`), drawVariables(youngest.state.variables, scene)]),
  ].join('\n');
}

/** What an execution waits for or works at. */
function describeState({ wait, pending, ending }: ExecutionRecord['state'], nowMs: number): string {
  if (wait !== undefined) {
    const due =
      wait.dueAtMs === null
        ? ''
        : `, ${wait.onDue === 'expire' ? 'session ends' : 'due'} ${clockText(wait.dueAtMs)} (in ${durationText(wait.dueAtMs - nowMs)})`;
    const names =
      wait.correlation === undefined ? '' : ` ${printable(wait.correlation.name)} ${printable(wait.correlation.value)}`.trimEnd();
    return `waits for ${wait.kind}${names}${due}`;
  }
  if (pending !== undefined) return `${pending.type}, without an answer yet`;
  return ending?.failure === undefined ? '' : `${ending.failure.cause}: ${printable(ending.failure.message)}`;
}

/** What belongs to the execution comes first. */
const scopeNames: readonly ScopeName[] = [
  '$context',
  '$memory',
  '$webhook',
  '$input',
  '$output',
  '$item',
  '$error',
  '$message',
  '$messages',
  '$campaign',
  '$user',
  '$bot',
  '$company',
];

/** Scopes that hold something, in colours. */
function drawVariables(variables: JsonObject, { paint, columns }: StateScene): string {
  const colors = paint('bold', 'x') !== 'x';
  const scopes = scopeNames.flatMap((scope) => (isEmpty(variables[scope]) ? [] : [[scope, variables[scope]] as const]));
  return scopes
    .map(
      ([scope, value]) =>
        `${paint('cyan', scope)} ${inspect(value, { depth: 8, colors, breakLength: columns - 10, maxStringLength: 500, maxArrayLength: 50 })}`,
    )
    .join('\n');
}

/** Nothing to see: `$error` before any error has fields without values. */
const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.values(value).every((item) => item === null));

/** What an execution did, one line an entry. */
export function drawHistory(records: readonly HistoryRecord[], scene: StateScene): string {
  const entries = records.flatMap(({ entries }) => entries);
  if (entries.length === 0) return scene.paint('dim', 'Nothing has happened yet.');
  const rows = entries.map((entry) => [
    dayTimeText(entry.at),
    `${printable(entry.nodeId)}${entry.visitNumber > 1 ? ` #${entry.visitNumber}` : ''}`,
    entry.type,
    describeEntry(entry),
  ]);
  return table(['time', 'node', 'what', ''], rows, scene);
}

/** The rest of an entry in one line. */
function describeEntry({ port, cause, message, wait, effect, writes }: HistoryEntry): string {
  const parts = [
    port === undefined ? '' : `→ ${port}`,
    effect === undefined ? '' : effect.type,
    wait === undefined ? '' : `${wait.kind}${wait.dueAtMs === null ? '' : ` until ${clockText(wait.dueAtMs)}`}`,
    cause === undefined ? '' : `${cause}${message === undefined ? '' : `: ${message}`}`,
    ...(writes ?? []).map(({ path, value }) => `${path.join('.')} = ${JSON.stringify(value) ?? 'removed'}`),
  ];
  return printable(parts.filter(Boolean).join('  ')).slice(0, 400);
}
