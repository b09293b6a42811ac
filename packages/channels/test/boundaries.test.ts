// Texts at the limits of every part of every message, in characters that are more than one code unit, code point or byte.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { Message, messageProblems } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textAt } from '../src/provider-answer.ts';
import { type Provider, providers } from './providers.ts';
import { jsonOf, outbound, provider as answering } from './stage.ts';

const known = (await providers()).filter(({ adapter }) => !adapter.isRecordOnly && adapter.kind !== 'custom');

const mediaUrl = 'https://example.com/file.png';
const bottom = { type: 'text', text: 'Open' };
const messages: readonly JsonObject[] = [
  { type: 'text', text: 'x' },
  { type: 'text', text: 'x', buttons: { title: 't', buttonText: bottom, options: [{ title: 'Yes', payload: 'p' }, { title: 'No' }] } },
  {
    type: 'text',
    text: 'x',
    buttons: { buttonText: bottom, options: [{ title: 'Yes', payload: 'p', description: 'd' }, { title: 'No' }] },
  },
  { type: 'quick_reply', text: 'x', title: 't', quick_replies: [{ title: 'a' }, { title: 'b' }] },
  { type: 'image', mediaUrl, text: 'c' },
  { type: 'video', mediaUrl, text: 'c' },
  { type: 'file', mediaUrl, text: 'c', filename: 'f.pdf' },
  { type: 'contacts', contacts: [{ name: { formatted_name: 'A', first_name: 'B' }, addresses: [{ street: 's', city: 'c' }] }] },
  { type: 'location_request', text: 'x' },
  { type: 'contact_info_request', text: 'x' },
  { type: 'cta_url', title: 't', text: 'x', caption: 'c', parameters: { url: mediaUrl, display_text: 'Go' } },
  { type: 'voice_call', header: 'h', text: 'x', parameters: { display_text: 'Call' } },
  { type: 'flow', title: 't', text: 'x', caption: 'c', parameters: { flow_id: '1', flow_cta: 'Go' } },
];

type Path = readonly (string | number)[];

/** Where a message has texts that an author writes. */
function textsIn(value: Json, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return ['type', 'mediaUrl', 'url'].includes(String(path.at(-1))) ? [] : [path];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textsIn(item, [...path, index]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, item]) => textsIn(item, [...path, name])) : [];
}

function withText(value: Json, [step, ...rest]: Path, text: string): Json {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? withText(item, rest, text) : item));
  return isJsonObject(value) ? { ...value, [step]: withText(value[step] ?? null, rest, text) } : value;
}

const places = messages.flatMap((message) => textsIn(message).map((path) => ({ message, path })));
const limits = [1, 20, 24, 30, 60, 72, 75, 150, 200, 250, 256, 500, 640, 1_000, 1_024, 2_000, 3_000, 4_096, 10_000];
const units = ['a', '😀', 'e\u0301', 'ש', '👨‍👩‍👧', '&', '\u200b', '\u202e', 'a\n', '\u2028'];

/** A text of so many code points. @param isShifted - whether a letter comes first, so that pairs of code units begin at odd places */
function textOf(unit: string, length: number, isShifted: boolean): string {
  const marks = Array.from(unit);
  const text = Array.from({ length }, (_, index) => marks[index % marks.length] ?? '');
  return (isShifted ? ['x', ...text.slice(1)] : text).join('');
}

/** What became of a message, and the request that it made. */
async function send({ adapter, channel, fields, plan, userId }: Provider, message: Message) {
  const connected = adapter.connect({ companyId: '7', id: 'bot', channel, userIdFormat: 'open' }, fields('https://double.example'));
  if ('unfitFields' in connected) throw new Error(connected.unfitFields.join());
  const { host, calls } = answering(
    200,
    { ...plan.accepted, access_token: 't', data: { id: '710', dm_event_id: '1' } },
    { headers: { 'content-type': message.type === 'video' ? 'video/mp4' : 'image/png' } },
  );
  const { kind } = await connected.send(outbound(jsonOf(message), { recipient: { id: userId } }), host);
  return { kind, body: kind === 'sent' ? (JSON.parse(String(calls.at(-1)?.body)) as Json) : null };
}

const allTexts = (value: Json): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? (Object.values(value) as readonly Json[]).flatMap(allTexts)
      : [];

describe.each(known)('a text at a limit of $adapter.kind', (provider) => {
  const { adapter, channel, plan } = provider;

  it('is sent whole in a valid request, or refused by the interface and the adapter alike', async () => {
    const run = fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom(...units),
      fc.constantFrom(...limits),
      fc.constantFrom(-1, 0, 1),
      fc.boolean(),
      async ({ message, path }, unit, limit, more, isShifted) => {
        const { data } = Message.safeParse(withText(message, path, textOf(unit, limit + more, isShifted)));
        fc.pre(data !== undefined);
        const isTaken = messageProblems(data, channel).length === 0 && adapter.refusal(jsonOf(data)) === undefined;
        const { kind, body } = await send(provider, data);
        expect(kind).toBe(isTaken ? 'sent' : 'refused');
        if (!isTaken) return;
        expect(plan.problemsOf(body)).toBe('');
        expect(allTexts(body).every((text) => text.isWellFormed())).toBe(true);
        const said = adapter.kind === 'instagram' ? textAt(body, 'message', 'text') : undefined;
        expect(Buffer.byteLength(said ?? '')).toBeLessThanOrEqual(1_000);
      },
    );
    await fc.assert(run, { numRuns: 400 });
  });
});

describe('a name of a file in two code units a character', () => {
  it.each([249, 250, 251, 255, 500])('is the whole label of its button of Teams, with %i characters', async (length) => {
    const teams = known.find(({ adapter }) => adapter.kind === 'teams');
    if (teams === undefined) throw new Error('There is an adapter for Teams');
    const filename = textOf('😀', length, true);
    const { body } = await send(teams, Message.parse({ type: 'file', mediaUrl, filename }));
    expect(body).toMatchObject({ attachments: [{ content: { buttons: [{ title: filename }] } }] });
  });
});
