// The table of jobs.
import type { Json } from '@hilo/engine/contract';
import { defineTable, flag, integer, internal, json, key, oneOf, optional, plain, staying, text } from '@hilo/stores';

const process = 'a process that does it';

/** `waiting` for its turn or its time, `running` while a process holds it; the last two have ended. */
export const jobStatuses = ['waiting', 'running', 'paused', 'done', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** What went wrong with one thing of many, while the job goes on. */
export interface JobProblem {
  /** The execution, or what else the job was about to act on. */
  readonly executionId: string;
  readonly code: string;
  readonly message: string;
}

/** Why a job goes on no more, or not yet. */
export type JobFailure = Omit<JobProblem, 'executionId'>;

/** Durable work over many things, such as executions: one row each, however many things there are. */
export const jobs = defineTable(
  'jobs',
  {
    companyId: text(),
    id: key(plain()),
    /** Which definition does it. */
    kind: plain(),
    /** Of those with the same queue, a company has one at work. */
    queue: plain(),
    /** What is to be done, as its kind reads it. */
    spec: json<Json>(),
    status: oneOf(jobStatuses),
    /** Where the next page begins, as its kind keeps it; null before the first. */
    place: json<Json>(),
    /** How many things were looked at. */
    cursor: integer(),
    /** Of them, how many had which outcome. */
    counts: json<{ readonly [outcome: string]: number }>(),
    /** True where a page may have been done and not counted, since its process died, until that is counted too. */
    isAtLeast: flag(),
    problems: json<readonly JobProblem[]>(),
    failure: optional(json<JobFailure>()),
    /** Pages that failed since the last one that did not. */
    attempts: integer(),
    /** Things a second. */
    rate: integer(),
    /** It acts on no more than so many things. */
    atMost: optional(integer()),
    notBeforeMs: integer(),
    createdBy: text(),
    createdAtMs: integer(),
    endedAtMs: optional(integer()),
    /** When it had its last turn: of several companies, that which has waited longest is next. */
    turnAtMs: integer(),
    /** The process that does it, and until when; after that any process may claim it. A claim that ran out names who died. */
    claimedBy: staying(internal(optional(plain())), process),
    claimedUntilMs: staying(internal(optional(integer())), process),
  },
  {
    moves: 'copied',
    personal: 'none',
    foundBy: 'others',
    unique: 'id',
    bytewise: ['id'],
    indexes: {
      byAge: { on: ['createdAtMs', 'id'] },
      open: { on: ['companyId', 'queue', 'createdAtMs', 'id'], where: "status in ('waiting', 'running')" },
    },
  },
);
