import { createEngine, createMemoryCanvases, createMemoryStore, type Engine, parseCanvas } from '@hilo/engine';
import { type Clock, drive, type ExecutionStore, type Leases } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import { createSharedStore } from '../cluster/shared-store.ts';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { quiet, sayOnce } from './mortal-engine.ts';

const companyId = '1';

/** A process's connection to the store, and how it dies. */
interface Connection {
  readonly store: ExecutionStore;
  die(): void;
}

/** Processes one after the other over one store, in each of which the sending of the message hangs. */
async function hangingProcesses(clock: Clock, connect: () => Connection) {
  const canvases = createMemoryCanvases();
  const random = seededRandom(3);
  let sent = 0;
  const hanging = drive(sendMessage, () => {
    sent += 1;
    return new Promise<never>(() => undefined);
  });

  const boot = async (): Promise<{ readonly engine: Engine; die(): void }> => {
    const { store, die } = connect();
    const engine = createEngine({ nodes: standardNodes, drivers: [hanging], clock, random, store: { executions: store, canvases } });
    await engine.start();
    await quiet();
    return { engine, die };
  };
  const first = await boot();
  const { canvas } = parseCanvas(sayOnce('slow', 'hello'));
  if (canvas === undefined) throw new Error('not a canvas');
  await first.engine.saveDraft(companyId, canvas);
  await first.engine.publish(companyId, canvas.id);
  const origin = { companyId, botId: 'b', userId: 'u', channel: 'whatsapp', route: 'production' } as const;
  const { executionId } = await first.engine.startWorkflow({ origin, workflowId: 'slow' });
  await quiet();
  return { first, boot, executionId, sent: () => sent };
}

const stores = {
  'that it has to itself': (_clock: Clock) => {
    const store = createMemoryStore();
    return (): Connection => ({ store, die: () => undefined });
  },
  'that processes share': (clock: Clock) => {
    const shared = createSharedStore(clock);
    return (): Connection => {
      const { store, fallSilent, expire } = shared.connect();
      const { leases } = store;
      if (leases === undefined) throw new Error('A shared store has leases');
      // As with PostgreSQL: unfinished work of a process that leaves is inherited by the next, like that of a dead one.
      const join: Leases['join'] = async (listener) => {
        await leases.join(listener);
        return async () => expire();
      };
      return {
        store: { ...store, leases: { ...leases, join } },
        die() {
          fallSilent();
          expire();
        },
      };
    };
  },
};

describe.each(Object.entries(stores))('a process over a store %s', (_name, open) => {
  it('that is stopped repeatedly during a slow effect has nothing quarantined (P17, P25)', async () => {
    const clock = createVirtualClock();
    const { first, boot, executionId, sent } = await hangingProcesses(clock, open(clock));
    let process = first;
    for (let stops = 1; stops <= 5; stops += 1) {
      await process.engine.stop();
      process = await boot();
      expect((await process.engine.execution(companyId, executionId))?.state.status).toBe('running');
      expect(sent()).toBe(1 + stops);
    }
  });

  it('that dies repeatedly at the same effect has it quarantined at the third death (P17)', async () => {
    const clock = createVirtualClock();
    const { first, boot, executionId } = await hangingProcesses(clock, open(clock));
    let process = first;
    const statuses: unknown[] = [];
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      process.die();
      process = await boot();
      statuses.push((await process.engine.execution(companyId, executionId))?.state.status);
    }
    expect(statuses).toEqual(['running', 'running', 'quarantined']);
  });
});
