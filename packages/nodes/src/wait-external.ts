import { defineNode, durationMs, externalCall, interruptible, leave, perform, TimedDuration } from '@hilo/engine/contract';
import { z } from 'zod';

/** Parks the execution until a request with its id comes to the canvas's webhook, and sets the webhook's variable (WEB-21). With an edge at `interrupted`, a message of the user's ends it. */
export const waitExternal = defineNode({
  type: 'wait-external',
  config: z.strictObject({
    timeout: TimedDuration.optional().meta({
      description: 'How long to wait before the node leaves by "timeout"; for ever, when left out',
    }),
  }),
  visual: {
    label: 'Wait for a call',
    category: 'time',
    icon: 'satellite-dish',
    colour: '#d97706',
    description: "Pauses until another system calls the flow's webhook with this execution's id. A message from the user can end it early.",
    summary: ({ timeout }) => (timeout === undefined ? 'Until it is called' : `At most ${timeout}`),
    formHints: { timeout: 'duration' },
  },
  facts: { needs: 'a request that names the execution' },
  ports: ['resumed'],
  optionalPorts: ['timeout', 'interrupted', 'error'],
  run({ config: { timeout }, variables, isConnected }) {
    const dueInMs = timeout === undefined ? undefined : durationMs(timeout, variables);
    const call = externalCall({ ...(dueInMs !== undefined && { dueInMs }) });
    return perform(interruptible(call, isConnected), (answer) => {
      if (answer.kind === 'interrupted') return leave('interrupted');
      return answer.kind === 'request'
        ? leave('resumed', answer.writes)
        : leave('timeout', [], { failure: { cause: 'TIMEOUT', message: `No request came within ${dueInMs} ms` } });
    });
  },
  heardBefore: () => ['interrupted'],
  waitFields: { timeout: ['timeout'] },
  waitsBefore: () => ['resumed', 'timeout', 'interrupted'],
  writes: () => ({ interrupted: ['$message'] }),
  webhookPorts: ['resumed'],
});
