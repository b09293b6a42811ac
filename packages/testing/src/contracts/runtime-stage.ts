import { createEngine, type Engine, type EngineOptions, type EngineStore } from '@hilo/engine';
import type { BoundDriver, ExecutionRecord, NodeDefinition } from '@hilo/engine/contract';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '@hilo/simulator';
import { expect, vi } from 'vitest';
import { driversOfAgents } from './model-of-suite.ts';
import { publishedCanvases } from './runtime-canvases.ts';

/** What keeps lanes, under test: nothing is in it yet. */
export interface RuntimeStage {
  /** Creates an engine over the stored data. It is not started. */
  engine(parts: Pick<EngineOptions, 'nodes' | 'drivers'>): Promise<Engine>;
  /** Lets go of an engine that was started as a death does: nothing is waited for, nothing is handed back. */
  abandon(engine: Engine): Promise<void>;
  /** Lets this time pass for its engines. */
  elapse(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** A message as the channel got it. */
export interface Sent {
  readonly text: string;
  readonly key: string;
  readonly userId: string | undefined;
}

/** A bot whose company has published the canvases of the suite, and its channel. */
export interface RuntimeWorld {
  readonly acme: ReturnType<Engine['company']>;
  readonly engine: Engine;
  /** Every delivery, in order. */
  readonly sent: readonly Sent[];
  /** The keys of calls of the model, in order. */
  readonly asked: readonly string[];
  /** What the user has read: each text once for each key. */
  listTexts(userId: string): readonly string[];
  /** Makes the channel answer messages with this text only once they are let through; the next engine's answers at once. */
  hold(text: string): { letThrough(): void };
  /** Makes the channel fail this often for messages with this text. */
  failFor(text: string, times: number): void;
  /** A user's message. */
  say(userId: string, text: string, deliveryId?: string): Promise<string>;
  /** Resolves with the execution once it is as described. */
  until(executionId: string, isSo: (record: ExecutionRecord) => boolean): Promise<ExecutionRecord>;
  untilSent(text: string, userId?: string): Promise<Sent>;
  elapse(ms: number): Promise<void>;
  /** Abandons the engine, and starts another over the stored data. */
  restart(nodes?: readonly NodeDefinition[]): Promise<void>;
}

/** A test body with a world of its own. */
export const withWorld = (open: () => Promise<RuntimeStage>, test: (world: RuntimeWorld) => Promise<void>) => async (): Promise<void> => {
  const stage = await open();
  let abandon = async (): Promise<void> => undefined;
  try {
    const { world, engineOf } = await createWorld(stage);
    abandon = () => stage.abandon(engineOf());
    await test(world);
  } finally {
    await abandon();
    await stage.close();
  }
};

/** What a runtime that is far away, on a busy machine, has time for. */
const patience = { timeout: 60_000, interval: 10 };

async function createWorld(stage: RuntimeStage): Promise<{ readonly world: RuntimeWorld; engineOf(): Engine }> {
  const sent: Sent[] = [];
  const asked: string[] = [];
  const failing = new Map<string, number>();
  let held = new Map<string, Promise<void>>();

  const channel = (): BoundDriver => {
    const heldHere = (held = new Map()); // calls of an abandoned engine are never released
    return drive(sendMessage, async ({ message }, { userId, idempotencyKey }) => {
      const text = readText(message);
      sent.push({ text, key: idempotencyKey, userId });
      await heldHere.get(text);
      const left = failing.get(text) ?? 0;
      failing.set(text, left - 1);
      if (left > 0) throw new Error('The channel is away');
      return { kind: 'sent', messageId: idempotencyKey };
    });
  };
  const begin = async (nodes: readonly NodeDefinition[] = standardNodes): Promise<Engine> =>
    stage.engine({ nodes, drivers: [channel(), ...driversOfAgents(asked)] });

  let engine = await begin();
  for (const canvas of publishedCanvases) await engine.company('acme').publish(canvas);
  await engine.start();

  const listTexts = (userId: string): string[] => {
    const byKey = new Map(sent.filter((one) => one.userId === userId).map(({ key, text }) => [key, text]));
    return [...byKey.values()];
  };
  const world: RuntimeWorld = {
    get acme() {
      return engine.company('acme');
    },
    get engine() {
      return engine;
    },
    sent,
    asked,
    listTexts,
    hold(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(text, promise);
      return { letThrough: resolve };
    },
    failFor: (text, times) => void failing.set(text, times),
    async say(userId, text, deliveryId = `${userId}:${text}`) {
      const message = { type: 'text', text };
      const { outcome } = await engine.company('acme').message({ bot: 'bot', deliveryId, user: { id: userId }, message });
      return outcome;
    },
    until: (executionId, isSo) =>
      vi.waitFor(async () => {
        await stage.elapse(0); // what has become due since then
        const record = await engine.execution('acme', executionId);
        expect(record === undefined ? 'missing' : isSo(record) || record.state.status).toBe(true);
        return record ?? expect.fail();
      }, patience),
    untilSent: (text, userId) =>
      vi.waitFor(async () => {
        await stage.elapse(0);
        const found = sent.find((one) => one.text === text && (userId === undefined || one.userId === userId));
        expect(sent.map((one) => one.text)).toContain(text);
        return found ?? expect.fail();
      }, patience),
    elapse: (ms) => stage.elapse(ms),
    async restart(nodes) {
      await stage.abandon(engine);
      engine = await begin(nodes);
      await engine.start();
    },
  };
  return { world, engineOf: () => engine };
}

const readText = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'text' in message ? String(message.text) : JSON.stringify(message);

/**
 * One process at a time with a store, in virtual time. An abandoned engine over a store that several processes may share is stopped
 * instead: its lease is by the database's clock, and its expiry is tested elsewhere.
 */
export function stageOverStore({ executions, canvases }: EngineStore, close: () => Promise<void> = async () => undefined): RuntimeStage {
  const isShared = executions.leases !== undefined;
  const clock = createVirtualClock();
  let [engines, die] = [0, (): void => undefined];
  return {
    async engine(parts) {
      engines += 1;
      const process = mortal(executions);
      ({ die } = process);
      const random = seededRandom(engines);
      return createEngine({ ...parts, clock, random, store: { executions: process.port, canvases } });
    },
    async abandon(engine) {
      if (isShared) await engine.stop();
      die();
    },
    elapse: async (ms) => clock.advanceBy(ms),
    close,
  };
}

/** A store as seen by a process that may die: from then on it writes nothing, and gets no results of earlier writes. */
function mortal<Port extends object>(port: Port): { readonly port: Port; die(): void } {
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const alive = async (result: unknown): Promise<unknown> => {
    const value = await result;
    return isDead ? never : value;
  };
  return {
    die: () => void (isDead = true),
    port: new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]): unknown => (isDead ? never : alive(Reflect.apply(member, target, args)));
      },
    }),
  };
}
