import { type HiloError, WebhookMethod } from '@hilo/engine/contract';
import { Refusal } from './refusal.ts';

/** A failure of the engine as the refusal of a request. */
export function refusalOf(error: HiloError): Refusal {
  const { status } = error;
  if (status === 503) return new Refusal(status, error.code, 'The store did not take this now; send it again', retrySoon);
  return new Refusal(status, error.code, error.message, { headers: headersOf(error), fields: fieldsOf(error) });
}

const retrySoon = { headers: { 'retry-after': '1' } };

/** Methods come in one order, whoever found out that theirs is none of them. */
const headersOf = ({ details }: HiloError): { readonly [name: string]: string } =>
  'allowed' in details ? { allow: WebhookMethod.options.filter((method) => details.allowed.includes(method)).join(', ') } : {};

const fieldsOf = ({ details }: HiloError): { readonly [field: string]: readonly string[] } =>
  'problems' in details ? { canvas: details.problems.map(({ code, message }) => `${code}: ${message}`) } : {};
