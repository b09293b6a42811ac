import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from './contract/clock.ts';
import type { EffectCall } from './effect-call.ts';
import { createLanes } from './lanes.ts';

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
        const lanes = createLanes(clockAt(() => 0));
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
    const lanes = createLanes(clockAt(() => 0));
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
    const lanes = createLanes(
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

  it('goes on after a task that fails', async () => {
    const lanes = createLanes(clockAt(() => 0));
    const failed = lanes.run('a', () => Promise.reject(new Error('no')));
    const next = lanes.run('a', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});
