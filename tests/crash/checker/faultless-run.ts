// A run without faults, which the checker must find nothing wrong with.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { compileCanvas, type CompiledCanvas, nodeTypes, replayHistory } from '@hilo/engine/debug';
import { type BoundDriver, type DriverContext, drive, type Json } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { httpRequest, sendMessage } from '@hilo/nodes/effects';
import { seededRandom } from '../../../packages/simulator/src/seeded-random.ts';
import { createVirtualClock } from '../../../packages/simulator/src/virtual-clock.ts';
import { createFuse } from '../child/fuse.ts';
import { performer } from '../child/perform.ts';
import { canvases } from '../load/canvases.ts';
import type { ClientRequest } from '../load/client.ts';
import type { ReceivedCall } from '../load/ledger.ts';
import { botId, companyId, directory, orderCall, system, users } from '../load/names.ts';
import type { Command } from '../protocol.ts';
import { allExecutions } from './all-executions.ts';
import type { Evidence, ReplayedExecution } from './evidence.ts';

/** The evidence of a run without faults: a conversation, a paid order, a batch, a cancelled family. */
export async function runWithoutFaults(): Promise<Evidence> {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  const canvasStore = createMemoryCanvases();
  const received: ReceivedCall[] = [];
  const requests: ClientRequest[] = [];
  const engine = createEngine({
    nodes: standardNodes,
    drivers: driversInto(received),
    directory,
    clock,
    random: seededRandom(1),
    store: { executions: store, canvases: canvasStore },
  });
  const perform = performer({
    engine,
    executions: store,
    prune: () => Promise.resolve({ executions: 0, seen: 0 }),
    fuse: createFuse(undefined),
    checkpoint: () => {},
  });
  const send = async (command: Command): Promise<unknown> => {
    const value = await perform(command);
    requests.push({ command, attempts: 1, answer: { kind: 'answered', value } });
    await engine.whenIdle();
    return value;
  };
  /** Until only what sleeps for an hour is left. */
  const passTime = async (): Promise<void> => {
    for (let dueMs = await engine.nextDueMs(); dueMs !== undefined && dueMs < clock.now() + 60_000; dueMs = await engine.nextDueMs()) {
      clock.advanceTo(Math.max(dueMs, clock.now()));
      await engine.fireDueTimers();
      await engine.whenIdle();
    }
  };
  const executionOf = (value: unknown): string => (value as { readonly executionId: string }).executionId;

  for (const canvas of canvases) await send({ verb: 'publish', canvas });
  const [userId = ''] = users;
  for (const number of [1, 2]) {
    const eventId = `${userId}-${number}`;
    const message = { id: eventId, type: 'text', text: `#${number}` };
    await send({ verb: 'message', message: { companyId, botId, eventId, user: { id: userId }, message } });
  }
  await passTime();
  const ordered = executionOf(await send({ verb: 'webhook', call: { ...orderCall({ userId, items: ['a', 'b'] }), idempotencyKey: '1' } }));
  for (const by of ['first', 'second']) await send({ verb: 'webhook', call: orderCall({ executionId: ordered, by }) });
  await send({ verb: 'start', start: { origin: system, workflowId: 'batch', idempotencyKey: '1' } });
  await passTime();
  const family = executionOf(await send({ verb: 'start', start: { origin: system, workflowId: 'family', idempotencyKey: '1' } }));
  await send({ verb: 'cancel', executionId: family });

  const versions = (await Promise.all(canvases.map(({ id }) => canvasStore.versions(companyId, id)))).flat();
  const library = new Map(versions.map(({ hash, canvas }) => [hash, compileCanvas(canvas, hash, nodeTypes(standardNodes)).compiled]));
  const canvasOf = (hash: string): CompiledCanvas => library.get(hash)!;
  const records = await allExecutions(store);
  const executions = await Promise.all(
    records.map(async (record): Promise<ReplayedExecution> => {
      const history = await store.history(companyId, record.executionId);
      return { record, history, states: replayHistory(history, canvasOf) };
    }),
  );
  return {
    requests,
    received,
    processes: [{ startedAtMs: 0, dropped: [] }],
    store: { executions, versions, canvasOf, unlisted: [], queue: [], orphanedHistories: 0, bytes: '' },
  };
}

/** Everything succeeds at once. */
function driversInto(received: ReceivedCall[]): readonly BoundDriver[] {
  const record = (path: string, payload: Json, { idempotencyKey, executionId, nodeId, attempt, nowMs }: DriverContext): void =>
    void received.push({
      key: idempotencyKey,
      executionId,
      nodeId,
      attempt,
      path,
      payload: JSON.stringify(payload),
      atMs: nowMs,
      processNumber: 1,
    });
  return [
    drive(httpRequest, (request, context) => {
      record(new URL(request.url).pathname, request, context);
      return { kind: 'response', response: { status: 200, headers: {}, body: {} } };
    }),
    drive(sendMessage, (request, context) => {
      record('/message', request, context);
      return { kind: 'sent', messageId: context.idempotencyKey };
    }),
  ];
}
