import { typeWords } from './json.ts';
import type { Problem } from './problem.ts';

/** The details of each code of a {@link HiloError}. */
export interface ErrorDetails {
  INVALID_REQUEST: {
    readonly reason: string;
    /** The body is over the limit of its size: 413. */
    readonly isTooLarge?: true;
  };
  /** `kind` is that of a value that is no text, and `userId` is it as JSON. */
  INVALID_USER_ID: { readonly userId: string; readonly kind?: string };
  INVALID_CANVAS: { readonly workflowId: string; readonly problems: readonly Problem[] };
  /** A mapping that does not fit the two versions. */
  INVALID_MIGRATION: { readonly workflowId: string; readonly reason: string };
  /** The migration or a version is not that of the plan that was looked at. */
  PLAN_CHANGED: { readonly workflowId: string };
  /** A filter that would name nearly everything. */
  FILTER_EMPTY: { readonly lacks: string };
  /** There is no such version of the workflow. */
  VERSION_NOT_FOUND: { readonly workflowId: string; readonly version: number };
  /** An execution that another one continues already. */
  CONTINUED_ALREADY: { readonly executionId: string; readonly as: string };
  /** A continuation that is refused, and what can be done instead. */
  HISTORY_MASKED: { readonly step: number; readonly nodeId: string };
  HISTORY_GONE: { readonly executionId: string };
  CHILD: { readonly executionId: string; readonly parentId: string };
  WAITS_FOR_CHILD: { readonly executionId: string; readonly nodeId: string };
  NOT_ENDED_BADLY: { readonly executionId: string; readonly status: string };
  NEEDS_VALUE: { readonly reason: string };
  NODE_GONE: { readonly reason: string };
  WAIT_DIFFERS: { readonly reason: string };
  RETRY_OPEN: { readonly reason: string };
  WEBHOOK_RENAMED: { readonly reason: string };
  VALUE_REFUSED: { readonly reason: string };
  JUMPED: { readonly reason: string };
  TEST_ROUTE: { readonly reason: string };
  NOT_BEGUN: { readonly reason: string };
  INVALID_INPUT: { readonly workflowId: string; readonly reason: string };
  /** @property version - that it does not have, where it was asked for by a number */
  WORKFLOW_NOT_FOUND: { readonly workflowId: string; readonly version?: number };
  WORKFLOW_ARCHIVED: { readonly workflowId: string };
  /** `retryAfterS`: when a webhook should be called again, in seconds: 503. */
  WORKFLOW_PAUSED: { readonly workflowId: string; readonly retryAfterS?: number };
  NODE_NOT_FOUND: { readonly workflowId: string; readonly nodeId: string };
  EXECUTION_NOT_FOUND: { readonly executionId: string };
  EXECUTION_NOT_WAITING: { readonly executionId: string; readonly status: string };
  METHOD_NOT_ALLOWED: { readonly method: string; readonly allowed: readonly string[] };
  EXPRESSION: { readonly source: string; readonly reason: string };
  INVALID_DURATION: { readonly source: string; readonly reason: string };
  INVALID_TIME_ZONE: { readonly name: string };
  INVALID_LOCALE: { readonly name: string };
  INVALID_OPTIONS: { readonly reason: string };
  /** An invalid configuration (`hilo.config.ts`): one sentence with place and reason. */
  INVALID_CONFIG: { readonly reason: string };
  /** An input of a simulation that fails, and its line in the script, counted from 1. */
  INVALID_SCRIPT: { readonly reason: string; readonly line?: number };
  /** A refused workspace: nothing of it was written. */
  WORKSPACE_REFUSED: { readonly place: string; readonly problems: readonly Problem[] };
  /** A malformed key, or one that does not fit the store's secrets. Nothing was read or written. */
  SECRET_KEY_REFUSED: { readonly reason: string };
  /** The user, or the execution, is served by another cell: nothing was done here. */
  CELL_ELSEWHERE: { readonly cell: string; readonly url: string };
  TOO_MANY_SIGNALS: { readonly most: number };
  STORE_CONFLICT: { readonly executionId: string };
  /** Nothing is half written; whether a commit happened may be unknown. The next call may succeed again (P26). */
  STORE_UNAVAILABLE: {
    readonly reason: string;
    /** The store was closed: no later call succeeds either. */
    readonly isClosed?: true;
  };
}

/** The name of a failure that a caller or an operator must act on. */
export type ErrorCode = keyof ErrorDetails;

/** What each failure is over HTTP, and its message. */
const codes: {
  readonly [Code in ErrorCode]: readonly [
    status: Status | ((details: ErrorDetails[Code]) => Status),
    message: (details: ErrorDetails[Code]) => string,
  ];
} = {
  FILTER_EMPTY: [422, ({ lacks }) => `The filter names too much: give it ${lacks}`],
  INVALID_REQUEST: [({ isTooLarge }) => (isTooLarge === true ? 413 : 400), ({ reason }) => reason],
  INVALID_USER_ID: [
    400,
    ({ userId, kind }) =>
      kind !== undefined
        ? `A user id is a text, and this is ${typeWords[kind] ?? kind}: put it in quotes, such as "5215512345678"`
        : `User id "${userId}" is neither a phone number of digits only (no "+") nor a business-scoped id such as "US.13491208655302741918"`,
  ],
  INVALID_CANVAS: [
    422,
    ({ workflowId, problems }) =>
      `Workflow "${workflowId}" has ${problems.length} problem${problems.length === 1 ? '' : 's'}, the first${problems[0]?.pointer ? ` at ${problems[0].pointer}` : ''}: ${problems[0]?.message ?? 'unknown'}`,
  ],
  INVALID_INPUT: [400, ({ workflowId, reason }) => `Workflow "${workflowId}" cannot start: input ${reason}`],
  INVALID_MIGRATION: [422, ({ workflowId, reason }) => `The migration of workflow "${workflowId}" does not fit: ${reason}`],
  CONTINUED_ALREADY: [
    409,
    ({ executionId, as }) => `Execution "${executionId}" was continued as "${as}"; add again: true to continue it once more`,
  ],
  HISTORY_MASKED: [
    409,
    ({ step, nodeId }) =>
      `From step ${step} on, values of "${nodeId}" are masked in the history: choose an earlier step, or enter a node with set`,
  ],
  HISTORY_GONE: [
    409,
    ({ executionId }) => `The history of execution "${executionId}" is not whole any more (retention): start its workflow again`,
  ],
  CHILD: [
    409,
    ({ executionId, parentId }) => `Execution "${executionId}" was called by "${parentId}". Its caller was told; retry that one`,
  ],
  WAITS_FOR_CHILD: [
    409,
    ({ executionId, nodeId }) =>
      `Execution "${executionId}" waits for the workflow that "${nodeId}" called, which a copy cannot share: enter "${nodeId}", which calls it again`,
  ],
  NOT_ENDED_BADLY: [
    409,
    ({ executionId, status }) =>
      `Execution "${executionId}" is ${status}: what failed, expired or was cancelled is retried; of any other, make a copy with fork`,
  ],
  NEEDS_VALUE: [409, ({ reason }) => reason],
  NODE_GONE: [409, ({ reason }) => reason],
  WAIT_DIFFERS: [409, ({ reason }) => reason],
  RETRY_OPEN: [409, ({ reason }) => reason],
  WEBHOOK_RENAMED: [409, ({ reason }) => reason],
  VALUE_REFUSED: [409, ({ reason }) => reason],
  JUMPED: [409, ({ reason }) => reason],
  TEST_ROUTE: [409, ({ reason }) => reason],
  NOT_BEGUN: [409, ({ reason }) => reason],
  PLAN_CHANGED: [
    409,
    ({ workflowId }) =>
      `The migration of workflow "${workflowId}", or one of its versions, is not that of the plan: plan again, and look at it`,
  ],
  VERSION_NOT_FOUND: [404, ({ workflowId, version }) => `Workflow "${workflowId}" has no version ${version}: publish it, or name another`],
  WORKFLOW_NOT_FOUND: [
    404,
    ({ workflowId, version }) =>
      version === undefined
        ? `There is no workflow "${workflowId}" to run: save and publish it first`
        : `There is no version ${version} of workflow "${workflowId}": name one that it has`,
  ],
  WORKFLOW_PAUSED: [
    ({ retryAfterS }) => (retryAfterS === undefined ? 409 : 503),
    ({ workflowId }) => `Workflow "${workflowId}" is paused, and takes nothing new: unpause it, or send this again later`,
  ],
  WORKFLOW_ARCHIVED: [404, ({ workflowId }) => `Workflow "${workflowId}" is archived, and takes nothing new: restore it first`],
  NODE_NOT_FOUND: [404, ({ workflowId, nodeId }) => `Workflow "${workflowId}" has no webhook node${nodeId === '' ? '' : ` "${nodeId}"`}`],
  EXECUTION_NOT_FOUND: [404, ({ executionId }) => `There is no execution "${executionId}"`],
  EXECUTION_NOT_WAITING: [
    409,
    ({ executionId, status }) => `Execution "${executionId}" does not wait for this request (its status is ${status})`,
  ],
  METHOD_NOT_ALLOWED: [
    405,
    ({ method, allowed }) =>
      `This webhook does not take ${method}; it takes ${allowed.length === 0 ? 'no method at all' : allowed.join(', ')}`,
  ],
  EXPRESSION: [400, ({ source, reason }) => `Expression {{${source.length > 200 ? `${source.slice(0, 200)}…` : source}}}: ${reason}`],
  INVALID_DURATION: [400, ({ source, reason }) => `${source} ${reason}`],
  INVALID_OPTIONS: [400, ({ reason }) => reason],
  INVALID_TIME_ZONE: [400, ({ name }) => `There is no time zone "${name}"; write an IANA name such as America/Lima`],
  INVALID_LOCALE: [400, ({ name }) => `There is no locale "${name}"; write a language and a country such as es-PE`],
  INVALID_CONFIG: [500, ({ reason }) => reason],
  INVALID_SCRIPT: [400, ({ reason, line }) => (line === undefined ? reason : `Line ${line}: ${reason}`)],
  WORKSPACE_REFUSED: [
    422,
    ({ place, problems: [first, ...others] }) => {
      const more = others.length > 0 ? ` (and ${others.length} more)` : '';
      const where = first === undefined || first.pointer === '' ? '' : ` at ${first.pointer}`; // the message for malformed JSON contains its place
      return `${place} is not imported: ${first?.message ?? ''}${where}${more}`;
    },
  ],
  SECRET_KEY_REFUSED: [500, ({ reason }) => reason],
  CELL_ELSEWHERE: [421, ({ cell, url }) => `This is served by cell "${cell}": send it to ${url}`],
  TOO_MANY_SIGNALS: [
    429,
    ({ most }) => `The company holds ${most} signals already, as many as it may: wait until some are received or expire`,
  ],
  STORE_CONFLICT: [503, ({ executionId }) => `Another writer moved execution "${executionId}" on`],
  STORE_UNAVAILABLE: [503, ({ reason }) => reason],
};

/** 400, 404, 405, 409, 413, 421, 422, 500 for errors that an operator must fix, 503 when the same call may succeed later. */
type Status = 400 | 404 | 405 | 409 | 413 | 421 | 422 | 429 | 500 | 503;

/** A failure that a caller or an operator must act on. Recognise it by its `code`, which survives storage and HTTP. */
export class HiloError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'HiloError';
  readonly code: Code;
  /** The HTTP status: 503 when the same call may succeed later. */
  readonly status: Status;
  readonly details: ErrorDetails[Code];

  constructor(code: Code, details: ErrorDetails[Code], options?: ErrorOptions) {
    const [status, message] = codes[code];
    super(message(details), options);
    this.code = code;
    this.status = typeof status === 'number' ? status : status(details);
    this.details = details;
  }
}

/** What something thrown says, cut to what a variable and a history can hold beside others. */
export const describeThrown = (error: unknown): string => String(error instanceof Error ? error.message : error).slice(0, 2_000);

/** Whether a store answers no more, because it was closed. */
export const isOfClosedStore = (error: unknown): boolean => isHiloError(error, 'STORE_UNAVAILABLE') && error.details.isClosed === true;

/** Whether something thrown is a {@link HiloError}: with this code, whose details then have their type, or with any, when left out. */
export const isHiloError = <Code extends ErrorCode = ErrorCode>(error: unknown, code?: Code): error is HiloError<Code> =>
  error instanceof HiloError && (code === undefined || error.code === code);
