import { durationMs, getPath, HiloError, TimedDuration } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { delay } from './delay.ts';
import { set } from './set.ts';
import { waitEvent } from './wait-event.ts';

const nowMs = Date.parse('2026-11-22T12:00:00Z');
const dueIn = (duration: string, when: unknown = null) => {
  const { effects } = visit(delay, { config: { duration }, variables: { $context: { when } } as never, nowMs });
  return Number(getPath(effects[0]?.request, ['dueAtMs'])) - nowMs;
};

describe('a duration in a canvas', () => {
  it('is ISO 8601, or an expression that comes to it, to a duration, or to an instant that is still to come', () => {
    expect(dueIn('PT20S')).toBe(20_000);
    expect(dueIn('{{$context.when}}', 'P3D')).toBe(3 * 86_400_000);
    expect(dueIn('{{duration("90m")}}')).toBe(5_400_000);
    expect(dueIn('PT{{$context.when}}M', 5)).toBe(300_000);
  });

  it.each([5, 'soon', '', 'PT0S', '-PT5M', null, {}, 'P200Y', '2020-01-01T00:00:00Z', '{{x}}'])('is invalid as %j', (when) => {
    expect(() => dueIn('{{$context.when}}', when)).toThrow('{{$context.when}} came to');
    expect(() => dueIn('{{$context.when}}', when)).toThrow(HiloError);
  });

  it('may be an instant, when the instant of the event is known', () => {
    const template = TimedDuration.parse('{{$context.when}}');
    const variables = { get: () => '2026-11-22T13:00:00Z', nowMs };
    expect(durationMs(template, variables)).toBe(3_600_000);
    expect(() => durationMs(template, { ...variables, nowMs: nowMs + 3_600_000 })).toThrow('not above zero');
  });

  it('is refused at its place when it is an invalid constant', () => {
    for (const duration of ['soon', 'PT0S', '5', '', 'P1']) expect(delay.config.safeParse({ duration }).success).toBe(false);
  });

  it('may be computed for time-outs and lifetimes alike', () => {
    const variables = { $context: { when: 'PT5M' } };
    const { effects } = visit(waitEvent, { config: { name: 'paid', timeout: '{{$context.when}}' }, variables, nowMs });
    expect(effects[0]?.request).toMatchObject({ dueInMs: 300_000 });
    const assignments = [{ path: '$memory.cart', value: { a: 1 }, ttl: '{{$context.when}}' }];
    expect(visit(set, { config: { assignments }, variables, nowMs }).outcome).toMatchObject({ writes: [{ ttlMs: 300_000 }] });
  });
});
