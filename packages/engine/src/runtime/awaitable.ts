import type { Awaitable } from '../contract/store.ts';

// When a store and a driver answer synchronously, an advance makes no promises: each would cost as much as the visit of a node. These
// two functions replace `await` and `catch`.

/** Goes on with an answer: at once where it is there. */
export const andThen = <Answer, Next>(answer: Awaitable<Answer>, goOn: (answer: Answer) => Awaitable<Next>): Awaitable<Next> =>
  answer instanceof Promise ? answer.then(goOn) : goOn(answer);

/** Runs a task. When it fails, now or later, the result of `failed` replaces its own. */
export function rescue<Answer>(task: () => Awaitable<Answer>, failed: (error: unknown) => Awaitable<Answer>): Awaitable<Answer> {
  try {
    const answer = task();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}
