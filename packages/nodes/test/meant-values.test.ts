// Values in another shape, and expressions in other words: the fix that is offered is taken by the check, and says the same.
import { checkCanvasText } from '@hilo/engine';
import { applyPatch } from '@hilo/engine/authoring';
import { getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

const canvasOf = (type: string, data: JsonObject): Json => ({
  schemaVersion: 1,
  id: 'c',
  name: 'c',
  variables: Object.fromEntries(['a', 'b', 'l', 'd'].map((name) => [name, { default: 'x' }])),
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
    { id: 'it', type, data },
  ],
  edges: [{ source: 'begin', target: 'it' }],
});
const check = (canvas: unknown) => checkCanvasText(JSON.stringify(canvas), { nodes: standardNodes });

/** The data with every fix of a shape or an expression taken, one after the other. */
function mend(type: string, data: JsonObject): Json | undefined {
  let canvas: unknown = canvasOf(type, data);
  for (let round = 0; round < 5; round += 1) {
    const problems = check(canvas).filter(
      ({ code }) => code === 'INVALID_CONFIG' || code === 'INVALID_EXPRESSION' || code === 'UNKNOWN_FIELD',
    );
    if (problems.length === 0) return getPath(canvas as Json, ['nodes', 1, 'data']);
    const fix = problems.filter(({ code }) => code !== 'UNKNOWN_FIELD').flatMap(({ fixes = [] }) => fixes)[0];
    if (fix === undefined) return undefined;
    canvas = applyPatch(canvas, fix.patch);
  }
  return undefined;
}

const question = { type: 'text', text: '?' };
const week = { mon: [['09:00', '18:00']] };

describe('a value in another shape', () => {
  it.each<[type: string, data: JsonObject, mended: JsonObject]>([
    ['ask', { message: question, input: 'number' }, { message: question, input: { kind: 'number' } }],
    ['ask', { message: '?', input: { kind: 'date' } }, { message: question, input: { kind: 'date' } }],
    ['set', { path: '$context.a', value: 1 }, { assignments: [{ path: '$context.a', value: 1 }] }],
    ['set', { assignments: { path: '$context.a', value: 1 } }, { assignments: [{ path: '$context.a', value: 1 }] }],
    ['set', { assignments: '[{"path":"$context.a","value":1}]' }, { assignments: [{ path: '$context.a', value: 1 }] }],
    ['for-each', { items: '$context.l' }, { items: '{{$context.l}}' }],
    ['wait-until', { at: '2031-03-03 10:00' }, { at: '{{instant("2031-03-03", "10:00")}}' }],
    ['wait-until', { at: '2031-03-03T10:00:00' }, { at: '{{instant("2031-03-03", "10:00")}}' }],
    ['api', { url: 'shop.example/x?a=1' }, { url: 'https://shop.example/x?a=1' }],
    ['business-hours', { week: { mon: '9:00-18:00' } }, { week }],
    ['business-hours', { week: { mon: ['09:00 - 18:00'] } }, { week }],
    ['business-hours', { week: { mon: ['09:00', '18:00'] } }, { week }],
    ['business-hours', { week, holidays: ['25-12-2031'] }, { week, holidays: ['2031-12-25'] }],
    ['business-hours', { week, holidays: '2031-12-25' }, { week, holidays: ['2031-12-25'] }],
    [
      'condition',
      { branches: [{ name: 'a', rule: '$context.a > 5' }] },
      { branches: [{ name: 'a', rule: { op: 'expression', expression: '{{$context.a > 5}}' } }] },
    ],
    [
      'condition',
      { branches: { name: 'a', rule: { op: 'exists', left: '$context.a' } } },
      { branches: [{ name: 'a', rule: { op: 'exists', left: '$context.a' } }] },
    ],
    ['delay', { duration: '2 hours' }, { duration: 'PT2H' }],
    ['collect', { window: ['PT5S'] }, { window: 'PT5S' }],
    ['tags', { action: 'add', tags: '7' }, { action: 'add', tags: [7] }],
  ])('is mended in %s: %j', (type, data, mended) => expect(mend(type, data)).toEqual(mended));

  it.each<[type: string, data: JsonObject]>([
    ['delay', { duration: 300 }], // seconds, minutes or milliseconds
    ['business-hours', { week, holidays: ['03/04/2031'] }], // April or March
    ['wait-until', { at: 'tomorrow' }],
    ['ask', { message: question, input: 'colour' }],
    ['set', { assignments: 'x = 1' }],
  ])('is left to its author in %s: %j', (type, data) => expect(mend(type, data)).toBeUndefined());
});

describe('an expression in other words', () => {
  it.each([
    ['$context.a and $context.b or not $context.l', '$context.a && $context.b || ! $context.l'],
    ['$context.a.trim().toLowerCase() is "x"', '$context.a.trim().lower() == "x"'],
    ['$context.a | upper', 'upper($context.a)'],
    ['$context.a | default("x")', '$context.a ?? "x"'],
    ['$context.d|date:"dd/MM"', 'format($context.d, "dd/MM")'],
    ['$context.a <> "x"', '$context.a != "x"'],
    ['$context.a = "x"', '$context.a == "x"'],
    ['=$context.a', '$context.a'],
    ['“Hi ” + $context.a', '"Hi " + $context.a'],
    ['user.names', '$user.names'],
    ['format($now, "YYYY-MM-DD")', 'format($now, "yyyy-MM-dd")'],
    ['format($now, "d", "UTC", "es_PE")', 'format($now, "d", "UTC", "es-PE")'],
    ['$now + duration("5 minutes")', '$now + duration("PT5M")'],
    ['$context.a ?: "x"', '$context.a ?? "x"'],
    ['$context.a?.b ?? "x"', '$context.a.?b ?? "x"'],
    ['LEN($context.a) > 2 ? True : False', 'size($context.a) > 2 ? true : false'],
  ])('is mended: %s', (written, meant) => {
    const textOf = (inside: string): JsonObject => ({ message: { type: 'text', text: `Hi {{${inside}}}, {{$context.a}}` } });
    expect(mend('message', textOf(written))).toEqual(textOf(meant));
  });

  it.each([
    '$context.a & $context.b',
    '$context.a between 1 and 2',
    '$context.a > 1 ? "x"',
    '1 +',
    'uuid()',
    '$context.l.reduce((sum, item) => sum + item, 0)',
  ])('is left to its author: %s', (written) =>
    expect(mend('message', { message: { type: 'text', text: `{{${written}}}` } })).toBeUndefined(),
  );
});
