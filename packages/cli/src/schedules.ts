// `hilo schedules`: what begins by the clock, what waits for its time, and what was missed.
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags that all of these commands have. */
export interface ScheduleFlags extends AdminFlags {
  readonly company?: string;
  readonly json?: true;
}

/** The flags of `hilo schedules starts`. */
export interface StartListFlags extends ScheduleFlags {
  readonly status?: string;
  readonly workflow?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** @throws {Error} where no company is named: schedules and starts are of one */
function pathOf(company: string | undefined, rest: string): string {
  if (company === undefined) throw new Error('Name the company with --company ID');
  return `/companies/${encodeURIComponent(company)}${rest}`;
}

const ShownSchedule = z.looseObject({
  workflowId: z.string(),
  nodeId: z.string(),
  cron: z.string().nullable(),
  field: z.string().nullable(),
  timeZone: z.string().nullable(),
  audience: z.unknown(),
  isPaused: z.boolean(),
  nextAt: z.string().nullable(),
});

const ShownStart = z.looseObject({
  startId: z.string(),
  workflowId: z.string(),
  status: z.string(),
  at: z.string(),
  audience: z.unknown(),
  userId: z.string().nullable(),
  counts: z.record(z.string(), z.number()),
  times: z.number(),
  reason: z.string().nullable(),
});

const formatAudience = (audience: unknown): string => (typeof audience === 'string' ? audience : JSON.stringify(audience));
const formatMinute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** Prints the schedules in force. */
export async function list(command: Command, { company, json, ...flags }: ScheduleFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(company, '/schedules')));
  if (json === true) return printJson(answer);
  const { results } = z.object({ results: z.array(ShownSchedule) }).parse(answer);
  if (results.length === 0) return void process.stdout.write('Nothing begins by the clock.\n');
  const rows = results.map(({ workflowId, nodeId, cron, field, timeZone, audience, isPaused, nextAt }) => [
    printable(workflowId),
    printable(nodeId),
    printable(cron ?? `on ${field ?? ''}`),
    timeZone ?? 'of each contact',
    printable(formatAudience(audience)),
    isPaused ? 'paused' : nextAt === null ? 'never' : formatMinute(nextAt),
  ]);
  const columns = getTableColumns(process.stdout);
  process.stdout.write(
    `${table(['workflow', 'start', 'when', 'zone', 'for', 'next (UTC)'], rows, { paint: painter(process.stdout), columns })}\n`,
  );
}

/** Prints starts, the latest due time first. */
export async function listStarts(
  command: Command,
  { company, status, workflow, limit, cursor, json, ...flags }: StartListFlags,
): Promise<void> {
  const query = createQuery({ status, workflowId: workflow, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(company, `/starts${query}`)));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = z.object({ results: z.array(ShownStart), nextCursor: z.string().nullable() }).parse(answer);
  if (results.length === 0) return void process.stdout.write('There is no such start.\n');
  const paint = painter(process.stdout);
  const rows = results.map(({ startId, workflowId, status: state, at, audience, userId, counts, times, reason }) => [
    startId,
    printable(workflowId),
    times > 1 ? `${state} (${times})` : state,
    formatMinute(at),
    printable(audience === null ? (userId ?? 'nobody') : formatAudience(audience)),
    printable(
      Object.entries(counts)
        .map(([outcome, count]) => `${count} ${outcome}`)
        .join(', '),
    ),
    printable(reason ?? ''),
  ]);
  const columns = getTableColumns(process.stdout);
  process.stdout.write(`${table(['start', 'workflow', 'status', 'due (UTC)', 'for', 'counts', 'reason'], rows, { paint, columns })}\n`);
  if (nextCursor !== null) process.stdout.write(paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

/** Cancels a start. */
export async function cancel(command: Command, startId: string, { company, json, ...flags }: ScheduleFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) =>
    ask('DELETE', pathOf(company, `/starts/${encodeURIComponent(startId)}`)),
  );
  if (json === true) return printJson(answer);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(startId)} is cancelled\n`);
}
