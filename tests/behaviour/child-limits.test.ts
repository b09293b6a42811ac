import { limits, type ExecutionRecord } from '@hilo/engine/contract';
import { finalStatuses } from '@hilo/engine/store-kit';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { says, smallCanvas } from '../cluster/small-canvas.ts';

/** Calls itself as often as its input says. */
const countdown = smallCanvas(
  'countdown',
  [
    ['begin', 'start', { fallback: true }],
    ['more', 'condition', { branches: [{ name: 'below', rule: { op: 'expression', expression: '{{($input.levels ?? 0) > 0}}' } }] }],
    ['call', 'workflow', { workflowId: 'countdown', inputs: { levels: '{{($input.levels ?? 0) - 1}}' } }],
    ['done', 'end'],
  ],
  [
    ['begin', 'next', 'more'],
    ['more', 'below', 'call'],
    ['more', 'else', 'done'],
    ['call', 'success', 'done'],
  ],
);
const calls = (levels: number): object =>
  smallCanvas(
    'caller',
    [
      ['begin', 'start', { keywords: ['go'] }],
      ['call', 'workflow', { workflowId: 'countdown', inputs: { levels: levels - 1 } }],
      ['done', 'end'],
    ],
    [
      ['begin', 'next', 'call'],
      ['call', 'success', 'done'],
    ],
  );

/** Calls a child each second that never ends by itself. */
const impatient = smallCanvas(
  'impatient',
  [
    ['begin', 'start', { keywords: ['go'] }],
    ['call', 'workflow', { workflowId: 'patient', timeout: 'PT1S' }],
    ['done', 'end'],
  ],
  [
    ['begin', 'next', 'call'],
    ['call', 'success', 'done'],
    ['call', 'timeout', 'call'],
  ],
);
const patient = smallCanvas(
  'patient',
  [['begin', 'start', { keywords: ['never'] }], says('hello', 'Hello'), ['rest', 'delay', { duration: 'P1D' }], ['done', 'end']],
  [
    ['begin', 'next', 'hello'],
    ['hello', 'sent', 'rest'],
    ['rest', 'elapsed', 'done'],
  ],
);

const isOpen = ({ state }: ExecutionRecord): boolean => !finalStatuses.has(state.status);

describe('children (P16)', () => {
  it.each([limits.childDepth - 1, limits.childDepth, limits.childDepth + 1])(
    `of children are called down to level ${limits.childDepth}, no deeper: %i levels`,
    async (levels) => {
      const conversation = await simulate({ canvases: [calls(levels), countdown] });
      await conversation.says('go');
      const executions = await conversation.executions();
      const refused = levels > limits.childDepth;
      expect(executions.map(({ state }) => state.depth)).toEqual(
        Array.from({ length: Math.min(levels, limits.childDepth) + 1 }, (_, at) => at),
      );
      expect(new Set(executions.map(({ state }) => state.ending?.failure?.cause))).toEqual(
        new Set([refused ? 'CHILD_DEPTH_EXCEEDED' : undefined]),
      );
    },
  );

  it('are open one at a time, however many an execution called: one that is left has ended', async () => {
    const conversation = await simulate({ canvases: [impatient, patient] });
    await conversation.says('go');
    for (const called of [999, 1_000, 1_001]) {
      const [parent, ...children] = await conversation.executions();
      await conversation.passes(`PT${called - children.length}S`);
      const [waiting, ...all] = await conversation.executions();
      expect(all).toHaveLength(called);
      expect(all.filter(isOpen).map(({ executionId }) => executionId)).toEqual([waiting?.state.wait?.childId]);
      expect(parent?.executionId).toBe(waiting?.executionId);
    }
  });
});
