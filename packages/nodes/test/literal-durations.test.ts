// Literal durations, also of months and years, against what bounds them: told by the check, and not first by a run.
import { checkCanvasText } from '@hilo/engine';
import { durationBounds, durationMs, TimedDuration } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';
import { flow } from './flows.ts';

/** What the check says of a node between a start and an end. */
function check(type: string, data: object, port: string, settings: object = {}): readonly string[] {
  const canvas = flow(
    [
      ['begin', 'start', { keywords: ['go'] }],
      ['node', type, data],
      ['done', 'end'],
    ] as Parameters<typeof flow>[0],
    ['next', port],
  );
  const problems = checkCanvasText({ ...canvas, settings }, { nodes: standardNodes });
  return problems
    .filter(({ nodeId, code }) => nodeId === 'node' && code !== 'PORT_WITHOUT_EDGE')
    .map(({ code, pointer }) => `${code} ${pointer}`);
}

describe('a literal duration', () => {
  it.each<[ttl: string, isTaken: boolean]>([
    ['P30D', true],
    ['P30DT1S', false],
    ['P60D', false],
    ['P1M', false],
    ['P1Y', false],
    ['{{$user.id}}', true],
  ])('holds an event for 30 days at most: %s is taken: %s', (ttl, isTaken) =>
    expect(check('send-event', { name: 'paid', ttl }, 'next')).toEqual(isTaken ? [] : ['INVALID_CONFIG /nodes/1/data/ttl']),
  );

  it.each(['P1M', 'P1Y', 'P2D'])('is too long for a list in $memory: %s', (ttl) => {
    const told = check('set', { assignments: [{ path: '$memory.list', value: [1], ttl }] }, 'next');
    expect(told).toEqual(['INVALID_CONFIG /nodes/1/data/assignments/0/ttl']);
    expect(check('set', { assignments: [{ path: '$memory.text', value: 'x', ttl }] }, 'next')).toEqual([]);
  });

  it.each(['P1M', 'P1Y', 'P8D'])('outlasts a session of seven days: %s', (timeout) => {
    const data = { name: 'paid', timeout };
    expect(check('wait-event', data, 'received', { sessionExpiry: 'P7D' })).toContain('WAIT_LONGER_THAN_SESSION /nodes/1/data/timeout');
  });

  it('is never outside the bounds that the check takes it to have', () => {
    const part = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(
        part,
        part,
        part,
        fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (y, m, d, now) => {
          fc.pre(y + m + d > 0);
          const duration = TimedDuration.parse(`P${y}Y${m}M${d}D`.replace(/(?<!\d)0[YMD]/g, ''));
          const [leastMs = Number.NaN, mostMs = Number.NaN] = durationBounds(duration) ?? [];
          const ms = durationMs(duration, { get: () => undefined, nowMs: now.getTime() });
          expect(ms).toBeGreaterThanOrEqual(leastMs);
          expect(ms).toBeLessThanOrEqual(mostMs);
        },
      ),
    );
  });
});
