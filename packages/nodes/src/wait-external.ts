// The node `wait-external`.
import {
  defineNode,
  durationMs,
  externalCall,
  formatPath,
  interruptible,
  leave,
  type Path,
  perform,
  TimedDuration,
  VariablePath,
  WebhookMethod,
  type Write,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { callbackFields, callNames, lifeOf, writeCallData } from './callback.ts';
import { namesAt } from './names-at.ts';

/**
 * Parks the execution until a request with its id comes to the canvas's webhook, and sets the webhook's variable (WEB-21); or until a third
 * party calls the address of `resumeUrl`. With an edge at `interrupted`, a message of the user's ends it.
 */
export const waitExternal = defineNode({
  type: 'wait-external',
  config: z.strictObject({
    timeout: TimedDuration.optional().meta({
      description: 'How long to wait before the node leaves by "timeout"; for ever, when left out',
    }),
    methods: z
      .array(WebhookMethod)
      .min(1)
      .default([...WebhookMethod.options])
      .meta({
        description: 'The HTTP methods that the address of resumeUrl() takes; all, when left out; the webhook has its own',
      }),
    saveAs: VariablePath.optional().meta({
      description: "Where the call is kept, with its body, headers, query and method; in the webhook's variable alone, when left out",
    }),
    ...callbackFields,
  }),
  visual: {
    label: 'Wait for a call',
    category: 'time',
    icon: 'satellite-dish',
    colour: '#d97706',
    description:
      "Pauses until another system calls an address that the flow gave it, or the flow's webhook with this execution's id. A message from the user can end it early.",
    summary: ({ timeout }) => (timeout === undefined ? 'Until it is called' : `At most ${timeout}`),
    formHints: { timeout: 'duration', saveAs: 'variable', expires: 'duration' },
  },
  facts: { needs: 'a call of the address that resumeUrl() gives, or a request to the webhook that names the execution' },
  ports: ['resumed'],
  optionalPorts: ['timeout', 'interrupted', 'error'],
  callback: {
    rules: ({ methods, confirm, expires, timeout }) => ({
      methods,
      confirm,
      oneTimeOnly: false,
      respond: 'onAccept',
      lifeMs: lifeOf(expires, timeout),
    }),
    writes: ({ saveAs }, request, { executionId }) =>
      saveAs === undefined ? [] : [{ path: saveAs, value: { ...writeCallData(request, executionId) } }],
  },
  run({ config: { timeout, saveAs }, variables, isConnected }) {
    const dueInMs = timeout === undefined ? undefined : durationMs(timeout, variables);
    const call = externalCall({ ...(dueInMs !== undefined && { dueInMs }) });
    return perform(interruptible(call, isConnected), (answer) => {
      if (answer.kind === 'interrupted') return leave('interrupted');
      return answer.kind === 'request'
        ? leave('resumed', keepUnder(saveAs, answer.writes))
        : leave('timeout', [], { failure: { cause: 'TIMEOUT', message: `No request came within ${dueInMs} ms` } });
    });
  },
  heardBefore: () => ['interrupted'],
  waitFields: { timeout: ['timeout'] },
  writingFields: ['saveAs'],
  waitsBefore: () => ['resumed', 'timeout', 'interrupted'],
  webhookPorts: ['resumed'],
  shapes: ({ saveAs }) => namesAt(saveAs, callNames),
  writes: ({ saveAs }) => ({ resumed: saveAs === undefined ? [] : [formatPath(saveAs)], interrupted: ['$message'] }),
});

/** The writes of a call with its value under `saveAs` as well, by whichever door it came. */
function keepUnder(saveAs: Path | undefined, writes: readonly Write[]): readonly Write[] {
  const [first] = writes;
  if (saveAs === undefined || first === undefined || formatPath(first.path) === formatPath(saveAs)) return writes;
  return [{ path: saveAs, value: first.value }, ...writes];
}
