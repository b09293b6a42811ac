// `hilo jobs`: durable work over many executions, looked at, watched and stopped.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { sayWhatIsKept } from './interrupt.ts';
import { formatCount, getTableColumns, type Paint, painter, printable, printJson } from './paint.ts';
import type { Admin } from './service/admin.ts';
import { sayWithFlags } from './service/flag-words.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags that all commands of `hilo jobs` have. */
export interface JobFlags extends AdminFlags {
  readonly company?: string;
  readonly json?: true;
}

/** The flags of `hilo jobs list`. */
export interface JobListFlags extends JobFlags {
  readonly status?: string;
  readonly kind?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const Failure = z.object({ code: z.string(), message: z.string() });

/** A job as management answers it, as far as it is shown. */
const ShownJob = z.looseObject({
  jobId: z.string(),
  companyId: z.string(),
  kind: z.string(),
  status: z.string(),
  cursor: z.number(),
  counts: z.record(z.string(), z.number()),
  atLeast: z.boolean(),
  problems: z.array(Failure.extend({ executionId: z.string() })),
  failure: Failure.nullable(),
  rate: z.number(),
  notBefore: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
});
export type ShownJob = z.output<typeof ShownJob>;

/** What a route answers that asks for a job. */
export const AskedJob = z.object({ jobId: z.string() });

const pathOf = (jobId: string, company: string | undefined, part = ''): string =>
  `/jobs/${encodeURIComponent(jobId)}${part}${createQuery({ companyId: company })}`;

/** Prints the newest jobs first. */
export async function list(command: Command, { company, status, kind, limit, cursor, json, ...flags }: JobListFlags): Promise<void> {
  const query = createQuery({ companyId: company, status, kind, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', `/jobs${query}`));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = z.object({ results: z.array(ShownJob), nextCursor: z.string().nullable() }).parse(answer);
  const paint = painter(process.stdout);
  if (results.length === 0) return void process.stdout.write('There is no job.\n');
  const rows = results.map((job) => [
    job.jobId,
    printable(job.kind),
    paint(colours[job.status] ?? 'reset', job.status),
    String(job.cursor),
    printable(formatCounts(job)),
    job.createdAt.slice(0, 16).replace('T', ' '),
    printable(job.createdBy),
  ]);
  const head = ['job', 'kind', 'status', 'read', 'counts', 'since', 'by'];
  process.stdout.write(`${table(head, rows, { paint, columns: getTableColumns(process.stdout) })}\n`);
  if (nextCursor !== null) process.stdout.write(paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

const colours: { readonly [status: string]: Parameters<Paint>[0] } = { done: 'green', running: 'yellow', paused: 'red' };

const formatCounts = ({ counts, atLeast }: ShownJob): string =>
  `${atLeast ? 'about ' : ''}${Object.entries(counts)
    .map(([outcome, count]) => `${count} ${count === 1 ? outcome.replace(/s$/, '') : outcome}`)
    .join(', ')}`;

/** Prints one job with its problems. */
export async function show(command: Command, jobId: string, { company, json, ...flags }: JobFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(jobId, company)));
  if (json === true) return printJson(answer);
  drawJob(ShownJob.parse(answer));
}

/** Shows how far a job is until it has ended or is paused. */
export async function watch(command: Command, jobId: string, { company, json, ...flags }: JobFlags): Promise<void> {
  const job = await withAdmin(command, flags, 'work', (admin) =>
    watchJob(admin, jobId, json === true ? undefined : progressLine(undefined), company),
  );
  if (json === true) printJson(job);
  else drawJob(job);
}

/** Pauses, resumes or cancels a job. */
export async function step(
  command: Command,
  jobId: string,
  verb: 'pause' | 'resume' | 'cancel',
  { company, json, ...flags }: JobFlags,
): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', pathOf(jobId, company, `/${verb}`)));
  if (json === true) return printJson(answer);
  const { status } = ShownJob.parse(answer);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(jobId)} is ${status}\n`);
}

/** What a job has migrated, by itself or in bulk. */
const MigratingJob = z.object({
  spec: z.union([
    z.object({ workflowId: z.string() }),
    z.object({ action: z.object({ migration: z.object({ workflowId: z.string() }) }) }).transform(({ action }) => action.migration),
  ]),
});

/**
 * Takes back what a job has done, and waits for it.
 *
 * @param workflowId - the workflow that the job is to have migrated; any, when left out
 * @throws {Error} for a job of another workflow
 */
export async function undoJob(command: Command, jobId: string, { company, json, ...flags }: JobFlags, workflowId?: string): Promise<void> {
  const job = await withAdmin(command, flags, 'work', async (admin) => {
    if (workflowId !== undefined) {
      const { data } = MigratingJob.safeParse(await admin.ask('GET', pathOf(jobId, company)));
      if (data?.spec.workflowId !== workflowId)
        throw new Error(
          `Job ${printable(jobId)} has migrated nothing of workflow "${printable(workflowId)}": hilo jobs show ${printable(jobId)}`,
        );
    }
    const { jobId: undoing } = AskedJob.parse(await admin.ask('POST', pathOf(jobId, company, '/undo')));
    return watchJob(admin, undoing, json === true ? undefined : progressLine(undefined), company);
  });
  if (json === true) return printJson(job);
  if (!isAllDone(job)) return drawJob(job);
  const { undone = 0, alreadyUndone = 0, goneOn = 0 } = job.counts;
  const before = alreadyUndone === 0 ? '' : `; ${formatCount(alreadyUndone, 'others')} had been taken back already`;
  const others = `${before}${goneOn === 0 ? '' : `; ${formatCount(goneOn, 'others')} went on since, and stayed`}`;
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${formatCount(undone, 'executions')} went back${others}\n`);
}

/** A job that retries many: its refusals say what a flag of the command mends. Those of a migration are mended in its mapping. */
const RetryJob = z.object({ spec: z.object({ action: z.object({ type: z.literal('retry') }) }) });

/** Prints a job with its problems. */
export function drawJob(job: ShownJob): void {
  const paint = painter(process.stdout);
  const say = RetryJob.safeParse(job).success ? sayWithFlags : String;
  process.stdout.write(`${printable(job.kind)} ${job.jobId}: ${paint(colours[job.status] ?? 'reset', job.status)}\n`);
  process.stdout.write(`${formatCount(job.cursor, 'executions')} read${job.cursor === 0 ? '' : `: ${printable(formatCounts(job))}`}\n`);
  if (job.failure !== null) process.stdout.write(`${paint('red', printable(job.failure.code))} ${printable(job.failure.message)}\n`);
  for (const { executionId, code, message } of job.problems.slice(0, shownProblems))
    process.stdout.write(`${printable(executionId)}  ${printable(code)}  ${printable(say(message))}\n`);
  if (job.problems.length > shownProblems)
    process.stdout.write(paint('dim', `… and ${job.problems.length - shownProblems} more: --json has them\n`));
}

const shownProblems = 20;

/** How often a job is asked how far it is: soon at first, since most jobs are short. */
const [firstPauseMs, longestPauseMs] = [50, 1_000];

/** Whether a job has come to its end, and did not fail. */
export const isAllDone = ({ status, failure }: ShownJob): boolean => status === 'done' && failure === null;

/** Waits for a job. The exit code is 1 where it was paused, cancelled or failed. @param onProgress - called with each state on the way */
export async function watchJob(
  { ask }: Pick<Admin, 'ask'>,
  jobId: string,
  onProgress: ((job: ShownJob) => void) | undefined,
  company?: string,
): Promise<ShownJob> {
  sayWhatIsKept(`The job goes on where a service runs, else at its next start. See how far it is: hilo jobs watch ${printable(jobId)}`);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const job = ShownJob.parse(await ask('GET', pathOf(jobId, company)));
    if (job.status !== 'waiting' && job.status !== 'running') {
      if (!isAllDone(job)) process.exitCode = 1;
      return job;
    }
    onProgress?.(job);
    await pause(pauseMs);
  }
}

/** Shows progress on a terminal, in one line that is written over. @param total - how many there are, where that is known */
export function progressLine(total: number | undefined): (job: ShownJob) => void {
  return (job) => {
    if (!process.stderr.isTTY) return;
    process.stderr.write(
      `\r\u001b[K${job.status}: ${job.cursor}${total === undefined ? '' : ` of ${total}`} (${printable(formatCounts(job))})`,
    );
    if (job.status === 'done') process.stderr.write('\n');
  };
}
