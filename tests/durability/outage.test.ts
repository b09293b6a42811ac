import { createMemoryStore, parseCanvas } from '@hilo/engine';
import { type ExecutionStore, HiloError } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
