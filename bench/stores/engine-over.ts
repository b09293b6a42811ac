// An engine over a store, with the canvas that every measurement of stores starts and resumes.
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../packages/engine/src/contract/index.ts';
import {
  createEngine,
  createMemoryCanvases,
  createMemoryStore,
  type Engine,
  type EngineOptions,
  type EngineStore,
  parseCanvas,
} from '../../packages/engine/src/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { pooledRandom, realClock } from '../machine-sources.ts';

const companyId = '1';
/** Another company, with less to do. */
export const second = '2';

/** Takes a request, keeps a value and waits for another request; then it ends. */
const parking = {
  schemaVersion: 1,
  id: 'parking',
  name: 'Parking',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user', executionIdPath: 'executionId' } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.order', value: '{{$webhook.order.body.id}}' }] } },
    { id: 'wait', type: 'wait-external', data: { timeout: 'P21D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'keep' },
    { source: 'keep', target: 'wait' },
    { source: 'wait', sourceHandle: 'resumed', target: 'done' },
    { source: 'wait', sourceHandle: 'timeout', target: 'done' },
  ],
};

/** Accepts a request and ends an hour later. */
const napping = {
  schemaVersion: 1,
  id: 'napping',
  name: 'Napping',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
    { id: 'nap', type: 'delay', data: { duration: 'PT1H' } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.order', value: '{{$webhook.order.body.id}}' }] } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'nap' },
    { source: 'nap', sourceHandle: 'elapsed', target: 'keep' },
    { source: 'keep', target: 'done' },
  ],
};
export const napMs = 3_600_000;

/** An engine as a host makes it, over a store that lasts. */
export function engineOver({ executions, canvases }: EngineStore, clock: Clock = realClock, reach?: EngineOptions['reach']): Engine {
  return createEngine({
    nodes: standardNodes,
    clock,
    random: pooledRandom(),
    store: { executions, canvases },
    ...(reach !== undefined && { reach }),
  });
}

/** The engine alone: nothing is kept but in memory. */
export const engineInMemory = (): Engine => engineOver({ executions: createMemoryStore(), canvases: createMemoryCanvases() });

export const publishParking = (engine: Engine, ofCompany?: string): Promise<void> => publish(engine, parking, ofCompany);
export const publishNapping = (engine: Engine, ofCompany?: string): Promise<void> => publish(engine, napping, ofCompany);

async function publish(engine: Engine, content: object, ofCompany = companyId): Promise<void> {
  const { canvas, problems } = parseCanvas(content);
  if (canvas === undefined) throw new Error(JSON.stringify(problems));
  await engine.saveDraft(ofCompany, canvas);
  await engine.publish(ofCompany, canvas.id);
}

/** A request, with an idempotency key. */
export interface Call {
  readonly body: { readonly id: string; readonly user?: string; readonly executionId?: string };
  readonly idempotencyKey?: string;
  readonly workflowId?: 'parking' | 'napping';
  readonly ofCompany?: string;
}

/** A request to the webhook: a start, or with an id the answer to the wait. @returns the execution's id */
export async function call(engine: Engine, { body, idempotencyKey, workflowId = 'parking', ofCompany = companyId }: Call): Promise<string> {
  const { executionId } = await engine.receiveWebhook({
    companyId: ofCompany,
    workflowId,
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    botId: 'bot',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    request: { method: 'POST', headers: { 'content-type': 'application/json' }, query: {}, body },
  });
  return executionId;
}

/** The start of this number: every start is another user's. */
export const startOf = (number: number): Call => ({
  body: { id: `A-${number}`, user: String(51_900_000_000 + number) },
  idempotencyKey: `start-${number}`,
});

/** The request that an execution of the parking canvas waits for. */
export const resumeOf = (executionId: string): Call => ({ body: { id: 'B', executionId }, idempotencyKey: `resume-${executionId}` });

/**
 * Resolves once each of them has this status: another process, which has its lane, may be at work still.
 *
 * @throws {Error} when one of them has another after 10 s
 */
export async function untilAll(engine: Engine, executionIds: readonly string[], status: 'waiting' | 'completed'): Promise<void> {
  const endMs = performance.now() + 10_000;
  for (const executionId of executionIds) {
    const read = async () => (await engine.execution(companyId, executionId))?.state.status;
    let found = await read();
    for (; found !== status && performance.now() < endMs; found = await read()) await setTimeout(5);
    if (found !== status) throw new Error(`Execution ${executionId} is ${found}, and not ${status}`);
  }
}
