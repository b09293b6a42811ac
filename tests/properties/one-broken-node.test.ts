import { checkCanvasText } from '@hilo/engine';
import type { JsonObject, Problem } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas } from '../../packages/testing/src/arbitraries/canvases.ts';

const check = (input: unknown): readonly Problem[] => checkCanvasText(input, { nodes: standardNodes });

/** Changes that make a node unreadable, in whole or in part. */
const breakages = fc.constantFrom<(node: JsonObject) => JsonObject>(
  (node) => ({ ...node, position: 'left' }),
  (node) => ({ ...node, type: 7 }),
  (node) => ({ ...node, type: 'nothing-known' }),
  (node) => ({ ...node, data: 7 }),
  (node) => ({ ...node, data: { ...(node['data'] as JsonObject), nobodyKnows: 1 } }),
  (node) => ({ ...node, data: { ...(node['data'] as JsonObject), label: [] } }),
  (node) => ({ ...node, nobodyKnows: 1 }),
);

/** A second entry that reads an unwritten variable, and an edge to a missing node. */
const planted = {
  nodes: [
    { id: 'planted-start', type: 'start', data: { keywords: ['planted'] } },
    { id: 'planted-end', type: 'log', data: { name: '{{$context.nobodyWritesThis}}' } },
  ],
  edges: [
    { source: 'planted-start', target: 'planted-end' },
    { source: 'planted-start', target: 'planted-nobody' },
  ],
};

/** A busy loop is reported at its first certain node: without one node, that may be another. */
const places = (problems: readonly Problem[]) =>
  problems.filter(({ code }) => code !== 'BUSY_LOOP').map(({ code, pointer }) => `${code} ${pointer}`);

describe('a canvas with one node that cannot be read', () => {
  it('has the problem of that node, all that others have by themselves, and none that they did not have', () =>
    fc.assert(
      fc.property(canvas(), fc.nat(), breakages, (sound, choice, breakIt) => {
        const whole = { ...sound, nodes: [...sound.nodes, ...planted.nodes], edges: [...sound.edges, ...planted.edges] };
        const index = choice % sound.nodes.length;
        const broken = { ...whole, nodes: whole.nodes.map((node, at) => (at === index ? breakIt(node as unknown as JsonObject) : node)) };
        const [before, after] = [check(whole), check(broken)];
        const isOwn = ({ pointer }: Problem) => pointer.startsWith(`/nodes/${index}/`);
        const isPlanted = ({ nodeId, message }: Problem) => nodeId?.startsWith('planted-') === true || message.includes('planted-');
        expect(after.filter(isOwn).filter(({ severity }) => severity === 'error')).not.toEqual([]);
        expect(places(before)).toEqual(expect.arrayContaining(places(after.filter((problem) => !isOwn(problem)))));
        expect(places(before.filter(isPlanted))).toEqual(
          expect.arrayContaining([
            `UNWRITTEN_VARIABLE /nodes/${sound.nodes.length + 1}/data/name`,
            `EDGE_TO_NOTHING /edges/${sound.edges.length + 1}/target`,
          ]),
        );
        expect(places(after)).toEqual(expect.arrayContaining(places(before.filter(isPlanted))));
      }),
    ));
});
