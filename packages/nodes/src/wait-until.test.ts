import { HiloError } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { waitUntil } from './wait-until.ts';

const at = '2031-03-01T09:00:00-05:00';
const atMs = Date.parse(at);
const accepts = (at: string) => waitUntil.config.safeParse({ at }).success;

describe('wait-until', () => {
  it('waits until the instant', () => {
    const { effects } = visit(waitUntil, { config: { at }, nowMs: atMs - 1 });
    expect(effects).toEqual([{ type: 'wait.timer', request: { kind: 'timer', dueAtMs: atMs, isInterruptible: false } }]);
    expect(visit(waitUntil, { config: { at }, nowMs: atMs - 1, results: [{ kind: 'elapsed', lateByMs: 0 }] }).by).toBe('elapsed');
  });

  it('leaves by past at the instant and after it', () => {
    expect([atMs, atMs + 1].map((nowMs) => visit(waitUntil, { config: { at }, nowMs }).by)).toEqual(['past', 'past']);
  });

  it('reads the instant from the variables, and fails for what is none', () => {
    const visitAt = (when: string) =>
      visit(waitUntil, { config: { at: '{{$context.when}}' }, variables: { $context: { when } }, nowMs: atMs });
    expect(visitAt('2031-03-01T14:00:01Z').effects[0]?.request).toMatchObject({ dueAtMs: atMs + 1000 });
    expect(() => visitAt('tomorrow')).toThrow(
      new HiloError('INVALID_REQUEST', { reason: '"tomorrow" is not an instant such as 2031-03-01T09:00:00-05:00' }),
    );
  });

  it('refuses a constant that is no instant with a zone', () => {
    expect(['2031-03-01', '2031-03-01T09:00:00', 'tomorrow', ''].filter(accepts)).toEqual([]);
    expect([at, '2031-03-01T09:00:00Z', '{{$context.when}}'].filter(accepts)).toHaveLength(3);
  });

  it('counts as a wait on the way to elapsed alone', () => {
    expect(waitUntil.waitsBefore(waitUntil.config.parse({ at }))).toEqual(['elapsed']);
  });
});
