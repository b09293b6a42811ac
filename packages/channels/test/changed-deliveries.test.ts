import { describe, expect, it } from 'vitest';
import type { ConnectedChannel } from '../src/channel-adapter.ts';
import type { ChannelEvent, ChannelUser } from '../src/channel-event.ts';
import { samples } from './delivery-samples.ts';
import { changes } from './json-changes.ts';
import { type Provider, providers } from './providers.ts';
import { delivery, outbound, provider } from './stage.ts';

/** What is wrong with an event, for the service that takes it. */
function* problemsOf(event: ChannelEvent): Generator<string> {
  const isName = (text: unknown): boolean => typeof text === 'string' && text !== '';
  const userProblem = ({ id, phone = null, bsuid = null, names = null }: ChannelUser): string =>
    isName(id) && [phone, bsuid, names].every((text) => text === null || isName(text)) ? '' : 'user';
  if (!isName(event.eventId)) yield 'eventId';
  if (!Number.isSafeInteger(event.atMs) || event.atMs < 0 || event.atMs > 8.64e15) yield `atMs ${event.atMs}`;
  if ('user' in event && userProblem(event.user)) yield 'user';
  if (event.kind === 'message' && (!isName(event.message.id) || !isName(event.message.type))) yield 'message';
  if (event.kind === 'status' && 'providerMessageId' in event.of && !isName(event.of.providerMessageId)) yield 'of';
  if ((event.kind === 'reaction' || event.kind === 'edit') && !isName(event.providerMessageId)) yield 'providerMessageId';
  if (event.kind === 'userIdChanged' && !isName(event.previousId)) yield 'previousId';
  if (JSON.stringify(JSON.parse(JSON.stringify(event))) !== JSON.stringify(event)) yield 'no JSON';
}

const known = await providers();

function connectedTo(kind: string): { readonly connected: ConnectedChannel; readonly provider: Provider } {
  const found = known.find(({ adapter }) => adapter.kind === kind);
  if (found === undefined) throw new Error(`There is no provider "${kind}"`);
  const { adapter, channel, fields } = found;
  const connected = adapter.connect({ companyId: '1', id: 'bot', channel, userIdFormat: 'open' }, fields('https://provider.example'));
  if ('unfitFields' in connected) throw new Error(connected.unfitFields.join());
  return { connected, provider: found };
}

/** What names an event and its user, and what it is inside of: without these there is no event to keep. */
const naming: { readonly [kind: string]: RegExp } = {
  'whatsapp-cloud':
    /^(?:\.entry(?:\.\d+(?:\.changes(?:\.\d+(?:\.value(?:\.(?:metadata(?:\.phone_number_id)?|(?:messages|statuses|user_id_update)(?:\.\d+(?:\.(?:id|from|from_user_id|status|system(?:\.wa_id)?|reaction(?:\.message_id)?|user_id(?:\.(?:previous|current))?))?)?))?)?)?)?)?)?$/,
  messenger:
    /^(?:\.entry(?:\.\d+(?:\.id|\.messaging(?:\.\d+(?:\.(?:sender(?:\.id)?|(?:message|postback|reaction|message_edit|read|delivery)(?:\.(?:mid|metadata|mids(?:\.\d+)?|attachments(?:\.\d+)?))?|message_edit\.text))?)?)?)?)?$/,
  slack:
    /^(?:\.type|\.event(?:\.(?:channel|type|user|ts|subtype|deleted_ts|(?:message|previous_message|item)(?:\.(?:user|ts|channel))?))?)?$/,
  teams:
    /^(?:\.(?:type|id|serviceUrl|name|(?:from|conversation)(?:\.id)?|value(?:\.lastReadMessageId)?|reactions(?:Added|Removed)(?:\.\d+)?))?$/,
  x: /^(?:\.for_user_id|\.direct_message_(?:events|mark_read_events)(?:\.\d+(?:\.(?:type|id|last_read_event_id|message_create(?:\.sender_id)?))?)?)?$/,
};

describe.each(Object.entries(samples))('a delivery of %s with any part of it replaced', (kind, bodies) => {
  it('loses no event that still has a name and a user, and tells of none that the service could not keep', async () => {
    const { connected } = connectedTo(kind);
    const found = new Set<string>();
    for (const body of bodies) {
      const { host } = provider(404, {});
      const whole = await connected.receive(delivery(body), host);
      const count = whole.kind === 'events' ? whole.events.length : 0;
      for (const { path, value = null } of changes(body)) {
        const received = await connected.receive(delivery(value), host);
        const events = received.kind === 'events' ? received.events : [];
        if (events.length < count && naming[kind === 'instagram' ? 'messenger' : kind]?.test(path) !== true)
          found.add(`${path}: an event is lost`);
        for (const event of events) for (const problem of problemsOf(event)) found.add(`${path}: ${event.kind}, ${problem}`);
      }
    }
    expect([...found]).toEqual([]);
  });
});

describe.each([...Object.keys(samples), 'custom'])('an answer of %s with any part of it replaced', (kind) => {
  it('is a result with a cause: sent only where the answer names the message', async () => {
    const { connected, provider: of } = connectedTo(kind);
    const answers = [of.plan.accepted, ...of.failures.slice(0, 3).map(({ body }) => body)];
    const address = JSON.stringify({ serviceUrl: 'https://smba.example/emea/', conversationId: 'a:1' });
    const recipient = { id: of.userId, ...(kind === 'teams' && { address }) };
    const found = new Set<string>();
    for (const answer of answers)
      for (const { path, value = null } of changes(answer))
        for (const status of [200, 202, 204, 302, 400, 401, 404, 429, 500, 503]) {
          const result = await connected.send(outbound({ type: 'text', text: 'Hi' }, { recipient }), provider(status, value).host);
          const isTold = result.kind === 'sent' || (/^[A-Z_]+$/.test(result.cause) && result.message !== '');
          if (!isTold || /TypeError|RangeError|URIError|undefined|\[object/.test(JSON.stringify(result)))
            found.add(`${status} ${path}: ${JSON.stringify(result)}`);
          if (result.kind === 'sent' && status >= 300) found.add(`${status} ${path}: sent`);
        }
    expect([...found].slice(0, 10)).toEqual([]);
  });
});
