import type { AbortSignal, Driver, Json } from '@hilo/engine/contract';
import type { httpRequest } from '@hilo/nodes/effects';

/** Why a call got no response. */
export const unreachableReasons = ['timeout', 'refused', 'invalid-url', 'blocked', 'too-large'] as const;
/** What a driver does that is at fault itself. */
const driverFaults = ['throws', 'rubbish'] as const;

/** The keywords for a call without a response. */
export const apiFailures = [...unreachableReasons, ...driverFaults] as const;
/** How a call fails that has no response, by its keyword in a script. */
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
  return { kind: 'result', result: createResult(answer) };
}

function createResult(answer: Exclude<ApiAnswer, 'throws' | 'rubbish'>): Result {
  if (typeof answer === 'string') return { kind: 'unreachable', reason: answer };
  const { status, headers = {}, body = null } = answer;
  return { kind: 'response', response: { status, headers: { ...headers }, body } };
}

/** The outcome of a call: a result of its effect, or a driver that throws. */
export type GivenAnswer = { readonly kind: 'result'; readonly result: unknown } | { readonly kind: 'throws' };

/** Pending calls of one effect, oldest first. */
export interface OpenCalls {
  /** Resolves with the first kept answer, or with the next given one. */
  ask(signal: AbortSignal): Promise<unknown>;
  /** Answers the oldest open call, or keeps the answer for the next one. @returns which of the two */
  answer(answer: GivenAnswer): 'answered' | 'kept';
  /** Drops the pending calls: their caller is dead. */
  forget(): void;
}

/** No pending calls and no kept answers. */
export function createOpenCalls(): OpenCalls {
  const open: ((answer: GivenAnswer) => void)[] = [];
  const kept: GivenAnswer[] = [];
  return {
    ask: (signal) =>
      new Promise((resolve, reject) => {
        const settle = (answer: GivenAnswer): void =>
          answer.kind === 'throws' ? reject(new Error('The driver was told to throw')) : resolve(answer.result);
        const first = kept.shift();
        if (first !== undefined) return settle(first);
        open.push(settle);
        signal.addEventListener('abort', () => {
          const index = open.indexOf(settle);
          if (index >= 0) open.splice(index, 1);
        });
      }),
    answer(answer) {
      const settle = open.shift();
      if (settle === undefined) kept.push(answer);
      else settle(answer);
      return settle === undefined ? 'kept' : 'answered';
    },
    forget: () => void open.splice(0),
  };
}
