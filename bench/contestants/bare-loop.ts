// The floor: the ten nodes written by hand.
import { check, type Contestant, type Order, orderOf, type Sink } from '../work.ts';

interface Execution {
  readonly webhook: { readonly order: { readonly body: Order } };
  readonly context: { greeting?: string; reference?: string; shipping?: string; line?: string; thanks?: string; text?: string };
}

/** Performs a node's work; returns the index of the next node, negative at the end. */
type Step = (execution: Execution, sink: Sink) => number;

const end = -1;

/** The ten nodes by hand: variables in an object, templates as template literals, conditions as conditions. */
const steps: readonly Step[] = [
  () => 1, // the webhook: its data is there
  ({ webhook, context }) => {
    context.greeting = `Hello ${webhook.order.body.customer.name}`;
    return 2;
  },
  ({ webhook, context }) => {
    context.reference = `order ${webhook.order.body.id}`;
    return 3;
  },
  ({ webhook }) => (webhook.order.body.total > 100 ? 4 : end),
  ({ context }) => {
    context.shipping = `${context.reference} ships free`;
    return 5;
  },
  ({ context }) => {
    context.line = `${context.greeting}, ${context.shipping}`;
    return 6;
  },
  ({ webhook }) => (webhook.order.body.customer.tier === 'gold' ? 7 : end),
  ({ webhook, context }) => {
    context.thanks = `${context.line}. Thank you, ${webhook.order.body.customer.name}`;
    return 8;
  },
  ({ context }) => {
    context.text = `${context.thanks} (${context.reference})`;
    return 9;
  },
  ({ context }, sink) => {
    sink.count += 1;
    sink.last = context.text ?? '';
    return end;
  },
];

const executionOf = (number: number): Execution => ({ webhook: { order: { body: orderOf(number) } }, context: {} });

/** The floor: a loop that awaits every node, since any of them could be asynchronous. */
export function asyncLoop(): Contestant {
  const sink: Sink = { count: 0, last: '' };
  const asyncSteps = steps.map((step) => async (execution: Execution) => step(execution, sink));
  return {
    async run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const execution = executionOf(number);
        for (let step = asyncSteps[0]; step !== undefined; ) step = asyncSteps[await step(execution)];
        check(number, execution.context.text, sink);
      }
    },
  };
}

/** The same without a promise. */
export function syncLoop(): Contestant {
  const sink: Sink = { count: 0, last: '' };
  return {
    run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const execution = executionOf(number);
        for (let step = steps[0]; step !== undefined; ) step = steps[step(execution, sink)];
        check(number, execution.context.text, sink);
      }
    },
  };
}
