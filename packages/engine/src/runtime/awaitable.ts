import type { Awaitable } from '../contract/store.ts';

// Where a store and a driver answer at once, an advance waits for nothing, and no promise is made on the way: each would cost
// as much as the visit of a node. These two say what an `await` and a `catch` would.

/** Goes on with an answer: at once where it is there. */
export const andThen = <Answer, Next>(answer: Awaitable<Answer>, goOn: (answer: Answer) => Awaitable<Next>): Awaitable<Next> =>
  answer instanceof Promise ? answer.then(goOn) : goOn(answer);

/** Runs a task. Where it fails, now or later, what `failed` answers takes the place of its answer. */
export function rescue<Answer>(task: () => Awaitable<Answer>, failed: (error: unknown) => Awaitable<Answer>): Awaitable<Answer> {
  try {
    const answer = task();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}
