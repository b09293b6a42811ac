import type { Channel, Json } from '@hilo/engine/contract';
import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ana, type RestStage, restStage } from './rest-stage.ts';
import { secondStatement } from './second-statement.ts';

let stage: RestStage;
beforeAll(async () => {
  stage = await restStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const channelOf: { readonly [botId: string]: Channel } = {
  bot_wa: 'whatsapp',
  bot_web: 'web',
  bot_slack: 'slack',
  bot_fb: 'facebook',
  bot_ig: 'instagram',
  bot_teams: 'teams',
  bot_custom: 'custom',
};

/** Texts at every limit, in letters of one, two and four bytes. */
const words = fc
  .tuple(
    fc.constantFrom('a', 'a', 'ñ', '😀'),
    fc.constantFrom(1, 1, 5, 20, 21, 24, 25, 72, 73, 500, 1000, 1001, 2001, 3000, 3001, 4096, 4097),
  )
  .map(([letter, length]) => letter.repeat(length));
const shortWords = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'ñ', '😀'), fc.constantFrom(1, 2, 3, 19, 20, 20, 21, 24, 25))
  .map(([letter, length]) => letter.repeat(length));
const file = fc.constantFrom(
  'https://files.example/a.png',
  'https://files.example/a.png',
  'http://files.example/a.png',
  'files.example',
  `https://files.example/${'x'.repeat(2_100)}`,
);
const link = fc.constantFrom('https://a.example', 'http://a.example/x', 'ftp://a.example', 'javascript:1');
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const typed = (type: string, fields: { readonly [field: string]: fc.Arbitrary<unknown> }) =>
  fc.record({ type: fc.constant(type), ...fields });

const option = fc.record({ title: shortWords, description: some(words), payload: some(fc.constantFrom('p', 'q', ' ', 'a')) });
const menu = fc.record({
  title: some(words),
  buttonText: some(fc.record({ type: fc.constantFrom('text', 'text', 'url'), text: some(shortWords) })),
  options: fc.array(option, { maxLength: 11 }),
});
const line = some(shortWords);
const contact = fc.record({
  name: some(fc.record({ formatted_name: line, first_name: line })),
  phones: some(fc.array(fc.record({ phone: some(fc.constantFrom('+5215', '5215', '0', 'x', '++1')), wa_id: line }), { maxLength: 2 })),
  emails: some(fc.array(fc.record({ email: some(fc.constantFrom('a@b.example', 'ana', 'a@b')), type: line }), { maxLength: 2 })),
  addresses: some(fc.array(fc.record({ street: line, zip: line }), { maxLength: 2 })),
});
const degrees = fc.constantFrom(0, -90, 90, 90.5, -180, 180, 181);

const message = fc.oneof(
  typed('text', { text: words, previewUrl: some(fc.boolean()), buttons: some(menu) }),
  typed('quick_reply', {
    text: words,
    title: some(shortWords),
    quick_replies: fc.array(fc.record({ title: shortWords }), { maxLength: 4 }),
  }),
  typed('image', { mediaUrl: file, text: some(words) }),
  typed('audio', { mediaUrl: file, text: some(words) }),
  typed('video', { mediaUrl: file, text: some(words) }),
  typed('file', { mediaUrl: file, text: some(words), filename: some(shortWords) }),
  typed('sticker', { mediaUrl: file }),
  typed('location', { coordinates: fc.record({ lat: degrees, long: degrees }) }),
  typed('contacts', { contacts: fc.array(contact, { maxLength: 3 }) }),
  typed('location_request', { text: words }),
  typed('contact_info_request', { text: words }),
  typed('cta_url', { title: words, text: words, caption: words, parameters: fc.record({ url: link, display_text: shortWords }) }),
  typed('voice_call', { header: some(words), text: words, parameters: fc.record({ display_text: shortWords }) }),
  typed('flow', {
    title: words,
    text: words,
    caption: words,
    parameters: fc.record({
      flow_id: line,
      mode: some(fc.constantFrom('draft', 'published', 'live')),
      flow_action_payload: some(fc.record({ screen: line })),
    }),
  }),
  typed('telegram', { text: words }),
);

/** Values of wrong types. */
const wrong: fc.Arbitrary<Json | undefined> = fc.constantFrom<(Json | undefined)[]>(
  undefined,
  undefined,
  null,
  '',
  ' ',
  0,
  7,
  true,
  [],
  {},
  'x',
  [1],
  { a: 1 },
);

/** A body with one defect, or without one. */
const body = fc
  .record({
    message,
    userId: fc.constantFrom<Json[]>(ana, ana, ana, ana, ana, ana, ana, 'MX.a1B2c3', `+${ana}`, 7),
    botId: fc.constantFrom(undefined, undefined, undefined, undefined, 'bot_wa'),
    mutation: some(fc.record({ at: fc.nat(), value: wrong })),
    extra: some(fc.constant({ colour: 'red' })),
  })
  .map(({ message, userId, botId, mutation, extra }) => {
    const whole = JSON.parse(JSON.stringify({ ...extra, ...message, userId, botId })) as JsonObject;
    if (mutation === undefined) return whole;
    const places = placesOf(whole);
    return put(whole, places[mutation.at % places.length] ?? [], mutation.value) as JsonObject;
  });

type Place = readonly (string | number)[];

/** Every place in a body but the body itself. */
function placesOf(value: Json, path: Place = []): readonly Place[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => [[...path, index], ...placesOf(item, [...path, index])]);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [[...path, name], ...placesOf(item, [...path, name])]);
}

function put(value: Json, [step, ...rest]: Place, item: Json | undefined): Json | undefined {
  if (step === undefined) return item;
  if (Array.isArray(value)) return value.flatMap((known: Json, index) => (index === step ? (put(known, rest, item) ?? []) : [known]));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, known]) => [name, name === step ? put(known, rest, item) : known])) as Json;
}

describe('POST /v1/bots/{botId}/messages', () => {
  it('agrees with an independent statement of the rules, with its codes (MSG-04 to MSG-40, LIM-02 to LIM-05)', {
    timeout: 300_000,
  }, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...Object.keys(channelOf)), async (body, botId) => {
        const answer = await stage.send(body, botId);
        const { error = 'taken' } = answer.body as { readonly error?: string };
        const expected = secondStatement(JSON.parse(JSON.stringify(body)) as JsonObject, botId, channelOf[botId] ?? 'web');
        seen.set(expected, (seen.get(expected) ?? 0) + 1);
        expect([error, answer.status]).toEqual([expected, expected === 'taken' ? 200 : 400]);
      }),
      { numRuns: fc.readConfigureGlobal().numRuns ?? 1_000 },
    );
    expect([...seen.keys()].toSorted()).toEqual(['INVALID_MEDIA_URL', 'INVALID_REQUEST', 'INVALID_USER_ID', 'taken']);
  });
});
