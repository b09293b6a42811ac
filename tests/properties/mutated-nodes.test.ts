import { createEngine, HiloError, checkCanvasText } from '@hilo/engine';
import { describeCanvas } from '@hilo/engine/authoring';
import { type Json, type JsonObject, pointer, type Problem } from '@hilo/engine/contract';
import { nodeCatalogue, standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { aroundNode, fullNodes, isObjectAt, type Place, placesIn, replaceAt, valueAt, wrongValues } from './full-nodes.ts';

const check = (canvas: unknown): readonly Problem[] => checkCanvasText(canvas, { nodes: standardNodes });

/** A node with one thing in it changed. */
interface Mutated {
  readonly type: string;
  readonly canvas: JsonObject;
  readonly at: Place;
  readonly what: string;
}

/** Every place of every node, and what may be changed there. */
const places = fullNodes.flatMap(({ type, data }) => placesIn(data).map((at) => ({ type, data, at })));

const mutate = ({ type, data, at }: (typeof places)[number], value: Json | undefined): Mutated => ({
  type,
  at,
  what: value === undefined ? 'removed' : JSON.stringify(value),
  canvas: aroundNode(type, replaceAt(data, at, value) ?? {}, data),
});
const extend = ({ type, data, at }: (typeof places)[number], field: string): Mutated => ({
  type,
  at: [...at, field],
  what: 'added',
  canvas: aroundNode(type, addAt(data, at, field) ?? {}, data),
});

/** What is done most often by mistake, at every place: a field removed, and one added that nobody knows. */
const commonMutations = (): readonly Mutated[] =>
  places.flatMap((place) => [
    ...(place.at.length > 0 ? [mutate(place, undefined)] : []),
    ...(isObjectAt(place.data, place.at) ? [extend(place, 'nobodyKnows')] : []),
  ]);

/** Anything at any place. */
const anyMutation: fc.Arbitrary<Mutated> = fc
  .tuple(
    fc.constantFrom(...places),
    fc.oneof(fc.constantFrom(...wrongValues), fc.jsonValue() as fc.Arbitrary<Json>),
    fc.constantFrom(undefined, undefined, undefined, undefined, 'constructor', 'hasOwnProperty', 'type'),
  )
  .map(([place, value, field]) => (field !== undefined && isObjectAt(place.data, place.at) ? extend(place, field) : mutate(place, value)));

const addAt = (data: Json, at: Place, field: string): Json | undefined =>
  replaceAt(data, at, { ...(valueAt(data, at) as JsonObject), [field]: 1 });

describe('the nodes with all of their fields', () => {
  it('have no problem, so that what is found of a mutation is its own', () => {
    for (const { type, data } of fullNodes) expect([type, check(aroundNode(type, data))]).toEqual([type, []]);
  });

  it('have every field that the catalogue lists', () => {
    const common = ['label', 'notes', 'retry', 'hold', 'mask', 'onError'];
    for (const { type, schema } of nodeCatalogue(standardNodes)) {
      const { properties = {} } = schema as { readonly properties?: JsonObject };
      const written = fullNodes.filter((node) => node.type === type).flatMap(({ data }) => Object.keys(data));
      const missing = Object.keys(properties).filter((field) => !common.includes(field) && !written.includes(field));
      expect([type, missing]).toEqual([type, []]);
    }
  });
});

/** Messages that say what JavaScript says of a program, in place of a sentence about the canvas. */
const leaksOf = (problems: readonly Problem[]): readonly string[] => {
  const programs = /failed on this data|is not a function|is not iterable|Cannot read|Cannot convert|\[object |\bNaN\b/;
  return problems.map(({ message }) => message).filter((message) => programs.test(message));
};

/** Values that hold nothing by themselves, so that each is one fault. */
const scalars = wrongValues.filter((value) => typeof value !== 'object' || value === null);

/** Fields that decide which others there are, or that others refer to: what is wrong then stands beside them. */
const deciding: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'op',
  'operation',
  'action',
  'namespaces',
  'saveAs',
  'bodyKind',
  'window',
  'path',
  'cases',
]);

describe('a canvas with one field of one node wrong', () => {
  it.each(commonMutations().map((mutated) => [mutated.type, mutated.at.join('.'), mutated.what, mutated.canvas] as const))(
    'is checked without throwing: %s, %s %s',
    (_type, _at, _what, canvas) => expect(leaksOf(check(canvas))).toEqual([]),
  );

  it('is checked without throwing, whatever the field is', () =>
    fc.assert(
      fc.property(anyMutation, ({ canvas }) => {
        expect(leaksOf(check(canvas))).toEqual([]);
      }),
      fewRuns(400),
    ));

  it('has a few problems, the first of them at the place of the fault or around it', () =>
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(...scalars), ({ type, data, at }, value) => {
        fc.pre(
          at.length > 0 && !at.some((step) => deciding.has(String(step))) && JSON.stringify(valueAt(data, at)) !== JSON.stringify(value),
        );
        const problems = check(mutate({ type, data, at }, value).canvas);
        const [first] = problems;
        fc.pre(first !== undefined && ['INVALID_CONFIG', 'UNKNOWN_FIELD', 'INVALID_EXPRESSION'].includes(first.code));
        const place = pointer(['nodes', 0, 'data', ...at]);
        const told = first?.pointer ?? '';
        expect(problems.length).toBeLessThanOrEqual(3);
        expect(place.startsWith(told) || told.startsWith(place)).toBe(true);
      }),
      fewRuns(300),
    ));

  it('is described, drafted and refused without throwing, with several fields wrong at once', async () => {
    const anyNode = fc.constantFrom(...fullNodes);
    const anyChange = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(...wrongValues), fc.jsonValue() as fc.Arbitrary<Json>)), {
      minLength: 1,
      maxLength: 3,
    });
    const company = createEngine({ nodes: standardNodes, drivers: [] }).company('1');
    await fc.assert(
      fc.asyncProperty(anyNode, anyChange, async ({ type, data }, changes) => {
        const changed = changes.reduce<Json>((before, [choice, value]) => {
          const places = placesIn(before);
          return replaceAt(before, places[choice % places.length] ?? [], value) ?? {};
        }, data);
        const canvas = aroundNode(type, changed, data);
        const problems = check(canvas);
        expect(describeCanvas(canvas, { nodes: standardNodes }).problems).toEqual(problems);
        const refused = await company.publish(canvas).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(refused ?? new HiloError('INVALID_CANVAS', { workflowId: '', problems: [] })).toMatchObject({ code: 'INVALID_CANVAS' });
        expect(refused !== undefined || problems.every(({ severity }) => severity !== 'error')).toBe(true);
      }),
      fewRuns(100),
    );
  });
});
