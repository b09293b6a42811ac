import { type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { drawExecution, drawExecutions, type ShownExecution, type ShownHistory } from './service/draw-executions.ts';

/** The flags that all commands of `hilo executions` have. */
export interface ExecutionFlags extends AdminFlags {
  readonly company?: string;
  readonly json?: true;
}

/** The flags of `hilo executions list`. */
export interface ListFlags extends ExecutionFlags {
  readonly workflow?: string;
  readonly status?: string;
  readonly user?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Prints the newest executions first. */
export async function list(command: Command, { company, workflow, status, user, limit, cursor, json, ...flags }: ListFlags): Promise<void> {
  const query = createQuery({ companyId: company, workflowId: workflow, status, userId: user, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', `/executions${query}`));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = ListAnswer.parse(answer);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  process.stdout.write(`${drawExecutions(results, room)}\n`);
  if (nextCursor !== null) process.stdout.write(room.paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

/** Prints one execution with its variables and all it did. */
export async function show(command: Command, executionId: string, { company, json, ...flags }: ExecutionFlags): Promise<void> {
  const path = `/executions/${encodeURIComponent(executionId)}`;
  const query = createQuery({ companyId: company });
  const [execution, history] = await withAdmin(command, flags, 'look', async ({ ask }) => [
    ShownExecutionAnswer.parse(await ask('GET', `${path}${query}`)),
    ShownHistoryAnswer.parse(await ask('GET', `${path}/history${query}`)),
  ]);
  if (json === true) return printJson({ ...execution, history: history.entries });
  process.stdout.write(
    `${drawExecution(execution, history, { paint: painter(process.stdout), columns: getTableColumns(process.stdout) })}\n`,
  );
}

/** Cancels an execution, or lets it out of quarantine. */
export async function step(
  command: Command,
  executionId: string,
  verb: 'cancel' | 'release',
  { company, json, ...flags }: ExecutionFlags,
): Promise<void> {
  const path = `/executions/${encodeURIComponent(executionId)}/${verb}${createQuery({ companyId: company })}`;
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', path));
  if (json === true) return printJson(answer);
  const { status } = ShownExecutionAnswer.parse(answer);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(executionId)} is ${status}\n`);
}

/** The flags of what continues an execution. */
interface ContinueFlags extends ExecutionFlags {
  readonly version?: number | 'same' | 'latest';
  readonly set?: SetFlag;
}

/** The flags of `hilo executions retry`. */
export interface RetryFlags extends ContinueFlags {
  readonly effect?: string;
  readonly keys?: string;
  readonly again?: true;
}

/** The flags of `hilo executions fork`. */
export interface ForkFlags extends ContinueFlags {
  readonly before: number;
  readonly enter?: string;
  readonly ends?: true;
}

/** Continues an execution as a new one, or begins a copy of it, and prints the id of that. */
export async function goOnFrom(
  command: Command,
  executionId: string,
  verb: 'retry' | 'fork',
  { company, json, set, version, effect, keys, again, before, enter, ends, ...flags }: RetryFlags & Partial<ForkFlags>,
): Promise<void> {
  refuseUselessKeys(command, effect, keys);
  const path = `/executions/${encodeURIComponent(executionId)}/${verb}${createQuery({ companyId: company })}`;
  const given = Object.entries({ version, set: readSet(set), effect, keys, again, before, enter, ends });
  const body = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', path, body));
  if (json === true) return printJson(answer);
  const made = z.object({ executionId: z.string() }).parse(answer);
  const done = verb === 'retry' ? 'is continued as' : 'is copied as';
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(executionId)} ${done} ${printable(made.executionId)}\n`);
}

/** A key is of an effect that is performed again. */
export function refuseUselessKeys(command: Command, effect: string | undefined, keys: string | undefined): void {
  if (effect === 'keep' && keys !== undefined)
    command.error('error: with --effect keep nothing is performed again, and --keys has no effect: give one of them');
}

/** Values for variables, as `--set` gives them: a place with a text, each time. */
export type SetFlag = readonly (readonly [path: string, value: string])[];

/** The values that are given, by their places. */
export const readSet = (set: SetFlag = []): JsonObject | undefined =>
  set.length === 0 ? undefined : Object.fromEntries(set.map(([name, value]) => [name, readValue(value)]));

/** JSON, or else the text itself. */
function readValue(text: string): Json {
  try {
    return parseJsonText(text);
  } catch {
    return text;
  }
}

const ShownExecutionAnswer = z.custom<ShownExecution>((value) => isObject(value) && 'executionId' in value);
const ShownHistoryAnswer = z.custom<ShownHistory>((value) => isObject(value) && 'entries' in value);
const ListAnswer = z.object({ results: z.array(ShownExecutionAnswer), nextCursor: z.string().nullable() });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The query of a request, from the values that are given. */
export function createQuery(values: { readonly [name: string]: string | undefined }): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const query = new URLSearchParams(given).toString();
  return query === '' ? '' : `?${query}`;
}
