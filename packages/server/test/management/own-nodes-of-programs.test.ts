/** Nodes that a program gives without the file that they are from: no thread can check canvases with them, and the host is told. */
import { checkCanvas, parseCanvas } from '@hilo/engine';
import { type Canvas, defineNode, leave } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock } from '@hilo/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createCanvasWork } from '../../src/platform/canvas-work/canvas-work.ts';
import { canvasWorkLimits } from '../../src/platform/canvas-work/run-canvas-tasks.ts';

const own = defineNode({
  type: 'own',
  config: z.object({}),
  visual: { label: 'Own', category: 'logic', icon: 'x', colour: '#000000', description: 'For a test' },
  ports: ['next'],
  run: () => leave('next'),
});
const nodes = [...standardNodes, own];

/** A canvas whose JSON has some characters. */
function canvasOf(size: number): Canvas {
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'own',
    name: 'x',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'own', type: 'own', data: {} },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [
      { source: 'begin', target: 'own' },
      { source: 'own', target: 'done' },
    ],
  });
  if (canvas === undefined) throw new Error('not a canvas');
  return { ...canvas, name: 'x'.repeat(size - JSON.stringify(canvas).length + 1) };
}

const { atOnceSize, loopSize } = canvasWorkLimits;

it.each([
  [atOnceSize - 1, 0, true],
  [atOnceSize, 0, true],
  [atOnceSize + 1, 1, true],
  [loopSize, 1, true],
  [loopSize + 1, 1, false],
])('a canvas of %i characters is reported %i times, however often it is checked', async (size, reports, isChecked) => {
  const reasons: string[] = [];
  const work = createCanvasWork({
    nodes,
    clock: createVirtualClock(),
    onRefused: (why) => void reasons.push(why),
    start: () => {
      throw new Error('no thread is of use');
    },
  });
  const canvas = canvasOf(size);
  for (let times = 0; times < 2; times += 1) {
    const found = await work.check('1', [{ canvas, references: [] }], {});
    const codes = found.flat().map(({ code }) => code);
    expect(codes).toEqual(isChecked ? checkCanvas(canvas, { nodes }).map(({ code }) => code) : ['CANVAS_NOT_CHECKED']);
  }
  expect(reasons).toEqual(Array.from({ length: reports }, () => expect.stringContaining('nodesFrom') as unknown));
});
