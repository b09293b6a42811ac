import type { Driver, Json } from '@hilo/engine/contract';
import type { httpRequest } from '@hilo/nodes/effects';
import type { GivenAnswer } from './open-calls.ts';

/** Why a call got no response. */
export const unreachableReasons = ['timeout', 'refused', 'invalid-url', 'blocked', 'too-large'] as const;
/** What a driver does that is at fault itself. */
const driverFaults = ['throws', 'rubbish'] as const;

/** The words that stand for an answer that is no response. */
export const apiFailures = [...unreachableReasons, ...driverFaults] as const;
export type ApiFailure = (typeof apiFailures)[number];

/** What an HTTP endpoint answers. */
export type ApiAnswer =
  | { readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: Json }
  | ApiFailure;

type Result = Awaited<ReturnType<Driver<typeof httpRequest>>>;

/** The answer of the driver of `http.request` that an endpoint's answer becomes. */
export function apiResult(answer: ApiAnswer): GivenAnswer {
  if (answer === 'throws') return { kind: 'throws' };
  if (answer === 'rubbish') return { kind: 'result', result: { status: 200 } };
  return { kind: 'result', result: resultOf(answer) };
}

function resultOf(answer: Exclude<ApiAnswer, 'throws' | 'rubbish'>): Result {
  if (typeof answer === 'string') return { kind: 'unreachable', reason: answer };
  const { status, headers = {}, body = null } = answer;
  return { kind: 'response', response: { status, headers: { ...headers }, body } };
}
