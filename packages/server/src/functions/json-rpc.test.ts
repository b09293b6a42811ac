import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMessage } from './tool-server.ts';

/** Each member of a request: right, wrong in one of many ways, or not there. */
const message = fc.record(
  {
    jsonrpc: fc.constantFrom<Json>('2.0', '2.0', '2.0', '1.0', 2, null),
    id: fc.constantFrom<Json>(1, 0, -5, 'a', '', '1', 2 ** 53 - 1, 1.5, 2 ** 53, null, true, {}, []),
    method: fc.constantFrom<Json>('ping', 'tools/call', 'nobody', '', '__proto__', 5, null),
    params: fc.constantFrom<Json>({}, { name: 'a' }, [], [1], 'x', null),
  },
  { requiredKeys: [] },
);
const body: fc.Arbitrary<Json> = fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.jsonValue() as fc.Arbitrary<Json>);

/** An independent reading of JSON-RPC 2.0, sections 4 to 6, with the ids and parameters that the Model Context Protocol permits. */
function isAnswerable(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const ids = messages.flatMap((one) => (isObject(one) && 'id' in one ? [JSON.stringify(one['id'])] : []));
  return messages.length > 0 && messages.every(isRequest) && new Set(ids).size === ids.length;
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRequest = (one: unknown): boolean =>
  isObject(one) &&
  one['jsonrpc'] === '2.0' &&
  typeof one['method'] === 'string' &&
  (!('id' in one) || typeof one['id'] === 'string' || Number.isSafeInteger(one['id'])) &&
  (!('params' in one) || isObject(one['params']));

describe('messageProblem', () => {
  it('refuses exactly what a second reading of JSON-RPC 2.0 refuses, as an invalid request without an id', () =>
    fc.assert(
      fc.asyncProperty(body, async (body) => {
        const problem = checkMessage(body);
        expect(problem === undefined).toBe(isAnswerable(body));
        if (problem === undefined) return;
        expect(problem.status).toBe(400);
        expect(await problem.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } });
      }),
      { numRuns: 2_000 },
    ));
});
