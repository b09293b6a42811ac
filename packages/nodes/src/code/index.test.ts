import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { code } from './index.ts';

const source = 'return input.a + 1;';
const accepts = (config: JsonObject) => code.config.safeParse({ source, ...config }).success;
const returned = (value: Json): Json => ({ kind: 'returned', value });

describe('code', () => {
  it('runs with the values of its input, the instant of the visit and a seed of the execution', () => {
    const config = { source, input: { a: '{{$context.count}}', b: ['{{$context.name}}!', null] } };
    const variables = { $context: { count: 7, name: 'Ana' } };
    expect(visit(code, { config, variables, random: [0.25], nowMs: 1_000 }).effects).toEqual([
      {
        type: 'code.run',
        request: { source, input: { a: 7, b: ['Ana!', null] }, nowMs: 1_000, seed: 2 ** 30, timeoutMs: 1_000, memoryMb: 64 },
      },
    ]);
  });

  it('has a second and 64 MB by default, and time to wait for its turn (P13)', () => {
    const { effects, outcome } = visit(code, { config: { source, timeout: 'PT2.5S', memoryMb: 16 } });
    expect(effects[0]?.request).toMatchObject({ timeoutMs: 2_500, memoryMb: 16 });
    expect(outcome).toMatchObject({ deadline: { appliedMs: 65_000, cause: 'CODE_UNAVAILABLE' } });
  });

  it('stores any result at saveAs', () => {
    const value = { '$context.executionId': 'mine' };
    expect(visit(code, { config: { source, saveAs: '$context.result' }, results: [returned(value)] })).toMatchObject({
      by: 'next',
      writes: { '$context.result': value },
    });
  });

  it.each<readonly [Json, JsonObject]>([
    [null, {}],
    [{}, {}],
    [
      { '$context.total': 7, '$context.order.lines': [1], '$context.gone': null },
      { '$context.total': 7, '$context.order.lines': [1], '$context.gone': null },
    ],
  ])('applies %j as a patch without saveAs', (value, writes) => {
    const visited = visit(code, { config: { source }, results: [returned(value)] });
    expect({ by: visited.by, writes: visited.writes }).toEqual({ by: 'next', writes });
  });

  it.each<Json>([
    7,
    'text',
    [{ '$context.a': 1 }],
    { a: 1 },
    { $context: 1 },
    { '$context.executionId': 'e' },
    { '$context.__proto__.a': 1 },
    { '$context.constructor': 1 },
    { '$memory.a': 1 },
    { '$user.phone': '1' },
    { '$webhook.hook': 1 },
    { '$context.fine': 1, '': 1 },
    JSON.parse('{"__proto__": {"$context.a": 1}}') as Json,
  ])('refuses %j as a patch, and writes nothing of it (T8)', (value) => {
    const { by, writes, failure } = visit(code, { config: { source }, results: [returned(value)] });
    expect({ by, writes, cause: failure?.cause }).toEqual({ by: 'error', writes: {}, cause: 'CODE_RESULT_INVALID' });
  });

  it.each([
    ['broken', 'CODE_ERROR'],
    ['timeout', 'CODE_TIMEOUT'],
    ['memory', 'CODE_MEMORY'],
    ['result', 'CODE_RESULT_INVALID'],
    ['unavailable', 'CODE_UNAVAILABLE'],
  ])('leaves by error when it is %s: %s', (reason, cause) => {
    const results = [{ kind: 'failed', reason, message: 'Why', line: 3, retryAfterMs: 500 }];
    const details = { line: 3, retryAfterMs: 500 };
    expect(visit(code, { config: { source }, results })).toMatchObject({ by: 'error', failure: { cause, message: 'Why', details } });
  });

  it.each<JsonObject>([
    { source: '' },
    { source: 'x'.repeat(32_769) },
    { input: [] },
    { input: { '': 1 } },
    { input: { a: '{{$context.}}' } },
    { timeout: 'PT11S' },
    { timeout: 1 },
    { memoryMb: 15 },
    { memoryMb: 129 },
    { memoryMb: 16.5 },
    { saveAs: '$user.phone' },
    { language: 'python' },
  ])('refuses the config %j', (config) => expect(accepts(config)).toBe(false));

  it('declares its writes', () => {
    expect(code.writes(code.config.parse({ source, saveAs: '$context.result' }))).toEqual({ next: ['$context.result'] });
    expect(code.writes(code.config.parse({ source }))).toEqual({ next: [] });
    expect(accepts({ timeout: 'PT10S', memoryMb: 128, input: {} })).toBe(true);
  });
});
