import type { Clock } from '../contract/clock.ts';
import { holdingOf } from '../lane/lane.ts';
import { createKeyedQueue, LaneElsewhere } from './keyed-queue.ts';
import type { EffectCall } from '../contract/execution.ts';
import { describe, expect, it } from 'vitest';

import fc from 'fast-check';

const call: EffectCall = {
  key: 'k',
  type: 'say',
  request: null,
  nodeId: 'n',
  attempt: 1,
  limitMs: 1,
  limitCause: { cause: 'TIMEOUT', message: '' },
  executionId: 'e',
  origin: { companyId: '1', route: 'production' },
};
const clockAt = (now: () => number, ring: (callback: () => void) => void = () => undefined): Clock => ({
  now,
  setTimeout: (callback) => ring(callback),
  clearTimeout: () => undefined,
});
const forever = { untilMs: Number.POSITIVE_INFINITY, call, hold: undefined };

describe('lanes', () => {
  it('run one task of a lane at a time, in order, for any tasks (P9)', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 }), async (scheduler, names) => {
        const lanes = createKeyedQueue(clockAt(() => 0));
        const log: Record<string, number[]> = { a: [], b: [], c: [] };
        const running = new Set<string>();
        const all = names.map((name, index) =>
          lanes.run(name, async () => {
            expect(running.has(name)).toBe(false);
            running.add(name);
            await scheduler.schedule(Promise.resolve());
            running.delete(name);
            log[name]?.push(index);
          }),
        );
        await scheduler.waitIdle();
        await Promise.all(all);
        for (const order of Object.values(log)) expect(order).toEqual([...order].sort((x, y) => x - y));
        expect(lanes.activity()).toEqual({ working: 0, blocked: 0 });
      }),
    ));

  it('keeps a blocked lane but for what comes first', async () => {
    const lanes = createKeyedQueue(clockAt(() => 0));
    const log: string[] = [];
    const say = (text: string) => async () => void log.push(text);
    lanes.block('a', 'e', forever);
    const later = lanes.run('a', say('later'));
    await lanes.runFirst('a', say('answer'));
    await lanes.run('b', say('other lane'));
    expect(log).toEqual(['answer', 'other lane']);
    lanes.unblock('a', 'e');
    await later;
    expect(log).toEqual(['answer', 'other lane', 'later']);
    await lanes.whenIdle();
  });

  it('releases a lane at the block’s own time (RET-04)', async () => {
    let nowMs = 999;
    let wake = (): void => undefined;
    const lanes = createKeyedQueue(
      clockAt(
        () => nowMs,
        (ring) => (wake = ring),
      ),
    );
    const log: string[] = [];
    lanes.block('a', 'e', { ...forever, untilMs: 1_000, hold: { untilMs: 1_000, onMessage: 'discard' } });
    const later = lanes.run('a', async () => void log.push('later'));
    wake();
    await Promise.resolve();
    expect([log, holdingOf(lanes.blocks('a'), nowMs)?.hold.onMessage]).toEqual([[], 'discard']);
    nowMs = 1_000;
    expect(holdingOf(lanes.blocks('a'), nowMs)).toBeUndefined();
    wake();
    await later;
    expect(log).toEqual(['later']);
  });

  it('tries a task only where it can be run at once: of two tries at the same time, one runs', async () => {
    const lanes = createKeyedQueue(clockAt(() => 0));
    const blocking = async (): Promise<string> => {
      lanes.block('a', 'e', forever);
      return 'blocked';
    };
    const [first, second] = [lanes.tryRun('a', blocking), lanes.tryRun('a', async () => 'second')];
    expect([await first, await second]).toEqual(['blocked', undefined]);
    expect(await lanes.tryRun('a', async () => 'third')).toBeUndefined();
    lanes.unblock('a', 'e');
    expect(await lanes.tryRun('a', async () => 'done')).toBe('done');
  });

  it('lets all else have its turn after 8 ms of tasks that are done at once (P20)', async () => {
    let nowMs = 0;
    const pauses: (() => void)[] = [];
    const clock = { now: () => nowMs, setTimeout: (goOn: () => void) => pauses.push(goOn), clearTimeout: () => undefined };
    const lanes = createKeyedQueue(clock);
    const done: number[] = [];
    lanes.soon('a', () => {
      for (const number of [1, 2, 3, 4, 5])
        lanes.soon('a', () => {
          nowMs += number === 3 ? 7 : 4;
          done.push(number);
        });
    });
    expect(done).toEqual([1, 2]);
    for (const expected of [
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]) {
      expect(lanes.activity()).toEqual({ working: 1, blocked: 0 });
      pauses.shift()?.();
      await Promise.resolve();
      expect(done).toEqual(expected);
    }
    expect(pauses).toEqual([]);
    await lanes.whenIdle();
  });

  it('continues after a task that fails', async () => {
    const lanes = createKeyedQueue(clockAt(() => 0));
    const failed = lanes.run('a', () => Promise.reject(new Error('no')));
    const next = lanes.run('a', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});

/** Lanes by name. */
const lanesOf = (...names: readonly string[]) => ({ has: (lane: string) => names.includes(lane) });

describe('lanes of several processes', () => {
  it('are worked in by one process at a time, and every task runs or is another process’s (P8)', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.constantFrom('a', 'b'), fc.constantFrom('run', 'runFirst', 'tryRun', 'move')), {
          maxLength: 30,
        }),
        async (scheduler, steps) => {
          const owners = new Map<string, number | undefined>([
            ['a', 0],
            ['b', 1],
          ]);
          const queues = [0, 1, 2].map((id) =>
            createKeyedQueue(
              clockAt(() => 0),
              { isOurs: (lane) => owners.get(lane) === id },
            ),
          );
          const working = new Set<string>();
          let [done, elsewhere, tasks] = [0, 0, 0];
          const move = (lane: string, to: number): void => {
            const owner = owners.get(lane);
            if (owner === undefined || owner === to) return;
            queues[owner]?.giveUp(lanesOf(lane), () => {
              owners.set(lane, undefined); // until the next has it
              void scheduler.schedule(Promise.resolve()).then(() => owners.set(lane, to));
            });
          };
          const all = steps.map(async ([id, lane, way]) => {
            await scheduler.schedule(Promise.resolve());
            if (way === 'move') return move(lane, id);
            tasks += 1;
            const task = async (): Promise<true> => {
              expect(owners.get(lane)).toBe(id);
              expect(working.has(lane)).toBe(false);
              working.add(lane);
              await scheduler.schedule(Promise.resolve());
              expect(owners.get(lane)).toBe(id);
              working.delete(lane);
              done += 1;
              return true;
            };
            const lanes = queues[id];
            try {
              const isDone = way === 'tryRun' && (await lanes?.tryRun(lane, task)) !== undefined;
              if (!isDone) await (way === 'runFirst' ? lanes?.runFirst(lane, task) : lanes?.run(lane, task));
            } catch (error) {
              if (!(error instanceof LaneElsewhere)) throw error;
              elsewhere += 1;
            }
          });
          await scheduler.waitIdle();
          await Promise.all(all);
          await Promise.all([...queues.map((lanes) => lanes.whenIdle()), scheduler.waitIdle()]);
          expect(done + elsewhere).toBe(tasks);
        },
      ),
    ));

  it('are released once nothing is in progress: queued tasks are another process’s, the result of an effect is not', async () => {
    let isOurs = true;
    const log: string[] = [];
    const say = (text: string) => async () => void log.push(text);
    const lanes = createKeyedQueue(
      clockAt(() => 0),
      { isOurs: () => isOurs },
    );
    lanes.block('a', 'e', forever);
    const queued = lanes.run('a', say('queued'));
    lanes.giveUp(lanesOf('a'), () => {
      log.push('given up');
      isOurs = false;
    });
    await expect(queued).rejects.toThrow(LaneElsewhere);
    await expect(lanes.run('a', say('new'))).rejects.toThrow(LaneElsewhere);
    expect([lanes.takes('a'), lanes.takes('b'), lanes.isOurs('a')]).toEqual([false, true, true]);
    await lanes.runFirst('a', say('answer'));
    expect(log).toEqual(['answer']);
    lanes.unblock('a', 'e');
    expect(log).toEqual(['answer', 'given up']);
    await expect(lanes.runFirst('a', say('late'))).rejects.toThrow(LaneElsewhere);
  });

  it('are released in the end even when an effect has no result, which then comes too late', async () => {
    const rings: (() => void)[] = [];
    let isOurs = true;
    const lanes = createKeyedQueue(
      clockAt(
        () => 0,
        (ring) => rings.push(ring),
      ),
      { isOurs: () => isOurs },
    );
    lanes.block('a', 'e', forever);
    lanes.giveUp(lanesOf('a'), () => (isOurs = false));
    expect(isOurs).toBe(true);
    for (const ring of rings) ring();
    expect(isOurs).toBe(false);
    expect(lanes.activity()).toEqual({ working: 0, blocked: 0 });
    await expect(lanes.runFirst('a', async () => undefined)).rejects.toThrow(LaneElsewhere);
  });

  it('that are to be given up, are lost, and are gained again, are kept', async () => {
    const rings: (() => void)[] = [];
    let released = 0;
    const lanes = createKeyedQueue(
      clockAt(
        () => 0,
        (ring) => rings.push(ring),
      ),
      { isOurs: () => true },
    );
    lanes.block('a', 'e', forever);
    lanes.giveUp(lanesOf('a'), () => (released += 1));
    expect(lanes.takes('a')).toBe(false);
    lanes.lose();
    expect(lanes.takes('a')).toBe(true);
    await lanes.run('a', async () => undefined);
    for (const ring of rings) ring();
    expect(released).toBe(0);
    expect(lanes.takes('a')).toBe(true);
  });

  it('are lost during a task: it learns so, and queued tasks run once the lanes are gained again', async () => {
    const log: string[] = [];
    let isOurs = true;
    const lanes = createKeyedQueue(
      clockAt(() => 0),
      { isOurs: () => isOurs },
    );
    let again: Promise<void> | undefined;
    await lanes.run('a', async () => {
      lanes.block('a', 'e', forever);
      isOurs = false;
      lanes.lose();
      isOurs = true;
      again = lanes.run('a', async () => void log.push(`again, ours: ${lanes.isOurs('a')}`));
      await Promise.resolve();
      log.push(`lost, ours: ${lanes.isOurs('a')}`);
    });
    await again;
    expect(log).toEqual(['lost, ours: false', 'again, ours: true']);
  });
});
