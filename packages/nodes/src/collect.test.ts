import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from './collect.ts';

const text = (id: number): JsonObject => ({ id: `m${id}`, type: 'text', text: `message ${id}` });
/** Consecutive replies, with the given pauses in milliseconds; the first counts from 0. */
const replies = (count: number, from = 1, everyMs = 1_000): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'message', message: text(from + index), atMs: (index + 1) * everyMs }));
const silence = { kind: 'timeout', lateByMs: 0 };

describe('collect', () => {
  it('gathers the message that led here and later ones, until the user pauses (GRP-03)', () => {
    const visited = visit(collect, {
      config: { window: 'PT3S', saveAs: '$context.burst' },
      variables: { $message: text(0) },
      results: [...replies(2), silence],
    });
    const burst = [text(0), text(1), text(2)];
    expect(visited).toMatchObject({ by: 'collected', writes: { $messages: burst, '$context.burst': burst } });
    expect(visited.effects).toEqual(Array(3).fill({ type: 'wait.reply', request: { kind: 'reply', dueInMs: 3000 } }));
  });

  it('waits for a first message without a limit', () => {
    const visited = visit(collect, { config: { window: 'PT3S' }, results: [...replies(1), silence] });
    expect(visited).toMatchObject({ by: 'collected', writes: { $messages: [text(1)] } });
    expect(visited.effects.map(({ request }) => request)).toEqual([{ kind: 'reply' }, { kind: 'reply', dueInMs: 3000 }]);
  });

  it('begins a second burst with a new message, not with the last of the first', () => {
    const first = visit(collect, { config: {}, variables: { $message: text(0) }, results: [...replies(1), silence] });
    const memo = first.outcome.kind === 'leave' ? (first.outcome.memo ?? null) : null;
    const second = visit(collect, { config: {}, memo, variables: { $message: text(1) }, results: [...replies(1, 2), silence] });
    expect(second.writes).toEqual({ $messages: [text(2)] });
    const third = visit(collect, { config: {}, memo, variables: { $message: text(3) }, results: [silence] });
    expect(third.writes).toEqual({ $messages: [text(3)] });
  });

  it('gathers all of a quick burst, however wide the window (GRP-03)', () => {
    const visited = visit(collect, {
      config: { window: 'PT20S' },
      variables: { $message: text(0) },
      results: [...replies(9, 1, 500), silence],
    });
    expect(visited).toMatchObject({ by: 'collected', writes: { $messages: Array.from({ length: 10 }, (_, id) => text(id)) } });
  });

  it('ends an endless burst after maxWait, and never gathers more than maxMessages', () => {
    const whole = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(
        whole,
        fc.integer({ min: 20, max: 90 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 100, max: 20_000 }),
        fc.boolean(),
        (window, maxWait, maxMessages, everyMs, hasMessage) => {
          const visited = visit(collect, {
            config: { window: `PT${window}S`, maxWait: `PT${maxWait}S`, maxMessages },
            variables: hasMessage ? { $message: text(0) } : {},
            nowMs: everyMs,
            results: replies(1_000, 1, everyMs).map((reply, index) => ({ ...reply, atMs: (index + (hasMessage ? 2 : 1)) * everyMs })),
          });
          const gathered = (visited.writes['$messages'] as readonly Json[]).length;
          const dues = visited.effects.map(({ request }) => Number((request as { dueInMs?: number }).dueInMs ?? 1));
          expect(visited.by).toBe('collected');
          expect(gathered).toBe(Math.min(maxMessages, Math.ceil((maxWait * 1000) / everyMs) + 1));
          expect(Math.max(0, ...dues)).toBeLessThanOrEqual(window * 1000);
          expect(Math.min(1, ...dues)).toBeGreaterThan(0);
        },
      ),
    );
  });

  it('waits no longer than the rest of maxWait', () => {
    const visited = visit(collect, {
      config: { window: 'PT5S', maxWait: 'PT7S' },
      variables: { $message: text(0) },
      results: [...replies(1, 1, 4_000), silence],
    });
    expect(visited.effects.map(({ request }) => request)).toEqual([
      { kind: 'reply', dueInMs: 5_000 },
      { kind: 'reply', dueInMs: 3_000 },
    ]);
  });

  it.each([
    ['PT0.999S', false],
    ['PT1S', true],
    ['PT20S', true],
    ['PT20.001S', false],
  ])('judges the window %s (GRP-03)', (window, isTaken) => {
    expect(collect.config.safeParse({ window }).success).toBe(isTaken);
  });

  it('refuses a longest burst that is shorter than a window', () => {
    expect(collect.config.safeParse({ window: 'PT5S', maxWait: 'PT4S' }).error?.issues).toMatchObject([{ path: ['maxWait'] }]);
    expect(collect.config.safeParse({ window: 'PT5S', maxWait: 'PT5S' }).success).toBe(true);
  });
});
