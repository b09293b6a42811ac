import { checkCanvasText } from '@hilo/engine';
import type { Json } from '@hilo/engine/contract';
import { canvasSchema, standardNodes } from '@hilo/nodes';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aroundNode, fullNodes, placesIn, replaceAt, valueAt, wrongValues } from '../../../../tests/properties/full-nodes.ts';

// Editors check with the JSON Schema, Hilo with its own schemas: neither may refuse what the other takes.

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(canvasSchema(standardNodes));
const check = (canvas: Json) => checkCanvasText(canvas, { nodes: standardNodes });

/** A node with one place in it replaced. */
const mutation = fc
  .tuple(
    fc.constantFrom(...fullNodes.flatMap(({ type, data }) => placesIn(data).map((at) => ({ type, data, at })))),
    fc.constantFrom<Json | undefined>(undefined, ...wrongValues),
  )
  .filter(([{ at }, value]) => at.length > 0 || value !== undefined)
  .map(([{ type, data, at }, value]) => ({
    at,
    value,
    before: valueAt(data, at),
    canvas: aroundNode(type, replaceAt(data, at, value) ?? {}, data),
    place: ['/nodes/0/data', ...at].join('/'),
  }));

const kindOf = (value: Json | undefined): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
const isExpression = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('{{');

/** Fields whose value may be of any kind for a JSON Schema, and that have rules of their own. */
const isFree = (place: string): boolean => /\/data\/(schema|body|header|where\/\d+\/value|assignments\/\d+\/value)(\/|$)/.test(place);

describe('the JSON Schema of a canvas', { timeout: 300_000 }, () => {
  it('takes every node with all of its fields', () => {
    for (const { type, data } of fullNodes) {
      validate(aroundNode(type, data));
      expect([type, validate.errors]).toEqual([type, null]);
    }
  });

  it('refuses nothing that the check takes', () =>
    fc.assert(
      fc.property(mutation, ({ canvas }) => {
        const isTaken = validate(canvas);
        expect(isTaken || check(canvas).some(({ severity }) => severity === 'error')).toBe(true);
      }),
      { numRuns: 400 },
    ));

  it('refuses a value of a kind that the check refuses in its place', () =>
    fc.assert(
      fc.property(mutation, ({ canvas, place, before, value }) => {
        fc.pre(value !== undefined && kindOf(before) !== kindOf(value) && !isExpression(value) && !isFree(place));
        const isRefused = check(canvas).some(({ code, pointer }) => code === 'INVALID_CONFIG' && pointer === place);
        expect(isRefused && validate(canvas)).toBe(false);
      }),
      { numRuns: 400 },
    ));

  it('describes each type of node by itself', () => {
    const text = JSON.stringify(canvasSchema(standardNodes));
    for (const { visual } of standardNodes) expect(text).toContain(JSON.stringify(visual.description));
    const patterns = [...text.matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, pattern = '']) => pattern.length);
    expect(Math.max(...patterns)).toBeLessThan(160);
  });
});
