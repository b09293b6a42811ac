// People who never wrote, and of whom something is kept all the same: each is a contact, who is found, exported and erased.
import { expect, it } from 'vitest';
import { takeEvent } from '../../src/channels/channels.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { createApp } from '../../src/service/app.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { asking, companyOf, endOf, findTexts, textOf } from './erasure-stage.ts';

type Ask = ReturnType<typeof asking>;

const echo = (service: RunningService, id: string) => {
  const bot = service.companies.botOf('1', 'bot_wa');
  if (bot === undefined) throw new Error('The bot is missing');
  const message = { type: 'text', text: 'Hi', id: `echo-${id}`, isEcho: true };
  return takeEvent(service, bot, {
    kind: 'notice',
    what: 'echo',
    isToUser: true,
    isByPerson: true,
    eventId: `echo-${id}`,
    user: { id },
    message,
    atMs: service.clock.now(),
  });
};
const promo = { name: 'Spring', botId: 'bot_wa', templateId: 'promo', parameters: { '1': 'you' } };
const campaign = (ask: Ask, more: object) => ask('POST', '/companies/1/campaigns', { ...promo, ...more });
const start = (ask: Ask, id: string, more: object = {}) =>
  ask('POST', '/companies/1/starts', { workflowId: 'talking', botId: 'bot_wa', user: { id }, ...more });

/** What a company does first, to somebody with a number of its own. */
const deeds: { readonly [name: string]: (service: RunningService, ask: Ask, id: string) => Promise<unknown> } = {
  'an execution is started for them': (_service, ask, id) => start(ask, id),
  'an execution is to be started for them later': (_service, ask, id) => start(ask, id, { at: '2026-12-31T00:00:00Z' }),
  'they are an audience': (_service, ask, id) => campaign(ask, { audience: { users: [id] } }),
  'they are an audience by their number': (_service, ask, id) => campaign(ask, { audience: { users: [`phone:${id}`] } }),
  'they are in the CSV of a campaign': (_service, ask, id) => campaign(ask, { audience: { csv: `phone,code\n${id},A` } }),
  'they are added to a campaign': async (_service, ask, id) => {
    const scheduledAt = '2036-01-01T00:00:00Z';
    const { body } = await campaign(ask, { scheduledAt, audience: { users: ['51999000999'] } });
    return ask('POST', `/companies/1/campaigns/${textOf(body, 'id')}/recipients`, { audience: { users: [id] }, parameters: { '1': 'x' } });
  },
  'a program sends them a message': (service, _ask, id) =>
    Promise.resolve(
      createApp(service).request('/v1/bots/bot_web/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Basic ${Buffer.from('acme:secret-of-acme').toString('base64')}` },
        body: JSON.stringify({ userId: id, type: 'text', text: 'Hi' }),
      }),
    ),
  'a person writes to them in the app': (service, _ask, id) => echo(service, id),
};

/** What a workspace brings, of people whom it does not list. */
const brought = ['they are in a campaign of a workspace', 'they have a room in a workspace', 'they had a conversation before'] as const;
const [recipient, roomed, spoken] = brought.map((_, place) => String(51_944_000_500 + place));
const scheduled = {
  id: 'camp',
  name: 'Camp',
  botId: 'bot_wa',
  templateId: 'promo',
  elementName: 'promo',
  status: 'SCHEDULED',
  scheduledAt: '2036-01-10T00:00:00Z',
  createdAt: '2026-01-10T00:00:00Z',
  recipients: [{ userId: recipient, parameters: { '1': 'you' } }],
};
const room = { id: 'room_0', botId: 'bot_wa', userId: roomed, tags: [] };
const conversation = {
  _id: 'case_0',
  botId: 'bot_wa',
  userId: spoken,
  operatorId: 7,
  state: 'resolved',
  endedReason: 'done',
  startAt: '2026-01-12T00:00:00Z',
  endAt: '2026-01-12T01:00:00Z',
};

const numberOf = (place: number): string => String(51_944_000_001 + place);

async function withDeeds(
  takeover: string | undefined,
  test: (service: RunningService, ask: Ask, place: Place) => Promise<void>,
  place: Place,
) {
  const service = await place.open();
  const company = companyOf([], { ...(takeover !== undefined && { takeover }) });
  const moved = { ...company, campaigns: [scheduled], rooms: [room], conversations: [conversation] };
  await service.importWorkspace({ workspace: { companies: [moved] } });
  const ask = asking(service);
  for (const [number, deed] of Object.values(deeds).entries()) await deed(service, ask, numberOf(number));
  await service.engine.whenIdle();
  await test(service, ask, place);
}

for (const takeover of [undefined, 'PT30M'])
  it(
    `are contacts of a company ${takeover === undefined ? 'whose bots are never taken over' : 'whose bots are'}, once, and are erased`,
    withPlace((place) =>
      withDeeds(
        takeover,
        async (service, ask) => {
          const names = [...Object.keys(deeds), ...brought];
          const numbers = [...Object.keys(deeds).map((_, number) => numberOf(number)), recipient, roomed, spoken].map(String);
          const found = await Promise.all(numbers.map((number) => ask('GET', `/companies/1/contacts/phone:${number}`)));
          expect(names.filter((_, number) => found[number]?.status !== 200)).toEqual([]);
          // The bot by which something is kept of them names them, and so says who was written to when.
          const byBot = await Promise.all(numbers.map((number) => ask('GET', `/companies/1/contacts/bot_wa:${number}`)));
          expect(byBot.map(({ body }) => body['id'])).toEqual(found.map(({ body }) => body['id']));
          const toldOf = names.filter((_, number) => typeof found[number]?.body['lastOutboundAt'] === 'string');
          expect(toldOf).toContain(takeover === undefined ? 'a program sends them a message' : 'a person writes to them in the app');
          const listed = await ask('GET', '/companies/1/contacts?limit=100&query=51944');
          expect((listed.body['results'] as readonly unknown[]).length).toBe(names.length);
          expect(await service.exportWorkspace()).toMatchObject({ companies: [{ users: [] }] }); // nobody has given them
          if (takeover !== undefined) return;
          const erased = numbers.slice(-3); // whom no bot has as a contact: of the others erasure.test.ts tells
          const asked = await Promise.all(erased.map((number) => ask('DELETE', `/companies/1/contacts/phone:${number}`)));
          for (const { body } of asked)
            expect(await endOf(service, place, textOf(body, 'jobId'))).toMatchObject({ status: 'done', failure: null });
          expect(findTexts(place.directory, erased)).toEqual([]);
        },
        place,
      ),
    ),
  );

it(
  'are who they were, where the bot knows them by another id: no second contact takes their number',
  withPlace(async ({ open }) => {
    const service = await open();
    await service.importWorkspace({ workspace: { companies: [companyOf([])] } });
    const ask = asking(service);
    const people = [
      { id: 'PE.Ana12345', phone: '51944000001' },
      { id: 'PE.Eva12345', phone: '5215512345678' },
    ];
    for (const [number, { id, phone }] of people.entries())
      await service.engine.receiveMessage({
        companyId: '1',
        botId: 'bot_wa',
        eventId: `event-${number}`,
        user: { id, phone },
        message: { id: `message-${number}`, type: 'text', text: 'hi' },
      });
    const before = await ask('GET', '/companies/1/contacts?limit=100');
    for (const phone of ['51944000001', '5215512345678', '525512345678']) {
      for (const name of [
        'they are in the CSV of a campaign',
        'an execution is to be started for them later',
        'a person writes to them in the app',
      ])
        await deeds[name]?.(service, ask, phone);
      const room = { id: `room_${phone}`, botId: 'bot_wa', userId: phone, tags: [] };
      await service.importWorkspace({ workspace: { companies: [{ ...companyOf([]), rooms: [room] }] } });
    }
    const after = await ask('GET', '/companies/1/contacts?limit=100');
    const idsOf = ({ body }: typeof after): unknown => (body['results'] as readonly { readonly id: string }[]).map(({ id }) => id);
    expect(idsOf(after)).toEqual(idsOf(before));
    expect((await ask('GET', '/companies/1/contacts/phone:525512345678')).body['id']).toBe(
      (await ask('GET', '/companies/1/contacts/bsuid:PE.Eva12345')).body['id'],
    );
  }),
);
