// The ten nodes as a definition of sequential-workflow-machine, built once: a task per node, a switch per condition.
import {
  branchName,
  createActivitySet,
  createAtomActivityFromHandler,
  createForkActivity,
  createWorkflowMachineBuilder,
} from 'sequential-workflow-machine';

/** @param {import('../work.ts')} work */
export function sequentialWorkflow({ check, orderOf }) {
  const sink = { count: 0, last: '' };
  const work = {
    hook: () => undefined,
    greeting: (state) => void (state.greeting = `Hello ${state.body.customer.name}`),
    reference: (state) => void (state.reference = `order ${state.body.id}`),
    shipping: (state) => void (state.shipping = `${state.reference} ships free`),
    line: (state) => void (state.line = `${state.greeting}, ${state.shipping}`),
    thanks: (state) => void (state.thanks = `${state.line}. Thank you, ${state.body.customer.name}`),
    text: (state) => void (state.text = `${state.thanks} (${state.reference})`),
    send(state) {
      sink.count += 1;
      sink.last = state.text;
    },
  };
  const conditions = { isLarge: ({ body }) => body.total > 100, isGold: ({ body }) => body.customer.tier === 'gold' };

  const task = (type) => ({ id: type, componentType: 'task', type, name: type, properties: {} });
  const choice = (type, sequence) => ({
    id: type,
    componentType: 'switch',
    type,
    name: type,
    properties: {},
    branches: { yes: sequence, no: [] },
  });
  const activities = createActivitySet([
    ...Object.entries(work).map(([type, run]) => createAtomActivityFromHandler(type, async (_step, state) => run(state))),
    ...Object.entries(conditions).map(([type, holds]) =>
      createForkActivity(type, { init: () => ({}), handler: async (_step, state) => branchName(holds(state) ? 'yes' : 'no') }),
    ),
  ]);
  const machine = createWorkflowMachineBuilder(activities).build({
    properties: {},
    sequence: [
      task('hook'),
      task('greeting'),
      task('reference'),
      choice('isLarge', [task('shipping'), task('line'), choice('isGold', [task('thanks'), task('text'), task('send')])]),
    ],
  });
  const execute = (body) =>
    new Promise((resolve, reject) => {
      const interpreter = machine.create({ init: () => ({ body }) });
      interpreter.onDone(() => {
        const snapshot = interpreter.getSnapshot();
        if (snapshot.isFinished()) resolve(snapshot.globalState);
        else reject(snapshot.tryGetUnhandledError() ?? new Error('It ended without an end'));
      });
      interpreter.start();
    });
  return {
    async run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const { text } = await execute(orderOf(number));
        check(number, text, sink);
      }
    },
  };
}
