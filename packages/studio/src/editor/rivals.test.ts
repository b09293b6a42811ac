import { parseCanvas, checkCanvasText } from '@hilo/engine';
import type { Canvas, JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { takeoversOf } from './rivals.ts';

const bot = (id: string, data: JsonObject): JsonObject => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'start', type: 'start', data },
    { id: 'end', type: 'end' },
  ],
  edges: [{ source: 'start', target: 'end' }],
});
const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');
const published = (...bots: readonly JsonObject[]) =>
  bots.map((canvas) => ({ workflowId: nameOf(canvas), canvas: parseCanvas(canvas).canvas as Canvas }));

/** What the engine finds about a canvas among published ones, as the service does. */
const found = (canvas: JsonObject, ...others: readonly JsonObject[]) =>
  takeoversOf(nameOf(canvas), checkCanvasText(canvas, { nodes: standardNodes, published: published(...others) }));

describe('what publishing takes over', () => {
  it('is every message without a keyword, from the workflow that is later by its id', () => {
    expect(found(bot('a', { fallback: true }), bot('b', { fallback: true }))).toEqual([{ word: undefined, others: ['b'], isTaken: true }]);
    expect(found(bot('b', { fallback: true }), bot('a', { fallback: true }))).toEqual([{ word: undefined, others: ['a'], isTaken: false }]);
  });

  it('names the keyword and every other workflow; it is taken from all of them or not at all', () => {
    const order = { keywords: ['order'] };
    expect(found(bot('b', order), bot('a', order), bot('c', order))).toEqual([{ word: 'order', others: ['a', 'c'], isTaken: false }]);
    expect(found(bot('a', order), bot('b', order), bot('c', order))).toEqual([{ word: 'order', others: ['b', 'c'], isTaken: true }]);
  });

  it('is nothing where no other workflow wants the same', () =>
    expect(found(bot('a', { fallback: true, keywords: ['one'] }), bot('b', { keywords: ['two'] }))).toEqual([]));
});
