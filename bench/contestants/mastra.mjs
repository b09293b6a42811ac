// The ten nodes as a workflow of Mastra, committed once: a step per node; a condition that does not hold bails out.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

/** @param {import('../work.ts')} work */
export function mastra({ check, orderOf }) {
  const sink = { count: 0, last: '' };
  const state = z.any();
  const step = (id, work) => createStep({ id, inputSchema: state, outputSchema: state, execute: async (context) => work(context) });
  const set = (name, value) => step(name, ({ inputData }) => ({ ...inputData, [name]: value(inputData) }));
  const condition = (id, holds) => step(id, ({ inputData, bail }) => (holds(inputData) ? inputData : bail(inputData)));

  const workflow = createWorkflow({ id: 'ten-nodes', inputSchema: state, outputSchema: state })
    .then(step('hook', ({ inputData }) => inputData))
    .then(set('greeting', ({ body }) => `Hello ${body.customer.name}`))
    .then(set('reference', ({ body }) => `order ${body.id}`))
    .then(condition('isLarge', ({ body }) => body.total > 100))
    .then(set('shipping', ({ reference }) => `${reference} ships free`))
    .then(set('line', ({ greeting, shipping }) => `${greeting}, ${shipping}`))
    .then(condition('isGold', ({ body }) => body.customer.tier === 'gold'))
    .then(set('thanks', ({ line, body }) => `${line}. Thank you, ${body.customer.name}`))
    .then(set('text', ({ thanks, reference }) => `${thanks} (${reference})`))
    .then(
      step('send', ({ inputData }) => {
        sink.count += 1;
        sink.last = inputData.text;
        return inputData;
      }),
    )
    .commit();
  return {
    async run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const run = await workflow.createRun();
        const outcome = await run.start({ inputData: { body: orderOf(number) } });
        check(number, outcome.status === 'success' ? outcome.result.text : outcome.status, sink);
      }
    },
  };
}
