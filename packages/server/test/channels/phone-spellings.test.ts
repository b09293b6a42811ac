// One person under two spellings of a phone number, through the service over SQLite.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { type ChannelsStage, channelsStage, type Line } from './stage.ts';

describe('a phone number with two spellings', () => {
  let stage: ChannelsStage;
  let line: Line;
  beforeAll(async () => {
    stage = await channelsStage();
    line = stage.line('whatsapp-cloud');
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  let count = 0;
  const write = (from: string, body: string) => {
    count += 1;
    const message = {
      from,
      id: `in-${count}`,
      timestamp: String(Math.floor(stage.rest.clock.now() / 1_000)),
      type: 'text',
      text: { body },
    };
    const value = { metadata: { display_phone_number: '1', phone_number_id: '1065' }, messages: [message] };
    return line.deliver({ entry: [{ changes: [{ field: 'messages', value }] }] });
  };
  /** Starts the workflow that asks for the number of an order. */
  const ask = (userId: string, botId = line.botId) => {
    const origin = { companyId: '1', botId, userId, channel: 'whatsapp', route: 'production' } as const;
    return stage.rest.service.engine.startWorkflow({ origin, workflowId: 'order-status', inputs: {} });
  };
  /** Writes what begins the same workflow, which opens the window. */
  const greet = async (from: string) => {
    const before = texts().length;
    await write(from, 'hello there');
    await sent(before + 1);
  };
  const texts = () =>
    line.double.sent().map(({ body }) => JSON.parse(body) as { readonly to: string; readonly text: { readonly body: string } });
  /** The number of messages that reached the provider; virtual time passes, since it takes only so many in a second. */
  const sent = (number: number) =>
    expect
      .poll(() => {
        stage.rest.clock.advanceBy(100);
        return texts().length;
      })
      .toBe(number);
  const messagesOf = async (userId: string, botId = line.botId) =>
    (await stage.rest.service.messages.list('1', botId, { userId, limit: 100 })).results.map(({ direction, message }) => [
      direction,
      message['text'],
    ]);

  it.each([
    ['5215512345678', '525512345678'],
    ['551188887777', '5511988887777'],
    ['5491112345678', '541112345678'],
    ['5491112345679', '54111512345679'],
  ])('is one person: %s wrote, and is asked as %s (UID-07)', async (wrote, named) => {
    const before = texts().length;
    await greet(wrote);
    await ask(named);
    await sent(before + 2);
    await write(wrote, '1234');
    await sent(before + 3);
    expect(texts().slice(before + 1)).toMatchObject([
      { to: wrote, text: { body: expect.stringContaining('order number') as unknown } },
      { to: wrote, text: { body: expect.stringContaining('Order 1234') as unknown } },
    ]);
    expect(await messagesOf(named)).toEqual(await messagesOf(wrote));
    expect(await messagesOf(named)).toHaveLength(5);
    expect((await stage.rest.send({ type: 'text', userId: named, text: 'Anything else?' }, line.botId)).status).toBe(200);
    await sent(before + 4);
  });

  it('keeps both as identities, and puts the merge on record, once', async () => {
    const [wrote, named] = ['5215500001111', '525500001111'];
    const management = createManagement(stage.rest.service);
    const get = async (path: string) => (await management.request(path)).json() as Promise<{ readonly [field: string]: unknown }>;
    const merges = async () => (await get('/audit?companyId=1&action=mergeContact'))['results'] as readonly object[];
    const before = (await merges()).length;
    await greet(wrote);
    expect(await merges()).toHaveLength(before);
    for (let times = 0; times < 2; times += 1) await greet(named);
    const { id, identities } = await get(`/companies/1/contacts/phone:${named}`);
    expect((await get(`/companies/1/contacts/phone:${wrote}`))['id']).toBe(id);
    const phones = [wrote, named].map((value) => expect.objectContaining({ kind: 'phone', value }) as object);
    expect(identities).toEqual(expect.arrayContaining(phones));
    expect((await merges()).slice(0, -before || undefined)).toMatchObject([
      { actor: 'provider whatsapp-cloud', via: 'provider', object: { kind: 'contact', id }, outcome: '200' },
    ]);
  });

  it.each([
    ['5215587654321', '525587654321'],
    ['551177776666', '5511977776666'],
    ['5491187654321', '541187654321'],
  ])('continues for %s what was begun for %s, who had never written (UID-07)', async (writes, named) => {
    const bot = 'bot_free';
    await ask(named, bot);
    await expect.poll(() => messagesOf(named, bot)).toHaveLength(1);
    const given = {
      companyId: '1',
      botId: bot,
      eventId: writes,
      user: { id: writes },
      message: { id: writes, type: 'text', text: '1234' },
    };
    expect(await stage.rest.service.engine.receiveMessage(given)).toEqual({ outcome: 'resumed' });
    await expect.poll(() => messagesOf(writes, bot)).toHaveLength(3);
    expect(await messagesOf(named, bot)).toEqual(await messagesOf(writes, bot));
  });

  it('is linked by what the provider answers, whatever the country', async () => {
    const [named, spelled] = ['3228111222', '3228111333'];
    await greet(named);
    line.double.meet({
      status: 200,
      body: { messaging_product: 'whatsapp', contacts: [{ input: named, wa_id: spelled }], messages: [{ id: 'wamid.linked' }] },
      kind: 'refused',
      cause: '',
    });
    const before = texts().length;
    await ask(named);
    await expect.poll(async () => (await stage.rest.service.store.executions.contact('1', line.botId, [spelled]))?.userId).toBe(named);
    line.double.meet('accepts');
    await write(spelled, '1234');
    await sent(before + 2);
    expect(texts().at(-1)).toMatchObject({ to: spelled, text: { body: expect.stringContaining('Order 1234') as unknown } });
    const management = createManagement(stage.rest.service);
    const get = async (path: string) => (await management.request(path)).json() as Promise<{ readonly [field: string]: unknown }>;
    const { id } = await get(`/companies/1/contacts/phone:${spelled}`);
    const { results } = await get(`/audit?companyId=1&action=mergeContact&object=contact:${String(id)}`);
    expect(results).toMatchObject([{ actor: 'provider whatsapp-cloud', via: 'provider', outcome: '200' }]);
  });

  it('learns nothing from an answer about another number', async () => {
    const named = '3228444555';
    await greet(named);
    const before = texts().length;
    await ask(named); // the double answers for number 521
    await sent(before + 1);
    await write(named, '1234');
    await sent(before + 2);
    expect(await stage.rest.service.store.executions.contact('1', line.botId, ['521'])).toBeUndefined();
  });
});
