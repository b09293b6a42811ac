import { Duration, durationMs, getPath, HiloError, TimedDuration } from '@hilo/engine/contract';
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

  it.each([
    ['P1M', '2026-01-31T12:00:00Z', undefined, '2026-02-28T12:00:00Z'],
    ['P1Y', '2027-03-01T12:00:00Z', undefined, '2028-03-01T12:00:00Z'],
    ['P1Y', '2028-02-29T12:00:00Z', undefined, '2029-02-28T12:00:00Z'],
    ['P1M2DT3H', '2026-01-31T12:00:00Z', undefined, '2026-03-02T15:00:00Z'],
    ['P1M', '2026-01-31T02:00:00Z', 'America/Lima', '2026-03-01T02:00:00Z'], // the 30th there
    ['P1M', '2026-03-08T17:00:00Z', 'America/New_York', '2026-04-08T17:00:00Z'],
    ['P1M', '2026-02-20T17:00:00Z', 'America/New_York', '2026-03-20T16:00:00Z'], // noon there, before and after the clocks change
    ['P100Y', '2026-01-01T00:00:00Z', undefined, '2126-01-01T00:00:00Z'],
  ])('of months or years counts on the calendar of the user: %s from %s in %s is %s', (duration, from, timeZone, until) => {
    const variables = {
      get: ([, name]: readonly (string | number)[]) => (name === 'timeZone' ? timeZone : duration),
      nowMs: Date.parse(from),
    };
    for (const source of [duration, '{{$context.when}}', `{{duration("${duration}")}}`])
      expect(new Date(Date.parse(from) + durationMs(TimedDuration.parse(source), variables)).toISOString()).toBe(
        new Date(until).toISOString(),
      );
  });

  it('of months counts back from the instant that it is before', () => {
    const variables = { get: () => undefined, nowMs };
    const untilMs = Date.parse('2027-03-31T12:00:00Z');
    expect(new Date(untilMs - durationMs(TimedDuration.parse('P1M'), variables, untilMs)).toISOString()).toBe('2027-02-28T12:00:00.000Z');
  });

  it.each(['P1M', 'P1Y', 'P1Y2M3D', 'P0.5M'])('has a fixed length where it counts from no instant: %s is refused with days', (text) => {
    expect(Duration.safeParse(text).error?.issues[0]?.message).toContain('write days');
  });

  it.each(['P101Y', 'P0M', 'P0.5M', 'P1,5Y', 'P-1M'])('is no part of a month, nor more than a hundred years: %s', (text) => {
    expect(TimedDuration.safeParse(text).success).toBe(false);
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
