// An engine that can die in the middle of its work and be started again over the same store.
import { createMemoryCanvases, createMemoryStore, type Engine } from '@hilo/engine';
import {
  type BoundDriver,
  type CanvasStore,
  type Commit,
  drive,
  type ExecutionStore,
  getPath,
  type NodeDefinition,
} from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { seededRandom } from '../../packages/simulator/src/seeded-random.ts';
import { startProcess } from '../../packages/simulator/src/simulation/process.ts';
import { createVirtualClock, type VirtualClock } from '../../packages/simulator/src/virtual-clock.ts';

declare const setImmediate: (callback: () => void) => unknown;

const standard: readonly NodeDefinition[] = standardNodes;

/** Lets all pending work run. */
export async function quiet(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** What reaches a user, at once or later, or kills the process that sends it. */
export type Sending = (text: string) => 'sent' | 'dies' | Promise<'sent'>;

/** An engine that can die in the middle of its work, and be started again over the same store. */
export interface MortalEngine {
  readonly clock: VirtualClock;
  readonly store: ExecutionStore;
  readonly canvases: CanvasStore;
  /** The living engine. @throws when it is dead */
  engine(): Engine;
  /** Starts the next process; resolves when no work is left, or the process is dead again. */
  boot(): Promise<void>;
  deaths(): number;
  readonly faults: string[];
}

/**
 * @param kills - whether the process dies at this commit
 * @param isDeadly - whether it dies when a start is tried with a message of this text
 */
export function createMortalEngine(
  sending: Sending,
  kept: ExecutionStore = createMemoryStore(),
  kills: (commit: Commit) => boolean = () => false,
  isDeadly: (text: string) => boolean = () => false,
): MortalEngine {
  const clock = createVirtualClock();
  const canvases = createMemoryCanvases();
  const random = seededRandom(7);
  const faults: string[] = [];
  let deaths = 0;
  let living: ReturnType<typeof startProcess> | undefined;

  const kill = (): void => {
    living?.kill();
    living = undefined;
  };
  const never = new Promise<never>(() => undefined);

  const boot = async (): Promise<void> => {
    kill();
    const mortalStore: ExecutionStore = {
      ...mortal(kept, () => isAlive()),
      async commit(commit) {
        if (!isAlive()) return never;
        if (!kills(commit)) return mortal(kept, isAlive).commit(commit);
        kill();
        deaths += 1;
        return never;
      },
    };
    const isAlive = (): boolean => living === process;
    const driver: BoundDriver = drive(sendMessage, async ({ message }) => {
      const said = getPath(message, ['text']);
      const text = typeof said === 'string' ? said : '';
      if (!isAlive()) return never;
      if ((await sending(text)) === 'dies') {
        kill();
        deaths += 1;
        return never;
      }
      return { kind: 'sent', messageId: `m-${text}` };
    });
    const hearing = standard.map((node): NodeDefinition => {
      const { entry } = node;
      if (entry?.kind !== 'message') return node;
      const match: typeof entry.match = (config, message, routing) => {
        if (!isAlive()) return undefined;
        if (routing === undefined || !isDeadly(typeof message['text'] === 'string' ? message['text'] : ''))
          return entry.match(config, message, routing);
        kill();
        deaths += 1;
        return undefined;
      };
      return { ...node, entry: { ...entry, match } };
    });
    const process = startProcess({
      nodes: hearing,
      drivers: [driver],
      clock,
      random,
      store: { executions: mortalStore, canvases: mortal(canvases, isAlive) },
      directory: { company: () => ({ id: '1' }), bot: (_company, id) => ({ id, channel: 'whatsapp' }) },
    });
    living = process;
    process.engine.on('engine.fault', ({ error }) => void faults.push(String(error)));
    void process.engine.start();
    await quiet();
  };

  return {
    clock,
    store: kept,
    canvases,
    faults,
    boot,
    deaths: () => deaths,
    engine() {
      if (living === undefined) throw new Error('The process is dead');
      return living.engine;
    },
  };
}

/** An object of functions that a dead process gets no answer from. */
const mortal = <Subject extends object>(subject: Subject, isAlive: () => boolean): Subject =>
  new Proxy(subject, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (!isAlive()) return new Promise(() => undefined);
        const answer: unknown = await (Reflect.apply(member, target, args) as unknown);
        return isAlive() ? answer : new Promise(() => undefined);
      };
    },
  });

/** A canvas that sends one text and ends: what users name by keyword. */
export const sayOnce = (id: string, text: string): object => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: [id] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});

/** The same after a pause. */
export const sayLater = (id: string, text: string, duration: string): object => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: [id] } },
    { id: 'pause', type: 'delay', data: { duration } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'pause' },
    { source: 'pause', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});

/** A canvas that begins by webhook, waits for a second request, and sends one text. */
export const sayWhenPaid: object = {
  schemaVersion: 1,
  id: 'order',
  name: 'order',
  nodes: [
    {
      id: 'hook',
      type: 'webhook',
      data: { variableName: 'order', methods: ['POST'], userIdPath: 'userId', executionIdPath: 'executionId', oneTimeOnly: true },
    },
    { id: 'payment', type: 'wait-external' },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Paid' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'payment' },
    { source: 'payment', sourceHandle: 'resumed', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
};
