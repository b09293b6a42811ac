import type { JsonObject } from '@hilo/engine/contract';
import { replayScript, simulate } from '@hilo/testing';
import { expect, it } from 'vitest';
import { flow } from './flows.ts';

const exists = { op: 'exists', left: '$context.customer.body' };
const isAdult = { op: 'gt', left: '$context.customer.body.age', right: 17 };

/** Calls an API, whatever comes of it looks at the answer by some rules, and reads it behind them. */
const asking = (...rules: readonly JsonObject[]): JsonObject => {
  const canvas = flow(
    [
      ['begin', 'start', { fallback: true }],
      ['call', 'api', { method: 'GET', url: 'https://shop.example/customer', saveAs: '$context.customer' }],
      ['which', 'condition', { branches: [{ name: 'adult', rule: { op: 'all', rules } }] }],
      ['tell', 'message', { message: { type: 'text', text: '{{$context.customer.body.age}}' } }],
      ['done', 'end'],
    ],
    ['next', 'success', 'adult', 'sent'],
  );
  const more = [
    { source: 'call', sourceHandle: 'error', target: 'which' },
    { source: 'which', sourceHandle: 'else', target: 'done' },
  ];
  return { ...canvas, edges: [...(canvas['edges'] as JsonObject[]), ...more] };
};

it('a value that "exists" has found may be read by the rules after it, and behind the branch', async () => {
  const transcript = await replayScript([asking(exists, isAdult)], 'user: hi\napi: 200 {"age":30}\nuser: hi\napi: timeout');
  expect(transcript.split('\n').filter((line) => /bot|ended/.test(line))).toEqual([
    '  bot: 30',
    '  ended: completed',
    '  ended: completed',
  ]);
  await expect(simulate(asking(isAdult, exists))).rejects.toThrow('$context.customer.body.age may be missing here');
});
