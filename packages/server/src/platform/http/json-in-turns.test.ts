import { setImmediate as turn } from 'node:timers/promises';
import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { HttpEnv } from './context.ts';
import { answerJsonInTurns, writeInTurns } from './json-in-turns.ts';

async function textOf(value: Json): Promise<string> {
  let text = '';
  for await (const piece of writeInTurns(value)) text += piece;
  return text;
}

it('writes any value as JSON.stringify does', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), async (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(await textOf(json)).toBe(JSON.stringify(json));
    }),
  ));

it.each([0, 1, 499, 500, 501, 1_001])('writes a list of %i members, at each depth', async (count) => {
  const list = Array.from({ length: count }, (_, index) => ({ id: `user-${index}`, list: [index], none: null }));
  const value = { companies: [{ users: list, campaigns: [{ recipients: list }] }], more: list };
  expect(await textOf(value)).toBe(JSON.stringify(value));
});

it.each([65_535, 65_536, 65_537, 131_072])('answers a text of %i characters, which may end with a part', async (length) => {
  const app = new Hono<HttpEnv>();
  const value = { text: 'x'.repeat(length - '{"text":""}'.length) };
  app.get('/', (c) => answerJsonInTurns(c, value));
  expect(await (await app.request('/')).text()).toBe(JSON.stringify(value));
  for await (const part of writeInTurns(value)) expect(part).not.toBe('');
});

it('lets others have their turn', async () => {
  let [turns, isOver] = [0, false];
  const others = async (): Promise<void> => {
    for (; !isOver; turns += 1) await turn();
  };
  const served = others();
  await textOf({ companies: [{ users: Array.from({ length: 10_000 }, (_, index) => ({ id: `user-${index}`, names: 'x'.repeat(100) })) }] });
  isOver = true;
  await served;
  expect(turns).toBeGreaterThan(15);
});
