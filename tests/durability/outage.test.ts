import { createEngine, createMemoryCanvases, createMemoryStore, type EngineEvents, parseCanvas } from '@hilo/engine';
import { drive, type ExecutionStore, HiloError } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../packages/simulator/src/seeded-random.ts';
import { createVirtualClock } from '../../packages/simulator/src/virtual-clock.ts';
import { createMortalEngine, type MortalEngine, quiet, sayLater, sayOnce } from './mortal-engine.ts';

const companyId = '1';

/** A store that can fail: before a call takes effect, or after it, without an answer. */
function createFragileStore(): { readonly store: ExecutionStore; fails: (name: string) => 'before' | 'after' | undefined } {
  const fragile = { store: createMemoryStore(), fails: (_name: string): 'before' | 'after' | undefined => undefined };
  const gone = (): HiloError => new HiloError('STORE_UNAVAILABLE', { reason: 'the disk is full' });
  fragile.store = new Proxy(fragile.store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const when = fragile.fails(String(name));
        if (when === 'before') throw gone();
        const answer: unknown = await (Reflect.apply(member, target, args) as unknown);
        if (when === 'after') throw gone();
        return answer;
      };
    },
  });
  return fragile;
}

async function publish({ engine }: MortalEngine, json: object): Promise<void> {
  const { canvas } = parseCanvas(json);
  if (canvas === undefined) throw new Error('not a canvas');
  await engine().saveDraft(companyId, canvas);
  await engine().publish(companyId, canvas.id);
}

const says = (world: MortalEngine, userId: string, text: string, eventId: string) =>
  world.engine().receiveMessage({ companyId, botId: 'b', eventId, user: { id: userId }, message: { id: eventId, type: 'text', text } });

const statuses = async ({ store }: MortalEngine): Promise<readonly string[]> =>
  (await store.list(companyId, { limit: 100 })).results.map(({ state }) => state.status);

describe('an engine whose store is unavailable for a while (P2, P26)', () => {
  it('answers callers STORE_UNAVAILABLE, and continues within 5 s of the store’s return', async () => {
    const fragile = createFragileStore();
    const sent: string[] = [];
    const world = createMortalEngine((text) => {
      sent.push(text);
      fragile.fails = (name) => (name === 'commit' ? 'before' : undefined); // unavailable before the answer is recorded
      return 'sent';
    }, fragile.store);
    await world.boot();
    await publish(world, sayOnce('once', 'hello'));
    await says(world, 'u1', 'once', 'e1');
    await quiet();
    await expect(says(world, 'u2', 'once', 'e2')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    for (let second = 0; second < 60; second += 1) {
      world.clock.advanceBy(1_000);
      await quiet();
    }
    expect(await statuses(world)).toEqual(['running']);
    fragile.fails = () => undefined;
    world.clock.advanceBy(5_000);
    await quiet();
    expect(await statuses(world)).toEqual(['completed']);
    expect(sent).toEqual(['hello']);
    expect(world.faults.length).toBeGreaterThan(0);
  });

  it('loses nothing and does nothing twice, whichever calls fail, before or after they did their work', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('before', 'after', undefined, undefined, undefined), { size: 'large' }),
        async (verdicts) => {
          const fragile = createFragileStore();
          const sent: string[] = [];
          const world = createMortalEngine((text) => {
            sent.push(text);
            return 'sent';
          }, fragile.store);
          await world.boot();
          await publish(world, sayOnce('once', 'hello'));
          await publish(world, sayLater('later', 'goodbye', 'PT1H'));
          fragile.fails = () => verdicts.shift();
          for (const [index, text] of ['once', 'later', 'once'].entries()) {
            const eventId = `e${index}`;
            // As a provider does: until it is answered 2xx.
            while ((await says(world, 'u', text, eventId).catch(() => undefined)) === undefined) {
              world.clock.advanceBy(500);
              await quiet();
            }
          }
          for (let second = 0; second < 5; second += 1) {
            world.clock.advanceBy(1_000);
            await quiet();
          }
          fragile.fails = () => undefined;
          for (let minute = 0; minute < 90; minute += 1) {
            world.clock.advanceBy(60_000);
            await quiet();
          }
          expect(await statuses(world)).toEqual(['completed', 'completed', 'completed']);
          expect(sent.toSorted()).toEqual(['goodbye', 'hello', 'hello']);
        },
      ),
    ));
});

/** Takes part in a shared store as its only process. */
const alone: NonNullable<ExecutionStore['leases']> = {
  join: async () => async () => undefined,
  isOurs: () => true,
  addressOf: () => undefined,
  advertise: async () => undefined,
  post: async () => null,
};

describe('an engine whose store is away', () => {
  /** An engine over a store that is away for 30 s of virtual time. @returns what it reported, with the second */
  async function reportWhileAway(isShared: boolean, id: string) {
    const fragile = createFragileStore();
    const clock = createVirtualClock();
    const canvases = createMemoryCanvases();
    const sent = drive(sendMessage, async () => {
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, 4_000));
      return { kind: 'sent', messageId: 'm' };
    });
    const executions = isShared ? { ...ownProperties(fragile.store), leases: alone } : fragile.store;
    const store = { executions, canvases };
    const engine = createEngine({ nodes: standardNodes, drivers: [sent], store, clock, random: seededRandom(7) });
    const reports: (EngineEvents['engine.fault'][0] & { readonly second: number })[] = [];
    const startMs = clock.now();
    engine.on('engine.fault', (fault) => reports.push({ ...fault, second: (clock.now() - startMs) / 1_000 }));
    await engine.start();
    for (const json of [sayOnce('once', 'hello'), sayLater('later', 'goodbye', 'PT3S')]) {
      const { canvas } = parseCanvas(json);
      if (canvas !== undefined) await engine.saveDraft(companyId, canvas);
      if (canvas !== undefined) await engine.publish(companyId, canvas.id);
    }
    if (id !== '')
      await engine.receiveMessage({ companyId, botId: 'b', eventId: id, user: { id: 'u' }, message: { id, type: 'text', text: id } });
    await quiet();
    fragile.fails = () => 'before';
    for (let second = 0; second < 30; second += 1) {
      clock.advanceBy(1_000);
      await quiet();
    }
    const away = reports.splice(0);
    fragile.fails = () => undefined;
    for (let second = 0; second < 15; second += 1) {
      clock.advanceBy(1_000);
      await quiet();
    }
    const back = reports.filter(({ second }) => second > 35);
    const { results } = await fragile.store.list(companyId, { limit: 10 });
    await engine.stop();
    return { away, back, statuses: results.map(({ state }) => state.status) };
  }

  const ownProperties = (store: ExecutionStore): ExecutionStore =>
    Object.fromEntries(Object.keys(store).map((name) => [name, Reflect.get(store, name) as unknown])) as unknown as ExecutionStore;

  it.each([
    ['an answer is to be recorded', false, 'once', /^recording the answer of effect /],
    ['a timer is due', false, 'later', /^(firing due timers|looking for the next due timer)$/],
    ['nothing happens, and other processes share the store', true, '', /^(firing due timers|looking for the next due timer)$/],
  ])('reports it as engine.fault while %s, at least every 5 s, and no longer once it is back', async (_what, isShared, id, doing) => {
    const { away, back, statuses } = await reportWhileAway(isShared, id);
    expect(away.map(({ error }) => error)).toEqual(away.map(() => expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) as unknown));
    expect(away.filter((fault) => !doing.test(fault.while))).toEqual([]);
    const seconds = [5, ...away.map(({ second }) => second), 30];
    expect(Math.max(...seconds.slice(1).map((second, index) => second - (seconds[index] ?? 0)))).toBeLessThanOrEqual(5);
    expect(back).toEqual([]);
    expect(statuses).toEqual(id === '' ? [] : ['completed']);
  });
});
