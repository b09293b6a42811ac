import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { checkCanvasText } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);
const pages = readdirSync(docs).filter((file) => file.endsWith('.md'));
const read = (file: string): string => readFileSync(new URL(file, docs), 'utf8');

describe('the documentation', () => {
  it('shows canvases that can be published as they stand there', () => {
    const blocks = Array.from(read('canvas.md').matchAll(/```json\n([\s\S]*?)```/g), ([, json = '']) => json);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(checkCanvasText(block, { nodes: standardNodes })).toEqual([]);
  });

  it.each(pages)('links to files that are there: %s', (page) => {
    const links = Array.from(read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, target = '']) => target);
    expect(links.filter((target) => !existsSync(new URL(target, docs)))).toEqual([]);
  });
});
