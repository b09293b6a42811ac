import { formatPath, isJsonObject, type Json, type JsonObject, type Path } from '@hilo/engine/contract';
import type { Execution, History } from '@hilo/server/kit';
import type { z } from 'zod';
import { printable } from '../paint.ts';
import { table, type TableRoom } from '../table.ts';

/** An execution as management answers it. */
export type ShownExecution = z.output<typeof Execution>;
/** An execution's history as management answers it. */
export type ShownHistory = z.output<typeof History>;

/** Executions, one a line. */
export const drawExecutions = (executions: readonly ShownExecution[], room: TableRoom): string =>
  executions.length === 0
    ? room.paint('dim', 'There are no such executions.')
    : table(
        ['execution', 'workflow', 'status', 'user', 'updated', 'wait or cause'],
        executions.map((execution) => [
          printable(execution.executionId),
          `${printable(execution.workflowId)} ${versionText(execution)}`,
          execution.status,
          printable(execution.userId ?? ''),
          timeText(execution.updatedAt),
          execution.wait === null ? printable(execution.cause ?? '') : waitText(execution),
        ]),
        room,
      );

/** An execution with its variables and all it did. */
export function drawExecution(execution: ShownExecution, { entries }: ShownHistory, room: TableRoom): string {
  const { paint } = room;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['workflow', `${execution.workflowId} ${versionText(execution)}`],
    ['status', [execution.status, execution.cause].filter((fact) => fact !== null).join(' · ')],
    ['user', [execution.userId, execution.botId, execution.channel].filter((fact) => fact !== null).join(' · ')],
    ['parent', execution.parentExecutionId ?? ''],
    ['continues', execution.forkedFrom ?? ''],
    ['as', execution.continuedAs ?? ''],
    ['waits for', waitText(execution)],
    ['created', timeText(execution.createdAt)],
    ['updated', timeText(execution.updatedAt)],
  ];
  const rows = entries.map((entry) => [
    timeText(entry.at),
    `${printable(entry.nodeId)}${entry.visitNumber > 1 ? ` #${entry.visitNumber}` : ''}`,
    entry.type,
    describeEntry(entry),
  ]);
  return [
    paint('bold', printable(execution.executionId)),
    ...facts.filter(([, value]) => value !== '').map(([name, value]) => `${paint('dim', name.padEnd(10))} ${printable(value)}`),
    '',
    paint('bold', 'variables'),
    ...Object.entries(execution.variables)
      .flatMap(([scope, value]) => listVariables(scope, value))
      .map(([path, value]) => `${paint('cyan', printable(path))} = ${value}`),
    '',
    rows.length === 0 ? paint('dim', 'Nothing has happened yet.') : table(['time', 'node', 'what', ''], rows, room),
  ].join('\n');
}

/** As many variables of a scope are shown, each on a line. */
const shownVariables = 40;

/** The variables of a scope that have a value; `$webhook` has one object for each name, and the parts of that are what people look for. */
function listVariables(scope: string, value: Json): readonly (readonly [path: string, value: string])[] {
  if (!isJsonObject(value)) return value === null ? [] : [[scope, shorten(JSON.stringify(value), 200)]];
  const set = Object.entries(value).flatMap(([name, part]): readonly (readonly [path: Path, value: Json])[] =>
    scope === '$webhook' && isJsonObject(part)
      ? Object.entries(part).map(([field, inner]) => [[scope, name, field], inner])
      : [[[scope, name], part]],
  );
  const known = set.filter(([, part]) => part !== null && !(isJsonObject(part) && Object.keys(part).length === 0));
  const lines = known.slice(0, shownVariables).map(([path, part]) => [formatPath(path), shorten(JSON.stringify(part), 200)] as const);
  return known.length > shownVariables ? [...lines, [scope, `… and ${known.length - shownVariables} more: --json shows them`]] : lines;
}

const versionText = ({ version }: ShownExecution): string => (version === 'draft' ? 'draft' : `v${version}`);

/** ISO 8601 to the second with a blank, as in logs. */
const timeText = (instant: string): string => instant.replace('T', ' ').replace(/\.\d+Z$/, 'Z');

const shorten = (text: string, most = 1_000): string => printable(text.length <= most ? text : `${text.slice(0, most - 1)}…`);

function waitText({ wait }: ShownExecution): string {
  if (wait === null) return '';
  const due = wait.dueAt === null ? '' : `, ${wait.onDue === 'expire' ? 'session ends' : 'at most until'} ${timeText(wait.dueAt)}`;
  const name = wait.correlation === undefined ? '' : ` ${printable(wait.correlation.name)} ${printable(wait.correlation.value)}`;
  return `${wait.kind}${name} at ${printable(wait.nodeId)}${due}`;
}

/** The rest of an entry in one line. */
function describeEntry({ port, cause, by, effect, heard, writes = [] }: ShownHistory['entries'][number]): string {
  const parts = [
    port === undefined ? '' : `→ ${port}`,
    heard === undefined ? '' : `heard ${describeMessage(heard)}`,
    effect === undefined ? '' : describeEffect(effect),
    cause ?? '',
    by === undefined ? '' : `by ${by}`,
    ...writes.map(({ path, value }) => `${path} = ${value === undefined ? 'removed' : JSON.stringify(value)}`),
  ];
  return shorten(parts.filter(Boolean).join('  '), 400);
}

/** What was asked for, or how it ended: a call is two entries, its request and its answer. */
function describeEffect({ type, outcome, request, result }: NonNullable<ShownHistory['entries'][number]['effect']>): string {
  const end = outcome === undefined ? '' : ` (${outcome})`;
  if (isJsonObject(result)) {
    const status = isJsonObject(result['response']) ? result['response']['status'] : undefined;
    return `${type}: ${[result['kind'], status].filter((word) => typeof word === 'string' || typeof word === 'number').join(' ')}${end}`;
  }
  if (!isJsonObject(request)) return `${type}${end}`;
  const { message, method, url } = request;
  if (isJsonObject(message)) return `${type} ${describeMessage(message)}${end}`;
  return typeof url === 'string' ? `${type} ${typeof method === 'string' ? `${method} ` : ''}${url}${end}` : `${type}${end}`;
}

/** The text of a message, or else what kind it is. */
const describeMessage = ({ type, text }: JsonObject): string =>
  typeof text === 'string' ? `"${shorten(text, 80)}"` : typeof type === 'string' ? type : 'a message';
