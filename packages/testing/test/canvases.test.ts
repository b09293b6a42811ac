import { checkCanvas, parseCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas, canvasFamily } from '../src/arbitraries/canvases.ts';

const errorsOf = (json: object) => {
  const { canvas, problems } = parseCanvas(json);
  return canvas === undefined ? problems : checkCanvas(canvas, { nodes: standardNodes }).filter(({ severity }) => severity === 'error');
};

describe('canvas', () => {
  it('generates canvases without errors', () =>
    fc.assert(
      fc.property(canvas(), (canvas) => {
        expect(errorsOf(canvas)).toEqual([]);
      }),
    ));

  it('uses only the given types', () =>
    fc.assert(
      fc.property(canvas({ nodes: ['ask', 'set'] }), ({ nodes }) => {
        expect(['start', 'ask', 'set', 'end']).toEqual(expect.arrayContaining(nodes.map(({ type }) => type)));
      }),
    ));
});

describe('canvasFamily', () => {
  it('generates canvases without errors', () =>
    fc.assert(
      fc.property(canvasFamily(), ({ main, children }) => {
        expect([main, ...children].flatMap(errorsOf)).toEqual([]);
      }),
    ));

  it('has every type of node', () => {
    const sample = fc.sample(canvasFamily(), { numRuns: 300, seed: 1 });
    const types = new Set(
      sample.flatMap(({ main, children }) => [main, ...children].flatMap(({ nodes }) => nodes.map(({ type }) => type))),
    );
    expect([...types].toSorted()).toEqual(standardNodes.map(({ type }) => type).toSorted());
  });
});
