// The ten nodes as a machine of robot3, which is a table of states without the statechart algorithm.
import { createMachine, guard, immediate, interpret, reduce, state, transition } from 'robot3';

/** @param {import('../work.ts')} work */
export function robotMachine({ check, orderOf }) {
  const sink = { count: 0, last: '' };
  const set = (target, name, value) =>
    state(
      immediate(
        target,
        reduce((context) => ({ ...context, [name]: value(context) })),
      ),
    );
  const condition = (target, holds) => state(immediate(target, guard(holds)), immediate('done'));

  const machine = createMachine('accepted', {
    accepted: state(
      transition(
        'started',
        'hook',
        reduce((context, { body }) => ({ ...context, body })),
      ),
    ),
    hook: state(immediate('greeting')),
    greeting: set('reference', 'greeting', ({ body }) => `Hello ${body.customer.name}`),
    reference: set('isLarge', 'reference', ({ body }) => `order ${body.id}`),
    isLarge: condition('shipping', ({ body }) => body.total > 100),
    shipping: set('line', 'shipping', ({ reference }) => `${reference} ships free`),
    line: set('isGold', 'line', ({ greeting, shipping }) => `${greeting}, ${shipping}`),
    isGold: condition('thanks', ({ body }) => body.customer.tier === 'gold'),
    thanks: set('text', 'thanks', ({ line, body }) => `${line}. Thank you, ${body.customer.name}`),
    text: set('send', 'text', ({ thanks, reference }) => `${thanks} (${reference})`),
    send: state(
      immediate(
        'done',
        reduce((context) => {
          sink.count += 1;
          sink.last = context.text;
          return context;
        }),
      ),
    ),
    done: state(),
  });

  return {
    run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const service = interpret(machine, () => undefined);
        service.send({ type: 'started', body: orderOf(number) });
        const { current } = service.machine;
        check(number, current === 'done' ? service.context.text : current, sink);
      }
    },
  };
}
