import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { messageTypes } from '@hilo/nodes';
import { expect, it } from 'vitest';
import { type Provider, providers } from './providers.ts';
import { outbound, provider } from './stage.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/channels/README.md'), 'utf8');

const mediaUrl = 'https://example.com/file.bin';
const options = { options: [{ title: 'Yes', payload: 'Y' }] };
const template = { elementName: 'hello', language: 'en', category: 'UTILITY', body: 'Hi', components: undefined };

const samples: { readonly [row: string]: JsonObject } = {
  '`text`': { type: 'text', text: 'Words' },
  '`text` with options': { type: 'text', text: 'Words', buttons: options },
  '`quick_reply`': { type: 'quick_reply', text: 'Words', quick_replies: [{ title: 'Yes' }] },
  '`image`': { type: 'image', mediaUrl },
  '`audio`': { type: 'audio', mediaUrl },
  '`video`': { type: 'video', mediaUrl },
  '`file`': { type: 'file', mediaUrl },
  '`sticker`': { type: 'sticker', mediaUrl },
  '`location`': { type: 'location', coordinates: { lat: 1, long: 2 } },
  '`contacts`': { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' } }] },
  '`location_request`': { type: 'location_request', text: 'Words' },
  '`contact_info_request`': { type: 'contact_info_request', text: 'Words' },
  '`cta_url`': { type: 'cta_url', title: 'T', text: 'Words', caption: 'C', parameters: { display_text: 'Go', url: 'https://example.com' } },
  '`voice_call`': { type: 'voice_call', text: 'Words', parameters: { display_text: 'Call' } },
  '`flow`': { type: 'flow', title: 'T', text: 'Words', caption: 'C', parameters: { flow_id: '1', mode: 'published' } },
  '`carousel`': {
    type: 'carousel',
    text: 'Words',
    parameters: {
      cards: [0, 1].map((index) => ({
        card_index: index,
        type: 'cta_url',
        header: { type: 'image', image: { link: mediaUrl } },
        body: { text: 'Card' },
        action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://example.com' } },
      })),
    },
  },
  '`template`': { type: 'template', templateId: 't', elementName: 'hello', language: 'en', parameters: {} },
};

/** What nothing but words are made of. */
const wordsAlone = new Set([
  'type',
  'text',
  'textFormat',
  'channel',
  'unfurl_links',
  'unfurl_media',
  'recipient',
  'messaging_type',
  'message',
  'metadata',
  'id',
]);

const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, part]) => [name, ...namesIn(part)])
    : Array.isArray(value)
      ? ['list']
      : [];

/** How a channel shows a message, seen from the request that it sends. */
async function formOf({ adapter, channel, fields, plan, userId }: Provider, row: string, message: JsonObject): Promise<string> {
  const connected = adapter.connect({ companyId: '7', id: 'bot', channel, userIdFormat: 'open' }, fields('https://double.example'));
  if ('unfitFields' in connected) throw new Error(connected.unfitFields.join());
  const answer = { ...plan.accepted, access_token: 't', data: { id: '710', dm_event_id: '1' } };
  const { host, calls } = provider(200, answer, { headers: { 'content-type': message['type'] === 'video' ? 'video/mp4' : 'image/png' } });
  const result = await connected.send(outbound(message, { recipient: { id: userId }, template }), host);
  if (result.kind !== 'sent') return result.kind;
  if (channel === 'custom' || row === '`text`') return 'native';
  const text = String(calls.at(-1)?.body);
  if (namesIn(JSON.parse(text)).every((name) => wordsAlone.has(name))) return 'text';
  if (text.includes('"openUrl"') && row !== '`cta_url`') return 'link';
  return row === '`sticker`' && text.includes('"image"') ? 'image' : 'native';
}

const columns = ['whatsapp', 'facebook', 'instagram', 'slack', 'teams', 'twitter', 'custom'];
const all = await providers();

/** The types that the chat of web pages has a form for; others are said in words. */
const widget = readFileSync(join(import.meta.dirname, '../../chat/src/content.ts'), 'utf8');
const onWeb = ({ type }: JsonObject): string => (typeof type === 'string' && widget.includes(`case '${type}':`) ? 'native' : 'text');

it.each(Object.entries(samples))('the guide says of %s what the adapters do', async (row, message) => {
  const forms = columns.map((column) => {
    const known = all.find(({ channel, adapter }) => channel === column && !adapter.isRecordOnly);
    if (known === undefined) throw new Error(`There is no provider for ${column}`);
    return formOf(known, row, message);
  });
  expect(guide).toContain(`| message | ${[...columns, 'web'].join(' | ')} |\n`);
  expect(guide).toContain(`| ${row} | ${[...(await Promise.all(forms)), onWeb(message)].join(' | ')} |`);
});

it('the guide has a row for each type of message', () => {
  const types = [...messageTypes, 'template'];
  const rows = Array.from(guide.matchAll(/^\| `(\w+)`(?: with options)? \| (?:native|text|refused)/gm), ([, type]) => type);
  expect(new Set(rows)).toEqual(new Set(types));
  expect(rows).toHaveLength(Object.keys(samples).length);
});
