import { replayHistory } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import type { JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { libraryOf } from '../cluster/canvas-library.ts';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';

const canvas = {
  schemaVersion: 1,
  id: 'clock',
  name: 'Clock',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.begun', value: '{{$now}}' }] } },
    { id: 'wait', type: 'delay', data: { duration: 'PT90M' } },
    {
      id: 'done',
      type: 'end',
      data: { outputs: { begun: '{{$context.begun}}', ended: 'at {{$now}}', took: '{{$now - $context.begun}}' } },
    },
  ],
  edges: [
    { source: 'begin', target: 'keep' },
    { source: 'keep', target: 'wait' },
    { source: 'wait', sourceHandle: 'elapsed', target: 'done' },
  ],
};

describe('$now', () => {
  it('is the instant of the event that is being handled, and a replay reads the recorded one', async () => {
    const conversation = await simulate(canvas);
    await conversation.says('hello');
    await conversation.passes('PT90M');
    const execution = await conversation.execution();
    const outputs: JsonObject = execution?.state.ending?.outputs ?? {};
    const begun = new Date(typeof outputs['begun'] === 'string' ? outputs['begun'] : Number.NaN);
    const ended = new Date(begun.getTime() + 90 * 60_000);
    expect(outputs).toEqual({ begun: begun.toISOString(), ended: `at ${ended.toISOString()}`, took: '5400s' });

    const read = readCanvas(canvas);
    const history = await conversation.history();
    const replayed = replayHistory(history, libraryOf(new Map([[canvasHash(read), read]]), standardNodes));
    expect(replayed.at(-1)?.ending).toEqual(execution?.state.ending);
  });

  it('stays that of the first try when a node is retried, so that its effect has the same request (P4)', async () => {
    const retried = {
      ...canvas,
      nodes: [
        canvas.nodes[0],
        {
          id: 'call',
          type: 'api',
          data: { url: 'https://api.example/{{$now}}', retry: { attempts: 2, delay: 'PT1M', jitter: 'none' } },
        },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    };
    const conversation = await simulate({ canvases: [retried], faults: () => 'throws' });
    await conversation.says('hello');
    await conversation.passes('PT1M');
    const [first, second, ...more] = conversation.calls;
    expect(more).toEqual([]);
    expect(second?.attempt).toBe(2);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
    expect(second?.request).toEqual(first?.request);
  });
});
