// Hilo in one process, at three depths: its transition, its actor, and the whole engine in memory.
import type { ExecutionEvent, ExecutionInput, Origin, WebhookRequest } from '../../packages/engine/src/contract/index.ts';
import { drive, getPath } from '../../packages/engine/src/contract/index.ts';
import { createEngine, type Engine } from '../../packages/engine/src/index.ts';
import {
  canvasLogic,
  type CompiledCanvas,
  type ExecutionSnapshot,
  initialState,
  nextSnapshot,
  snapshotOf,
} from '../../packages/engine/src/debug.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { sendMessage } from '../../packages/nodes/src/effects/index.ts';
import { read } from '../canvases.ts';
import { pooledRandom, realClock } from '../machine-sources.ts';
import { check, type Contestant, orderOf, type Sink } from '../work.ts';

const companyId = '1';
const botId = 'bot';
const origin: Origin = { companyId, botId, userId: '51999000111', channel: 'whatsapp', route: 'production' };
const lastVariable = ['$context', 'text'];

const requestOf = (number: number): WebhookRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  query: {},
  body: orderOf(number),
});

/** What surrounds the execution, as the engine would find it. */
const inputOf = (number: number, { hash }: CompiledCanvas): ExecutionInput => ({
  executionId: `execution-${number}`,
  rootId: `execution-${number}`,
  origin,
  depth: 0,
  seed: '00112233445566778899aabbccddeeff',
  startedAtMs: number,
  canvasHash: hash,
  variables: { $user: { id: '51999000111', phone: '51999000111' }, $memory: {} },
  defaults: {},
});

function startedOf(number: number, { webhook }: CompiledCanvas): ExecutionEvent {
  const { entry } = webhook?.definition ?? {};
  if (webhook === undefined || entry?.kind !== 'webhook') throw new Error('The canvas has no webhook');
  const writes = entry.admit(webhook.config, requestOf(number)).writes({ executionId: `execution-${number}`, mode: 'new' });
  return { type: 'execution.started', entry: webhook.id, trigger: { kind: 'webhook', writes }, atMs: number };
}

/** Performs the message that the execution requested, and returns its result. */
function delivered({ state, requestedEffect }: ExecutionSnapshot, sink: Sink): ExecutionEvent {
  const text = getPath(requestedEffect?.request, ['message', 'text']);
  sink.count += 1;
  sink.last = typeof text === 'string' ? text : '';
  return {
    type: 'effect.settled',
    key: state.pending?.key ?? '',
    settled: { kind: 'result', value: { kind: 'sent', messageId: `m-${sink.count}` } },
    atMs: state.startedAtMs,
  };
}

const checkEnded = (number: number, { state }: ExecutionSnapshot, sink: Sink): void =>
  check(number, state.status === 'completed' ? getPath(state.variables, lastVariable) : state.status, sink);

/** The pure core only: two transitions, with the message performed in between. */
export function hiloCore(canvas: CompiledCanvas): Contestant {
  const sink: Sink = { count: 0, last: '' };
  return {
    run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const accepted = snapshotOf(initialState(inputOf(number, canvas)));
        const sending = nextSnapshot(canvas, accepted, startedOf(number, canvas));
        checkEnded(number, nextSnapshot(canvas, sending, delivered(sending, sink)), sink);
      }
    },
  };
}

/** The same core as XState actor logic, in an actor. */
export function hiloActor(canvas: CompiledCanvas, createActor: CreateActor): Contestant {
  const sink: Sink = { count: 0, last: '' };
  const logic = canvasLogic(canvas);
  return {
    run(first, count) {
      for (let number = first; number < first + count; number += 1) {
        const actor = createActor(logic, { input: inputOf(number, canvas) });
        actor.start();
        actor.send(startedOf(number, canvas));
        actor.send(delivered(actor.getSnapshot(), sink));
        checkEnded(number, actor.getSnapshot(), sink);
      }
    },
  };
}

/** XState's `createActor`, as far as it is used here. */
export type CreateActor = (
  logic: ReturnType<typeof canvasLogic>,
  options: { readonly input: ExecutionInput },
) => { start(): unknown; send(event: ExecutionEvent): void; getSnapshot(): ExecutionSnapshot };

/** A company's engine as a host makes it: in-memory stores, a driver for messages, the real clock and random source. */
export async function engineFor(canvas: object, sink: Sink): Promise<Engine> {
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [
      drive(sendMessage, ({ message }) => {
        const text = getPath(message, ['text']);
        sink.count += 1;
        sink.last = typeof text === 'string' ? text : '';
        return { kind: 'sent', messageId: `m-${sink.count}` } as const;
      }),
    ],
    clock: realClock,
    random: pooledRandom(),
  });
  const content = read(canvas);
  await engine.saveDraft(companyId, content);
  await engine.publish(companyId, content.id);
  return engine;
}

/** Starts an execution by a request to the canvas's webhook. */
export const callWebhook = (engine: Engine, workflowId: string, number: number) =>
  engine.receiveWebhook({
    companyId,
    workflowId,
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    botId,
    request: requestOf(number),
  });

/** The whole engine: request accepted, committed, advanced, message performed, result committed, history kept, events emitted. */
export function hiloEngine(engine: Engine, workflowId: string, sink: Sink): Contestant {
  let told = 0;
  let ended: (() => void) | undefined;
  const count = () => {
    told += 1;
  };
  for (const name of ['execution.started', 'visit.left', 'effect.requested', 'effect.settled'] as const) engine.on(name, count);
  engine.on('execution.ended', () => {
    told += 1;
    ended?.();
  });
  return {
    async run(first, runs) {
      for (let number = first; number < first + runs; number += 1) {
        const hasEnded = new Promise<void>((resolve) => {
          ended = resolve;
        });
        const { executionId } = await callWebhook(engine, workflowId, number);
        await hasEnded;
        const record = await engine.execution(companyId, executionId);
        check(number, record?.state.status === 'completed' ? getPath(record.state.variables, lastVariable) : record?.state.status, sink);
      }
      if (told !== (first + runs) * eventsOfOne) throw new Error(`${told} events were told for ${first + runs} executions`);
    },
  };
}

/** Start, ten visits, an effect requested and settled, end. */
const eventsOfOne = 14;
