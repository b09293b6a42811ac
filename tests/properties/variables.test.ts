import { getPath, isJsonObject, type Json, type JsonObject, limits, parsePath } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText, jsonValue } from '../../packages/testing/src/arbitraries/json-values.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';

/** Nodes one after the other, from a start to an end. */
const chain = (
  id: string,
  nodes: readonly { readonly type: string; readonly data: JsonObject; readonly port: string }[],
  outputs: JsonObject = {},
) => {
  const ids = nodes.map((_node, index) => `n${index}`);
  return {
    schemaVersion: 1,
    id,
    name: id,
    variables: Object.fromEntries(['text', 'list', 'tree', 'item'].map((name) => [name, { default: name }])),
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      ...nodes.map(({ type, data }, index) => ({ id: ids[index], type, data })),
      { id: 'done', type: 'end', data: { outputs } },
    ],
    edges: [
      { source: 'begin', target: ids[0] ?? 'done' },
      ...nodes.map(({ port }, index) => ({ source: ids[index], sourceHandle: port, target: ids[index + 1] ?? 'done' })),
    ],
  };
};

const set = (path: string, value: Json, more: JsonObject = {}) => ({
  type: 'set',
  data: { assignments: [{ path, value, ...more }] },
  port: 'next',
});

/** Bytes of a value as UTF-8 JSON, its escapes not counted. */
function bytesOf(value: Json): number {
  if (typeof value === 'string') return new TextEncoder().encode(value.toWellFormed()).length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  const items = isJsonObject(value) ? Object.entries(value).map(([key, item]) => bytesOf(key) + 1 + bytesOf(item)) : value.map(bytesOf);
  return items.reduce((sum, size) => sum + size, 2 + Math.max(0, items.length - 1));
}

const depthOf = (value: Json): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
const keysOf = (value: Json): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce((sum: number, item: Json) => sum + keysOf(item), Array.isArray(value) ? 0 : Object.keys(value).length);

/** All variables except those of requests. */
const writtenByAuthors = (variables: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(variables).filter(([scope]) => !['$webhook', '$message', '$messages', '$input'].includes(scope)));

/** What variables hold though a limit forbids it. */
function excessesIn(variables: JsonObject): readonly string[] {
  const entries = (scope: string) => Object.entries(isJsonObject(variables[scope]) ? variables[scope] : {});
  return [
    ...(bytesOf(writtenByAuthors(variables)) > limits.variablesBytes ? ['all variables'] : []),
    ...[...entries('$context'), ...entries('$memory')].flatMap(([name, value]) =>
      bytesOf(value) > limits.valueBytes || depthOf(value) > limits.depth || keysOf(value) > limits.keys ? [name] : [],
    ),
    ...entries('$memory').flatMap(([name, value]) =>
      (typeof value === 'string' ? Array.from(value).length > limits.memoryTextChars : bytesOf(value) > limits.memoryJsonBytes)
        ? [`memory ${name}`]
        : [],
    ),
  ];
}

/** How a write that a limit forbids ends. */
const limitCauses = [
  'VALUE_TOO_LARGE',
  'VARIABLES_TOO_LARGE',
  'INVALID_REQUEST',
  'INVALID_PATH',
  'STEP_LIMIT_EXCEEDED',
  'EXPRESSION',
  undefined,
];

/** Writes that make a value larger each time. */
const growth = fc.constantFrom(
  set('$context.text', '{{$context.text}}{{$context.text}}'),
  set('$context.text', 'é{{$context.text}}'),
  set('$context.list', ['{{$context.list}}', '{{$context.list}}']),
  set('$context.list', ['{{$context.list}}']),
  set('$context.tree', { a: '{{$context.tree}}', b: '{{$context.text}}' }),
  set('$context.tree.a.b.c', '{{$context.text}}'),
  set('$context.other', '{{$context.tree}}'),
  set('$context.more[0]', '{{$context.list}}'),
  set('$memory.text', '{{$context.text}}'),
  set('$memory.json', { a: '{{$context.list}}' }, { ttl: 'PT1H' }),
);

describe('variables', () => {
  it('never exceed their limits, whatever is written', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(growth, { minLength: 1, maxLength: 15, size: 'max' }),
        fc.integer({ min: 1, max: 40 }),
        async (writes, rounds) => {
          const items = Array.from({ length: rounds }, (_, index) => index);
          const last = writes.length - 1;
          const grow = chain('grow', [{ type: 'for-each', data: { items }, port: 'each' }, ...writes]);
          const edges = [
            ...grow.edges.filter(({ source }) => source !== `n${last + 1}`),
            { source: `n${last + 1}`, target: 'n0' },
            { source: 'n0', sourceHandle: 'done', target: 'done' },
          ];
          const conversation = await simulate({ ...grow, edges });
          await conversation.says('grow');
          expect(excessesIn(await conversation.variables())).toEqual([]);
          expect(limitCauses).toContain((await conversation.execution())?.state.ending?.failure?.cause);
        },
      ),
    ));

  it('never hold more than their limit together, however much comes in at once', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 3 }), async (sizes) => {
        const hook = { id: 'hook', type: 'webhook', data: { variableName: 'hook', methods: ['POST'], userIdPath: 'userId' } };
        const large = chain('large', [set('$context.text', '{{$webhook.hook.body.text ?? null}}')]);
        const edges = [...large.edges, { source: 'hook', sourceHandle: 'new', target: 'n0' }];
        const conversation = await simulate({ ...large, nodes: [...large.nodes, hook], edges });
        for (const size of sizes) {
          await conversation.webhook({ body: { userId: '5215512345678', text: 'x'.repeat(size) } });
          await conversation.says({ type: 'text', text: 'y'.repeat(size), more: 'é'.repeat(size / 3) });
        }
        expect((await conversation.executions()).flatMap(({ state }) => excessesIn(state.variables))).toEqual([]);
        expect(conversation.faults).toEqual([]);
      }),
      { numRuns: 20 },
    ));

  it('take a value of exactly the limit, and none that is larger', async () => {
    const half = 'x'.repeat(limits.valueBytes / 2 - 1);
    for (const [more, status] of [
      ['', 'completed'],
      ['y', 'failed'],
    ] as const) {
      const conversation = await simulate(
        chain('exact', [set('$context.a', half), set('$context.text', `{{$context.a}}{{$context.a}}${more}`)]),
      );
      await conversation.says('go');
      expect((await conversation.execution())?.state.status).toBe(status);
    }
  });
});

const forbiddenStep = fc.constantFrom('__proto__', 'prototype', 'constructor');
const inherited = fc.constantFrom('toString', 'valueOf', 'hasOwnProperty', 'length', 'map', '__defineGetter__');

/** JSON with keys that are something else in JavaScript, its own ones, as a request body may have them. */
const hostileJson: fc.Arbitrary<Json> = fc
  .tuple(jsonValue, fc.array(forbiddenStep, { minLength: 1, maxLength: 3 }))
  .map(([value, names]) =>
    names.reduce<Json>((inner, name) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(inner)},"polluted":1}`) as Json, value),
  );

describe('no path expression', () => {
  it('sees more than the own properties of data', () =>
    fc.assert(
      fc.property(
        jsonValue,
        fc.array(fc.oneof(inherited, forbiddenStep, fc.constantFrom<string | number>('a', 'b', 'id', 0, 1)), { maxLength: 4 }),
        (value, path) => {
          let expected: unknown = value;
          for (const step of path) {
            const isForbidden =
              ['__proto__', 'prototype', 'constructor'].includes(String(step)) || (Array.isArray(expected) && step === 'length');
            expected =
              typeof expected === 'object' && expected !== null && !isForbidden
                ? Object.getOwnPropertyDescriptor(expected, step)?.value
                : undefined;
          }
          expect(getPath(value, path)).toBe(expected);
        },
      ),
    ));

  it('is read that leads to a prototype', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b[0]', 'c.d'), { maxLength: 3 }),
        forbiddenStep,
        fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
        (before, name, after) => {
          expect(parsePath(['$context', ...before, name, ...after].join('.'))).toBeUndefined();
        },
      ),
    ));

  it('changes a prototype, for any input', () =>
    fc.assert(
      fc.asyncProperty(hostileJson, anyText, async (body, text) => {
        const canvas = chain('hostile', [
          set('$context.copy', '{{$webhook.hook.body ?? $message}}'),
          set('$context.copy.inner.deep', "{{$message.text ?? ''}}"),
          set('$context.list', ['{{$context.copy}}', '{{$context.copy.polluted ?? null}}']),
          { type: 'log', data: { name: 'seen', data: '{{$context}}' }, port: 'next' },
        ]);
        const hook = { id: 'hook', type: 'webhook', data: { variableName: 'hook', methods: ['POST'] } };
        const before = Object.getOwnPropertyNames(Object.prototype);
        const conversation = await simulate({
          ...canvas,
          nodes: [...canvas.nodes, hook],
          edges: [...canvas.edges, { source: 'hook', sourceHandle: 'new', target: 'n0' }],
        });
        await conversation.webhook({ body, query: { userId: '5215512345678' } });
        await conversation.says({ type: 'text', text, extra: body });
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
        expect({}).not.toHaveProperty('polluted');
        expect([]).not.toHaveProperty('polluted');
        expect(conversation.faults).toEqual([]);
        expect((await conversation.executions()).filter(({ state }) => state.ending === undefined)).toEqual([]);
      }),
    ));
});

describe('text put into a template', () => {
  const echo = chain(
    'echo',
    [
      set('$context.text', '{{$message.text}}'),
      set('$context.item', ['<{{$context.text}}>', { a: '{{$context.text}}' }]),
      { type: 'message', data: { message: { type: 'text', text: 'You said: {{$context.text}}' } }, port: 'sent' },
      { type: 'template', data: { templateId: 'tpl1', parameters: { name: '{{$context.text}}' } }, port: 'sent' },
      { type: 'log', data: { name: 'said', data: { list: '{{$context.item}}' } }, port: 'next' },
      {
        type: 'api',
        data: { method: 'POST', url: 'https://api.example', body: { said: '{{$context.text}}', item: '{{$context.item}}' } },
        port: 'success',
      },
    ],
    { said: '{{$context.text}}', all: 'all {{$context.item}}' },
  );

  /** Texts that would change if they were evaluated a second time. */
  const tempting = fc.oneof(
    anyText,
    fc
      .tuple(
        fc.constantFrom('', 'a '),
        fc.constantFrom(
          '{{$context.executionId}}',
          '{{1 + 1}}',
          '{{ }}',
          "{{'x'}}",
          '{{$user',
          '}}',
          '{{{{$context.text}}}}',
          '$context.text',
        ),
        anyText,
      )
      .map((parts) => parts.join('')),
  );

  it('is never evaluated: it comes out as it went in', () =>
    fc.assert(
      fc.asyncProperty(tempting, async (text) => {
        const conversation = await simulate(echo);
        await conversation.apiAnswers({ status: 200 });
        await conversation.says(text);
        const item = [`<${text}>`, { a: text }];
        expect(conversation.calls.map(({ request }) => request)).toMatchObject([
          { message: { text: `You said: ${text}` } },
          { parameters: { name: text } },
          { data: { list: item } },
          { body: { said: text, item } },
        ]);
        expect((await conversation.execution())?.state.ending?.outputs).toEqual({ said: text, all: `all ${JSON.stringify(item)}` });
      }),
    ));
});
