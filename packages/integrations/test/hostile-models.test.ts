/**
 * Providers as adversaries: one part of an answer, or of one event of a stream, is anything at all, or a stream ends at any byte. What comes of
 * it is an answer or a failure as drivers return them, within what is kept, and never an exception or a call that does not end.
 */
import { Readable } from 'node:stream';
import { isJsonObject, type DriverContext, type Json, type JsonObject } from '@hilo/engine/contract';
import { askModel } from '@hilo/nodes/effects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { drawn, fewRuns } from '../../../scripts/vitest/part-of.ts';
import type { Dialer } from '../../drivers/src/index.ts';
import { driverContext } from '../../testing/src/contracts/driver-context.ts';
import { createModelDriver } from '../src/ai/model-driver.ts';
import { maxAnswerBytes } from '../src/kept-answer.ts';
import { type Provider, shapes, streams } from './provider-doubles.ts';

type Result = z.output<typeof askModel.result>;

const names = Object.keys(shapes) as readonly Provider[];
const request = askModel.request.parse({
  baseUrl: 'https://models.example/v1',
  model: 'small',
  messages: [{ role: 'user', text: 'Is A there?' }],
  tools: [{ name: 'stock', description: 'How many are left', inputSchema: { type: 'object', properties: { sku: { type: 'string' } } } }],
  output: 'text',
  maxOutputTokens: 64,
  timeoutMs: 20_000,
});
const context = driverContext({ nodeId: 'talk', progress: () => undefined });

/** What a call comes to where the provider sends these bytes. */
async function ask(provider: Provider, body: Uint8Array, isStream: boolean): Promise<Result> {
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
  const answer = { status: 200, url: request.baseUrl, headers, retryAfterMs: undefined };
  const stream = { body: Readable.toWeb(Readable.from([body])) };
  const dialer = { request: () => Promise.resolve(isStream ? { ...answer, body: new Uint8Array(), stream } : { ...answer, body }) };
  const { perform } = createModelDriver({ dialer: dialer as unknown as Dialer, credential: () => Promise.resolve(undefined) });
  const asked = { ...request, provider, ...(isStream && { stream: true as const }) };
  const result = askModel.result.parse(
    await (perform as (asked: typeof request, context: DriverContext) => Promise<unknown>)(asked, context),
  );
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxAnswerBytes + 1_024);
  return result;
}

const nested = (depth: number): Json => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as Json;
/** What stands where something else was to be. */
const odd: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<(Json | undefined)[]>(
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    1e9,
    '',
    ' ',
    '7',
    '{"sku"',
    'null',
    '[]',
    '"x"',
    '{"sku":7}',
    '{"__proto__":{"sku":1}}',
    '__proto__',
    'constructor',
    'exit_done',
    'tool_calls',
    'content_filter',
    'WEIRD',
    '\u0000',
    '\uD800',
    '[[v1]]',
    'A'.repeat(100_000),
    [],
    {},
    [null],
    [[]],
    [{}],
    { constructor: 1 },
    nested(20),
    nested(1_000),
    { text: null },
    { id: null, function: null },
    '['.repeat(1_000) + ']'.repeat(1_000),
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

type Step = string | number;
/** What a value has inside, by where it stands. */
function partsOf(value: Json): readonly (readonly [step: Step, part: Json])[] {
  if (isJsonObject(value)) return Object.entries(value);
  return typeof value === 'object' && value !== null ? value.map((part, index) => [index, part] as const) : [];
}

/** Every place in a value. */
const placesOf = (value: Json, at: readonly Step[] = []): readonly (readonly Step[])[] => [
  at,
  ...partsOf(value).flatMap(([step, part]) => placesOf(part, [...at, step])),
];
/** The value with something else at a place; `undefined` removes what is there. */
function put(value: Json, [at, ...rest]: readonly Step[], other: Json | undefined): Json | undefined {
  if (at === undefined) return other;
  const parts = partsOf(value).flatMap(([step, part]) => {
    const next = step === at ? put(part, rest, other) : part;
    return next === undefined ? [] : [[step, next] as const];
  });
  return isJsonObject(value) ? Object.fromEntries(parts) : parts.map(([, part]) => part);
}

/** A value of which one part is odd, as text. */
const spoilt = (value: JsonObject): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...placesOf(value)), odd).map(([place, other]) => JSON.stringify(put(value, place, other) ?? null));

const answers = (name: Provider): readonly JsonObject[] => [
  shapes[name].answer({ text: 'Three.', end: 'stop' }),
  shapes[name].answer({ text: 'Look.', calls: ['A', 'B'].map((sku) => ({ name: 'stock', input: { sku } })), end: 'tools' }),
  shapes[name].refusal,
];

/** A stream of which one event has an odd part, or comes twice. */
const spoiltStream = (name: Provider): fc.Arbitrary<string> =>
  fc.constantFrom(streams[name].says('Three', ' left.'), streams[name].calls('Look.')).chain((events) =>
    fc.nat(events.length - 1).chain((index) => {
      const [, before = '', data = ''] = /^((?:event: .*\n)?data: )(\{.*\})\n\n$/s.exec(events[index] ?? '') ?? [];
      const twice = fc.constant(`${events[index] ?? ''}${events[index] ?? ''}`);
      const other =
        data === ''
          ? twice
          : fc.oneof(
              twice,
              spoilt(JSON.parse(data) as JsonObject).map((text) => `${before}${text}\n\n`),
            );
      return other.map((one) => events.with(index, one).join(''));
    }),
  );

/** How many bytes of a result are over what is kept of an answer. */
const bytesOver = (result: Result): number => Math.max(0, Buffer.byteLength(JSON.stringify(result)) - maxAnswerBytes - 1_024);

describe('a provider that sends anything', { timeout: 120_000 }, () => {
  it.each(drawn(names))('is answered in the words of %s or has failed, whatever one part of its answer is', async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...answers(name).map(spoilt)), async (text) => {
        expect(bytesOver(await ask(name, Buffer.from(text), false))).toBe(0); // it is a result: it was parsed as one
      }),
      fewRuns(200),
    );
  });

  it.each(drawn(names))('is answered in the words of %s or has failed, whatever one event of its stream is', async (name) => {
    await fc.assert(
      fc.asyncProperty(spoiltStream(name), async (text) => {
        expect(bytesOver(await ask(name, Buffer.from(text), true))).toBe(0); // it is a result: it was parsed as one
      }),
      fewRuns(200),
    );
  });

  it.each(drawn(names))('has answered nothing where a stream of %s is cut at a byte before its end', async (name) => {
    const whole = Buffer.from(streams[name].says('Sí', ' 3.').join(''));
    for (let length = 0; length <= whole.length; length += 1) {
      const result = await ask(name, whole.subarray(0, length), true);
      expect([length, result.kind === 'answered' ? result.text : 'Sí 3.']).toEqual([length, 'Sí 3.']);
    }
    expect((await ask(name, whole, true)).kind).toBe('answered');
  });
});
