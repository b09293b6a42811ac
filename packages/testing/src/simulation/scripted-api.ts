import type { AbortSignal, Driver, Json } from '@hilo/engine/contract';
import type { httpRequest } from '@hilo/nodes/effects';

/** Why a call got no response. */
const unreachable = ['timeout', 'refused', 'invalid-url', 'blocked', 'too-large'] as const;
/** What a driver does that is at fault itself. */
const driverFaults = ['throws', 'rubbish'] as const;

/** The words that stand for an answer that is no response. */
export const apiFailures = [...unreachable, ...driverFaults] as const;
export type ApiFailure = (typeof apiFailures)[number];

/** What an HTTP endpoint answers. */
export type ApiAnswer =
  | { readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: Json }
  | ApiFailure;

type Result = Awaited<ReturnType<Driver<typeof httpRequest>>>;

/** An HTTP endpoint that answers when told to. */
export interface ScriptedApi {
  /** Resolves with the first answer that is kept, or with the next that is given. */
  request(signal: AbortSignal): Promise<Result>;
  /** Answers the oldest open request, or keeps the answer for the next. */
  answer(answer: ApiAnswer): void;
  /** Forgets the open requests: who made them is gone. */
  forget(): void;
}

export function createApi(): ScriptedApi {
  const open: ((answer: ApiAnswer) => void)[] = [];
  const kept: ApiAnswer[] = [];
  return {
    request: (signal) =>
      new Promise<Result>((resolve, reject) => {
        const settle = (answer: ApiAnswer): void =>
          answer === 'throws' ? reject(new Error('The driver was told to throw')) : resolve(resultOf(answer));
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
    },
    forget: () => void open.splice(0),
  };
}

function resultOf(answer: Exclude<ApiAnswer, 'throws'>): Result {
  if (answer === 'rubbish') return { status: 200 } as unknown as Result;
  if (typeof answer === 'string') return { kind: 'unreachable', reason: answer };
  const { status, headers = {}, body = null } = answer;
  return { kind: 'response', response: { status, headers: { ...headers }, body } };
}
