import { HiloError } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { waitUntil } from './wait-until.ts';

const at = '2031-03-01T09:00:00-05:00';
const atMs = Date.parse(at);
const opening = { timeZone: 'America/Lima', week: { mon: [['09:00', '18:00']] }, holidays: ['2026-11-30'] };
const accepts = (at: string) => waitUntil.config.safeParse({ at }).success;

describe('wait-until', () => {
  it('waits until the instant', () => {
    const { effects } = visit(waitUntil, { config: { at }, nowMs: atMs - 1, connected: [] });
    expect(effects).toEqual([{ type: 'wait.timer', request: { kind: 'timer', dueAtMs: atMs, isInterruptible: false } }]);
    expect(visit(waitUntil, { config: { at }, nowMs: atMs - 1, results: [{ kind: 'elapsed', lateByMs: 0 }] }).by).toBe('elapsed');
  });

  it('leaves by past at the instant and after it', () => {
    expect([atMs, atMs + 1].map((nowMs) => visit(waitUntil, { config: { at }, nowMs }).by)).toEqual(['past', 'past']);
  });

  it('reads the instant from the variables, and fails for an invalid one', () => {
    const visitAt = (when: string) =>
      visit(waitUntil, { config: { at: '{{$context.when}}' }, variables: { $context: { when } }, nowMs: atMs });
    expect(visitAt('2031-03-01T14:00:01Z').effects[0]?.request).toMatchObject({ dueAtMs: atMs + 1000 });
    expect(() => visitAt('tomorrow')).toThrow('{{$context.when}} came to "tomorrow", which is no instant');
    expect(() => visitAt('tomorrow')).toThrow(HiloError);
  });

  it('refuses a constant that is no instant with a zone', () => {
    expect(['2031-03-01', '2031-03-01T09:00:00', 'tomorrow', ''].filter(accepts)).toEqual([]);
    expect([at, '2031-03-01T09:00:00Z', '{{$context.when}}'].filter(accepts)).toHaveLength(3);
  });

  it.each<[before: string, ms: number]>([
    ['PT1S', 1_000],
    ['P1D', 86_400_000],
    ['{{$context.notice}}', 7_200_000],
  ])('ends %s before the instant, and leaves by past from then on', (before, ms) => {
    const visitAt = (nowMs: number) => visit(waitUntil, { config: { at, before }, variables: { $context: { notice: 'PT2H' } }, nowMs });
    expect(visitAt(atMs - ms - 1).effects[0]?.request).toMatchObject({ dueAtMs: atMs - ms });
    expect([atMs - ms, atMs - ms + 1].map((nowMs) => visitAt(nowMs).by)).toEqual(['past', 'past']);
  });

  it('refuses a time before that is none, and one before nothing', () => {
    const visitWith = (notice: unknown) =>
      visit(waitUntil, { config: { at, before: '{{$context.notice}}' }, variables: { $context: { notice } } as never, nowMs: 0 });
    expect(() => visitWith('soon')).toThrow('{{$context.notice}} came to "soon", which is no duration');
    const refused = [{ at, before: 'soon' }, { at, before: 'PT0S' }, { before: 'P1D' }, { opening, before: 'P1D' }];
    expect(refused.filter((config) => waitUntil.config.safeParse(config).success)).toEqual([]);
  });

  it('counts as a wait on the way to elapsed alone', () => {
    expect(waitUntil.waitsBefore(waitUntil.config.parse({ at }))).toEqual(['elapsed', 'interrupted']);
  });

  it('is cut short by a message where an edge waits for that', () => {
    const config = { at };
    const { effects } = visit(waitUntil, { config, nowMs: 0, connected: ['interrupted'] });
    expect(effects[0]?.request).toMatchObject({ isInterruptible: true });
    const results = [{ kind: 'interrupted', message: { type: 'text', text: 'stop' } }];
    expect(visit(waitUntil, { config, nowMs: 0, connected: ['interrupted'], results }).by).toBe('interrupted');
  });

  it('waits until it opens, and leaves by elapsed at once while it is open', () => {
    const sunday = Date.parse('2026-11-22T12:00:00-05:00');
    const { effects } = visit(waitUntil, { config: { opening }, nowMs: sunday });
    expect(effects[0]?.request).toMatchObject({ dueAtMs: Date.parse('2026-11-23T09:00:00-05:00') });
    expect(visit(waitUntil, { config: { opening }, nowMs: Date.parse('2026-11-23T17:59:59-05:00') }).by).toBe('elapsed');
    const late = visit(waitUntil, { config: { opening }, nowMs: Date.parse('2026-11-23T18:00:00-05:00') });
    expect(late.effects[0]?.request).toMatchObject({ dueAtMs: Date.parse('2026-12-07T09:00:00-05:00') });
  });

  it('wants an instant or hours, and not both', () => {
    expect([{}, { at, opening }].filter((config) => waitUntil.config.safeParse(config).success)).toEqual([]);
    expect(waitUntil.ports(waitUntil.config.parse({ opening }))).toEqual(['elapsed']);
  });
});
