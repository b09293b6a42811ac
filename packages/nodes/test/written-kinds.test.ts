// The kinds of what `ask` and `set` write are known to the check: expressions and rules that cannot work with them are warned of.
import { createEngine, checkCanvasText } from '@hilo/engine';
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

interface Part {
  readonly type: string;
  readonly data: JsonObject;
}

/** A canvas of these nodes, one after the other, with the problems of its check. */
function check(parts: readonly Part[], more: JsonObject = {}) {
  const nodes = [
    { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
    ...parts.map((part, index) => ({ id: `n${index}`, ...part })),
    { id: 'done', type: 'end', data: {} },
  ];
  const ports: { readonly [type: string]: string } = { ask: 'answered', set: 'next', message: 'sent', code: 'success' };
  const edges = nodes.slice(0, -1).flatMap(({ id, type }, index) => {
    const target = nodes[index + 1]?.id ?? '';
    const handles = type === 'condition' ? ['yes', 'else'] : [ports[type]];
    return handles.map((sourceHandle) => ({ source: id, target, ...(sourceHandle !== undefined && { sourceHandle }) }));
  });
  return checkCanvasText(JSON.stringify({ schemaVersion: 1, id: 'c', name: 'c', ...more, nodes, edges }), { nodes: standardNodes });
}

const ask = (input: JsonObject, more: JsonObject = {}): Part => ({
  type: 'ask',
  data: { message: { type: 'text', text: 'Now?' }, input, saveAs: '$context.it', ...more },
});
const set = (value: Json, path = '$context.it'): Part => ({ type: 'set', data: { assignments: [{ path, value }] } });
const say = (text: string): Part => ({ type: 'message', data: { message: { type: 'text', text } } });
const rule = (op: string, right: Json): Part => ({
  type: 'condition',
  data: { branches: [{ name: 'yes', rule: { op, left: '$context.it', right } }] },
});

const warnings = (parts: readonly Part[], more?: JsonObject) =>
  check(parts, more).flatMap(({ code, message, pointer }) => (code === 'OTHER_TYPE' ? [{ message, pointer }] : []));

describe('a variable that nodes write', () => {
  it.each<[what: string, part: Part, text: string, message: string]>([
    ['a field of a text', ask({ kind: 'text' }), '{{$context.it.body}}', '$context.it is of the kind text, and has no part "body"'],
    ['a deeper field', ask({ kind: 'email' }), 'x {{$context.it.a.b}} y', 'has no part "a"'],
    ['an item of a number', ask({ kind: 'number' }), '{{$context.it[0]}}', 'has no part "0"'],
    ['a name in a list', ask({ kind: 'contact' }), '{{$context.it.name}}', '$context.it is a list'],
    ['a text next to a number', ask({ kind: 'date' }), '{{$context.it > 3 ? "a" : "b"}}', 'no such overload: text > number'],
    ['a number next to a text', ask({ kind: 'number' }), '{{$context.it == "3"}}', 'no such overload: number == text'],
    ['a condition that is a number', set(3), '{{$context.it ? "a" : "b"}}', 'must be bool, not number'],
    ['a product with a text', set('3'), '{{$context.it * 2}}', 'no such overload: text * number'],
    ['a text that is put together', set('No. {{$user.id}}'), '{{$context.it - 1}}', 'text - number'],
    ['a value of an expression', set('{{size($user.id)}}'), '{{$context.it.length}}', '$context.it is a number'],
    ['a comparison', set('{{size($user.id) > 3}}'), '{{$context.it < 2}}', 'bool < number'],
    ['an instant, which is kept as a text', set('{{$now}}'), '{{$context.it * 2}}', 'text * number'],
    ['a list', set([1, 2]), '{{$context.it > 2}}', 'list > number'],
    ['an object', set({ a: 1 }), '{{$context.it + 1}}', 'object + number'],
    ['an item of a loop', set([1]), '{{[1].map(n, n * $context.it)}}', '* list'],
  ])('is used as %s: warned of', (_what, part, text, message) => {
    expect(warnings([part, say(text)])).toMatchObject([
      { pointer: '/nodes/2/data/message/text', message: expect.stringContaining(message) as unknown },
    ]);
  });

  it.each<[what: string, parts: readonly Part[], text: string]>([
    ['a text beside a text', [ask({ kind: 'text' })], '{{$context.it == "3"}} {{$context.it + 1}} {{size($context.it)}}'],
    ['a number beside a number', [ask({ kind: 'number' })], '{{$context.it > 3}} {{$context.it + "!"}}'],
    ['a date beside an instant', [ask({ kind: 'date' })], '{{$context.it < $now}}'],
    ['a place', [ask({ kind: 'location' })], '{{$context.it.lat}}'],
    ['cards', [ask({ kind: 'contact' })], '{{$context.it[0].name}}'],
    ['nothing', [set('a')], '{{$context.it == null}}'],
    ['two kinds', [set('a'), set(3)], '{{$context.it > 3}} {{$context.it.a}}'],
    [
      'two kinds at once',
      [{ type: 'set', data: { assignments: [1, 'a'].map((value) => ({ path: '$context.it', value })) } }],
      '{{$context.it > 3}}',
    ],
    ['a kind that depends', [set('{{$user.id == "a" ? 1 : "b"}}')], '{{$context.it > 3}}'],
    ['a part of it', [set('a'), set(1, '$context.it.a')], '{{$context.it.a}}'],
    ['what a program may write', [set('a'), { type: 'code', data: { code: 'return 1', saveAs: '$context.it' } }], '{{$context.it > 3}}'],
    ['an optional part', [set('a')], '{{$context.it.?a.orValue("")}}'],
  ])('that may fit is warned of by nobody: %s', (_what, parts, text) => {
    expect(warnings([...parts, say(text)])).toEqual([]);
  });

  it('is compared in rules by the same kinds', () => {
    expect(warnings([ask({ kind: 'number' }), rule('eq', 'three')])).toMatchObject([{ pointer: '/nodes/2/data/branches/0/rule/right' }]);
    expect(warnings([set(true), rule('gt', 3)])).toHaveLength(1);
    expect(warnings([ask({ kind: 'text' }), rule('gt', 100)])).toHaveLength(1);
    expect(warnings([ask({ kind: 'number' }), rule('gt', 100)])).toEqual([]);
    expect(warnings([ask({ kind: 'text' }), rule('eq', 'three')])).toEqual([]);
  });

  it('that is declared is of its declared type, also in expressions', () => {
    const settings = { inputs: { count: { type: 'number' }, any: { type: 'any' } } };
    expect(warnings([say('{{$input.count == "3"}}')], { settings })).toHaveLength(1);
    expect(warnings([say('{{$input.any == "3"}} {{$input.count == 3}}')], { settings })).toEqual([]);
    expect(warnings([say('{{$user.id.name}}')])).toHaveLength(1);
  });

  it('is warned of only where every value of its kind fails when it runs', async () => {
    const values: { readonly [kind: string]: readonly Json[] } = {
      string: ['', 'a', '3', '2026-12-01'],
      number: [0, 3, -1.5],
      boolean: [true, false],
      object: [{}, { a: 1 }],
      array: [[], [1, 'a']],
    };
    const kinds = Object.keys(values);
    const operator = fc.constantFrom('==', '!=', '<', '>=', '+', '-', '*', '/', '%', 'in');
    const other = fc.constantFrom('1', '"a"', 'true', '[1]', '{"a": 1}', 'null', '$now', '$context.it');
    const around = fc.constantFrom('', '!', 'size');
    const sources = fc.tuple(operator, other, around, fc.boolean()).map(([symbol, right, before, isSwapped]) => {
      const left = before === 'size' ? 'size($context.it)' : before === '!' ? '(!$context.it)' : '$context.it';
      return isSwapped ? `${right} ${symbol} ${left}` : `${left} ${symbol} ${right}`;
    });
    const part = fc.constantFrom('$context.it.a', '$context.it[0]', '$context.it.a.b');
    let warned = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), fc.oneof({ weight: 5, arbitrary: sources }, part), async (kind, source) => {
        const [first] = values[kind] ?? [];
        const isComparison = /[=!]= /.test(source);
        const found = check([set(first ?? null), say(`x{{${source}}}`)]);
        if (found.some(({ severity }) => severity === 'error') || !found.some(({ code }) => code === 'OTHER_TYPE')) return;
        warned += 1;
        for (const value of values[kind] ?? []) {
          const engine = createEngine({ nodes: standardNodes });
          const canvas = {
            schemaVersion: 1,
            id: 'run',
            name: 'Run',
            kind: 'tool',
            nodes: [
              { id: 'begin', type: 'start', data: {} },
              { id: 'it', ...set(value) },
              { id: 'use', ...set(`{{${source}}}`, '$context.used') },
              { id: 'done', type: 'end', data: { outputs: { used: '{{$context.used}}' } } },
            ],
            edges: [
              { source: 'begin', target: 'it' },
              { source: 'it', target: 'use' },
              { source: 'use', target: 'done' },
            ],
          };
          const acme = engine.company('acme');
          await acme.publish(canvas);
          const ended = new Promise<Json>((resolve) =>
            engine.on('execution.ended', (_ref, { status, outputs }) => resolve({ status, ...outputs })),
          );
          await engine.start();
          await acme.start('run');
          const outcome = await ended;
          await engine.stop();
          const never = source.includes('!=');
          const isExpected = isComparison
            ? JSON.stringify([{ status: 'completed', used: never }, { status: 'failed' }]).includes(JSON.stringify(outcome).slice(1, -1))
            : JSON.stringify(outcome).includes('failed');
          expect([source, value, outcome, isExpected]).toEqual([source, value, outcome, true]);
        }
      }),
      { numRuns: 120 },
    );
    expect(warned).toBeGreaterThan(10);
  });
});

describe('a field of the message behind a choice by its type', () => {
  const missing = (node: JsonObject, ports: readonly string[], text: string): readonly string[] => {
    const nodes = [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'choose', ...node },
      { id: 'say', ...say(text) },
      { id: 'done', type: 'end', data: {} },
    ];
    const edges = [
      { source: 'begin', target: 'choose' },
      { source: 'choose', sourceHandle: ports[0], target: 'say' },
      ...ports.slice(1).map((sourceHandle) => ({ source: 'choose', sourceHandle, target: 'done' })),
      { source: 'say', sourceHandle: 'sent', target: 'done' },
    ];
    const problems = checkCanvasText(JSON.stringify({ schemaVersion: 1, id: 'c', name: 'c', nodes, edges }), { nodes: standardNodes });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    return problems.filter(({ code }) => code === 'UNWRITTEN_VARIABLE').map(({ message }) => message);
  };
  const branch = (found: JsonObject): JsonObject => ({ type: 'condition', data: { branches: [{ name: 'yes', rule: found }] } });
  const type = '$message.type';

  it.each([
    ['text', 'text'],
    ['button', 'payload'],
    ['image', 'mediaUrl'],
    ['document', 'mediaUrl'],
    ['location', 'coordinates'],
    ['contacts', 'contacts'],
    ['order', 'order'],
    ['flow', 'response'],
    ['referral', 'referral'],
  ])('is there for "%s": %s', (name, field) => {
    const text = `{{$message.${field}}}`;
    for (const found of [
      { op: 'eq', left: type, right: name },
      { op: 'eq', left: `{{${type}}}`, right: name },
      { op: 'in', left: type, right: [name] },
      {
        op: 'all',
        rules: [
          { op: 'exists', left: '$user.id' },
          { op: 'eq', left: type, right: name },
        ],
      },
      { op: 'expression', expression: `{{${type} == "${name}"}}` },
      { op: 'expression', expression: `{{"${name}" == ${type}}}` },
    ])
      expect(missing(branch(found), ['yes', 'else'], text)).toEqual([]);
    expect(missing({ type: 'switch', data: { value: `{{${type}}}`, cases: [name, 'other'] } }, [name, 'other', 'else'], text)).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ op: 'neq', left: type, right: 'text' }, 'text'],
    [{ op: 'not', rule: { op: 'eq', left: type, right: 'text' } }, 'text'],
    [{ op: 'eq', left: type, right: 'text' }, 'coordinates'],
    [{ op: 'eq', left: '$message.id', right: 'text' }, 'text'],
    [{ op: 'eq', left: type, right: 'toString' }, 'text'],
    [{ op: 'in', left: type, right: ['text', 'image'] }, 'text'],
    [{ op: 'in', left: type, right: [] }, 'text'],
    [
      {
        op: 'any',
        rules: [
          { op: 'eq', left: type, right: 'text' },
          { op: 'exists', left: '$user.id' },
        ],
      },
      'text',
    ],
    [{ op: 'expression', expression: `{{${type} != "text"}}` }, 'text'],
  ])('may be missing behind any other: %j and %s', (found, field) => {
    expect(missing(branch(found), ['yes', 'else'], `{{$message.${field}}}`)).toHaveLength(1);
  });

  it('may be missing behind the port else', () => {
    const found = branch({ op: 'eq', left: type, right: 'text' });
    expect(missing(found, ['else', 'yes'], '{{$message.text}}')).toHaveLength(1);
    const choose = { type: 'switch', data: { value: `{{${type}}}`, cases: ['text'] } };
    expect(missing(choose, ['else', 'text'], '{{$message.text}}')).toHaveLength(1);
  });
});
