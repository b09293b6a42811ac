import type { AbortSignal } from '@hilo/engine/contract';

/** What comes of a call: a result of its effect, or a driver that throws. */
export type GivenAnswer = { readonly kind: 'result'; readonly result: unknown } | { readonly kind: 'throws' };

/** Calls of one effect that wait for an answer from outside, oldest first. */
export interface OpenCalls {
  /** Resolves with the first answer that is kept, or with the next that is given. */
  ask(signal: AbortSignal): Promise<unknown>;
  /** Answers the oldest open call, or keeps the answer for the next one. @returns which of the two */
  answer(answer: GivenAnswer): 'answered' | 'kept';
  /** Forgets the open calls: who made them is gone. */
  forget(): void;
}

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
