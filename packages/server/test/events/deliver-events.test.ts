// Deliveries: signed as receivers verify them, at least once, in their order for each person, tried for three days, each subscriber apart.
import { DriverError } from '@hilo/drivers';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { call } from '@hilo/stores';
import { replaySince } from '../../src/events/sql.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { pruneEvents } from '../../src/events/prune-events.ts';
import { covers, eventNames, explainPattern } from '../../src/platform/events/event-types.ts';
import { explainSecret, signDelivery } from '../../src/platform/events/webhook-signature.ts';
import { secret, stage, subscription } from './stage.ts';

const dayMs = 86_400_000;
const age = statement<{ readonly sinceMs: number }>()((db, { sinceMs }) => db.updateTable('event_deliveries').set({ since_ms: sinceMs }));
const numbersOf = (heard: readonly { readonly data: { readonly [name: string]: unknown } }[]) =>
  heard.map(({ data }) => Number((data['changed'] as readonly string[])[0]));

describe('a delivery', () => {
  it('is signed so that the library of Standard Webhooks takes it, and nothing that was changed', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 16, max: 64 }), (text, size) => {
        const key = `whsec_${Buffer.alloc(size, 7).toString('base64')}`;
        const body = JSON.stringify({ text });
        const headers = signDelivery(key, 'evt_1', Date.now(), body); // the library takes the time of its own clock, within five minutes
        expect(new Webhook(key).verify(body, headers)).toEqual({ text });
        expect(() => new Webhook(key).verify(`${body} `, headers)).toThrow('No matching signature found');
      }),
      { numRuns: 20 },
    ));

  it('has the type, the instant and the data of what happened', async () => {
    await using at = await stage();
    await at.process().start();
    await at.tell('51999000111', 1);
    await at.settle(100);
    expect(at.heard.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        type: 'contact.updated',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
        data: { userId: '51999000111', changed: ['1'] },
      },
    ]);
    expect(at.heard[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^evt_/) as unknown,
    });
  });

  it('comes at least once and in order for each person, whatever the subscriber answers', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('ana', 'bob', 'eva'), { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.constantFrom(200, 200, 200, 204, 301, 400, 500, 0)),
        async (people, answers) => {
          await using at = await stage();
          let isOver = false;
          at.answer = () => {
            const status = isOver ? 200 : Number(answers.next().value);
            return status === 0 ? new DriverError('TIMEOUT', 'no answer') : { status, afterMs: status === 204 ? 700 : 0 };
          };
          await at.process().start();
          for (const [number, person] of people.entries()) {
            await at.tell(person, number);
            await at.settle(number % 3 === 0 ? 2_000 : 0);
          }
          await at.settle(60_000);
          isOver = true;
          await at.settle(600_000);
          expect((await at.rows()).map(({ state }) => state)).toEqual(people.map(() => 'delivered'));
          for (const person of new Set(people)) {
            const mine = people.flatMap((one, number) => (one === person ? [number] : []));
            const heard = numbersOf(at.heard.filter(({ data }) => data['userId'] === person));
            expect([...new Set(heard)]).toEqual(mine);
            expect(heard).toEqual(heard.toSorted((left, right) => left - right)); // a later one never before an earlier one was taken
          }
        },
      ),
      { numRuns: 6 },
    ));

  it('is tried for three days with growing breaks, then parked, and goes again when it is replayed', async () => {
    await using at = await stage();
    at.answer = () => ({ status: 503, body: 'down' });
    await at.process().start();
    await at.tell('ana', 1);
    await at.settle(600_000);
    expect(await at.rows()).toMatchObject([{ state: 'pending', attempts: at.heard.length }]);
    const gaps = at.heard.slice(1).map(({ atMs }, index) => atMs - (at.heard[index]?.atMs ?? 0));
    expect(gaps[0]).toBeLessThan(20_000);
    expect(gaps.at(-1)).toBeGreaterThan(60_000);
    await at.store.runner.write([call(age, { sinceMs: at.clock.now() - 3 * dayMs + 60_000 })]);
    await at.settle(59_000);
    expect((await at.rows())[0]?.state).toBe('pending');
    await at.settle(1_300_000);
    expect((await at.rows())[0]?.state).toBe('parked');
    const tries = at.heard.length;
    await at.settle(600_000);
    expect(at.heard).toHaveLength(tries);
    at.answer = () => ({ status: 200 });
    const replaying = replaySince.map((each) => each({ companyId: '1', subscriptionId: '', fromMs: 0, nowMs: at.clock.now() }));
    const { rowsOf } = await at.store.runner.write(replaying);
    expect(replaying.map((each) => rowsOf(each).length)).toEqual([0, 1]);
    await at.settle(310_000);
    expect((await at.rows())[0]?.state).toBe('delivered');
    expect(new Set(at.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that is refused holds up nobody but its person', async () => {
    await using at = await stage();
    at.answer = ({ data }) => ({ status: data['userId'] === 'ana' ? 400 : 200 });
    await at.process().start();
    for (const number of [1, 2, 3]) await at.tell('ana', number);
    for (const number of [4, 5, 6]) await at.tell('bob', number);
    await at.settle(500);
    expect(numbersOf(at.heard.filter(({ data }) => data['userId'] === 'bob'))).toEqual([4, 5, 6]);
    expect(new Set(numbersOf(at.heard.filter(({ data }) => data['userId'] === 'ana')))).toEqual(new Set([1]));
  });

  it.each([199, 200, 201, 401])(
    'is found behind %i of somebody whose first one is refused, and those follow in their order',
    async (count) => {
      await using at = await stage();
      at.answer = ({ data }) => ({ status: data['userId'] === 'ana' ? 400 : 200 });
      for (let number = 0; number <= count; number += 1) await at.tell('ana', number);
      await at.tell('bob', 1_000);
      await at.process().start();
      await at.settle(500);
      expect(numbersOf(at.heard)).toEqual([0, 1_000]);
      await at.tell('ana', count + 1);
      at.answer = () => ({ status: 200 });
      await at.settle(30_000);
      expect(numbersOf(at.heard.filter(({ data }) => data['userId'] === 'ana'))).toEqual([
        0,
        ...Array.from({ length: count + 2 }, (_, number) => number),
      ]);
    },
  );

  it('that takes 29 seconds is delivered, and no other subscription waits for it', async () => {
    await using at = await stage([subscription(), subscription({ id: 'sub_2', url: 'https://two.example/hook' })]);
    at.answer = ({ to }) => ({ status: 200, afterMs: to.includes('one') ? 29_000 : 0 });
    await at.process().start();
    for (let number = 0; number < 12; number += 1) await at.tell(`person ${number}`, number);
    await at.settle(1_000);
    expect(at.heard.filter(({ to }) => to.includes('two'))).toHaveLength(12);
    expect(at.atOnce.get('https://one.example/hook')).toBe(4);
    await at.settle(90_000);
    expect((await at.rows()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('is not sent to a subscriber that takes nothing while it has its break', async () => {
    await using at = await stage();
    at.answer = () => new DriverError('CONNECT_FAILED', 'nobody there');
    await at.process().start();
    for (let number = 0; number < 40; number += 1) await at.tell(`person ${number}`, number);
    await at.settle(4_000);
    expect(at.heard.length).toBeLessThanOrEqual(8);
    at.answer = () => ({ status: 200 });
    await at.settle(400_000);
    expect((await at.rows()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('is not looked for at each message while nobody is there, however long that lasts', async () => {
    await using at = await stage();
    at.answer = () => new DriverError('CONNECT_FAILED', 'nobody there');
    await at.process().start();
    for (let number = 0; number < 8; number += 1) await at.tell(`person ${number}`, number);
    await at.settle(300_000);
    const [before, heard] = [at.calls(), at.heard.length];
    const messages = 200;
    for (let number = 0; number < messages; number += 1) {
      await at.tell(`person ${number % 8}`, number);
      await at.settle(50);
    }
    expect(at.heard.length - heard).toBeLessThanOrEqual(8);
    expect(at.calls() - before - messages).toBeLessThan(messages * 1.5);
    at.answer = () => ({ status: 200 });
    await at.settle(900_000);
    expect((await at.rows()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('of others is delivered in between while those of one person are refused again and again', async () => {
    await using at = await stage();
    at.answer = ({ data }) => ({ status: data['userId'] === 'ana' ? 500 : 200 });
    await at.process().start();
    await at.tell('ana', 1);
    await at.settle(300_000); // refused more often than four people are
    await at.tell('ben', 2);
    await at.settle(100);
    expect(at.heard.at(-1)?.data['userId']).toBe('ben');
  });

  it('is never sent to the service itself', async () => {
    await using at = await stage([subscription({ url: 'https://own.example/hook' })]);
    await at.process().start();
    await at.tell('ana', 1);
    await at.settle(1_000);
    expect(at.heard).toEqual([]);
    expect(await at.rows()).toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  it('goes on in the next process where one has stopped', async () => {
    await using at = await stage();
    at.answer = () => ({ status: 200, afterMs: 10_000 });
    const first = at.process();
    await first.start();
    await at.tell('ana', 1);
    await at.settle(100);
    const stopping = first.stop();
    await at.settle(0);
    await stopping;
    expect((await at.rows())[0]?.state).toBe('pending');
    await at.process().start();
    await at.settle(12_000);
    expect((await at.rows())[0]?.state).toBe('delivered');
    expect(new Set(at.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is kept for a while after its end, and removed then', async () => {
    await using at = await stage();
    await at.process().start();
    await at.tell('ana', 1);
    await at.settle(1_000);
    const endMs = at.clock.now();
    expect(await pruneEvents(at.store, endMs + 7 * dayMs - 2_000)).toBe(0);
    expect(await pruneEvents(at.store, endMs + 7 * dayMs)).toBe(1);
  });
});

describe('a subscription', () => {
  it('hears what its patterns cover, and nothing else', async () => {
    await using at = await stage([subscription({ events: ['message.*', 'job.ended'] })]);
    await at.tell('ana', 1);
    expect(await at.rows()).toEqual([]);
    for (const type of eventNames) expect(covers(`${type.split('.')[0]}.*`, type) && covers('*', type) && covers(type, type)).toBe(true);
    expect(covers('message.*', 'messages.sent') || covers('message', 'message.sent')).toBe(false);
  });

  it('of another company hears nothing', async () => {
    await using at = await stage([subscription({ companyId: '2' })]);
    await at.process().start();
    await at.tell('ana', 1);
    await at.settle(1_000);
    expect(at.heard).toEqual([]);
  });

  it.each([
    ['message.recieved', 'message.received'],
    ['executon.*', 'execution.*'],
    ['Contact.created', 'contact.created'],
  ])('is told the name that was meant by %s', (given, meant) => {
    expect(explainPattern(given)).toBe(`There is no event "${given}": did you mean ${meant}?`);
  });

  it.each([
    [15, false],
    [16, true],
    [64, true],
    [65, false],
  ])('with a secret of %i bytes: %s', (size, isTaken) => {
    const text = Buffer.alloc(size, 1).toString('base64');
    expect([explainSecret(`whsec_${text}`), explainSecret(text)].map((why) => why === undefined)).toEqual([isTaken, isTaken]);
  });

  it.each(['', 'whsec_', 'hunter2', 'whsec_not base64 at all!!', `${secret}\n`])('refuses %j as a secret', (text) => {
    expect(explainSecret(text)).toMatch(/whsec_/);
  });
});
