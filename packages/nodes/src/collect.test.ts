import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from './collect.ts';

const text = (id: number): JsonObject => ({ id: `m${id}`, type: 'text', text: `message ${id}` });
const replies = (count: number, from = 1): readonly Json[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'message', message: text(from + index) }));
const silence = { kind: 'timeout', lateByMs: 0 };

describe('collect', () => {
  it('gathers the message that led here and those that follow, until the user is silent (GRP-03)', () => {
    const visited = visit(collect, {
      config: { window: 'PT3S', saveAs: '$context.burst' },
      variables: { $message: text(0) },
      results: [...replies(2), silence],
    });
    const burst = [text(0), text(1), text(2)];
    expect(visited).toMatchObject({ by: 'collected', writes: { $messages: burst, '$context.burst': burst } });
    expect(visited.effects).toEqual(Array(3).fill({ type: 'wait.reply', request: { kind: 'reply', dueInMs: 3000 } }));
  });

  it('waits for a first message as long as it takes', () => {
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

  it('never gathers more than maxMessages, nor waits longer than maxWait in all once the burst has begun', () => {
    const whole = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(
        whole,
        fc.integer({ min: 20, max: 90 }),
        fc.integer({ min: 1, max: 100 }),
        fc.boolean(),
        (window, maxWait, maxMessages, hasMessage) => {
          const visited = visit(collect, {
            config: { window: `PT${window}S`, maxWait: `PT${maxWait}S`, maxMessages },
            variables: hasMessage ? { $message: text(0) } : {},
            results: replies(200),
          });
          const waitedMs = visited.effects.reduce((sum, { request }) => sum + Number((request as { dueInMs?: number }).dueInMs ?? 0), 0);
          const gathered = (visited.writes['$messages'] as readonly Json[]).length;
          expect(visited.by).toBe('collected');
          expect(waitedMs).toBeLessThanOrEqual(maxWait * 1000);
          expect(gathered).toBe(Math.min(maxMessages, Math.floor(maxWait / window) + 1));
        },
      ),
    );
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
