import type { Problem } from './problem.ts';

/** The details of each code of a {@link HiloError}. */
export interface ErrorDetails {
  INVALID_REQUEST: { readonly reason: string };
  INVALID_USER_ID: { readonly userId: string };
  INVALID_CANVAS: { readonly workflowId: string; readonly problems: readonly Problem[] };
  WORKFLOW_NOT_FOUND: { readonly workflowId: string };
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
  STORE_CONFLICT: { readonly executionId: string };
  /** Nothing is half written; whether a commit happened may be unknown. The next call may succeed again (P26). */
  STORE_UNAVAILABLE: { readonly reason: string };
}

/** The name of a failure that a caller or an operator must act on. */
export type ErrorCode = keyof ErrorDetails;

const messages: { readonly [Code in ErrorCode]: (details: ErrorDetails[Code]) => string } = {
  INVALID_REQUEST: ({ reason }) => reason,
  INVALID_USER_ID: ({ userId }) =>
    `User id "${userId}" is neither a phone number of digits only (no "+") nor a business-scoped id such as "US.13491208655302741918"`,
  INVALID_CANVAS: ({ workflowId, problems }) =>
    `Workflow "${workflowId}" has ${problems.length} problem${problems.length === 1 ? '' : 's'}, the first: ${problems[0]?.message ?? 'unknown'}`,
  WORKFLOW_NOT_FOUND: ({ workflowId }) => `There is no workflow "${workflowId}" to run: save and publish it first`,
  NODE_NOT_FOUND: ({ workflowId, nodeId }) => `Workflow "${workflowId}" has no webhook node${nodeId === '' ? '' : ` "${nodeId}"`}`,
  EXECUTION_NOT_FOUND: ({ executionId }) => `There is no execution "${executionId}"`,
  EXECUTION_NOT_WAITING: ({ executionId, status }) => `Execution "${executionId}" does not wait for this request (its status is ${status})`,
  METHOD_NOT_ALLOWED: ({ method, allowed }) =>
    `This webhook does not take ${method}; it takes ${allowed.length === 0 ? 'no method at all' : allowed.join(', ')}`,
  EXPRESSION: ({ source, reason }) => `Expression {{${source.length > 200 ? `${source.slice(0, 200)}…` : source}}}: ${reason}`,
  INVALID_DURATION: ({ source, reason }) => `${source} ${reason}`,
  INVALID_OPTIONS: ({ reason }) => reason,
  INVALID_TIME_ZONE: ({ name }) => `There is no time zone "${name}"; write an IANA name such as America/Lima`,
  INVALID_LOCALE: ({ name }) => `There is no locale "${name}"; write a language and a country such as es-PE`,
  INVALID_CONFIG: ({ reason }) => reason,
  INVALID_SCRIPT: ({ reason, line }) => (line === undefined ? reason : `Line ${line}: ${reason}`),
  WORKSPACE_REFUSED: ({ place, problems: [first, ...others] }) => {
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    const where = first === undefined || first.pointer === '' ? '' : ` at ${first.pointer}`; // the message for malformed JSON contains its place
    return `${place} is not imported: ${first?.message ?? ''}${where}${more}`;
  },
  SECRET_KEY_REFUSED: ({ reason }) => reason,
  CELL_ELSEWHERE: ({ cell, url }) => `This is served by cell "${cell}": send it to ${url}`,
  STORE_CONFLICT: ({ executionId }) => `Another writer moved execution "${executionId}" on`,
  STORE_UNAVAILABLE: ({ reason }) => reason,
};

/** What each failure is over HTTP. */
const statuses = {
  INVALID_REQUEST: 400,
  INVALID_USER_ID: 400,
  INVALID_CANVAS: 422,
  WORKFLOW_NOT_FOUND: 404,
  NODE_NOT_FOUND: 404,
  EXECUTION_NOT_FOUND: 404,
  EXECUTION_NOT_WAITING: 409,
  METHOD_NOT_ALLOWED: 405,
  EXPRESSION: 400,
  INVALID_DURATION: 400,
  INVALID_TIME_ZONE: 400,
  INVALID_LOCALE: 400,
  INVALID_OPTIONS: 400,
  INVALID_SCRIPT: 400,
  WORKSPACE_REFUSED: 422,
  CELL_ELSEWHERE: 421,
  INVALID_CONFIG: 500,
  SECRET_KEY_REFUSED: 500,
  STORE_CONFLICT: 503,
  STORE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

/** A failure that a caller or an operator must act on. Recognise it by its `code`, which survives storage and HTTP. */
export class HiloError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'HiloError';
  readonly code: Code;
  /** The HTTP status: 400, 404, 405, 409, 421, 422, 500 for errors that an operator must fix, 503 when the same call may succeed later. */
  readonly status: (typeof statuses)[ErrorCode];
  readonly details: ErrorDetails[Code];

  constructor(code: Code, details: ErrorDetails[Code], options?: ErrorOptions) {
    super(messages[code](details), options);
    this.code = code;
    this.status = statuses[code];
    this.details = details;
  }
}

/** Whether something thrown is a {@link HiloError} with this code. */
export const isHiloError = <Code extends ErrorCode>(error: unknown, code: Code): error is HiloError<Code> =>
  error instanceof HiloError && error.code === code;
