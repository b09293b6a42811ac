import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCanvasText } from '@hilo/engine';
import type { Channel, Json, JsonObject } from '@hilo/engine/contract';
import { channelFacts, Message, messageProblems, standardNodes } from '@hilo/nodes';
import { channelLimits, fitsPageButtons, fitsReplyButtons } from '@hilo/nodes/effects';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Provider, providers } from './providers.ts';
import { jsonOf, outbound, provider } from './stage.ts';

const known = await providers();

/** The provider of a channel. */
function providerOf(channel: Channel): Provider {
  const found = known.find(({ channel: served, adapter }) => served === channel && !adapter.isRecordOnly);
  if (found === undefined) throw new Error(`There is no provider for ${channel}`);
  return found;
}

/** Whether the adapter sends a message, the API takes it, and a canvas of that one channel may say it. */
async function verdicts(message: JsonObject, channel: Channel) {
  const { adapter, fields, plan, userId } = providerOf(channel);
  const connected = adapter.connect({ companyId: '7', id: 'bot', channel, userIdFormat: 'open' }, fields('https://double.example'));
  if ('unfitFields' in connected) throw new Error(connected.unfitFields.join());
  const { host, calls } = provider(200, { ...plan.accepted, access_token: 't', data: { id: '710', dm_event_id: '1' } });
  const read = Message.parse(message);
  const result = await connected.send(outbound(jsonOf(read), { recipient: { id: userId } }), host);
  const invalid = calls
    .slice(-1)
    .map(({ body }) => plan.problemsOf(JSON.parse(String(body ?? '{}')) as Json))
    .filter((problem) => problem !== '');
  const canvas = {
    schemaVersion: 1,
    id: 'says',
    name: 'Says',
    settings: { channels: [channel] },
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'say', type: 'message', data: { message } },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'say' },
      { source: 'say', sourceHandle: 'sent', target: 'done' },
    ],
  };
  const found = checkCanvasText(canvas, { nodes: standardNodes }).filter(
    ({ code, severity }) => code === 'CHANNEL_LIMIT' && severity === 'error',
  );
  return {
    adapter: result.kind === 'sent' && invalid.length === 0,
    api: messageProblems(read, channel).length === 0 && adapter.refusal(jsonOf(read)) === undefined,
    check: found.length === 0,
  };
}

const all = (isTaken: boolean) => ({ adapter: isTaken, api: isTaken, check: isTaken });

const url = 'https://example.com/file.png';
const a = (length: number): string => 'a'.repeat(length);
const address = (length: number): string => `https://example.com/${a(length - 20)}`;
const cta = (parts: JsonObject, parameters: JsonObject = {}): JsonObject => ({
  type: 'cta_url',
  title: 't',
  text: 'x',
  caption: 'c',
  ...parts,
  parameters: { display_text: 'Go', url, ...parameters },
});
const options = (text: string, list: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'text',
  text,
  buttons: { options: [...list], ...more },
});
const plain = [{ title: 'Yes' }];
const described = [{ title: 'Yes', description: 'd' }];
const contact = { name: { formatted_name: 'Ana', first_name: 'Ana' } };

const { whatsapp, facebook, instagram, slack, teams, twitter } = channelLimits;

/** A message that has a limited part at a length, and the most that the provider takes. */
const samples: readonly (readonly [Channel, string, number, (length: number) => JsonObject])[] = [
  ['whatsapp', 'text', whatsapp.text, (n) => ({ type: 'text', text: a(n) })],
  ['whatsapp', 'text of a list', whatsapp.text, (n) => options(a(n), plain)],
  ['whatsapp', 'body', whatsapp.body, (n) => cta({ text: a(n) })],
  ['whatsapp', 'body of a quick reply', whatsapp.body, (n) => ({ type: 'quick_reply', text: a(n), quick_replies: plain })],
  ['whatsapp', 'body of a request', whatsapp.body, (n) => ({ type: 'location_request', text: a(n) })],
  ['whatsapp', 'caption', whatsapp.caption, (n) => ({ type: 'image', mediaUrl: url, text: a(n) })],
  ['whatsapp', 'header', whatsapp.header, (n) => cta({ title: a(n) })],
  ['whatsapp', 'header of options', whatsapp.header, (n) => options('x', plain, { title: a(n) })],
  [
    'whatsapp',
    'header of a call',
    whatsapp.header,
    (n) => ({ type: 'voice_call', header: a(n), text: 'x', parameters: { display_text: 'Call' } }),
  ],
  ['whatsapp', 'footer', whatsapp.footer, (n) => cta({ caption: a(n) })],
  ['whatsapp', 'list button', whatsapp.listButton, (n) => options('x', described, { buttonText: { type: 'text', text: a(n) } })],
  ['whatsapp', 'link button', whatsapp.linkButton, (n) => cta({}, { display_text: a(n) })],
  ['whatsapp', 'call button', whatsapp.linkButton, (n) => ({ type: 'voice_call', text: 'x', parameters: { display_text: a(n) } })],
  [
    'whatsapp',
    'form button',
    whatsapp.formButton,
    (n) => ({ type: 'flow', title: 't', text: 'x', caption: 'c', parameters: { flow_id: '1', flow_cta: a(n) } }),
  ],
  ['whatsapp', 'address', whatsapp.address, (n) => cta({}, { url: address(n) })],
  ...(['image', 'audio', 'video', 'file', 'sticker'] as const).map(
    (type) => ['whatsapp', `address of ${type}`, whatsapp.address, (n: number) => ({ type, mediaUrl: address(n) })] as const,
  ),
  ['whatsapp', 'contacts', whatsapp.contacts, (n) => ({ type: 'contacts', contacts: Array.from({ length: n }, () => contact) })],
  ['facebook', 'text', facebook.text, (n) => ({ type: 'text', text: a(n) })],
  ['facebook', 'template', facebook.template, (n) => cta({ text: a(n - 6) })],
  ['facebook', 'button title', facebook.buttonTitle, (n) => options('x', [{ title: a(n) }])],
  ['facebook', 'link button', facebook.buttonTitle, (n) => cta({}, { display_text: a(n) })],
  ['facebook', 'text above quick replies', facebook.text, (n) => options(a(n - 3), plain, { title: 't' })],
  ['facebook', 'address', facebook.address, (n) => ({ type: 'image', mediaUrl: address(n) })],
  ['facebook', 'contact in words', facebook.text, (n) => ({ type: 'contacts', contacts: [{ name: { formatted_name: a(n) } }] })],
  ['instagram', 'text', instagram.text, (n) => ({ type: 'text', text: a(n) })],
  ['instagram', 'text in bytes', instagram.text / 4, (n) => ({ type: 'text', text: '😀'.repeat(n) })],
  [
    'instagram',
    'call in words',
    instagram.text,
    (n) => ({ type: 'voice_call', header: 'h', text: a(n - 3), parameters: { display_text: 'Call' } }),
  ],
  ['slack', 'text', slack.text, (n) => ({ type: 'text', text: a(n) })],
  [
    'slack',
    'all blocks',
    slack.allBlocks / 5 - 2,
    (n) => ({ type: 'quick_reply', text: '&'.repeat(n), quick_replies: [{ title: '12345' }] }),
  ],
  ['slack', 'link button', slack.buttonTitle, (n) => cta({}, { display_text: a(n) })],
  ['slack', 'caption', slack.section, (n) => cta({ caption: a(n) })],
  ['slack', 'list button', slack.listButton, (n) => options('x', described, { buttonText: { type: 'text', text: a(n) } })],
  ['slack', 'text alone', slack.textAlone, (n) => ({ type: 'contacts', contacts: [{ name: { formatted_name: a(n) } }] })],
  ['teams', 'text', teams.text, (n) => ({ type: 'text', text: a(n) })],
  ['teams', 'joined', teams.joined, (n) => ({ type: 'contacts', contacts: [{ name: { formatted_name: a(n) } }] })],
  ['teams', 'link button', teams.linkButton, (n) => cta({}, { display_text: a(n) })],
  ['teams', 'name of a file', teams.linkButton, (n) => ({ type: 'file', mediaUrl: url, filename: a(n) })],
  ['twitter', 'text', twitter.text, (n) => ({ type: 'text', text: a(n) })],
  ['twitter', 'text with options', twitter.text, (n) => options(a(n - 8), plain)],
];

describe('a limit of a provider', () => {
  it.each(samples)('of %s, %s, is the same to the adapter, the API and the check of canvases: %d', async (channel, _part, max, of) => {
    expect(await verdicts(of(max - 1), channel)).toEqual(all(true));
    expect(await verdicts(of(max), channel)).toEqual(all(true));
    expect(await verdicts(of(max + 1), channel)).toEqual(all(false));
  });

  it.each([
    ['Sign up', true],
    ['1 # * © 2', true],
    ['Sign up 📝', false],
    ['Go ▶\ufe0f', false],
    ['🇵🇪', false],
  ])('of whatsapp, that the button of a form has no emoji, is the same to all three: %s, %s', async (flow_cta, isTaken) => {
    const message = { type: 'flow', title: 't', text: 'x', caption: 'c', parameters: { flow_id: '1', flow_cta } };
    expect(await verdicts(message, 'whatsapp')).toEqual(all(isTaken));
  });

  it('is the same for random messages', () =>
    fc.assert(
      fc.asyncProperty(
        arbitraries.message,
        fc.constantFrom('whatsapp', 'facebook', 'instagram', 'slack', 'teams'),
        async (input, channel) => {
          const { adapter, api, check } = await verdicts(jsonOf(Message.parse(input)), channel);
          // What else a provider refuses, such as a form that nothing names, is no matter of length.
          expect([api, !adapter || check]).toEqual([adapter, true]);
        },
      ),
    ));

  it('decides between the forms of options', () => {
    const three = Array.from({ length: whatsapp.buttons }, (_, index) => ({ title: `${index}` }));
    expect([fitsReplyButtons('x', three), fitsReplyButtons('x', [...three, { title: '9' }])]).toEqual([true, false]);
    expect([fitsReplyButtons(a(whatsapp.body), plain), fitsReplyButtons(a(whatsapp.body + 1), plain)]).toEqual([true, false]);
    expect([whatsapp.buttonTitle, whatsapp.buttonTitle + 1].map((n) => fitsReplyButtons('x', [{ title: a(n) }]))).toEqual([true, false]);
    expect([fitsPageButtons('x', three), fitsPageButtons('x', [...three, { title: '9' }])]).toEqual([true, false]);
    expect([facebook.template, facebook.template + 1].map((n) => fitsPageButtons(a(n), plain))).toEqual([true, false]);
  });
});

interface Published {
  readonly channel: Channel;
  readonly what: string;
  readonly limit: Json;
}

/** What the providers publish, with its sources. */
const { limits: published } = JSON.parse(readFileSync(join(import.meta.dirname, 'limits.json'), 'utf8')) as {
  readonly limits: readonly Published[];
};

const MB = 1_048_576;
const bytes = (channel: Channel, type: 'image' | 'video' | 'audio' | 'file' | 'sticker'): number =>
  channelFacts[channel].media[type]?.maxBytes ?? Number.NaN;

/** Where each published limit is kept. `undefined`: Hilo sends no such thing, or it is no length; the reason stands beside it. */
const kept: { readonly [name: string]: number | undefined } = {
  'whatsapp text.body': whatsapp.text,
  'whatsapp text.preview_url default': undefined, // a default: previews are asked for by name
  'whatsapp interactive button count': whatsapp.buttons,
  'whatsapp button title': whatsapp.buttonTitle,
  'whatsapp button id': whatsapp.buttonId,
  'whatsapp list rows over all sections': 10, // MSG-15
  'whatsapp list sections': undefined, // one section
  'whatsapp section title': undefined, // without a title
  'whatsapp row title': 24, // MSG-16
  'whatsapp row description': 72, // MSG-17
  'whatsapp row id': whatsapp.rowId,
  'whatsapp list button': whatsapp.listButton,
  'whatsapp header text': whatsapp.header,
  'whatsapp footer text': whatsapp.footer,
  'whatsapp body of buttons, cta_url, flow, requests': whatsapp.body,
  'whatsapp body of list': whatsapp.text,
  'whatsapp cta_url display_text': whatsapp.linkButton,
  'whatsapp voice_call display_text': whatsapp.linkButton,
  'whatsapp voice_call ttl_minutes': undefined, // left out
  'whatsapp flow_cta': whatsapp.formButton,
  'whatsapp caption': whatsapp.caption,
  'whatsapp contacts per message': whatsapp.contacts,
  'whatsapp image': bytes('whatsapp', 'image') / MB,
  'whatsapp video': bytes('whatsapp', 'video') / MB,
  'whatsapp audio': bytes('whatsapp', 'audio') / MB,
  'whatsapp document': bytes('whatsapp', 'file') / MB,
  'whatsapp sticker static': bytes('whatsapp', 'sticker') / 1024,
  'whatsapp sticker animated': undefined, // LIM-01 says 100 KB for each sticker
  'whatsapp template header text parameter': whatsapp.templateHeader,
  'whatsapp template body text parameter': whatsapp.templateBody,
  'whatsapp business-scoped id': undefined, // a shape: UID-03
  'whatsapp customer service window': 24, // WIN-01
  'facebook text': facebook.text,
  'facebook quick replies': undefined, // at most 10 (MSG-15)
  'facebook quick reply title': facebook.buttonTitle,
  'facebook quick reply payload': facebook.payload,
  'facebook button template text': facebook.template,
  'facebook buttons per template': facebook.buttons,
  'facebook button title': facebook.buttonTitle,
  'facebook generic elements': undefined, // no generic templates
  'facebook element title, subtitle': undefined,
  'facebook attachment': bytes('facebook', 'file') / MB,
  'facebook standard messaging window': undefined, // the provider's answer decides (WIN-01)
  'facebook HUMAN_AGENT tag': undefined, // for people, not for bots
  'instagram text': instagram.text,
  'instagram quick replies': undefined, // at most 10 (MSG-15)
  'instagram button template text': instagram.template,
  'instagram buttons per template': instagram.buttons,
  'instagram image': bytes('instagram', 'image') / MB,
  'instagram audio, video, pdf': bytes('instagram', 'file') / MB,
  'instagram standard messaging window': undefined,
  'slack section text': slack.section,
  'slack top level text': slack.textAlone,
  'slack blocks': undefined, // a text of 3,000 makes six sections at most
  'slack actions elements': undefined, // at most 10 (MSG-15)
  'slack button text': slack.buttonTitle,
  'slack button value': slack.buttonValue,
  'slack button url': slack.address,
  'slack action_id, block_id': undefined, // ours are short
  'slack static_select options': undefined, // at most 10 (MSG-15)
  'slack option text, description': slack.buttonTitle,
  'slack option value': slack.optionValue,
  'slack header text': slack.header,
  'slack image alt_text, title': slack.altText,
  'slack all blocks together': slack.allBlocks,
  'slack chat.postMessage rate': undefined, // a pace
  'slack signature age': 300,
  'teams message size': undefined, // 80 of the 100 KB: channelLimits.teams.activityBytes
  'teams hero card buttons': teams.heroButtons,
  'teams suggested actions shown': undefined, // cards are used
  'teams Adaptive Card version': undefined, // 1.5
  'teams card actions': undefined, // openUrl and messageBack
  'teams picture': undefined, // Teams makes it smaller itself
  'twitter text': twitter.text,
  'twitter attachments': undefined, // one file a message
  'twitter rate': undefined, // a pace
};

describe('the table of limits', () => {
  it('has a line for each limit that is published', () => {
    expect(published.map(({ channel, what }) => `${channel} ${what}`).toSorted()).toEqual(Object.keys(kept).toSorted());
  });

  it.each(published.map(({ channel, what, limit }) => [`${channel} ${what}`, limit] as const).filter(([name]) => kept[name] !== undefined))(
    '%s is %s',
    (name, limit) => {
      const number = typeof limit === 'string' ? Number(/\d+/.exec(limit)?.[0]) : limit;
      expect(kept[name]).toBe(number);
    },
  );
});
