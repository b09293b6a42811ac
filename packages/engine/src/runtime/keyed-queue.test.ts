import type { Clock } from '../contract/clock.ts';
import { type LaneClaims, type KeyedQueue, createKeyedQueue } from './keyed-queue.ts';
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
  it('run one task of a lane at a time, in order, whatever the tasks wait for (P9)', () =>
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
    expect([log, lanes.holding('a', nowMs)?.hold.onMessage]).toEqual([[], 'discard']);
    nowMs = 1_000;
    expect(lanes.holding('a', nowMs)).toBeUndefined();
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

  it('goes on after a task that fails', async () => {
    const lanes = createKeyedQueue(clockAt(() => 0));
    const failed = lanes.run('a', () => Promise.reject(new Error('no')));
    const next = lanes.run('a', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});

/** Who has which lane, among processes that tell each other when they let go. */
function createLeases(scheduler: fc.Scheduler) {
  const owners = new Map<string, number>();
  const wanted = new Map<string, Set<() => void>>();
  return {
    owners,
    /** @param wake - tells a process that a lane may be free */
    of: (id: number, wake: (lane: string) => void): LaneClaims => ({
      async claim(lane) {
        await scheduler.schedule(Promise.resolve());
        const owner = owners.get(lane) ?? id;
        if (owner === id) owners.set(lane, id);
        else {
          const waiting = wanted.get(lane) ?? new Set();
          wanted.set(
            lane,
            waiting.add(() => wake(lane)),
          );
        }
        await scheduler.schedule(Promise.resolve());
        return owner === id ? 'claimed' : 'refused';
      },
      async release(lane) {
        await scheduler.schedule(Promise.resolve());
        owners.delete(lane);
        for (const tell of wanted.get(lane) ?? []) void scheduler.schedule(Promise.resolve()).then(tell);
        wanted.delete(lane);
      },
      recoverLane: async () => undefined,
    }),
  };
}

describe('lanes of several processes', () => {
  it('are worked in by one process at a time, every task runs, and none is kept without need (P8)', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.constantFrom('a', 'b'), fc.constantFrom('run', 'runFirst', 'tryRun')), { maxLength: 20 }),
        async (scheduler, tasks) => {
          const leases = createLeases(scheduler);
          const processes: KeyedQueue[] = [0, 1, 2].map((id) =>
            createKeyedQueue(
              clockAt(() => 0),
              leases.of(id, (lane) => processes[id]?.wake(lane)),
            ),
          );
          const working = new Set<string>();
          let done = 0;
          const all = tasks.map(async ([id, lane, way]) => {
            const lanes = processes[id];
            if (lanes === undefined) return;
            const task = async (): Promise<true> => {
              expect(leases.owners.get(lane)).toBe(id);
              expect(working.has(lane)).toBe(false);
              working.add(lane);
              await scheduler.schedule(Promise.resolve());
              working.delete(lane);
              done += 1;
              return true;
            };
            const isDone = way === 'tryRun' && (await lanes.tryRun(lane, task)) !== undefined;
            if (!isDone) await (way === 'runFirst' ? lanes.runFirst(lane, task) : lanes.run(lane, task));
          });
          await scheduler.waitIdle();
          await Promise.all(all);
          expect(done).toBe(tasks.length);
          await Promise.all([...processes.map((lanes) => lanes.whenIdle()), scheduler.waitIdle()]);
          expect(leases.owners.size).toBe(0);
        },
      ),
    ));

  it('are not worked in after they were lost, until they are got again, and what was left is taken up first', async () => {
    const log: string[] = [];
    const answers: ('claimed' | 'inherited')[] = ['claimed', 'inherited'];
    const lanes = createKeyedQueue(
      clockAt(() => 0),
      {
        claim: async () => answers.shift() ?? 'claimed',
        release: async () => undefined,
        recoverLane: async () => void log.push('takes up'),
      },
    );
    await lanes.run('a', async () => {
      log.push(`works, ours: ${lanes.isOurs('a')}`);
      lanes.block('a', 'e', forever);
      lanes.lose();
      log.push(`lost, ours: ${lanes.isOurs('a')}`);
    });
    await lanes.run('a', async () => void log.push(`works again, ours: ${lanes.isOurs('a')}`));
    expect(log).toEqual(['works, ours: true', 'lost, ours: false', 'takes up', 'works again, ours: true']);
  });

  it('recover what a dead process left before what was asked of this one meanwhile, first things included', async () => {
    const log: string[] = [];
    const lanes: KeyedQueue = createKeyedQueue(
      clockAt(() => 0),
      {
        claim: async () => 'inherited',
        release: async () => undefined,
        recoverLane: async (lane) => void lanes.runNext(lane, async () => void log.push('recovers')),
      },
    );
    const asked = [
      lanes.run('a', async () => void log.push('a request')),
      lanes.runFirst('a', async () => void log.push('a release')),
      lanes.runFirst('a', async () => void log.push('an answer')),
    ];
    await Promise.all(asked);
    expect(log).toEqual(['recovers', 'a release', 'an answer', 'a request']);
  });
});
