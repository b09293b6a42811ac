// Parts of deliveries that no message can be made of: each is counted by what it lacks, and the rest is taken.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { providers } from './providers.ts';
import { delivery, provider as host } from './stage.ts';

const known = await providers();
const url = 'https://provider.example';

async function receivedBy(kind: string, body: Json) {
  const provider = known.find(({ adapter }) => adapter.kind === kind);
  const connected = provider?.adapter.connect(
    { companyId: '7', id: 'bot', channel: provider.channel, userIdFormat: 'open' },
    provider.fields(url),
  );
  if (connected === undefined || 'unfitFields' in connected) throw new Error(`There is a provider "${kind}"`);
  return connected.receive(delivery(body), host(404, {}).host);
}

/** A user's text as the provider delivers it, with a part of its JSON replaced. */
function changed(kind: string, found: string, replacement: string): Json {
  const provider = known.find(({ adapter }) => adapter.kind === kind);
  const text = JSON.stringify(provider?.textOf('Hello', 'in-1', url));
  const given = text.replace(found, replacement);
  if (given === text) throw new Error(`${found} is not in ${text}`);
  return JSON.parse(given) as Json;
}

describe('a delivery', () => {
  it.each([
    ['whatsapp-cloud', '"id":"in-1"', '"id":""', 'message without an id'],
    ['whatsapp-cloud', '"from":"5215512345678",', '', 'message without a user'],
    ['whatsapp-cloud', '"phone_number_id":"1065"', '"phone_number_id":"1066"', 'message to another phone number id'],
    ['whatsapp-cloud', '"metadata":{', '"meta":{', 'message to another phone number id'],
    ['whatsapp-cloud', '"type":"text"', '"type":"reaction"', 'reaction without its message'],
    ['whatsapp-cloud', '"type":"text"', '"type":"revoke"', 'deletion without the id of its message'],
    ['whatsapp-cloud', '"type":"text"', '"type":"edit"', 'edit without the id of its message'],
    ['whatsapp-cloud', '"type":"text"', '"type":"edit","edit":{"original_message_id":"wamid.1"}', 'edit without its content'],
    [
      'whatsapp-cloud',
      '"messages":[{"from":"5215512345678","id":"in-1"',
      '"statuses":[{"status":"sent"',
      'status without the id of its message',
    ],
    ['whatsapp-cloud', '"messages":[', '"user_id_update":[', 'change of a user id without both ids'],
    ['whatsapp-cloud', '"messages":[{', '"messages":[null],"sent":[{', 'message that is no object'],
    ['whatsapp-cloud', '"messages":[{', '"statuses":["read"],"sent":[{', 'status that is no object'],
    ['whatsapp-cloud', '"messages":[{', '"user_id_update":[[]],"sent":[{', 'change that is no object'],
    ['messenger', '"messaging":[{', '"messaging":[null],"sent":[{', 'event that is no object'],
    ['x', '"direct_message_events":[{', '"direct_message_events":[7],"sent":[{', 'message that is no object'],
    ['messenger', '"mid":"in-1",', '', 'message without an id'],
    ['instagram', '"sender":{"id":"24"},', '', 'event without a user'],
    ['messenger', '"id":"10154","messaging"', '"id":"10155","messaging"', 'event of another page'],
    ['messenger', '"message":{"mid":"in-1",', '"reaction":{', 'reaction without its message'],
    ['instagram', '"message":{"mid":"in-1",', '"message_edit":{', 'edit without the id of its message'],
    ['slack', '"user":"U1",', '', 'message without a user'],
    ['slack', '"ts":"1.000200",', '', 'message without an id'],
    ['slack', '"channel":"D1",', '', 'message without its conversation'],
    ['slack', '"type":"message"', '"type":"reaction_added"', 'reaction without its message'],
    ['teams', '"id":"29:ana",', '', 'message without a user'],
    ['teams', '"id":"in-1",', '', 'message without its ids'],
    ['teams', '"conversation":{"id":"a:1"},', '', 'message without its ids'],
    ['x', '"id":"in-1",', '', 'message without an id'],
    ['x', '"sender_id":"99",', '', 'message without a user'],
  ])('of %s with %s as %s counts a %s', async (kind, found, replacement, what) => {
    const named = /"(?:phone_number_id|id)":"(\d{4,5})"/.exec(what.includes('another p') ? replacement : '');
    const elsewhere = named === null ? {} : { elsewhere: { [named[1] ?? '']: { [what]: 1 } } };
    expect(await receivedBy(kind, changed(kind, found, replacement))).toEqual({
      kind: 'events',
      events: [],
      leftOut: { [what]: 1 },
      ...elsewhere,
    });
  });

  it.each(known.filter(({ adapter }) => adapter.kind !== 'web'))(
    'of $adapter.kind leaves nothing out of a message',
    async ({ adapter, textOf }) => {
      const received = await receivedBy(adapter.kind, textOf('Hello', 'in-1', url));
      expect(received).toMatchObject({ kind: 'events', events: [{ kind: 'message' }] });
      expect(received).not.toHaveProperty('leftOut');
    },
  );

  it.each<[string, JsonObject]>([
    ['slack', { type: 'event_callback', event: { type: 'message', subtype: 'bot_message', channel: 'D1', bot_id: 'B1', ts: '1.2' } }],
    ['slack', { type: 'event_callback', event: { type: 'message', subtype: 'channel_join', channel: 'D1' } }],
    ['teams', { type: 'conversationUpdate', serviceUrl: url }],
    ['teams', { type: 'typing' }],
    ['x', { for_user_id: '1', direct_message_events: [{ type: 'message_create', message_create: { sender_id: '1' } }] }],
    ['whatsapp-cloud', { entry: [{ changes: [{ field: 'account_update', value: { event: 'VERIFIED_ACCOUNT' } }] }] }],
  ])('of %s that concerns no user leaves nothing out', async (kind, body) => {
    expect(await receivedBy(kind, body)).toEqual({ kind: 'events', events: [] });
  });

  it('keeps the rest of its events in their order, and counts each reason', async () => {
    const body = changed('whatsapp-cloud', '"messages":[{', '"messages":[{"from":"521","type":"text"},{},{"from":"521"},{');
    expect(await receivedBy('whatsapp-cloud', body)).toMatchObject({
      events: [{ eventId: 'in-1' }],
      leftOut: { 'message without an id': 3 },
    });
  });
});
