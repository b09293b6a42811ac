import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas } from '../../testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../testing/src/arbitraries/event-scripts.ts';
import { pathsOf, uncoveredPorts } from '../src/paths-of.ts';
import { simulate } from '../../simulator/src/simulation/simulate.ts';
import { fewRuns } from '../../../scripts/vitest/part-of.ts';

const example = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../examples/workspace/canvases/${name}.json`, import.meta.url), 'utf8')) as object;

describe('pathsOf', () => {
  it('lists each path through a canvas once, including those that return to a node', () => {
    const { paths, isComplete } = pathsOf(example('order-status'));
    const texts = paths.map(({ steps, to, isLoop }) => `${steps.join(' ')} ${isLoop ? '↺' : '→'} ${to}`);
    expect(isComplete).toBe(true);
    expect(texts).toHaveLength(new Set(texts).size);
    expect(texts).toContain('begin.next which.answered look.success state.lost lost.Yes again.sent → done');
    expect(texts).toContain('begin.next which.answered look.success state.lost lost.other ↺ lost');
    expect(texts).toHaveLength(19);
  });

  it('begins at the webhook as a new call, and passes it by its other ports', () => {
    expect(pathsOf(example('collect-signature')).paths.map(({ steps }) => steps.join(' '))).toEqual([
      'begin.next whc.resume signed.next',
      'begin.next whc.timeout',
      'whc.new signed.next',
    ]);
  });

  it('reports when there are more paths than the limit', () => {
    const nodes = Array.from({ length: 30 }, (_, index) => ({
      id: `n${index}`,
      type: 'condition',
      data: { branches: [{ name: 'a', rule: { op: 'exists', left: '$context.a' } }] },
    }));
    const edges = nodes.flatMap(({ id }, index) =>
      ['a', 'else'].map((sourceHandle) => ({ source: id, sourceHandle, target: nodes[index + 1]?.id ?? 'done' })),
    );
    const wide = {
      schemaVersion: 1,
      id: 'wide',
      name: 'Wide',
      nodes: [{ id: 'begin', type: 'start', data: {} }, ...nodes, { id: 'done', type: 'end', data: {} }],
      edges: [{ source: 'begin', target: 'n0' }, ...edges],
    };
    expect(pathsOf(wide, { maxPaths: 500 })).toMatchObject({ paths: { length: 500 }, isComplete: false });
  });

  it('takes every port of every reachable node', () =>
    fc.assert(
      fc.property(canvas({ nodes: ['ask', 'condition', 'switch', 'for-each', 'delay', 'message', 'webhook', 'catch'] }), (canvas) => {
        const { paths, isComplete } = pathsOf(canvas, { maxPaths: 3_000 });
        fc.pre(isComplete);
        const taken = new Set(paths.flatMap(({ steps }) => steps));
        const reached = new Set([...taken].map((step) => step.slice(0, step.lastIndexOf('.'))));
        const webhook = canvas.nodes.find(({ type }) => type === 'webhook')?.id;
        const reachable = canvas.edges.filter(({ source }) => reached.has(source) && source !== webhook);
        expect(reachable.filter(({ source, sourceHandle }) => !taken.has(`${source}.${sourceHandle}`))).toEqual([]);
      }),
    ));
});

describe('uncoveredPorts', () => {
  it('lists the ports by which no execution left', async () => {
    const conversation = await simulate({
      canvases: [example('order-status')],
      company: { settings: { ordersUrl: 'https://orders.example' } },
    });
    await conversation.says('order');
    await conversation.apiAnswers({ status: 200, body: { state: 'shipped' } });
    await conversation.says('7');
    const { taken, never } = uncoveredPorts(example('order-status'), [await conversation.history()]);
    expect(taken).toEqual(['begin.next', 'which.answered', 'look.success', 'state.shipped', 'shipped.sent']);
    expect(never).toContain('lost.Yes');
    expect([...taken, ...never]).toHaveLength(29);
  });

  it('reports no port as taken that is on no path', () =>
    fc.assert(
      fc.asyncProperty(canvas(), eventScript, async (canvas, script) => {
        const conversation = await simulate(canvas);
        for (const input of script) await conversation.plays(input);
        const histories = await Promise.all((await conversation.executions()).map(({ executionId }) => conversation.history(executionId)));
        const { taken } = uncoveredPorts(canvas, histories);
        const { paths, isComplete } = pathsOf(canvas);
        fc.pre(isComplete);
        const steps = new Set(paths.flatMap((path) => path.steps));
        expect(taken.filter((step) => !steps.has(step))).toEqual([]);
      }),
      fewRuns(50),
    ));
});
