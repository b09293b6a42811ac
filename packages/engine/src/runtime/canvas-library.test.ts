import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { nodeTypes } from '../canvas/compile.ts';
import { portableDigest } from '../canvas/hash.ts';
import { parseCanvas } from '../canvas/parse.ts';
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
  return { library: createCanvasLibrary({ ...canvases, byHash }, nodeTypes(smallNodes), portableDigest), reads };
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
});
