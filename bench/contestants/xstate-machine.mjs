// A raw XState machine: the ten nodes as ten states, the work in `assign`. Plain JavaScript, since its library is
// installed beside the workspace when the benchmark runs, and types would need it when they are checked.
import { assign, createActor, setup } from 'xstate';

/** @param {import('../work.ts')} work */
export function xstateMachine({ check, orderOf }) {
  const sink = { count: 0, last: '' };
  const actions = {
    greeting: assign(({ context }) => ({ greeting: `Hello ${context.webhook.order.body.customer.name}` })),
    reference: assign(({ context }) => ({ reference: `order ${context.webhook.order.body.id}` })),
    shipping: assign(({ context }) => ({ shipping: `${context.reference} ships free` })),
    line: assign(({ context }) => ({ line: `${context.greeting}, ${context.shipping}` })),
    thanks: assign(({ context }) => ({ thanks: `${context.line}. Thank you, ${context.webhook.order.body.customer.name}` })),
    text: assign(({ context }) => ({ text: `${context.thanks} (${context.reference})` })),
    send({ context }) {
      sink.count += 1;
      sink.last = context.text;
    },
  };
  const guards = {
    isLarge: ({ context }) => context.webhook.order.body.total > 100,
    isGold: ({ context }) => context.webhook.order.body.customer.tier === 'gold',
  };
  const set = (action, target) => ({ entry: action, always: target });
  const condition = (guard, target) => ({ always: [{ guard, target }, { target: 'done' }] });

  const machine = setup({ actions, guards }).createMachine({
    context: ({ input }) => ({ webhook: { order: { body: input } } }),
    initial: 'hook',
    states: {
      hook: { always: 'greeting' },
      greeting: set('greeting', 'reference'),
      reference: set('reference', 'isLarge'),
      isLarge: condition('isLarge', 'shipping'),
      shipping: set('shipping', 'line'),
      line: set('line', 'isGold'),
      isGold: condition('isGold', 'thanks'),
      thanks: set('thanks', 'text'),
      text: set('text', 'send'),
      send: set('send', 'done'),
      done: { type: 'final' },
    },
  });

  return {
    run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const actor = createActor(machine, { input: orderOf(number) });
        actor.start();
        const { status, context } = actor.getSnapshot();
        check(number, status === 'done' ? context.text : status, sink);
      }
    },
  };
}
