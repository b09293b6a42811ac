import { getPath, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkFields } from './check-fields.ts';
import { fieldsToJsonSchema } from './describe-fields.ts';
import { Field, Fields, optionValues } from './field.ts';
import { readField, readFields } from './read-fields.ts';

const day = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) }).map((ms) => new Date(ms).toISOString().slice(0, 10));
const ordered = <Value extends number | string>(one: fc.Arbitrary<Value>) =>
  fc.tuple(fc.option(one, { nil: undefined }), fc.option(one, { nil: undefined })).map(([first, second]) => {
    const [min, max] = first !== undefined && second !== undefined && first > second ? [second, first] : [first, second];
    return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  });
const title = fc.constantFrom('Basic', 'Full', 'Año nuevo', 'None of these', 'constructor');
const options = fc
  .uniqueArray(title, { minLength: 2 })
  .chain((titles) =>
    fc
      .constantFrom(undefined, 'p-')
      .map((prefix) => titles.map((one) => ({ title: one, ...(prefix !== undefined && { payload: `${prefix}${one}` }) }))),
  );
const common = fc.record(
  { label: fc.constantFrom('Your age', '"'), description: fc.constantFrom('', 'What it is'), required: fc.boolean() },
  { requiredKeys: [] },
);
const rawField: fc.Arbitrary<JsonObject> = fc
  .oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 6, max: 9 }))
      .map(([minLength, maxLength]) => ({ type: 'text', minLength, maxLength })),
    fc
      .record({ bounds: ordered(fc.integer({ min: -9, max: 9 })), integer: fc.boolean() })
      .map(({ bounds, integer }) => ({ type: 'number', ...bounds, integer })),
    ordered(day).map((bounds) => ({ type: 'date', ...bounds })),
    fc.constantFrom({ type: 'boolean' }, { type: 'time' }, { type: 'email' }, { type: 'phone' }, { type: 'text' }),
    fc.tuple(options, fc.boolean()).map(([all, several]) => ({ type: 'option', options: all, several })),
    fc.tuple(fc.constantFrom('text', 'number'), fc.integer({ min: 1, max: 3 })).map(([of, maxItems]) => ({ type: 'list', of, maxItems })),
  )
  .chain((own) => common.map((shared) => ({ ...own, ...shared })));
const name = fc.constantFrom('age', 'plan', 'city', '_x');
const fields = fc.dictionary(name, rawField, { maxKeys: 4 }).map((raw) => Fields.parse(raw));

/** A value that a field accepts. */
function valueOf(field: Field): fc.Arbitrary<Json> {
  switch (field.type) {
    case 'text':
      return fc.string({ unit: 'grapheme-ascii', minLength: field.minLength, maxLength: field.maxLength ?? 20 });
    case 'number': {
      const [min, max] = [field.min ?? (field.max ?? 0) - 100, field.max ?? (field.min ?? 0) + 100];
      return field.integer
        ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
        : fc.double({ min, max, noNaN: true }).map((value) => value + 0);
    }
    case 'boolean':
      return fc.boolean();
    case 'date':
      return day.filter((one) => (field.min ?? one) <= one && one <= (field.max ?? one)).map(String);
    case 'time':
      return fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    case 'email':
      return fc.constantFrom('ana@example.com', 'a.b+c@mail.example.org');
    case 'phone':
      return fc.integer({ min: 1_000_000, max: 999_999_999_999 }).map(String);
    case 'option':
      return field.several ? fc.subarray([...optionValues(field)], { minLength: 1 }) : fc.constantFrom(...optionValues(field));
    case 'list':
      return fc.array<Json>(field.of === 'text' ? fc.string() : fc.integer(), { maxLength: field.maxItems ?? 5 });
  }
}

const anyValue: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    5,
    5.5,
    1e300,
    9_007_199_254_740_992,
    '',
    '33',
    'true',
    '2031-02-29',
    '2032-02-29',
    '2031-04-03',
    '24:00',
    '23:59',
    '1:00',
    'Basic',
    'p-Full',
    '5215512345678',
    '+5215512345678',
    '012345678',
    'ana@example.com',
    'ana@ñandú.example',
  ),
  fc.constantFrom<Json>(['Basic'], ['Basic', 'Basic'], ['Basic', 'Full'], [], ['a', 5], [1, 2, 3, 4], [null]),
);
/** Values for fields: often valid, sometimes with a wrong or missing one, or with another name. */
const valuesFor = (of: Fields): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(of).map(([key, field]) => [
            key,
            fc.oneof(
              { weight: 5, arbitrary: hasNone(field) ? anyValue : valueOf(field) },
              { weight: 2, arbitrary: anyValue },
              fc.constant(undefined),
            ),
          ]),
        ),
      ),
      fc.dictionary(fc.constantFrom('more', 'constructor', 'valueOf', ''), anyValue, { maxKeys: 1 }),
      fc.boolean(),
    )
    .map(
      ([values, more, isMore]) =>
        Object.fromEntries(Object.entries({ ...values, ...(isMore && more) }).filter(([, value]) => value !== undefined)) as JsonObject,
    );
/** Whether no value fits: a whole number between bounds that hold none, or days of which this test draws none. */
const hasNone = (field: Field): boolean =>
  (field.type === 'number' && field.integer && Math.ceil(field.min ?? -100) > Math.floor(field.max ?? 100)) ||
  (field.type === 'date' && field.min !== undefined && field.max !== undefined);

/** A value as a form sends it. */
function printValue(field: Field | undefined, value: Json, inMs: boolean): Json {
  if (field?.type === 'option' || typeof value === 'object') return isNumbers(field, value) ? value.map(String) : value;
  if (field?.type !== 'date') return String(value);
  const atMs = Date.parse(String(value));
  return inMs ? atMs : String(atMs);
}

const isNumbers = (field: Field | undefined, value: Json): value is readonly number[] =>
  field?.type === 'list' && field.of === 'number' && Array.isArray(value);

describe('fields', () => {
  it('accept exactly what their JSON Schema accepts, days within their bounds', () =>
    fc.assert(
      fc.property(
        fields.chain((of) => fc.tuple(fc.constant(of), fc.oneof(valuesFor(of), anyValue))),
        ([of, values]) => {
          const isOfSchema = z.fromJSONSchema(fieldsToJsonSchema(of)).safeParse(values).success;
          const isInBounds = Object.entries(of).every(([key, field]) => {
            const value = getPath(values, [key]);
            return field.type !== 'date' || typeof value !== 'string' || ((field.min ?? value) <= value && value <= (field.max ?? value));
          });
          expect(checkFields(of, values).kind).toBe(isOfSchema && isInBounds ? 'valid' : 'invalid');
        },
      ),
      { numRuns: 1_000 },
    ));

  it('read printed values back, and drop what is no field', () =>
    fc.assert(
      fc.property(
        fields
          .filter((of) => Object.values(of).every((field) => !hasNone(field)))
          .chain((of) =>
            fc.tuple(
              fc.constant(of),
              fc.record(Object.fromEntries(Object.entries(of).map(([key, field]) => [key, valueOf(field)]))),
              fc.boolean(),
            ),
          ),
        ([of, values, inMs]) => {
          const printed = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, printValue(of[key], value, inMs)]));
          const sent = parseJsonText(
            JSON.stringify({ ...printed, flow_token: 'm', other: { deep: [1] } }).replace('{', '{"__proto__":{"age":1},'),
          );
          const read = readFields(of, sent);
          expect(read).toEqual({ kind: 'valid', values });
          expect(Object.keys(of)).toEqual(expect.arrayContaining(read.kind === 'valid' ? Object.keys(read.values) : []));
        },
      ),
    ));

  it('never throw, whatever a form sends', () =>
    fc.assert(
      fc.property(fields, anyValue, fc.string(), (of, sent, text) => {
        expect(['valid', 'invalid']).toContain(readFields(of, sent).kind);
        const wrong = Object.values(of).filter((field) => {
          const value = readField(field, text, { get: () => undefined });
          return value !== undefined && checkFields({ it: field }, { it: value }).kind === 'invalid';
        });
        expect(wrong).toEqual([]);
      }),
    ));

  it.each(['__proto__', 'constructor', 'prototype', 'for', '1st', 'a b', ''])('never have the name %j', (forbidden) => {
    const given = parseJsonText(`{${JSON.stringify(forbidden)}:{"type":"text"}}`);
    const { data = {} } = Fields.safeParse(given);
    expect(Object.keys(data)).toEqual([]);
  });

  it.each([
    [30, true],
    [31, false],
  ])('are at most 30: %d', (count, success) => {
    const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'text' }]));
    expect(Fields.safeParse(many).success).toBe(success);
  });

  it.each<readonly [JsonObject]>([
    [{ type: 'text', minLength: 5, maxLength: 4 }],
    [{ type: 'text', maxLength: 2_001 }],
    [{ type: 'number', min: 5, max: 4 }],
    [{ type: 'number', min: '4' }],
    [{ type: 'date', min: '2031-02-29' }],
    [{ type: 'date', min: '2031-04-03', max: '2031-04-02' }],
    [{ type: 'option', options: [{ title: 'One' }] }],
    [{ type: 'option', options: [{ title: 'One' }, { title: 'ONE' }] }],
    [
      {
        type: 'option',
        options: [
          { title: 'One', payload: 'x' },
          { title: 'Two', payload: 'x' },
        ],
      },
    ],
    [{ type: 'option', options: Array.from({ length: 51 }, (_, index) => ({ title: `${index}` })) }],
    [{ type: 'list', of: 'boolean' }],
    [{ type: 'text', label: 'x'.repeat(81) }],
    [{ type: 'text', description: 'x'.repeat(501) }],
    [{ type: 'text', pattern: '^a' }],
    [{ type: 'file' }],
  ])('refuse %j', (raw) => {
    expect(Field.safeParse(raw).success).toBe(false);
  });

  it.each<readonly [JsonObject, Json, string]>([
    [{ type: 'number', min: 18, label: 'Your age' }, 17, '"Your age" must be 18 or more.'],
    [{ type: 'number', integer: true }, 17.5, '"it" must be a whole number.'],
    [{ type: 'text', maxLength: 1 }, 'ab', '"it" must have 1 character or fewer.'],
    [{ type: 'date', min: '2031-04-03' }, '2031-04-02', '"it" must be 2031-04-03 or later.'],
    [{ type: 'boolean' }, 'true', '"it" must be true or false.'],
    [{ type: 'option', options: [{ title: 'A', payload: 'a' }, { title: 'B' }] }, 'A', '"it" must be one of a, B.'],
  ])('say what is wrong: %j, %j', (raw, value, message) => {
    expect(checkFields(Fields.parse({ it: raw }), { it: value })).toEqual({ kind: 'invalid', problems: [{ field: 'it', message }] });
  });

  it('are not there where only JavaScript has something of their name', () => {
    const of = Fields.parse({ toString: { type: 'text', required: false }, valueOf: { type: 'text' } });
    expect(checkFields(of, { valueOf: 'a' })).toEqual({ kind: 'valid', values: { valueOf: 'a' } });
    expect(checkFields(of, {})).toMatchObject({ kind: 'invalid', problems: [{ message: '"valueOf" is missing.' }] });
    expect(readFields(of, { valueOf: 'a' })).toEqual({ kind: 'valid', values: { valueOf: 'a' } });
  });

  it('name what is missing, and what there is not', () => {
    const found = checkFields(
      Fields.parse({ a: { type: 'text' }, b: { type: 'text', required: false } }),
      parseJsonText('{"__proto__":1,"c":2}'),
    );
    expect(found.kind === 'invalid' && found.problems.map(({ message }) => message)).toEqual([
      '"a" is missing.',
      'There is no field "__proto__".',
      'There is no field "c".',
    ]);
  });
});

describe('what a person types', () => {
  const options = [{ title: 'Basic', payload: 'b' }, { title: 'Full' }];
  const nowMs = Date.UTC(2026, 10, 28, 12);
  const variables = {
    get: (path: readonly (string | number)[]) => getPath({ $user: { locale: 'es-PE', timeZone: 'America/Lima' } }, path),
    nowMs,
  };

  it.each<readonly [JsonObject, string, Json | undefined]>([
    [{ type: 'text', minLength: 3 }, 'ab', undefined],
    [{ type: 'number', max: 10 }, 'unos 8', 8],
    [{ type: 'number', max: 10 }, '11', undefined],
    [{ type: 'number', max: 10 }, '4, no, 5', 5],
    [{ type: 'date' }, 'hoy no, mañana', '2026-11-29'],
    [{ type: 'time' }, '3pm perdón 4pm', '16:00'],
    [{ type: 'email' }, 'ana@x.pe no, bea@x.pe', 'bea@x.pe'],
    [{ type: 'option', options }, 'la segunda', 'Full'],
    [{ type: 'boolean' }, 'sí, perdón, no', false],
    [{ type: 'boolean' }, 'Sí.', true],
    [{ type: 'boolean' }, 'NÃO', false],
    [{ type: 'boolean' }, 'maybe', undefined],
    [{ type: 'date' }, '3/4/2031', '2031-04-03'],
    [{ type: 'date', max: '2031-01-01' }, '3/4/2031', undefined],
    [{ type: 'date' }, 'mañana', '2026-11-29'],
    [{ type: 'time' }, '3:30 pm', '15:30'],
    [{ type: 'email' }, 'Ana <ana@example.com>', 'ana@example.com'],
    [{ type: 'phone' }, '987 654 321', '51987654321'],
    [{ type: 'option', options }, 'basic', 'b'],
    [{ type: 'option', options }, '2', 'Full'],
    [{ type: 'option', options }, 'b', 'b'],
    [{ type: 'option', options, several: true }, 'full, Basic', ['Full', 'b']],
    [{ type: 'option', options, several: true }, 'full, other', undefined],
    [{ type: 'option', options, several: true }, 'full y Basic', ['Full', 'b']],
    [{ type: 'option', options, several: true }, 'full + basic por favor', ['Full', 'b']],
    [{ type: 'option', options, several: true }, 'full basic', ['Full', 'b']],
    [{ type: 'option', options, several: true }, '1 y 2', ['b', 'Full']],
    [{ type: 'option', options, several: true }, 'todo', ['b', 'Full']],
    [{ type: 'option', options, several: true }, 'all of them', ['b', 'Full']],
    [{ type: 'option', options, several: true }, 'todos menos full', ['b']],
    [{ type: 'option', options, several: true }, 'todo menos full y basic', undefined],
    [{ type: 'option', options, several: true }, 'todo menos otro', undefined],
    [{ type: 'option', options, several: true }, 'todo bien', undefined],
    [{ type: 'option', options, several: true }, 'full y otro', undefined],
    [{ type: 'option', options, several: true }, 'no quiero full y basic', undefined],
    [{ type: 'option', options, several: true }, 'ni full ni basic', undefined],
    [{ type: 'option', options, several: true }, 'full basic other', undefined],
    [{ type: 'option', options: [{ title: 'Ham' }, { title: 'Ham and eggs' }], several: true }, 'ham and eggs', ['Ham and eggs']],
    [{ type: 'list', of: 'number' }, '1; 2\n3', [1, 2, 3]],
    [{ type: 'list', of: 'text', maxItems: 1 }, 'a, b', undefined],
  ])('is read: %j, %j', (raw, text, value) => {
    expect(readField(Field.parse(raw), text, variables)).toEqual(value);
  });

  it.each([1, 99, 100, 101])('is read of %d different parts where they are a hundred at most, however often each stands there', (count) => {
    const parts = Array.from({ length: count }, (_, index) => `n${index}`);
    const text = Array.from({ length: Math.ceil(4_000 / count) }, () => parts.join(',')).join(';');
    expect(readField(Field.parse({ type: 'list', of: 'text', maxItems: 1_000 }), text, variables)).toEqual(count > 100 ? undefined : parts);
  });

  it('looks at each option once for each different part of a message, and at none behind one that is no option', () => {
    let looks = 0;
    const titled = (title: string) => ({
      get title() {
        looks += 1;
        return title;
      },
    });
    const field = Field.parse({
      type: 'option',
      options: Array.from({ length: 50 }, (_, at) => ({ title: `Option ${at}` })),
      several: true,
    });
    if (field.type !== 'option') throw new Error('It is of another type');
    const watched: Field = { ...field, options: field.options.map(({ title }) => titled(title)) };
    for (const [text, most] of [
      ['2,'.repeat(2_000), 1_000],
      ['la segunda;'.repeat(300), 2_000],
      [`nothing,${'2,'.repeat(2_000)}`, 2_000],
      [Array.from({ length: 2_000 }, (_, at) => at).join(), 1_000],
    ] as const) {
      looks = 0;
      readField(watched, text, variables);
      expect(looks).toBeLessThan(most);
    }
  });
});
