import { isHiloError, type Json, type JsonObject, parsePath, setPath } from '@hilo/engine/contract';
import { checkCanvasText, type CheckOptions } from '@hilo/engine';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from './index.ts';
import { set } from './set.ts';

const one = (assignment: JsonObject) => ({ assignments: [assignment] });
const accepts = (assignment: JsonObject) => set.config.safeParse(one(assignment)).success;

/** Whether `$memory` accepts a computed value. */
function remembers(value: Json, ttl?: string): boolean {
  const assignment = { path: '$memory.a', value: '{{$context.value}}', ...(ttl !== undefined && { ttl }) };
  try {
    return visit(set, { config: one(assignment), variables: { $context: { value } } }).by === 'next';
  } catch (error) {
    if (isHiloError(error, 'INVALID_REQUEST') && error.message.includes('$memory.a')) return false;
    throw error;
  }
}

describe('set', () => {
  it('writes every value at its path', () => {
    const assignments = [
      { path: '$context.name', value: 'Ana' },
      { path: '$context.order.total', value: '{{$context.price * 2}}' },
      { path: '$memory.seen', value: true },
    ];
    const { by, writes } = visit(set, { config: { assignments }, variables: { $context: { price: 4 } } });
    expect(by).toBe('next');
    expect(writes).toEqual({ '$context.name': 'Ana', '$context.order.total': 8, '$memory.seen': true });
  });

  it('lets an assignment see what earlier ones of the list wrote, and no later one', () => {
    const assignments = [
      { path: '$context.a', value: '{{$context.b}}' },
      { path: '$context.b', value: '{{$context.a + 1}}' },
      { path: '$context.order.total', value: '{{$context.a * $context.b}}' },
      { path: '$context.order.text', value: '{{$context.order.total}} of {{$context.order.id}}' },
      { path: '$memory.all', value: '{{$context.order}}', ttl: 'PT1H' },
    ];
    const { writes } = visit(set, { config: { assignments }, variables: { $context: { a: 1, b: 2, order: { id: 'A-7' } } } });
    expect(writes).toEqual({
      '$context.a': 2,
      '$context.b': 3,
      '$context.order.total': 6,
      '$context.order.text': '6 of A-7',
      '$memory.all': { id: 'A-7', total: 6, text: '6 of A-7' },
    });
  });

  it('treats a list of assignments like one set node for each (VAR-08)', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const place = fc.oneof(
      names.map((name) => `$context.${name}`),
      fc.tuple(names, names).map(([name, inner]) => `$context.o.${name}${inner}`),
    );
    const assignment = fc.record({ path: place, from: place });
    fc.assert(
      fc.property(fc.array(assignment, { minLength: 1, maxLength: 8 }), (list) => {
        const assignments = list.map(({ path, from }, index) => ({ path, value: `{{${from} ?? ${index}}}` }));
        let variables: JsonObject = { $context: { a: 'first', o: {} } };
        const expected: { [path: string]: Json | undefined } = {};
        for (const single of assignments) {
          const { writes } = visit(set, { config: { assignments: [single] }, variables });
          Object.assign(expected, writes);
          variables = structuredClone(variables);
          for (const [path, value] of Object.entries(writes)) setPath(variables, parsePath(path) ?? [], value);
        }
        expect(visit(set, { config: { assignments }, variables: { $context: { a: 'first', o: {} } } }).writes).toEqual(expected);
      }),
    );
  });

  it('hands on how long $memory keeps a value', () => {
    const { outcome } = visit(set, { config: one({ path: '$memory.cart', value: { items: 1 }, ttl: 'PT1H' }) });
    expect(outcome).toMatchObject({ writes: [{ path: ['$memory', 'cart'], value: { items: 1 }, ttlMs: 3_600_000 }] });
  });

  it('declares its writes', () => {
    const config = set.config.parse({ assignments: [{ path: '$context.a.b', value: 1 }] });
    expect(set.writes(config)).toEqual({ next: ['$context.a.b'] });
  });

  it('accepts 1 to 20 assignments (VAR-08)', () => {
    const many = (count: number) => ({
      assignments: Array.from({ length: count }, (_, index) => ({ path: `$context.v${index}`, value: index })),
    });
    expect([0, 1, 20, 21].map((count) => set.config.safeParse(many(count)).success)).toEqual([false, true, true, false]);
  });

  it('writes only where authors may', () => {
    const paths = ['$context.executionId', '$user.name', '$webhook.a', '$context', 'name', '$context.__proto__.a', '$memory.a.b'];
    expect(paths.filter((path) => accepts({ path, value: 1 }))).toEqual([]);
  });

  it('refuses a "ttl" on $context', () => {
    expect(accepts({ path: '$context.a', value: 1, ttl: 'PT1H' })).toBe(false);
  });
});

describe('a field of the contact that is written', () => {
  const problemsOf = (path: string, userFields: CheckOptions['userFields']) => {
    const canvas = {
      schemaVersion: 1,
      id: 'x',
      name: 'x',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'note', type: 'set', data: { assignments: [{ path, value: 'Lima' }] } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'note' },
        { source: 'note', target: 'done' },
      ],
    };
    return checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes, ...(userFields !== undefined && { userFields }) });
  };
  const city = [{ key: 'city', type: 'text' }] as const;

  it.each([
    [
      '$user.fields.cty',
      city,
      'did you mean city?',
      [[{ op: 'replace', path: '/nodes/1/data/assignments/0/path', value: '$user.fields.city' }]],
    ],
    ['$user.fields.renewal', city, 'there are city', []],
    ['$user.fields.city', [], 'it declares none', []],
  ] as const)('is warned of where the company does not declare it: %s', (path, declared, words, patches) => {
    const [problem, ...others] = problemsOf(path, declared);
    const [, , key] = path.split('.');
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'UNKNOWN_VARIABLE_FIELD',
      severity: 'warning',
      pointer: '/nodes/1/data/assignments/0/path',
      message: `The company declares no field "${key}" of contacts, so that writing it fails; ${words}`,
    });
    expect((problem?.fixes ?? []).map(({ patch }) => patch)).toEqual(patches);
  });

  it('is nothing where it is declared, where no company is known, and with other variables', () => {
    expect(problemsOf('$user.fields.city', city)).toEqual([]);
    expect(problemsOf('$user.fields.cty', undefined)).toEqual([]);
    expect(problemsOf('$memory.cty', city)).toEqual([]);
  });
});

describe('$memory accepts (VAR-08)', () => {
  /** The limit, below and above it: as a constant when the canvas is checked, and as a value at run time. */
  const both = (value: Json, ttl?: string) => [
    accepts({ path: '$memory.a', value, ...(ttl !== undefined && { ttl }) }),
    remembers(value, ttl),
  ];

  it('a text of at most 255 characters, counted as people do', () => {
    expect([254, 255, 256].map((length) => both('ñ'.repeat(length)))).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    expect(both('😀'.repeat(255))).toEqual([true, true]);
  });

  it('a number of at most 15 digits', () => {
    expect(both(999_999_999_999_999)).toEqual([true, true]);
    expect(both(1_000_000_000_000_000)).toEqual([false, false]);
    expect(both(-1_000_000_000_000_000)).toEqual([false, false]);
    expect(both(0.1 + 0.2)).toEqual([true, true]);
  });

  it('an object or a list of at most 15 KB as JSON', () => {
    const ofBytes = (bytes: number) => ['x'.repeat(bytes - 4)];
    expect([15_359, 15_360, 15_361].map((bytes) => both(ofBytes(bytes), 'PT1H'))).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    expect(both(['é'.repeat(7_679)], 'PT1H')).toEqual([false, false]); // two bytes each
  });

  it('an object or a list for a stated time of at most 86,400 s', () => {
    for (const value of [{ a: 1 }, [1]]) {
      expect(both(value)).toEqual([false, false]);
      expect(['PT86399S', 'PT86400S', 'PT86401S'].map((ttl) => both(value, ttl))).toEqual([
        [true, true],
        [true, true],
        [false, false],
      ]);
    }
    expect(accepts({ path: '$memory.a', value: { b: '{{$context.b}}' } })).toBe(false); // an object, with any content
  });

  it('texts, numbers, booleans and null for as long as wanted', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 100 }), fc.integer(), fc.boolean(), fc.constant(null)), (value) => {
        expect(remembers(value)).toBe(true);
        expect(remembers(value, 'P30D')).toBe(true);
      }),
    ));
});
