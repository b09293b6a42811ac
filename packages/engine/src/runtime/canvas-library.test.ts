import { z } from 'zod';
import { visual } from '../../test/runnable-nodes.ts';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { nodeTypes } from '../canvas/compile.ts';
import { portableDigest } from '../canvas/hash.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { defineNode, leave } from '../contract/index.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createCanvasLibrary } from './canvas-library.ts';
import { describe, expect, it } from 'vitest';

/** A library over canvases that are counted as they are read; `1/v0`, `1/v1` … are kept. */
async function libraryOf(count: number) {
  const canvases = createMemoryCanvases();
  const { canvas } = parseCanvas(canvasOf([{ id: 'done', type: 'end' }], []));
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  for (let index = 0; index < count; index += 1) await canvases.publish('1', canvas, `v${index}`, 0);
  const reads: string[] = [];
  const byHash: typeof canvases.byHash = (companyId, hash) => (reads.push(`${companyId}/${hash}`), canvases.byHash(companyId, hash));
  return {
    library: createCanvasLibrary(
      { ...canvases, byHash },
      { types: nodeTypes(smallNodes), digest: portableDigest, clock: { now: () => 0 } },
    ),
    reads,
  };
}

describe('the library of compiled canvases', () => {
  it('reads and compiles a canvas once, however many ask for it at once', async () => {
    const { library, reads } = await libraryOf(1);
    const loaded = await Promise.all(Array.from({ length: 1_000 }, () => library.load('1', 'v0')));
    expect(new Set(loaded)).toEqual(new Set([library.get('1', 'v0')]));
    expect(await library.load('1', 'v0')).toBe(loaded[0]);
    expect(reads).toEqual(['1/v0']);
  });

  it('reads a missing canvas again, and returns none of another company (P28)', async () => {
    const { library, reads } = await libraryOf(1);
    await library.load('1', 'v0');
    for (let tries = 0; tries < 2; tries += 1) await expect(library.load('2', 'v0')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    expect(library.get('2', 'v0')).toBeUndefined();
    expect(reads).toEqual(['1/v0', '2/v0', '2/v0']);
  });

  it('keeps the thousand that were loaded last', async () => {
    const { library } = await libraryOf(1_001);
    for (let index = 0; index < 1_000; index += 1) await library.load('1', `v${index}`);
    await library.load('1', 'v0');
    await library.load('1', 'v1000');
    expect(['v0', 'v1', 'v2', 'v1000'].map((hash) => library.get('1', hash) !== undefined)).toEqual([true, false, true, true]);
  });

  it.each([100, 101, 1_000])('compiles %i nodes, so many in a turn of the event loop that others have theirs (P20)', async (count) => {
    let parsed = 0;
    const counted = defineNode({
      type: 'counted',
      config: z.custom(() => (parsed += 1) > 0),
      visual,
      ports: ['next'],
      run: () => leave('next'),
    });
    const nodes = Array.from({ length: count }, (_, index) => ({ id: `n${index}`, type: 'counted' }));
    const { canvas } = parseCanvas(canvasOf(nodes, []));
    const canvases = createMemoryCanvases();
    if (canvas === undefined) throw new Error('The canvas cannot be parsed');
    await canvases.publish('1', canvas, 'large', 0);
    const library = createCanvasLibrary(canvases, { types: nodeTypes([counted]), digest: portableDigest, clock: { now: () => 0 } });
    const turns: number[] = [];
    let isOver = false;
    const watch = (): void => {
      turns.push(parsed);
      parsed = 0;
      if (!isOver) setImmediate(watch);
    };
    setImmediate(watch);
    const { nodes: compiled } = await library.load('1', 'large');
    isOver = true;
    turns.push(parsed);
    expect(compiled.size).toBe(count);
    expect(turns.reduce((sum, one) => sum + one, 0)).toBe(count); // none is read twice
    expect(Math.max(...turns)).toBe(100);
  });
});
