import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delay } from './delay.ts';

const config = { duration: 'PT90S' };

describe('delay', () => {
  it('waits from the instant of the visit', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e9 }), (nowMs, seconds) => {
        const { effects } = visit(delay, { config: { duration: `PT${seconds}S` }, nowMs });
        expect(effects).toEqual([
          { type: 'wait.timer', request: { kind: 'timer', dueAtMs: nowMs + seconds * 1000, isInterruptible: true } },
        ]);
      }),
    ));

  it('can be interrupted only where an edge leads on', () => {
    const { effects } = visit(delay, { config, connected: ['elapsed'] });
    expect(effects[0]?.request).toMatchObject({ isInterruptible: false });
  });

  it('leaves by elapsed, however late, or by interrupted', () => {
    expect(visit(delay, { config, results: [{ kind: 'elapsed', lateByMs: 5000 }] }).by).toBe('elapsed');
    expect(visit(delay, { config, results: [{ kind: 'interrupted', message: { text: 'hi' } }] })).toMatchObject({
      by: 'interrupted',
      writes: {},
    });
  });
});
