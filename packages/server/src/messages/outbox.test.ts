import { type DurableStore, openSqliteStore } from '@hilo/stores';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Delivered, OutboundMessage } from './messages.ts';
import type { Bot } from '../tenants/companies.ts';
import { serviceTables } from '../platform/database/tables.ts';
import { createOutbox } from './outbox.ts';

const bot: Bot = {
  companyId: '1',
  id: 'bot',
  name: 'Bot',
  channel: 'web',
  connectedAtMs: 0,
  provider: { kind: 'custom', fields: {} },
  settings: { userIdFormat: 'open', enforceSessionWindow: false, templateReopensWindow: 'onSend' },
};

const sent: Delivered = { kind: 'sent', messageId: 'm' };
const refusedWith = (message: string): Delivered => ({ kind: 'refused', cause: 'REFUSED', message });
const noEnd = new AbortController().signal;

/** A workflow's message to the one user. */
const outbound = (text: string): OutboundMessage => ({
  companyId: '1',
  botId: 'bot',
  userId: 'ana',
  message: { type: 'text', text },
  idempotencyKey: `key of ${text}`,
});

/** A store, and outboxes of processes that share it. */
async function stage() {
  const store: DurableStore = await openSqliteStore({ path: ':memory:', extensions: [serviceTables] });
  const clock = createVirtualClock();
  onTestFinished(() => store.close());
  let processes = 0;
  const outboxOf = (deliver: (text: unknown) => Promise<Delivered>) => {
    processes += 1;
    return createOutbox({
      store,
      isRecordOnly: () => false,
      companies: { botOf: () => bot },
      clock,
      random: seededRandom(processes),
      log: { info: () => {}, warn: () => {}, error: () => {} },
      deliver: (_bot, { message }) => deliver(message['text']),
    });
  };
  return { clock, outboxOf };
}

describe('a message that was refused', () => {
  it.each([
    ['the reason of its channel', 'The number is unknown', 'The number is unknown'],
    ['what every database takes of a reason', `\0${'x'.repeat(998)}😀 and more`, `${'x'.repeat(998)}\ufffd`],
  ])('ends with %s (MSG-42)', async (_what, given, told) => {
    const { outboxOf } = await stage();
    const outbox = outboxOf(async () => refusedWith(given));
    const accepted = await outbox.accept({ ...outbound('Hi'), knownAs: 'ana' });
    if (accepted.kind !== 'accepted') throw new Error(`The message was ${accepted.kind}`);
    const found = () => outbox.find('1', 'bot', accepted.messageId);
    await expect.poll(async () => (await found())?.status).toBe('failed');
    expect(await found()).toMatchObject({ error: { code: 'REFUSED', message: told } });
  });

  it('is on its way again when its node tries again, and is sent once (P4)', async () => {
    const { clock, outboxOf } = await stage();
    const delivering = [Promise.withResolvers<Delivered>(), Promise.withResolvers<Delivered>()];
    let tries = 0;
    const outbox = outboxOf(() => delivering[tries++]?.promise ?? Promise.reject(new Error('It was sent already')));
    delivering[0]?.resolve(refusedWith('Not now'));
    expect(await outbox.send(bot, outbound('Hi'), noEnd)).toEqual(refusedWith('Not now'));

    const again = outbox.send(bot, outbound('Hi'), noEnd);
    await expect.poll(() => tries).toBe(2);
    // A concurrent sender does not get the outcome of the earlier try.
    const elsewhere = outboxOf(async () => sent).send(bot, outbound('Hi'), noEnd);
    await expect.poll(() => clock.nextMs()).toBeDefined(); // it has looked, and waits
    delivering[1]?.resolve(sent);
    expect((await again).kind).toBe('sent');
    clock.advanceBy(1_000);
    expect((await elsewhere).kind).toBe('sent');
    expect((await outbox.send(bot, outbound('Hi'), noEnd)).kind).toBe('sent');
    expect(tries).toBe(2);
  });
});

describe('a message behind one that another process has claimed', () => {
  it('is reported as sent when it was, by either process (P9)', async () => {
    const { clock, outboxOf } = await stage();
    const first = Promise.withResolvers<Delivered>();
    const left: unknown[] = [];
    const outbox = outboxOf((text) => {
      left.push(text);
      return text === 'one' ? first.promise : Promise.resolve(sent);
    });
    const one = outbox.send(bot, outbound('one'), noEnd);
    await expect.poll(() => left).toEqual(['one']);

    let isTold = false;
    const two = outboxOf(() => Promise.reject(new Error('The other process sends it')))
      .send(bot, outbound('two'), noEnd)
      .finally(() => (isTold = true));
    await expect.poll(() => clock.nextMs()).toBeDefined(); // it has looked, and waits
    expect(isTold).toBe(false);

    first.resolve(sent);
    expect((await one).kind).toBe('sent');
    await expect.poll(() => left).toEqual(['one', 'two']);
    await expect.poll(() => (clock.advanceBy(1_000), isTold)).toBe(true);
    expect((await two).kind).toBe('sent');
  });
});
