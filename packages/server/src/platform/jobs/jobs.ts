// Jobs of a service: asked for, looked at, paused and taken back.
import { telling } from '../events/telling.ts';
import { tellJobEnded } from './job-events.ts';
import type { Clock, Json, Random } from '@hilo/engine/contract';
import { asCondition, type Call, type DurableStore } from '@hilo/stores';
import { z } from 'zod';
import { HttpError, invalidInput, notFound } from '../http/errors.ts';
import { jobs as jobTable, type JobStatus } from '../tables/jobs.ts';
import { type DefinedJob, isRate, type Job, type JobRecord, maxRate } from './define-job.ts';
import { cancelJob, pauseJob, resumeJob, selectJobs, setRate } from './sql.ts';

/** A job that is asked for. */
export interface JobRequest<Spec> {
  readonly companyId: string;
  readonly spec: Spec;
  /** Who asks, as histories and the audit name them. */
  readonly createdBy: string;
  /** Things a second; that of the kind, when left out. */
  readonly rate?: number | undefined;
  /** It acts on no more than so many things; on all, when left out. */
  readonly atMost?: number | undefined;
  /** When it begins; at once, when left out. */
  readonly notBeforeMs?: number | undefined;
  /** Where the caller has given it an id, such as to be found again. */
  readonly jobId?: string | undefined;
}

/** Which jobs a page of the list has. */
export interface JobsFilter {
  /** Of these companies; of all, when left out. */
  readonly companyIds?: readonly string[] | undefined;
  readonly status?: JobStatus | undefined;
  readonly kind?: string | undefined;
  readonly limit: number;
  /** The job that ended the page before. */
  readonly after?: { readonly createdAtMs: number; readonly id: string } | undefined;
}

/** Jobs, for routes and for whoever needs durable work done. */
export interface Jobs {
  /** Asks for a job; durable when the promise resolves. @throws {HttpError} 422 for a spec, a rate or a bound that is none */
  ask<Spec>(kind: DefinedJob<never, Spec>, request: JobRequest<Spec>): Promise<{ readonly jobId: string }>;
  /** The same as statements, for a transaction of the caller's, which calls `wake` after it. */
  insert<Spec>(kind: DefinedJob<never, Spec>, request: JobRequest<Spec>): { readonly jobId: string; readonly calls: readonly Call[] };
  /** A job may be due. */
  wake(): void;
  /** @throws {HttpError} 404 */
  find(jobId: string, companyId?: string): Promise<JobRecord>;
  /** Newest first. */
  list(filter: JobsFilter): Promise<readonly JobRecord[]>;
  /** Each is idempotent. @throws {HttpError} 404; 409 for a job that has ended */
  pause(job: JobRecord): Promise<JobRecord>;
  resume(job: JobRecord): Promise<JobRecord>;
  cancel(job: JobRecord): Promise<JobRecord>;
  setRate(job: JobRecord, rate: number): Promise<JobRecord>;
  /** Asks for the job that takes another back. @throws {HttpError} 409 where nothing does, or it has not ended */
  undo(job: JobRecord, createdBy: string): Promise<{ readonly jobId: string }>;
}

interface JobsParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly wake: () => void;
}

const Bounds = z.object({
  rate: z.number().refine(isRate, `rate is a whole number from 1 to ${maxRate}`),
  atMost: z.int('atMost is a whole number').min(1, 'atMost is at least 1').optional(),
});

/** Makes them, of some kinds. */
export function createJobs<Parts>(kinds: readonly Job<Parts>[], { store: { runner }, clock, random, wake }: JobsParts): Jobs {
  const known = new Map(kinds.map((job) => [job.kind, job]));
  const find = async (jobId: string, companyId?: string): Promise<JobRecord> => {
    const job = await runner.readOne(jobTable.findUnique(jobId));
    if (job === undefined || (companyId !== undefined && job.companyId !== companyId))
      throw notFound('JOB_NOT_FOUND', `There is no job "${jobId}": GET /admin/v1/jobs lists them`);
    return job;
  };
  const insert = (kind: AskedKind, request: JobRequest<unknown>) => {
    const row = newJob(kind, { ...request, jobId: request.jobId ?? Buffer.from(random.bytes(16)).toString('hex') }, clock.now());
    return { jobId: row.id, calls: jobTable.insert([row]) };
  };
  const ask = async (kind: AskedKind, request: JobRequest<unknown>) => {
    const { jobId, calls } = insert(kind, request);
    await runner.write(calls);
    wake();
    return { jobId };
  };
  /** Takes a step, which a job in some statuses does not take; those that have ended are refused. */
  const step = async (job: JobRecord, statement: Call, verb: string): Promise<JobRecord> => {
    const changed = (await runner.write([statement])).rowsOf(statement).length > 0;
    const after = await find(job.id, job.companyId);
    if (changed) wake();
    else if (after.status === 'done' || (after.status === 'cancelled' && verb !== 'cancelled'))
      throw new HttpError(409, 'JOB_ENDED', `Job "${job.id}" is ${after.status} and cannot be ${verb}`);
    return after;
  };
  const named = ({ companyId, id }: JobRecord) => ({ companyId, id });
  return {
    ask,
    insert,
    wake,
    find,
    async list({ companyIds = [''], status = '', kind = '', limit, after }) {
      const below = { belowMs: after?.createdAtMs ?? Number.MAX_SAFE_INTEGER, belowId: after?.id ?? '' };
      const pages = await runner.readEach(companyIds.map((companyId) => selectJobs({ companyId, status, kind, limit, ...below })));
      const rows = pages.flat().toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1));
      return rows.slice(0, limit);
    },
    pause: (job) => step(job, pauseJob(named(job)), 'paused'),
    resume: (job) => step(job, resumeJob(named(job)), 'resumed'),
    cancel: (job) => {
      const nowMs = clock.now();
      return step(
        job,
        telling(asCondition(cancelJob({ ...named(job), nowMs })), () => tellJobEnded(job, 'cancelled', nowMs)),
        'cancelled',
      );
    },
    async setRate(job, rate) {
      const { success, error } = Bounds.safeParse({ rate });
      if (!success) throw invalidInput(error);
      return step(job, setRate({ ...named(job), rate }), 'changed');
    },
    async undo(job, createdBy) {
      const undoing = known.get(job.kind)?.undo(job);
      const kind = undoing === undefined ? undefined : known.get(undoing.kind);
      if (undoing === undefined || kind === undefined)
        throw new HttpError(409, 'JOB_NOT_UNDOABLE', `Job "${job.id}" is of the kind "${job.kind}": what it has done cannot be taken back`);
      if (job.status !== 'done' && job.status !== 'cancelled')
        throw new HttpError(409, 'JOB_NOT_ENDED', `Job "${job.id}" is ${job.status}: cancel it, or let it end, and undo it then`);
      return ask(kind, { companyId: job.companyId, spec: undoing.spec, createdBy, rate: job.rate });
    },
  };
}

/** What a kind says of a job that is asked for. */
type AskedKind = Pick<Job<never>, 'kind' | 'queue' | 'rate' | 'parse'>;

/** The row of a job before its first turn. @throws {HttpError} 422 for a spec, a rate or a bound that is none */
function newJob(
  kind: AskedKind,
  { companyId, jobId, spec, createdBy, rate = kind.rate, atMost, notBeforeMs }: JobRequest<unknown> & { readonly jobId: string },
  nowMs: number,
) {
  const checked = readSpec(kind, spec);
  const { success, error } = Bounds.safeParse({ rate, atMost });
  if (!success) throw invalidInput(error);
  return {
    companyId,
    id: jobId,
    kind: kind.kind,
    queue: kind.queue,
    spec: checked,
    status: 'waiting' as const,
    place: null,
    cursor: 0,
    counts: {},
    isAtLeast: false,
    problems: [],
    attempts: 0,
    rate,
    atMost,
    notBeforeMs: notBeforeMs ?? nowMs,
    createdBy,
    createdAtMs: nowMs,
    turnAtMs: nowMs,
  };
}

/** @throws {HttpError} 422 by field */
function readSpec(kind: Pick<Job<never>, 'parse'>, spec: unknown): Json {
  try {
    kind.parse(spec);
  } catch (error) {
    throw error instanceof z.ZodError ? invalidInput(error) : error;
  }
  return spec as Json; // what a schema of JSON reads is kept as it was given
}
