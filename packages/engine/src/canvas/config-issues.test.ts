import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Template } from '../contract/template.ts';
import { collectFindings, describeIssue } from './config-issues.ts';

/** Each finding as code, place and message. */
function findings(schema: z.ZodType, value: unknown): readonly string[] {
  const issues = schema.safeParse(value, { error: describeIssue }).error?.issues ?? [];
  return collectFindings(issues, 'INVALID_CONFIG').map(({ code, at, message }) => `${code} ${at.join('/')}: ${message}`);
}

describe('findingsOf', () => {
  const schema = z.strictObject({
    name: z.string().min(1).max(3),
    count: z.int().min(2).max(3).optional(),
    kind: z.enum(['a', 'b']).optional(),
    list: z.array(z.boolean()).min(1).max(2).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    code: z.string().regex(/^x/, 'A code starts with "x"').optional(),
    text: Template.optional(),
    map: z.record(z.string().max(2), z.number()).optional(),
  });

  it.each<[unknown, string]>([
    [{}, 'INVALID_CONFIG name: "name" is missing'],
    [[], 'INVALID_CONFIG : The value must be an object, not a list'],
    [{ name: null }, 'INVALID_CONFIG name: "name" must be a text, not null'],
    [{ name: '' }, 'INVALID_CONFIG name: "name" must not be empty'],
    [{ name: 'long' }, 'INVALID_CONFIG name: "name" must have at most 3 characters'],
    [{ name: 'a', count: 1 }, 'INVALID_CONFIG count: "count" must have a value of at least 2'],
    [{ name: 'a', count: 2.5 }, 'INVALID_CONFIG count: "count" must be a whole number, not a number'],
    [{ name: 'a', kind: 'c' }, 'INVALID_CONFIG kind: "kind" is "c"; it must be one of "a", "b"'],
    [{ name: 'a', list: [] }, 'INVALID_CONFIG list: "list" must have at least 1 item'],
    [{ name: 'a', list: ['x'] }, 'INVALID_CONFIG list/0: "list.0" must be true or false, not a text'],
    [{ name: 'a', either: true }, 'INVALID_CONFIG either: "either" must be a text or a number, not true or false'],
    [{ name: 'a', code: 'y' }, 'INVALID_CONFIG code: A code starts with "x"'],
    [{ name: 'a', map: { long: 1 } }, 'INVALID_CONFIG map/long: The value must have at most 2 characters'],
    [{ name: 'a', text: '{{1 +}}' }, 'INVALID_EXPRESSION text: Expression {{1 +}}: a value is missing at its end'],
    [{ name: 'a', nme: 1 }, 'UNKNOWN_FIELD nme: There is no field "nme" here; did you mean "name"?'],
  ])('reports for %j: %s', (value, finding) => {
    expect(findings(schema, value)).toEqual([finding]);
  });

  it('reports each unknown field separately, with the fields that there are', () => {
    const there = '; there are name, count, kind, list, either, code, text, map';
    expect(findings(schema, { name: 'a', 'x\ny': 1, zzz: 2, cuont: 3 })).toEqual([
      `UNKNOWN_FIELD x\ny: There is no field "x y" here${there}`,
      `UNKNOWN_FIELD zzz: There is no field "zzz" here${there}`,
      'UNKNOWN_FIELD cuont: There is no field "cuont" here; did you mean "count"?',
    ]);
  });

  it('reports the issues of the alternative that was likely meant', () => {
    const shape = z.union([
      z.strictObject({ kind: z.literal('circle'), radius: z.number() }),
      z.strictObject({ kind: z.literal('square'), side: z.number() }),
    ]);
    expect(findings(z.strictObject({ shape }), { shape: { kind: 'square', sid: 1 } })).toEqual([
      'UNKNOWN_FIELD shape/sid: There is no field "sid" here; did you mean "side"?',
    ]);
  });

  it('lists the alternatives', () => {
    const shape = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('circle') }),
      z.strictObject({ kind: z.literal('square') }),
    ]);
    expect(findings(shape, { kind: 'line' })).toEqual(['INVALID_CONFIG kind: "kind" is "line"; it must be one of "circle", "square"']);
    expect(findings(shape, {})).toEqual(['INVALID_CONFIG kind: "kind" is missing; it must be one of "circle", "square"']);
    expect(findings(shape, 7)).toEqual(['INVALID_CONFIG : The value must be an object, not a number']);
  });
});
