// A skill whose agent calls the workflow "price" as a tool: what publishing that workflow may break.
import type { JsonObject } from '@hilo/engine/contract';

/** @param tool - of the tool, beside what it is @param model - of the model, beside its address */
export const shopCanvas = (tool: JsonObject = {}, model: JsonObject = {}) => ({
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'talk',
      type: 'agent',
      data: {
        model: { baseUrl: 'https://models.example/v1', name: 'small', ...model },
        instructions: 'You tell prices.',
        tools: [
          { kind: 'workflow', name: 'price', description: 'The price', workflowId: 'price', inputs: { code: { type: 'text' } }, ...tool },
        ],
        exits: [{ name: 'left', when: 'The customer wants nothing more.' }],
      },
    },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'talk' },
    ...['left', 'limit', 'timeout'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'done' })),
  ],
});
