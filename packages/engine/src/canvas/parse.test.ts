import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { checkCanvasText } from './check.ts';
import { parseCanvas } from './parse.ts';
import { problemCodes } from './problem-codes.ts';

const canvas = canvasOf(
  [
    { id: 'begin', type: 'start' },
    { id: 'say', type: 'step', data: { text: 'Hi {{$context.name ?? "you"}}' } },
    { id: 'done', type: 'end' },
  ],
  ['begin → say', 'say → done'],
);

/** Code and pointer of each problem. */
const problems = (input: unknown) => parseCanvas(input).problems.map(({ code, pointer }) => `${code} ${pointer}`);
const messages = (input: unknown) => parseCanvas(input).problems.map(({ message }) => message);

/** A value whose innermost list is at this level. */
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** A canvas with one thing in it replaced by something else. */
const mutatedBy = (values: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...placesIn(canvas)), values).map(([at, value]) => replaced(canvas, at, value));
const spiteful = fc.oneof(fc.anything(), fc.constantFrom(undefined, '__proto__', '{{', '{{x}}', '{{$context.a}}', 'PT1H'));
const strange = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true });

describe('parseCanvas', () => {
  it('reads a canvas as text and as object alike, with the defaults of the format', () => {
    const { canvas: read, problems } = parseCanvas(JSON.stringify(canvas));
    expect(problems).toEqual([]);
    expect(read).toMatchObject({ kind: 'skill', settings: {}, variables: {}, nodes: [{ data: {} }, {}, {}] });
    expect(parseCanvas(canvas)).toEqual({ canvas: read, problems: [] });
  });

  it('accepts a default of its declared type, or null', () => {
    const declaring = (a: JsonObject) => problems({ ...canvas, variables: { a }, settings: { inputs: { a } } });
    expect(declaring({ type: 'number', default: 1 })).toEqual([]);
    expect(declaring({ type: 'number', default: null })).toEqual([]);
    expect(declaring({ type: 'any', default: [1] })).toEqual([]);
    const places = ['INVALID_CANVAS /settings/inputs/a/default', 'INVALID_CANVAS /variables/a/default'];
    expect(declaring({ type: 'number', default: '1' })).toEqual(places);
    expect(declaring({ type: 'object', default: [] })).toEqual(places);
  });

  it('lets no variable take the place of $context.executionId', () => {
    expect(problems({ ...canvas, variables: { executionId: { default: 'mine' } } })).toEqual(['INVALID_CANVAS /variables/executionId']);
    expect(messages({ ...canvas, variables: { executionId: {} } })).toEqual(['$context.executionId is read-only; choose another name']);
  });

  it('never throws, and returns a canvas or problems of known codes, for any input', () =>
    fc.assert(
      fc.property(fc.oneof(strange, fc.string(), fc.json(), mutatedBy(spiteful)), (input) => {
        const { canvas, problems } = parseCanvas(input);
        expect(canvas === undefined).toBe(problems.length > 0);
        const checked = checkCanvasText(input, { nodes: smallNodes });
        for (const { code } of [...problems, ...checked]) expect(Object.keys(problemCodes)).toContain(code);
        expect(problems.length === 0 || checked.some(({ severity }) => severity === 'error')).toBe(true);
      }),
      { numRuns: 2_000 },
    ));

  it('reads an object as it reads the same as text', () =>
    fc.assert(
      fc.property(
        mutatedBy(fc.jsonValue()).filter((input) => typeof input !== 'string'),
        (input) => {
          expect(problems(JSON.stringify(input))).toEqual(problems(input));
        },
      ),
    ));

  it('reads a canvas that it returned as what it is since, though its object belongs to a caller', () =>
    fc.assert(
      fc.property(mutatedBy(fc.jsonValue()), (changed) => {
        const { canvas: returned = {} } = parseCanvas(canvas);
        expect(parseCanvas(returned)).toEqual({ canvas: returned, problems: [] });
        Object.assign(returned, changed);
        expect(parseCanvas(returned)).toEqual(parseCanvas({ ...returned }));
      }),
    ));

  it('shares nothing with its input', () => {
    const own = structuredClone(canvas) as { nodes: { id: string }[] };
    const { canvas: read } = parseCanvas(own);
    (own.nodes[0] ?? { id: '' }).id = 'changed';
    expect(read?.nodes[0]?.id).toBe('begin');
  });

  it.each(['__proto__', 'prototype', 'constructor'])('refuses the key %s at any place, and names each place', (key) => {
    const text = JSON.stringify({ ...canvas, x1: 0 })
      .replace('"x1"', `"${key}"`)
      .replace('"text":', `"${key}":{"a":[{"${key}":1}]},"text":`);
    expect(problems(text)).toEqual([`FORBIDDEN_KEY /${key}`, `FORBIDDEN_KEY /nodes/1/data/${key}`].sort());
    expect(problems(JSON.parse(text))).toEqual(problems(text));
  });

  it('reports every forbidden key and every other error of shape at once', () => {
    const text = `{"schemaVersion":1,"name":7,"nodes":[{"id":"a","type":"end","data":{"__proto__":1}}],"constructor":1}`;
    expect(problems(text)).toEqual([
      'FORBIDDEN_KEY /constructor',
      'INVALID_CANVAS /id',
      'INVALID_CANVAS /name',
      'FORBIDDEN_KEY /nodes/0/data/__proto__',
    ]);
    expect(messages(text)).toContain('"id" is missing');
    expect(messages(text)).toContain('"name" must be a text, not a number');
  });

  it('names each unknown field', () => {
    expect(problems({ ...canvas, titel: 1, colour: 2 })).toEqual(['UNKNOWN_FIELD /colour', 'UNKNOWN_FIELD /titel']);
    expect(parseCanvas({ ...canvas, nodes: [{ id: 'a', type: 'end', dta: {} }] }).problems).toMatchObject([
      { code: 'UNKNOWN_FIELD', pointer: '/nodes/0/dta', nodeId: 'a' },
    ]);
  });

  it.each([0, 2, '1', null, 1.5, {}])('reports only the version of a canvas with schemaVersion %j', (schemaVersion) => {
    expect(problems({ ...canvas, schemaVersion, nodes: 'none' })).toEqual(['UNSUPPORTED_SCHEMA_VERSION /schemaVersion']);
  });

  it('reports a missing schemaVersion', () => {
    const { schemaVersion: _, ...rest } = canvas;
    expect(messages(rest)).toEqual(['"schemaVersion" is missing']);
  });

  it.each([undefined, null, 7, true, [], () => 1, Symbol('x'), 7n, new Map(), new Date(0), new Uint8Array(3), Number.NaN])(
    'refuses %s',
    (input) => {
      expect(parseCanvas(input).canvas).toBeUndefined();
      expect(new Set(parseCanvas(input).problems.map(({ code }) => code))).toEqual(new Set(['INVALID_CANVAS']));
    },
  );

  it('refuses a value that contains itself, with the place', () => {
    const cyclic: { [key: string]: unknown } = { ...canvas };
    cyclic['description'] = { deep: [cyclic] };
    expect(problems(cyclic)).toEqual(['INVALID_CANVAS /description/deep/0']);
  });

  it('ends for a value that is small in memory and endless as text', () => {
    let wide: unknown = ['x'];
    for (let level = 0; level < 60; level += 1) wide = Array.from({ length: 10 }, () => wide);
    expect(problems(wide)).toContain('CANVAS_TOO_LARGE ');
    expect(problems(Object.assign([], { length: 4_000_000_000 }))).toContain('CANVAS_TOO_LARGE ');
  });

  it('refuses an object that throws when it is looked at', () => {
    const hostile = {
      get name(): string {
        throw new Error('no');
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const input of [hostile, proxy]) expect(problems(input)).toEqual(['INVALID_CANVAS ']);
  });

  it('accepts objects of 64 levels and not of 65', () => {
    const withData = (levels: number) => ({ ...canvas, nodes: [{ id: 'a', type: 'end', data: { deep: nested(levels) } }] });
    const around = 4; // the canvas, its nodes, the node, its data
    expect(problems(withData(limits.depth - around - 1))).toEqual([]);
    expect(problems(withData(limits.depth - around))).toEqual([]);
    expect(problems(withData(limits.depth - around + 1))).toEqual([`TOO_DEEP /nodes/0/data/deep${'/0'.repeat(60)}`]);
    expect(problems(JSON.stringify(withData(limits.depth - around)))).toEqual([]);
    expect(problems(JSON.stringify(withData(limits.depth - around + 1)))).toEqual(['TOO_DEEP ']);
  });

  it('accepts an object of 10,000 keys and not of 10,001', () => {
    const withKeys = (count: number) => ({
      ...canvas,
      nodes: [{ id: 'a', type: 'end', data: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])) }],
    });
    expect(problems(withKeys(limits.keys - 1))).toEqual([]);
    expect(problems(withKeys(limits.keys))).toEqual([]);
    expect(problems(withKeys(limits.keys + 1))).toEqual(['TOO_MANY_KEYS /nodes/0/data']);
  });

  it('accepts objects of 1 MB and not a byte more', () => {
    const empty = { ...canvas, nodes: [{ id: 'a', type: 'end', data: { text: '' } }] };
    const filled = (bytes: number) => ({
      ...empty,
      nodes: [{ id: 'a', type: 'end', data: { text: 'x'.repeat(bytes - JSON.stringify(empty).length) } }],
    });
    expect(problems(filled(limits.bodyBytes - 1))).toEqual([]);
    expect(problems(filled(limits.bodyBytes))).toEqual([]);
    expect(problems(filled(limits.bodyBytes + 1))).toEqual(['CANVAS_TOO_LARGE ']);
    expect(problems(JSON.stringify(filled(limits.bodyBytes)))).toEqual([]);
  });

  it('accepts 50,000 expressions and not one more', () => {
    const withExpressions = (count: number) => ({ ...canvas, nodes: [{ id: 'a', type: 'end', data: { text: '{{1}}'.repeat(count) } }] });
    expect(problems(withExpressions(50_000))).toEqual([]);
    expect(problems(withExpressions(50_001))).toEqual(['CANVAS_TOO_LARGE ']);
    expect(problems(JSON.stringify(withExpressions(50_001)))).toEqual(['CANVAS_TOO_LARGE ']);
  });

  it('lists 1,000 problems at most, and reports that there are more', () => {
    const nodes = Array.from({ length: 5_000 }, () => ({}));
    const { problems } = parseCanvas({ ...canvas, nodes });
    expect(problems).toHaveLength(1_000);
    expect(problems.at(-1)?.code).toBe('MORE_PROBLEMS');
  });
});

/** Every place in a value, as its steps. */
function placesIn(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, key]))];
}

function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === step ? replaced(item, rest, by) : item));
  return { ...(value as JsonObject), [step]: replaced((value as JsonObject)[step], rest, by) };
}
