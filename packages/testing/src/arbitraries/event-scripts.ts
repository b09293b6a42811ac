// Random scripts of conversations.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { apiFailures, inputsOf, pathsOf, type ScriptInput, type WebhookInput } from '@hilo/simulator';
import fc from 'fast-check';
import { anyText, jsonValue } from './json-values.ts';
import { vocabulary } from './vocabulary.ts';

const { keywords, options, signals, correlations } = vocabulary;

const text = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<ScriptInput> =>
  arbitrary.map((text) => ({ kind: 'says', message: { type: 'text', text } }));

/** What users write: often an answer to something, sometimes anything at all. */
const says: fc.Arbitrary<ScriptInput> = fc.oneof(
  {
    weight: 5,
    arbitrary: text(
      fc.constantFrom<string>(...options, ...keywords, 'yes', '7', '50', 'abc', 'ana@example.com', '+52 1 55 1234 5678', '2031-04-05'),
    ),
  },
  { weight: 1, arbitrary: text(anyText) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...options)
      .map((title): ScriptInput => ({ kind: 'says', message: { type: 'button', payload: title.toLowerCase(), text: title } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<JsonObject>(
        { type: 'image', mediaUrl: 'https://files.example/a.png' },
        { type: 'location', coordinates: { lat: 1.5, long: -2 } },
        { type: 'contacts', contacts: [{ phones: [{ phone: '+5215512345678' }] }] },
        { type: 'unheard-of' },
      )
      .map((message): ScriptInput => ({ kind: 'says', message })),
  },
);

const apiAnswers: fc.Arbitrary<ScriptInput> = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        status: fc.constantFrom(200, 201, 404, 500),
        body: fc.constantFrom<Json>({ state: 'lost' }, null, 'text', [1]),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(...apiFailures) },
  )
  .map((answer) => ({ kind: 'apiAnswers', answer }));

/** A user's id as the webhooks of random canvases look for it, and that of an execution. */
const createBody = (ids: { readonly user?: string; readonly execution?: string }, more: Json): JsonObject => ({
  id: more,
  ...(ids.user !== undefined && { user: { id: ids.user } }),
  ...(ids.execution !== undefined && { meta: { executionId: ids.execution } }),
});

const webhook: fc.Arbitrary<ScriptInput> = fc
  .oneof(
    { weight: 3, arbitrary: fc.record({ body: jsonValue.map((id) => createBody({ user: '5215512345678' }, id)) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        body: fc.constantFrom('<execution-1>', '<execution-1>', '<execution-2>').map((execution) => createBody({ execution }, 'paid')),
      }),
    },
    fc.record({
      method: fc.constantFrom('GET', 'PUT', 'DELETE'),
      query: fc.constantFrom({ userId: '5215512345678' }, { executionId: '<execution-1>' }, { executionId: '' }),
    }),
    fc.record({ body: jsonValue }),
  )
  .map((call: WebhookInput) => ({ kind: 'webhook', call }));

/** Anything that can happen to a canvas from outside, faults and repetitions included. */
export const scriptInput: fc.Arbitrary<ScriptInput> = fc.oneof(
  { weight: 8, arbitrary: says },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(1_000, 20_000, 600_000, 3_600_000, 86_400_000, 259_200_000)
      .map((durationMs): ScriptInput => ({ kind: 'passes', durationMs })),
  },
  { weight: 3, arbitrary: apiAnswers },
  { weight: 2, arbitrary: webhook },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('signals' as const),
      name: fc.constantFrom(...signals),
      correlation: fc.constantFrom(...correlations),
      payload: jsonValue,
    }),
  },
  { weight: 1, arbitrary: fc.constant<ScriptInput>({ kind: 'repeats' }) },
  { weight: 1, arbitrary: fc.constantFrom<ScriptInput>({ kind: 'cancels' }, { kind: 'cancels', executionId: '<execution-1>' }) },
);

/** Inputs in any order. The first begins a conversation with any canvas whose start is a fallback. */
export const eventScript: fc.Arbitrary<readonly ScriptInput[]> = fc
  .tuple(fc.constantFrom(...keywords), fc.array(scriptInput, { maxLength: 12 }))
  .map(([keyword, inputs]) => [{ kind: 'says', message: { type: 'text', text: keyword } }, ...inputs]);

/** The same without cancels. */
export const patientScript: fc.Arbitrary<readonly ScriptInput[]> = eventScript.map((inputs) =>
  inputs.filter(({ kind }) => kind !== 'cancels'),
);

/**
 * Scripts in a canvas's own words: its keywords, options, dates and other answers, the bodies of its webhook, its events and waits, with
 * anything else now and then. The first begins a conversation with it.
 *
 * @param canvas - as an object, or as its text in JSON
 * @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled
 * @throws {RangeError} for a canvas that no input begins: nothing that a script says would come anywhere
 */
export function scriptOf(canvas: object | string, options: Parameters<typeof inputsOf>[1] = {}): fc.Arbitrary<readonly ScriptInput[]> {
  const own = inputsOf(canvas, options);
  const entries = new Set(pathsOf(canvas, { ...options, maxPaths: 1_000 }).paths.flatMap(({ steps }) => steps.slice(0, 1)));
  const first = own.filter(({ step }) => entries.has(step)).map(({ input }) => input);
  if (first.length === 0)
    throw new RangeError('No input begins this canvas: give it a start with a keyword or "fallback", or a webhook with a method');
  const input = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...own.map((one) => one.input)) }, { weight: 1, arbitrary: scriptInput });
  return fc.tuple(fc.constantFrom(...first), fc.array(input, { maxLength: 20, size: 'max' })).map(([begin, inputs]) => [begin, ...inputs]);
}
