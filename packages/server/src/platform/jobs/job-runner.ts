// Does jobs: claims what is due, page by page, and keeps how far it is in one write after each page. Whatever dies on the way, another process
// or the next start goes on there.
import { type Backoff, backoffMs, type Clock, isWithin, type Random } from '@hilo/engine/contract';
import { asCondition, type DurableStore } from '@hilo/stores';
import { ZodError } from 'zod';
import { asHttpError } from '../http/errors.ts';
import { telling } from '../events/telling.ts';
import { tellJobEnded } from './job-events.ts';
import type { Logger } from '../logging/logger.ts';
import { createPoller } from '../poller.ts';
import { waitUpTo } from '../waiting.ts';
import { type JobFailure, type JobStatus, jobs as jobTable } from '../tables/jobs.ts';
import { type Claim, claimMs, dropClaimsOfDead, holdClaim } from './claims.ts';
import type { Job, JobPage, JobRecord } from './define-job.ts';
import { createPacer, eachPaced, type Pacer } from './pacer.ts';
import { claimJob, endClaims, keepProgress, selectDue, selectNextDue } from './sql.ts';

/** What the runner works with. */
export interface RunnerParts {
  readonly store: Pick<DurableStore, 'runner' | 'durability'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Whether the engine is busy with what users do: then jobs wait. */
  readonly isBusy: () => boolean;
  /** How many turns of lanes are at work in the engine: a job does less at once beside those of others. */
  readonly atWork: () => number;
  /** Called with what the things of each page became. */
  readonly onCounted: (kind: string, counts: JobRecord['counts']) => void;
}

/** Does the jobs of a store. */
export interface JobRunner<Parts> {
  /** Begins with what is due. */
  start(parts: Parts): Promise<void>;
  /** A job may be due. */
  wake(): void;
  /** Begins no further page, waits for those under way, and leaves the rest to the next process. */
  stop(): Promise<void>;
}

/** How often the store is asked for jobs of other processes. */
const pollMs = 1_000;
/** Jobs that one process does at once, each of another company or queue. */
const maxAtOnce = 8;
/** After so long, a job lets another have its turn where more are due than are done at once. */
const turnMs = 5_000;
/** A page that takes longer has failed. */
const maxPageMs = 600_000;
/** Things of a page, at most: what a page costs besides is small then, and one that is done again after a death takes a moment. */
const maxPageSize = 256;
/** Problems that are kept of a job. */
const maxProblems = 1_000;
/** So many pages fail one after the other until the job is paused. */
const maxAttempts = 10;
const backoff: Backoff = { firstMs: 1_000, longestMs: 300_000 };

/** Makes the runner of some kinds of jobs. @throws {RangeError} for two of one kind */
export function createJobRunner<Parts>(kinds: readonly Job<Parts>[], parts: RunnerParts): JobRunner<Parts> {
  const { store, clock, random, log } = parts;
  const { runner } = store;
  const known = new Map<string, Job<Parts>>();
  for (const job of kinds) {
    if (known.has(job.kind)) throw new RangeError(`jobs: there is a job of the kind "${job.kind}" already: give yours another name`);
    known.set(job.kind, job);
  }
  const owner = Buffer.from(random.bytes(16)).toString('hex');
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  let given: { readonly parts: Parts } | undefined;
  let mayMoreWait = false;

  const startDue = async (workWith: Parts, nowMs: number): Promise<void> => {
    const room = maxAtOnce - running.size;
    const due = await runner.read(selectDue({ nowMs, limit: maxAtOnce + 1 }));
    mayMoreWait = due.length > room;
    let isAny = false;
    for (const { companyId, id, kind: name } of due.slice(0, room)) {
      const place = JSON.stringify([companyId, id]);
      const kind = known.get(name);
      if (stopping.signal.aborted || running.has(place)) continue;
      if (kind === undefined) {
        log.warn({ jobId: id, kind: name }, 'A job waits for a process that knows its kind');
        continue;
      }
      const claim = { companyId, id, owner };
      if ((await runner.writeOne(claimJob({ ...claim, nowMs, untilMs: clock.now() + claimMs }))) === undefined) continue;
      isAny = true;
      const turn = { kind, claim, workWith, stopping: stopping.signal, mayMoreWait: () => mayMoreWait };
      const work = performTurn(parts, turn).finally(() => {
        running.delete(place);
        poller.wake(clock.now()); // another of its queue may be due
      });
      running.set(place, work);
    }
    const nextMs = (await runner.readOne(selectNextDue({ nowMs })))?.atMs;
    if (nextMs !== undefined) poller.wake(nextMs);
    if (isAny) poller.wake(clock.now() + pollMs);
  };

  const poller = createPoller({
    clock,
    log,
    everyMs: pollMs,
    async poll(nowMs) {
      if (given !== undefined && !stopping.signal.aborted) await startDue(given.parts, nowMs);
    },
    failure: 'Due jobs could not be started',
  });

  return {
    async start(workWith) {
      given = { parts: workWith };
      await dropClaimsOfDead(store, endClaims({}));
      poller.start();
      poller.wake(clock.now());
    },
    wake: () => poller.wake(clock.now()),
    async stop() {
      stopping.abort();
      await poller.stop();
      await Promise.all(running.values());
    },
  };
}

/** A job that is claimed. */
interface JobTurn<Parts> {
  readonly kind: Job<Parts>;
  readonly claim: Claim;
  readonly workWith: Parts;
  readonly stopping: AbortSignal;
  /** Whether other jobs may wait for a turn. */
  readonly mayMoreWait: () => boolean;
}

/** Performs pages of a job until it has ended, its turn is over or the process stops. */
async function performTurn<Parts>(parts: RunnerParts, { kind, claim, workWith, stopping, mayMoreWait }: JobTurn<Parts>): Promise<void> {
  const { store, clock, log } = parts;
  const found = await store.runner.readOne(jobTable.find({ companyId: claim.companyId, id: claim.id }));
  if (found === undefined) return;
  const lease = holdClaim('jobs', claim, { runner: store.runner, clock, log }, stopping);
  const performed = { ...parts, kind, claim, signal: lease.signal, take: createPacer(parts), workWith };
  const sinceMs = clock.now();
  try {
    for (let job: JobRecord | undefined = found; job !== undefined; )
      job = await performPage(performed, job, () => stopping.aborted || (mayMoreWait() && !isWithin(sinceMs, turnMs, clock.now())));
  } catch (error) {
    log.warn({ jobId: claim.id, error: String(error) }, 'How far a job is could not be kept; it goes on when its claim has run out');
  } finally {
    lease.end();
  }
}

interface Performed<Parts> extends RunnerParts {
  readonly kind: Job<Parts>;
  readonly claim: Claim;
  readonly signal: AbortSignal;
  readonly take: Pacer;
  readonly workWith: Parts;
}

/**
 * Does the next page of a job, and keeps how far it is.
 *
 * @param yields - whether it lets others have their turn
 * @returns the job as it goes on; undefined where it does not, here and now
 */
async function performPage<Parts>(performed: Performed<Parts>, job: JobRecord, yields: () => boolean): Promise<JobRecord | undefined> {
  const { kind, clock, signal, log, onCounted } = performed;
  let page: JobPage;
  try {
    page = await runPage(performed, job);
  } catch (error) {
    if (signal.aborted) return keepInterrupted(performed, job);
    return keepFailure(performed, job, error);
  }
  const { next, read = 0, counts = {}, isExact = false, problems = [], notBeforeMs = 0, failure } = page;
  const nowMs = clock.now();
  const isDone = next === null;
  const isLater = notBeforeMs > nowMs;
  const goesOn = !isDone && !isLater && !yields() && !signal.aborted;
  const after: JobRecord = {
    ...job,
    place: next,
    cursor: job.cursor + read,
    counts: addCounts(job.counts, counts),
    isAtLeast: job.isAtLeast && !isExact,
    problems: [...job.problems, ...problems].slice(0, maxProblems),
    attempts: 0,
    failure,
    notBeforeMs: isLater ? notBeforeMs : job.notBeforeMs,
    ...(isDone && { endedAtMs: nowMs }),
  };
  const kept = await keep(performed, after, isDone ? 'done' : goesOn ? 'running' : 'waiting', goesOn);
  if (kept === undefined) return undefined;
  onCounted(kind.kind, counts);
  if (kept.status === 'done')
    log.info({ companyId: job.companyId, jobId: job.id, kind: kind.kind, counts: after.counts }, 'A job has ended');
  if (!goesOn) return undefined;
  if (kept.status !== 'running' && kept.status !== 'waiting') {
    await keep(performed, { ...after, rate: kept.rate }, 'waiting', false); // paused or cancelled: the claim is given back, the status stays
    return undefined;
  }
  return { ...after, rate: kept.rate };
}

const addCounts = (before: JobRecord['counts'], counts: JobRecord['counts']): JobRecord['counts'] => {
  const added = Object.entries(counts).filter(([, count]) => count !== 0);
  return { ...before, ...Object.fromEntries(added.map(([outcome, count]) => [outcome, (before[outcome] ?? 0) + count])) };
};

/** Runs the page itself, within its time. */
async function runPage<Parts>({ kind, clock, take, atWork, signal, workWith }: Performed<Parts>, job: JobRecord): Promise<JobPage> {
  const overtime = new AbortController();
  const either = AbortSignal.any([signal, overtime.signal]);
  const call = {
    jobId: job.id,
    companyId: job.companyId,
    createdBy: job.createdBy,
    spec: job.spec,
    place: job.place,
    cursor: job.cursor,
    counts: job.counts,
    atMost: job.atMost,
    isAgain: job.isAtLeast,
    size: Math.min(job.rate, maxPageSize),
    signal: either,
    each: <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) =>
      eachPaced(items, { take: () => take(job.rate, either), atWork }, act),
  };
  const page = await waitUpTo(clock, maxPageMs, kind.page(call, workWith), 'late');
  if (page !== 'late') return page;
  const error = new Error(`A page took longer than ${maxPageMs / 60_000} minutes`);
  overtime.abort(error);
  throw error;
}

/** Gives a job back that this process does no more, in the middle of a page: what of it was done is not counted. */
async function keepInterrupted<Parts>(performed: Performed<Parts>, job: JobRecord): Promise<undefined> {
  await keep(performed, { ...job, isAtLeast: true }, 'waiting', false);
}

/** Keeps why a page failed: a refusal ends the job, anything else is tried again later. */
async function keepFailure<Parts>(performed: Performed<Parts>, job: JobRecord, error: unknown): Promise<undefined> {
  const { kind, clock, random, log } = performed;
  const refusal = describeEnd(error);
  const nowMs = clock.now();
  const about = { companyId: job.companyId, jobId: job.id, kind: kind.kind };
  if (refusal !== undefined) {
    log.warn({ ...about, ...refusal }, 'A job has ended, since it was refused');
    const counts = addCounts(job.counts, { failed: 1 });
    await keep(performed, { ...job, counts, failure: refusal, attempts: 0, endedAtMs: nowMs }, 'done', false);
    return;
  }
  const attempts = job.attempts + 1;
  const failure: JobFailure = { code: 'INTERNAL', message: String(error instanceof Error ? error.message : error).slice(0, 500) };
  const isLast = attempts >= maxAttempts;
  log.warn(
    { ...about, attempts, error: String(error) },
    isLast ? 'A job is paused: its page fails' : 'A page of a job failed; it is tried again',
  );
  const share = (random.bytes(1)[0] ?? 0) / 256;
  const pauseMs = isLast ? 0 : Math.ceil(backoffMs(backoff, attempts, share));
  const after: JobRecord = { ...job, attempts, failure, notBeforeMs: nowMs + pauseMs, isAtLeast: true };
  await keep(performed, after, isLast ? 'paused' : 'waiting', false);
}

/** The code and the sentence of what no other try would change. */
function describeEnd(error: unknown): JobFailure | undefined {
  if (error instanceof ZodError)
    return { code: 'INVALID_JOB', message: `This release cannot read what the job was told: ${error.message}`.slice(0, 500) };
  const refusal = asHttpError(error);
  return refusal === undefined || refusal.status >= 500 || refusal.status === 429
    ? undefined
    : { code: refusal.code, message: refusal.message };
}

/** Writes how far a job is. @returns its status and rate now; undefined where another process has it */
async function keep<Parts>({ store: { runner }, claim, clock }: Performed<Parts>, job: JobRecord, status: JobStatus, isHeld: boolean) {
  const keeping = keepProgress({
    ...job,
    ...claim,
    status,
    claimedBy: isHeld ? claim.owner : undefined,
    claimedUntilMs: isHeld ? clock.now() + claimMs : undefined,
  });
  return runner.writeOne(status === 'done' ? telling(asCondition(keeping), () => tellJobEnded(job, 'done', clock.now())) : keeping);
}
