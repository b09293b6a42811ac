// Deliveries as the providers make them: those of WhatsApp are its published examples.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';

const page = (item: JsonObject): JsonObject => ({
  entry: [{ id: '10154', messaging: [{ sender: { id: '24' }, recipient: { id: '10154' }, timestamp: 1_750_000_000_000, ...item }] }],
});
const file = (type: string): JsonObject => ({
  type,
  payload: { url: 'https://scontent.xx.fbcdn.net/1', coordinates: { lat: 1.5, long: 2 } },
});
const pages = [
  { message: { mid: 'm1', text: 'Hi', reply_to: { mid: 'm0' }, quick_reply: { payload: 'YES' } } },
  { message: { mid: 'm1', text: 'See', attachments: [file('image'), file('location'), file('share')] } },
  { message: { mid: 'm1', is_deleted: true } },
  { message: { mid: 'm1', is_echo: true, metadata: 'key-1' } },
  { postback: { mid: 'm2', title: 'Yes', payload: 'YES' } },
  { reaction: { mid: 'm6', action: 'react', emoji: '😮' } },
  { message_edit: { mid: 'm7', text: 'Hello', num_edit: 1 } },
  { delivery: { mids: ['a', 'b'], watermark: 1 } },
  { read: { mid: 'a' } },
].map(page);

const slackEvent = (event: JsonObject): JsonObject => ({
  type: 'event_callback',
  event_id: 'Ev1',
  authorizations: [{ user_id: 'UBOT', is_bot: true }],
  event: { channel: 'D1', ...event },
});
const slackText = { type: 'message', user: 'U1', ts: '1503435956.000247', thread_ts: '1.2', text: '<@UBOT> Hi' };
const slack = [
  slackText,
  {
    ...slackText,
    subtype: 'file_share',
    files: [{ id: 'F1', mimetype: 'image/png', name: 'a.png', size: 5, url_private: 'https://files.slack.com/1' }],
  },
  { type: 'message', subtype: 'message_changed', event_ts: '9.1', message: { ...slackText, text: 'new' }, previous_message: slackText },
  { type: 'message', subtype: 'message_deleted', event_ts: '9.1', deleted_ts: '1503435956.000247', previous_message: slackText },
  { type: 'reaction_added', user: 'U1', reaction: 'thumbsup', item: { type: 'message', channel: 'D1', ts: '5.1' }, event_ts: '6.1' },
].map(slackEvent);

const activity = {
  type: 'message',
  id: '17',
  timestamp: '2026-02-01T10:00:00Z',
  serviceUrl: 'https://smba.example/emea/',
  from: { id: '29:1', name: 'Ana' },
  conversation: { id: 'a:1' },
  recipient: { id: '28:bot' },
};
const teams = [
  { text: '<at>Bot</at> order', entities: [{ type: 'mention', text: '<at>Bot</at>', mentioned: { id: '28:bot' } }], replyToId: '16' },
  { text: 'Yes', value: { payload: 'YES' } },
  { text: 'See', attachments: [{ contentType: 'image/png', contentUrl: 'https://smba.example/1' }] },
  {
    attachments: [
      {
        contentType: 'application/vnd.microsoft.teams.file.download.info',
        name: 'b.pdf',
        content: { downloadUrl: 'https://files.example/2' },
      },
    ],
  },
  { type: 'messageUpdate', text: 'new' },
  { type: 'messageDelete' },
  { type: 'messageReaction', replyToId: '9', reactionsAdded: [{ type: 'like' }], reactionsRemoved: [{ type: 'sad' }] },
  { type: 'event', name: 'application/vnd.microsoft.readReceipt', value: { lastReadMessageId: '9' } },
  { type: 'invoke', name: 'x', value: {} },
].map((fields): JsonObject => ({ ...activity, ...fields }));

const direct = (data: JsonObject): JsonObject => ({
  for_user_id: '1',
  users: { '99': { id: '99', name: 'Ana' } },
  direct_message_events: [
    {
      type: 'message_create',
      id: '954',
      created_timestamp: '1516403560557',
      message_create: { target: { recipient_id: '1' }, sender_id: '99', message_data: data },
    },
  ],
});
const media = { id_str: '7', type: 'video', media_url_https: 'https://pbs.twimg.com/1.jpg', url: 'https://t.co/x' };
const variant = { content_type: 'video/mp4', bitrate: 5, url: 'https://video.twimg.com/1.mp4' };
const x = [
  direct({ text: 'a &amp; b', quick_reply_response: { type: 'options', metadata: 'B' } }),
  direct({ text: 'See https://t.co/x', attachment: { type: 'media', media: { ...media, video_info: { variants: [variant, variant] } } } }),
  direct({ attachment: { type: 'location', location: { shared_coordinate: { coordinates: { coordinates: [-99.1, 19.4] } } } } }),
  { for_user_id: '1', direct_message_mark_read_events: [{ sender_id: '99', last_read_event_id: '1346', created_timestamp: '5' }] },
];

const published = join(import.meta.dirname, 'examples/whatsapp.webhook/valid');
const whatsapp = readdirSync(published).map((name) => {
  const body = JSON.parse(readFileSync(join(published, name), 'utf8')) as JsonObject;
  // All are of the number of the bot.
  return JSON.parse(JSON.stringify(body).replaceAll(/"phone_number_id":"[^"]*"/g, '"phone_number_id":"1065"')) as JsonObject;
});

/** By kind of provider. */
export const samples: { readonly [kind: string]: readonly JsonObject[] } = {
  'whatsapp-cloud': whatsapp,
  messenger: pages,
  instagram: pages,
  slack,
  teams,
  x,
};
