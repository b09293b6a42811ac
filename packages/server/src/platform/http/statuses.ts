import { type ErrorCode, type HiloError, WebhookMethod } from '@hilo/engine/contract';
import { Refusal, type RefusalStatus } from './refusal.ts';

/** What each failure of the engine is over HTTP. A new code does not compile until it has a status. */
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
  INVALID_OPTIONS: 400,
  STORE_CONFLICT: 503,
  STORE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, RefusalStatus>;

/** A failure of the engine as the refusal of a request. */
export function refusalOf(error: HiloError): Refusal {
  const status = statuses[error.code];
  if (status === 503) return new Refusal(status, error.code, 'The store did not take this now; send it again', retrySoon);
  return new Refusal(status, error.code, error.message, { headers: headersOf(error), fields: fieldsOf(error) });
}

const retrySoon = { headers: { 'retry-after': '1' } };

/** Methods come in one order, whoever found out that theirs is none of them. */
const headersOf = ({ details }: HiloError): { readonly [name: string]: string } =>
  'allowed' in details ? { allow: WebhookMethod.options.filter((method) => details.allowed.includes(method)).join(', ') } : {};

const fieldsOf = ({ details }: HiloError): { readonly [field: string]: readonly string[] } =>
  'problems' in details ? { canvas: details.problems.map(({ code, message }) => `${code}: ${message}`) } : {};
