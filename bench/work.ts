// The work of every contestant: a webhook, six variables computed from earlier ones, two conditions, one message. The canvas defines it as
// JSON; `bare-loop.ts` by hand.

/** The request of execution `number`: fresh each time, as a parsed body is. */
export const orderOf = (number: number) => ({
  id: `A-${number}`,
  total: 120,
  customer: { id: '51999000111', name: 'Ana', tier: 'gold' },
});
export type Order = ReturnType<typeof orderOf>;

/** Where messages go. */
export interface Sink {
  count: number;
  last: string;
}

/** Whether an execution did its work: its last variable is right, and the message with it arrived, once. */
export function check(number: number, lastVariable: unknown, sink: Sink): void {
  const isRight = typeof lastVariable === 'string' && lastVariable.endsWith(`Thank you, Ana (order A-${number})`);
  if (!isRight || sink.last !== lastVariable || sink.count !== number + 1) {
    throw new Error(`Execution ${number} went wrong: the last variable is ${String(lastVariable)}, message ${sink.count} is ${sink.last}`);
  }
}

/** One way of doing the work, ready to run. */
export interface Contestant {
  /** Runs executions one after the other, `first` the number of the first, and checks each of them. */
  run(first: number, count: number): Promise<void> | void;
}
