// A job as one value: durable work over many things, such as executions, that goes on where it stopped whatever dies. From it come the row in
// the table of jobs, the claim, the pages, the rate, the retries, the routes of management and the commands.
import type { Json, JsonObject } from '@hilo/engine/contract';
import type { ItemOf } from '@hilo/stores';
import type { z } from 'zod';
import type { JobFailure, JobProblem, jobs } from '../tables/jobs.ts';

/** A job as its row has it. */
export type JobRecord = ItemOf<typeof jobs.columns>;

/** A page of a job, to be done now. */
export interface PageCall<Spec> {
  readonly jobId: string;
  readonly companyId: string;
  /** Who asked for it. */
  readonly createdBy: string;
  readonly spec: Spec;
  /** Where it begins: what the page before has returned as `next`; null for the first. */
  readonly place: Json;
  /** How many things were looked at before, and what became of them. */
  readonly cursor: number;
  readonly counts: JobRecord['counts'];
  readonly atMost: number | undefined;
  /**
   * Whether the page may have been done before, in whole or in part, and not counted: the process died, or a try failed. A page that counts
   * what it did then as well says so (`isExact`).
   */
  readonly isAgain: boolean;
  /** About how many things a page has: as many as the rate does in a second, at most 256. */
  readonly size: number;
  /**
   * Acts on things in order, at the rate of the job and at most 128 at once, while the engine has room for others. Resolves once all are done.
   *
   * @throws {Error} when the job is no longer this process's: the page is done again by whoever takes it
   */
  each<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void>;
  /** Aborted when the job is no longer this process's. */
  readonly signal: AbortSignal;
}

/** What a page has done. It is kept in one write: where a process dies before that, the page is done again. */
export interface JobPage {
  /** Where the next page begins, as JSON other than null; null when all is done. */
  readonly next: Json;
  /** How many things were looked at. */
  readonly read?: number;
  /** How many things had which outcome, to be added to those before. */
  readonly counts?: JobRecord['counts'];
  /** The counts are true, also where the page was done in part before. Else a job whose process died has counts of at least so many. */
  readonly isExact?: boolean;
  readonly problems?: readonly JobProblem[];
  /** The next page is not before this instant; at once, when left out. */
  readonly notBeforeMs?: number;
  /** Why it could not do all that was asked. */
  readonly failure?: JobFailure;
}

/** Another job, by which what a job has done is taken back. */
export interface Undoing {
  readonly kind: string;
  readonly spec: JsonObject;
}

/** What is said of a kind of job where it is defined. */
export interface JobDefinition<Parts, Spec extends z.ZodType> {
  /** In small letters, unique: it is stored with each job. */
  readonly kind: string;
  /** What a job of this kind is told. Stored jobs are read by it too: a later release adds what may be left out. */
  readonly spec: Spec;
  /**
   * Jobs of a company in one queue have their turns one after the other, in the order in which they were asked for. All are in one, when left
   * out; a job that must not wait for others has a queue of its own.
   */
  readonly queue?: string;
  /** Things a second, where nobody says; 500, when left out. */
  readonly rate?: number;
  /**
   * Does a page. Each act must be idempotent by itself, such as by a key of the job and the thing: a page may be done twice. An error with a
   * status below 500 (`HiloError`, `HttpError`) ends the job with its sentence; any other is tried again, later each time, and pauses the job
   * at the tenth.
   */
  page(call: PageCall<z.output<Spec>>, parts: Parts): Promise<JobPage>;
  /** What takes a job back; undefined where nothing does. Without it, no job of this kind can be taken back. */
  undo?(spec: z.output<Spec>, job: JobRecord): Undoing | undefined;
}

/** A kind of job, for the runner. */
export interface Job<Parts> {
  readonly kind: string;
  readonly queue: string;
  readonly rate: number;
  /** @throws {ZodError} */
  parse(spec: unknown): unknown;
  page(call: PageCall<Json>, parts: Parts): Promise<JobPage>;
  undo(job: JobRecord): Undoing | undefined;
}

/** The same with the type of what it is told. */
export interface DefinedJob<Parts, Spec> extends Job<Parts> {
  /** For types alone: never set. */
  readonly told?: Spec;
}

const defaultRate = 500;

/**
 * Defines a kind of job.
 *
 * @example
 * const remind = defineJob({
 *   kind: 'remind',
 *   spec: z.strictObject({ text: z.string() }),
 *   async page({ companyId, spec, place, size, each }, { orders, send }: Shop) {
 *     const page = await orders.after(companyId, place, size);
 *     await each(page.orders, (order) => send(order, spec.text));
 *     return { next: page.next, read: page.orders.length, counts: { reminded: page.orders.length } };
 *   },
 * });
 * const { jobId } = await service.jobs.ask(remind, { companyId: '1', spec: { text: 'Hello' }, createdBy: 'operator maria' });
 *
 * @throws {RangeError} for a kind or a queue that is no name, or a rate that is none
 */
export function defineJob<Parts, Spec extends z.ZodType>({
  kind,
  spec,
  queue = 'executions',
  rate = defaultRate,
  page,
  undo,
}: JobDefinition<Parts, Spec>): DefinedJob<Parts, z.input<Spec>> {
  for (const name of [kind, queue])
    if (!/^[a-z][a-zA-Z0-9-]{0,63}$/.test(name))
      throw new RangeError(`Job "${kind}": "${name}" is no name: write 1 to 64 letters, digits or "-", a small letter first`);
  if (!isRate(rate)) throw new RangeError(`Job "${kind}": its rate is a whole number from 1 to ${maxRate}, not ${rate}`);
  return {
    kind,
    queue,
    rate,
    parse: (given) => spec.parse(given),
    page: (call, parts) => page({ ...call, spec: spec.parse(call.spec) }, parts),
    undo: (job) => undo?.(spec.parse(job.spec), job),
  };
}

/** Things a second, at most. */
export const maxRate = 100_000;
export const isRate = (rate: number): boolean => Number.isSafeInteger(rate) && rate >= 1 && rate <= maxRate;
