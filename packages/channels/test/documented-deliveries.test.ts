// Every kind of delivery that a provider documents means what the table says: none is lost, and none is taken for a message that it is not.
import type { Json } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import type { ChannelEvent } from '../src/channel-event.ts';
import { textAt } from '../src/provider-answer.ts';
import { documentedDeliveries } from './documented-deliveries.ts';
import { providers } from './providers.ts';
import { delivery, provider as host } from './stage.ts';

const known = await providers();

/** An event in few words. */
function inWords(event: ChannelEvent): string {
  switch (event.kind) {
    case 'message': {
      const { type, text, payload, replyTo } = event.message;
      const parts = [
        type,
        ...(payload === undefined ? (text === undefined ? [] : [String(text)]) : [`${String(text ?? '')}=${String(payload)}`]),
        ...(replyTo === undefined ? [] : ['replyTo', textAt({ replyTo }, 'replyTo')]),
        ...['referral', 'referredProduct', 'story'].filter((name) => name !== type && event.message[name] !== undefined),
      ];
      return `message ${parts.join(' ')}`;
    }
    case 'notice':
      return `notice ${event.what}`;
    case 'status':
      return ['status', event.status, event.failure?.cause ?? ''].join(' ').trim();
    case 'userIdChanged':
      return `userIdChanged ${event.previousId}>${event.user.id}`;
    case 'consent':
      return `consent ${event.marketing}`;
    case 'reaction':
      return `reaction ${event.emoji ?? 'removed'}`;
    case 'edit':
      return `edit ${event.message === null ? 'deleted' : String(event.message['text'])}`;
  }
}

async function receivedBy(kind: string, body: Json) {
  const found = known.find(({ adapter }) => adapter.kind === kind);
  const about = { companyId: '7', id: 'bot', channel: found?.channel ?? 'custom', userIdFormat: 'open' } as const;
  const connected = found?.adapter.connect(about, found.fields('https://provider.example'));
  if (connected === undefined || 'unfitFields' in connected) throw new Error(`There is no provider "${kind}"`);
  let counts: object = {};
  const received = await connected.receive(delivery(body), { ...host(404, {}).host, noted: (given) => (counts = given) });
  if (received.kind !== 'events') throw new Error(received.message);
  return { ...received, noted: counts };
}

async function toldBy(kind: string, body: Json): Promise<readonly string[]> {
  const { events, noted, leftOut = {}, accountErrors = [], templates = [] } = await receivedBy(kind, body);
  return [
    ...events.map(inWords),
    ...Object.keys(noted).map((what) => `noted ${what}`),
    ...Object.keys(leftOut).map((what) => `leftOut ${what}`),
    ...accountErrors.map(({ code }) => `account ${code}`),
    ...templates.map((change) => ['template', change.what, 'status' in change ? change.status : ''].join(' ').trim()),
  ];
}

it('news of an account says what happened, in the words of the provider', async () => {
  const [row] = (documentedDeliveries['whatsapp-cloud'] ?? []).filter(({ what }) => what.includes('ACCOUNT_RESTRICTION'));
  expect((await receivedBy('whatsapp-cloud', row?.body ?? {})).accountErrors).toEqual([
    {
      code: 'ACCOUNT_RESTRICTION',
      message: 'account_update: event ACCOUNT_RESTRICTION, restriction_type RESTRICTED_BIZ_INITIATED_MESSAGING, expiration 1',
    },
  ]);
});

it('news of an account is as short as a line, whatever is in it', async () => {
  const wide = { event: 'ACCOUNT_VIOLATION', list: Array.from({ length: 300_000 }, () => 1), words: 'x'.repeat(10_000) };
  const body = { entry: [{ id: '10', changes: [{ field: 'account_update', value: wide }] }] };
  const { accountErrors = [] } = await receivedBy('whatsapp-cloud', body);
  expect(accountErrors.map(({ code, message }) => [code, message.length])).toEqual([['ACCOUNT_VIOLATION', 500]]);
});

it('a press on a card of Teams is answered in the form that Teams waits for, and other activities are not', async () => {
  const answers: unknown[] = [];
  for (const { what, body } of documentedDeliveries['teams'] ?? [])
    if (/^(?:adaptiveCard\/action|task\/fetch|message)$/.test(what)) answers.push([what, (await receivedBy('teams', body)).answer]);
  const taken = { json: { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' } };
  expect(answers).toEqual([
    ['message', undefined],
    ['task/fetch', undefined],
    ['adaptiveCard/action', taken],
  ]);
});

describe.each(Object.entries(documentedDeliveries))('by %s', (kind, deliveries) => {
  it.each(deliveries)('$what is what it is', async ({ body, told }) => {
    expect(await toldBy(kind, body)).toEqual(told);
  });
});
