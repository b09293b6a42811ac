// The world in which races run: companies, engines that share a store, and what reached the outside.
import { createEngine, createMemoryStore, type Engine, type WebhookAccepted } from '@hilo/engine';
import {
  type BoundDriver,
  type CanvasStore,
  type Commit,
  drive,
  type DriverContext,
  type ExecutionRecord,
  type ExecutionStore,
  type HistoryRecord,
  type Json,
  type JsonObject,
} from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { httpRequest, sendMessage } from '@hilo/nodes/effects';
import { seededRandom } from '../../packages/simulator/src/seeded-random.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import type { Course } from './course.ts';
import { across, storeAcross } from './seam.ts';

export const { companyId, botId } = simulatedIds;
/** The user of every race. */
export const userId = '5215512345678';

/** An effect that reached the world. */
export interface Made {
  readonly effect: string;
  readonly key: string;
  readonly executionId: string;
  readonly nodeId: string;
  readonly request: Json;
}

/** Processes over one store, each with an engine and the same world outside. */
export interface World {
  readonly course: Course;
  readonly engines: readonly Engine[];
  /** What the store holds, seen at once. */
  readonly contents: ExecutionStore;
  /** What the store took, in order. */
  readonly committed: readonly Commit[];
  /** Effects in the order in which they reached the world. */
  readonly made: readonly Made[];
  /** Faults that the engines reported. */
  readonly faults: readonly unknown[];
}

export interface WorldOptions {
  readonly canvases: CanvasStore;
  /** One store per process; one process with its own store when left out. */
  readonly stores?: readonly ExecutionStore[];
  /** Where what the processes hold can be looked at; the first of the stores, when left out. */
  readonly contents?: ExecutionStore;
  /** Whether the canvases are across a border as well. */
  readonly isCanvasesAcross?: boolean;
  /** Told of each effect when it reaches the world, before it is answered. */
  readonly onMade?: (made: Made) => void;
}

export function createWorld(
  course: Course,
  { canvases, stores = [createMemoryStore()], contents, isCanvasesAcross = false, onMade = () => undefined }: WorldOptions,
): World {
  const committed: Commit[] = [];
  const made: Made[] = [];
  const faults: unknown[] = [];
  const reach = (effect: string, request: Json, { idempotencyKey: key, executionId, nodeId }: DriverContext): void => {
    const one: Made = { effect, key, executionId, nodeId, request };
    made.push(one);
    onMade(one);
  };
  const engines = stores.map((store, index) => {
    const who = `process ${index}`;
    const engine = createEngine({
      nodes: standardNodes,
      drivers: driversOf(course, who, reach),
      clock: course.clock,
      random: seededRandom(index),
      store: {
        executions: storeAcross(course, who, recording(store, committed)),
        canvases: isCanvasesAcross ? across(course, who, canvases) : canvases,
      },
      directory: { company: () => undefined, bot: () => ({ channel: 'whatsapp' }) },
    });
    engine.on('engine.fault', ({ error }) => void faults.push(error));
    return engine;
  });
  return { course, engines, contents: contents ?? stores[0]!, committed, made, faults };
}

const recording = (store: ExecutionStore, committed: Commit[]): ExecutionStore => ({
  ...store,
  async commit(commit) {
    const answer = await store.commit(commit);
    if (answer.kind === 'committed') committed.push(commit);
    return answer;
  },
});

const driversOf = (
  course: Course,
  who: string,
  reach: (effect: string, request: Json, context: DriverContext) => void,
): readonly BoundDriver[] => [
  drive(sendMessage, (request, context) =>
    course.cross(`${who}: send ${context.nodeId}`, () => {
      reach('message.send', request, context);
      return { kind: 'sent', messageId: context.idempotencyKey } as const;
    }),
  ),
  drive(httpRequest, ({ url }, context) =>
    course.cross(`${who}: request ${context.nodeId}`, () => {
      reach('http.request', { url }, context);
      return { kind: 'response', response: { status: 200, headers: {}, body: null } } as const;
    }),
  ),
];

/** A request to the `hook` of a canvas. */
export const callHook = (engine: Engine, workflowId: string, body: JsonObject, idempotencyKey?: string): Promise<WebhookAccepted> =>
  engine.receiveWebhook({
    companyId,
    botId,
    workflowId,
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    request: { method: 'POST', headers: {}, query: {}, body },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

/** A text of the user's. @param id - of the delivery and of the message */
export const write = (engine: Engine, id: string, text = id): ReturnType<Engine['receiveMessage']> =>
  engine.receiveMessage({ companyId, botId, eventId: id, user: { id: userId }, message: { id, type: 'text', text } });

/** Starts an execution before the race, and runs it to its first wait. @returns its id */
export async function started({ engines: [first] }: World, workflowId: string): Promise<string> {
  const { executionId } = await callHook(first!, workflowId, { userId, by: 'start' });
  await first!.whenIdle();
  return executionId;
}

/** @throws {Error} when it is not there */
export async function executionOf({ contents }: World, executionId: string): Promise<ExecutionRecord> {
  const record = await contents.load(companyId, executionId);
  if (record === undefined) throw new Error(`There is no execution ${executionId}`);
  return record;
}

/** What happened to an execution, by event. */
export async function eventsOf({ contents }: World, executionId: string): Promise<readonly HistoryRecord['event'][]> {
  return (await contents.history(companyId, executionId)).map(({ event }) => event);
}
