// The canvases that processes run until they are killed.
import { Canvas, type JsonObject } from '@hilo/engine/contract';

interface Place {
  readonly type: string;
  readonly data?: JsonObject;
  /** The next node, or the next by port. */
  readonly to?: string | { readonly [port: string]: string };
}

/** A canvas in short: nodes by id, each with where its ports lead. */
function canvas(id: string, kind: Canvas['kind'], places: { readonly [nodeId: string]: Place }, more: JsonObject = {}): Canvas {
  const nodes = Object.entries(places).map(([nodeId, { type, data = {} }]) => ({ id: nodeId, type, data }));
  const edges = Object.entries(places).flatMap(([source, { to = {} }]) =>
    typeof to === 'string'
      ? [{ source, target: to }]
      : Object.entries(to).map(([sourceHandle, target]) => ({ source, sourceHandle, target })),
  );
  return Canvas.parse({ schemaVersion: 1, id, name: id, kind, nodes, edges, ...more });
}

/** Drivers look at the path alone. */
const call = (path: string, body: JsonObject): JsonObject => ({ method: 'POST', url: `http://ledger.test${path}`, body });
const text = (said: string): JsonObject => ({ message: { type: 'text', text: said } });

/**
 * Goes on after a step, also where it failed: a call may time out where a process gets no processor for long, and retention removes what
 * has failed, with the messages that it took and its id, as if they had been lost.
 */
const onward = (port: string, next: string): { readonly [port: string]: string } => ({ [port]: next, error: next });

/**
 * Echoes every message of the user, performs an effect for it, calls a child, pauses, and asks for the next. The text names the edition
 * of the canvas.
 */
export const support = (edition: number): Canvas =>
  canvas('talk', 'skill', {
    begin: { type: 'start', data: { fallback: true }, to: 'greet' },
    greet: { type: 'message', data: text(`${edition}: hello {{$message.text}}`), to: onward('sent', 'ask') },
    ask: {
      type: 'ask',
      data: { ...text('Next?'), input: { kind: 'text' }, timeout: 'PT0.4S', saveAs: '$context.said' },
      to: { answered: 'echo', timeout: 'done', error: 'done' },
    },
    echo: { type: 'message', data: text(`${edition}: echo {{$context.said}}`), to: onward('sent', 'step') },
    step: {
      type: 'api',
      data: { ...call('/flaky', { said: '{{$context.said}}' }), retry: { attempts: 3, delay: 'PT0.05S' } },
      to: onward('success', 'look'),
    },
    look: {
      type: 'workflow',
      data: { workflowId: 'lookup', inputs: { value: '{{$context.said}}' }, saveAs: '$context.found' },
      to: { success: 'tell', error: 'pause' },
    },
    tell: { type: 'message', data: text('Found {{$context.found.value}}'), to: onward('sent', 'pause') },
    pause: { type: 'delay', data: { duration: 'PT0.1S' }, to: { elapsed: 'ask' } },
    done: { type: 'end' },
  });

/** A child that performs an effect, pauses and returns its input. */
const lookup = canvas(
  'lookup',
  'tool',
  {
    begin: { type: 'start', to: 'find' },
    find: { type: 'api', data: call('/lookup', { value: '{{$input.value}}' }), to: onward('success', 'pause') },
    pause: { type: 'delay', data: { duration: 'PT0.05S' }, to: { elapsed: 'done' } },
    done: { type: 'end', data: { outputs: { value: '{{$input.value}}' } } },
  },
  { settings: { inputs: { value: { type: 'any' } } } },
);

/** Starts by webhook, calls for every item, and waits for the one request that pays. */
const order = canvas('order', 'skill', {
  hook: {
    type: 'webhook',
    data: { variableName: 'order', methods: ['POST'], userIdPath: 'userId', executionIdPath: 'executionId', oneTimeOnly: true },
    to: { new: 'items' },
  },
  items: { type: 'for-each', data: { items: '{{$webhook.order.body.items}}' }, to: { each: 'reserve', done: 'ready' } },
  reserve: { type: 'api', data: call('/reserve', { item: '{{$item}}' }), to: onward('success', 'items') },
  ready: { type: 'api', data: call('/ready', {}), to: onward('success', 'payment') },
  payment: { type: 'wait-external', to: { resumed: 'thanks' } },
  thanks: { type: 'message', data: text('Paid by {{$webhook.order.body.by}}'), to: onward('sent', 'done') },
  done: { type: 'end', data: { outputs: { by: '{{$webhook.order.body.by}}' } } },
});

/** Calls one child after the other, without a user. */
const batch = canvas('batch', 'tool', {
  begin: { type: 'start', to: 'items' },
  items: { type: 'for-each', data: { items: [1, 2] }, to: { each: 'look', done: 'done' } },
  look: { type: 'workflow', data: { workflowId: 'lookup', inputs: { value: '{{$item}}' } }, to: onward('success', 'items') },
  done: { type: 'end' },
});

/** Calls a child that sleeps until both are cancelled. */
const family = canvas('family', 'tool', {
  begin: { type: 'start', to: 'call' },
  call: { type: 'workflow', data: { workflowId: 'sleeper' }, to: { success: 'done' } },
  done: { type: 'end' },
});
const sleeper = canvas('sleeper', 'tool', {
  begin: { type: 'start', to: 'sleep' },
  sleep: { type: 'delay', data: { duration: 'PT1H' }, to: { elapsed: 'done' } },
  done: { type: 'end' },
});

/** Fails on purpose: what failed is removed. */
const shred = canvas('shred', 'tool', {
  begin: { type: 'start', to: 'act' },
  act: { type: 'api', data: call('/shred', {}), to: { success: 'done' } },
  done: { type: 'end', data: { outcome: 'failed' } },
});

/** Published first, callees before callers. */
export const canvases: readonly Canvas[] = [lookup, sleeper, support(1), order, batch, family, shred];

/** The one workflow whose executions may be removed. */
export const shredded = shred.id;
