import type { ChannelEvent } from '@hilo/channels';
import { seededRandom } from '@hilo/testing';
import { expect, it } from 'vitest';
import type { Deliver, DueMessage, Tried } from '../../src/messages/messages.ts';
import { createOutbox } from '../../src/messages/outbox.ts';
import {
  forgetProviderMessages,
  keepMark,
  keepStatus,
  nameMessage,
  providerUser,
  upsertAddress,
} from '../../src/messages/provider-records.ts';
import { laneOf } from '../../src/platform/database/lanes.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import type { Place } from '../data/open-for-test.ts';
import { inlineExample } from '../data/inline-example.ts';
import { describeOverEachStore } from './each-store.ts';

type Status = Extract<ChannelEvent, { readonly kind: 'status' }>;

const bot = { companyId: '1', botId: 'bot_wa' };
const userId = '5215512345678';

/** A service over the example at rest, and a message of its bot that its channel is handed by `deliver`. */
async function stage(
  { open, clock, log }: Place,
  deliver: Deliver<DueMessage, Tried> = async (_bot, { messageId }) => ({ kind: 'sent', messageId }),
) {
  const service: RunningService = await open({}, { runs: false });
  await service.importWorkspace({ workspace: await inlineExample() });
  const { store, companies } = service;
  const found = companies.botOf('1', 'bot_wa');
  if (found === undefined) throw new Error('The example has this bot');
  const free = { ...found, settings: { ...found.settings, enforceSessionWindow: false } };
  const outbox = createOutbox({
    store,
    companies: { botOf: () => free },
    clock,
    random: seededRandom(1),
    log,
    deliver,
    isRecordOnly: () => false,
  });
  const status = (status: Status['status'], of: Status['of'], failure?: Status['failure']) => {
    const event: Status = { kind: 'status', eventId: 'e', atMs: clock.now(), status, of, ...(failure !== undefined && { failure }) };
    return store.runner.write(keepStatus(bot, event, clock.now()));
  };
  const send = async (): Promise<string> => {
    const accepted = await outbox.accept({
      companyId: '1',
      botId: 'bot_wa',
      userId,
      knownAs: userId,
      message: { type: 'text', text: 'Hi' },
    });
    if (accepted.kind !== 'accepted') throw new Error('It is accepted');
    return accepted.messageId;
  };
  const standing = async (messageId: string) => {
    const { status: now, error } = (await outbox.find('1', 'bot_wa', messageId)) ?? {};
    return { status: now, ...(error !== undefined && { error }) };
  };
  return { service, outbox, status, send, standing, runner: store.runner };
}

describeOverEachStore('what a provider tells of a message', (on) => {
  it(
    'by our own name, before its answer to the send is kept, is not overwritten by it: statuses only rise',
    on(async (place) => {
      let answer = (_tried: Tried): void => {};
      let reached = (_messageId: string): void => {};
      const { outbox, status, send, standing } = await stage(place, (_bot, { messageId }) => {
        reached(messageId);
        return new Promise((resolve) => (answer = resolve));
      });
      for (const told of ['delivered', 'read', 'failed'] as const) {
        const handed = new Promise<string>((resolve) => (reached = resolve));
        const messageId = await send();
        expect(await handed).toBe(messageId);
        const failure = told === 'failed' ? { cause: 'NOT_DELIVERED', message: 'No' } : undefined;
        expect((await status(told, { messageId }, failure)).failed).toBeUndefined();
        const expected = { status: told, ...(failure !== undefined && { error: { code: 'NOT_DELIVERED', message: 'No' } }) };
        expect(await standing(messageId)).toEqual(expected);
        // The next one of the same user leaves once this one is settled.
        const next = new Promise<string>((resolve) => (reached = resolve));
        const nextId = await send();
        answer({ kind: 'sent', messageId });
        expect(await next).toBe(nextId);
        expect(await standing(messageId)).toEqual(expected);
        answer({ kind: 'sent', messageId: nextId });
        await expect.poll(() => standing(nextId)).toEqual({ status: 'sent' });
      }
      await outbox.stop();
    }),
  );

  it(
    'by its own id, known before or after, in any order, gives the message its highest status',
    on(async (place) => {
      const { outbox, status, send, standing, runner } = await stage(place);
      const messageId = await send();
      await expect.poll(() => standing(messageId)).toEqual({ status: 'sent' });
      await outbox.stop();
      const of = { providerMessageId: 'wamid.1' };
      expect((await status('delivered', of)).failed).toBeUndefined();
      expect(await standing(messageId)).toEqual({ status: 'sent' });
      await runner.write(nameMessage(bot, messageId, 'wamid.1', place.clock.now()));
      expect(await standing(messageId)).toEqual({ status: 'delivered' });
      expect((await status('sent', of)).failed).toBeDefined();
      expect((await status('delivered', of)).failed).toBeDefined();
      expect((await status('read', of)).failed).toBeUndefined();
      expect((await status('failed', of, { cause: 'X', message: 'x' })).failed).toBeDefined();
      expect(await standing(messageId)).toEqual({ status: 'read' });
      await runner.write([forgetProviderMessages(place.clock.now() + 31 * 86_400_000)]);
      expect((await status('sent', of)).failed).toBeUndefined();
    }),
  );

  it(
    'by the key of the send, identifies a message without a provider id, and none of another bot',
    on(async (place) => {
      const keys: string[] = [];
      const { outbox, status, send, standing, runner } = await stage(place, async (_bot, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        return { kind: 'refused', cause: 'OUTCOME_UNKNOWN', message: 'The answer broke off' };
      });
      const messageId = await send();
      const unknown = { status: 'failed', error: { code: 'OUTCOME_UNKNOWN', message: 'The answer broke off' } };
      await expect.poll(() => standing(messageId)).toEqual(unknown);
      await outbox.stop();
      const [idempotencyKey = ''] = keys;
      const told = {
        kind: 'status',
        eventId: 'e',
        atMs: 1,
        status: 'delivered',
        of: { providerMessageId: 'wamid.3', idempotencyKey },
      } as const;
      await runner.write(keepStatus({ ...bot, botId: 'bot_other' }, told, place.clock.now()));
      expect(await standing(messageId)).toEqual(unknown);
      await status('delivered', { providerMessageId: 'wamid.3', idempotencyKey });
      expect(await standing(messageId)).toEqual({ status: 'delivered' });
      await status('read', { providerMessageId: 'wamid.3' });
      expect(await standing(messageId)).toEqual({ status: 'read' });
    }),
  );

  it(
    'that the window was closed is kept at its user, beside where the user is reached (WIN-02)',
    on(async (place) => {
      const { outbox, status, send, standing, runner } = await stage(place);
      const messageId = await send();
      await expect.poll(() => standing(messageId)).toEqual({ status: 'sent' });
      await outbox.stop();
      const lane = laneOf({ ...bot, userId });
      await runner.write([upsertAddress({ ...lane, address: 'https://one.example' })]);
      await runner.write([upsertAddress({ ...lane, address: 'https://two.example' })]);
      await runner.write(nameMessage(bot, messageId, 'wamid.2', place.clock.now()));
      await status('failed', { providerMessageId: 'wamid.2' }, { cause: 'OUTSIDE_SESSION_WINDOW', message: '131047' });
      expect(await standing(messageId)).toEqual({ status: 'failed', error: { code: 'OUTSIDE_SESSION_WINDOW', message: '131047' } });
      expect(await runner.readOne(providerUser(lane))).toEqual({
        address: 'https://two.example',
        windowClosedAtMs: place.clock.now(),
      });
    }),
  );

  it(
    'of a reaction is kept once (P10)',
    on(async (place) => {
      const { service, runner } = await stage(place);
      const mark = { eventId: 'e1', userId, content: { type: 'reaction', emoji: '👍' } };
      expect((await runner.write([keepMark(bot, mark, place.clock.now())])).failed).toBeUndefined();
      expect((await runner.write([keepMark(bot, mark, place.clock.now())])).failed).toBeDefined();
      const { results } = await service.messages.list('1', 'bot_wa', { userId, limit: 10 });
      expect(results.filter(({ message }) => message['type'] === 'reaction')).toHaveLength(1);
    }),
  );
});
