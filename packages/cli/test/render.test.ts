import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { rasterise } from '../src/rasterise.ts';
import { hiloHere as hilo } from './hilo-in-process.ts';
import { folderWith, smallCanvas } from '../../server/test/hilo-process.ts';

describe('hilo render', () => {
  it('writes the picture into a file and prints its size', async () => {
    using folder = folderWith({ 'small.json': smallCanvas() });
    const { code, stdout, stderr } = await hilo(['render', 'small.json', '-o', 'small.svg'], { cwd: folder.path });
    expect(stderr).toMatch(/^✔ small\.svg \(2 nodes, \d+ × \d+\)\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(0);
    expect(readFileSync(join(folder.path, 'small.svg'), 'utf8')).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\n$/s);
  });

  it('prints the picture when no file is named', async () => {
    const { code, stdout, stderr } = await hilo(['render', 'examples/workspace/canvases/payment-reminder.json']);
    expect(stdout).toMatch(/^<svg .*<\/svg>\n$/s);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('draws from top to bottom on request', async () => {
    const sizes = async (direction: string) => {
      const { code, stdout } = await hilo(['render', 'examples/workspace/canvases/payment-reminder.json', '--direction', direction]);
      const [, width, height] = /^<svg [^>]*? width="(\d+)" height="(\d+)"/.exec(stdout) ?? [];
      return { code, isHigh: Number(height) > Number(width) };
    };
    expect([await sizes('right'), await sizes('down')]).toEqual([
      { code: 0, isHigh: false },
      { code: 0, isHigh: true },
    ]);
  });

  it('draws a canvas with problems as far as possible, and reports them', async () => {
    const nodes = [{ id: 'a', type: 'start' }, { id: 'b', type: 'teleport' }, { type: 'no id' }];
    using folder = folderWith({ 'broken.json': smallCanvas({ nodes, edges: [{ source: 'a', target: 'b' }] }) });
    const { code, stdout, stderr } = await hilo(['render', 'broken.json'], { cwd: folder.path });
    expect(stdout).toContain('teleport');
    expect(stderr).toMatch(/^broken\.json:\d+:\d+: error INVALID_CANVAS: /m);
    expect(code).toBe(0);
  });

  it('draws a PNG at twice the size: texts and lines are there', async () => {
    using folder = folderWith({ 'small.json': smallCanvas() });
    const { code, stderr } = await hilo(['render', 'small.json', '-o', 'small.png'], { cwd: folder.path });
    expect(code).toBe(0);
    const [, width = '', height = ''] = /, (\d+) × (\d+)\)/.exec(stderr) ?? [];
    const png = sharp(join(folder.path, 'small.png'));
    expect(await png.metadata()).toMatchObject({ format: 'png', width: 2 * Number(width), height: 2 * Number(height) });
    const { channels } = await png.stats();
    expect(channels[0]?.min).toBeLessThan(60); // dark texts …
    expect(channels[0]?.max).toBe(255); // … on white cards
  });

  it('prints a PNG with --png, and refuses one that would be too large', async () => {
    using folder = folderWith({ 'small.json': smallCanvas() });
    const small = await hilo(['render', 'small.json', '--png'], { cwd: folder.path });
    expect(small).toMatchObject({ code: 0, stdout: expect.stringContaining('PNG') as unknown });
    await expect(rasterise({ svg: '<svg/>', width: 20_000, height: 20_000, nodes: 1 })).rejects.toThrow('as SVG, without --png');
  });

  it.for([
    ['that is not there', undefined, 'FILE_NOT_FOUND'],
    ['that is not JSON', '{', 'NOT_JSON'],
    ['with nothing to draw', '[]', 'INVALID_CANVAS'],
    ['of 20 MB', 'x'.repeat(20 * 1024 * 1024), 'CANVAS_TOO_LARGE'],
    ['100,000 levels deep', '['.repeat(100_000), 'TOO_DEEP'],
  ])('refuses a file %s', async ([, content, problem]) => {
    using folder = folderWith(content === undefined ? {} : { 'canvas.json': content });
    const { code, stdout, stderr } = await hilo(['render', 'canvas.json', '-o', 'x.svg'], { cwd: folder.path });
    expect(stderr).toContain(problem);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});
