import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as old } from 'zod/v3';
import { createEngine } from '../engine.ts';
import { defineEffect } from './effect.ts';
import { defineNode, leave } from './node.ts';
import { refuseSchema } from './refuse-schema.ts';

/** As a host in JavaScript gives it, whom no compiler stops. */
const untyped = <Value>(given: unknown): Value => given as Value;

const visual = { label: 'Score', category: 'logic', icon: 'star', colour: 'blue', description: 'Scores' } as const;
const nodeWith = (config: unknown) =>
  defineNode({
    type: 'score',
    config: untyped<z.ZodType>(config),
    visual,
    ports: ['next'],
    run: () => leave('next'),
  });

const refusals: readonly (readonly [what: string, given: unknown, reason: string])[] = [
  ['an object of zod 3', old.object({ a: old.string() }), 'is a schema of zod 3'],
  ['a text of zod 3', old.string(), 'is a schema of zod 3'],
  ['a transformed one of zod 3', old.string().transform(Number), 'is a schema of zod 3'],
  ['nothing', undefined, 'is missing'],
  ['null', null, 'is missing'],
  ['a text', 'a', 'no schema'],
  ['a plain object', { type: 'object' }, 'is no schema'],
  ['a list', [], 'is no schema'],
];

describe('a schema of a host', () => {
  it.each(refusals)('is refused where it is %s, with the place and what to do', (_what, given, reason) => {
    expect(refuseSchema(given)).toContain(reason);
    expect(() => nodeWith(given)).toThrow(new TypeError(`The "config" of the node "score" ${refuseSchema(given)}`));
    const right = z.string();
    const effectWith = (request: unknown, result: unknown) =>
      defineEffect('score.of', { request: untyped<z.ZodType>(request), result: untyped<z.ZodType>(result) });
    expect(() => effectWith(given, right)).toThrow(/^The "request" of the effect "score\.of" .*zod 4/);
    expect(() => effectWith(right, given)).toThrow(/^The "result" of the effect "score\.of" .*zod 4/);
  });

  it('is refused by an engine too, for a node that was made by hand or by another release', () => {
    const node = { ...nodeWith(z.strictObject({})), config: old.object({}) };
    expect(() => createEngine({ nodes: untyped([node]) })).toThrow(/"nodes" has the node "score", whose "config" is a schema of zod 3/);
  });

  it.each([z.strictObject({}), z.string().transform(Number), z.lazy(() => z.string()), mini.object({})])('may be any of zod 4', (given) => {
    expect(nodeWith(given).config).toBe(given);
    expect(refuseSchema(given)).toBeUndefined();
  });
});
