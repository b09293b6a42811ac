import { expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { accepted, type Caller, keys } from '../caller.ts';

/** Messages of users, and the answers of bots. */
export function conversationFlows(calls: () => Caller): void {
  const event = (userId: string, id: string, text: string, more: JsonObject = {}): JsonObject => ({
    eventId: `event-${userId}-${id}`,
    botId: 'bot_wa',
    user: { id: userId },
    message: { id: `message-${userId}-${id}`, type: 'text', text },
    receivedAt: '2031-02-03T09:00:00Z',
    ...more,
  });
  const say = (userId: string, id: string, text: string, more?: JsonObject) =>
    calls().deliver('bot_wa', event(userId, id, text, more), keys.whatsappSecret);
  const executionsOf = async (userId: string) => (await calls().executions('1')).filter((execution) => execution.userId === userId);
  /** The messages between a user and the bot, once there are this many. */
  const talk = async (userId: string, length: number) => {
    let messages = await calls().messages('bot_wa', userId);
    while (messages.length < length) messages = await calls().messages('bot_wa', userId);
    return messages.map(({ direction, message }) => `${direction}: ${message.text ?? message.type}`);
  };
  const taken = { status: 200, body: { success: true } };

  it('begin with a keyword, continue with the answer, and can be read afterwards (EVT-02, P9)', async () => {
    const userId = '5215520000001';
    expect((await say(userId, '1', 'PEDIDO')).body).toEqual({ ...taken.body, outcome: 'started' });
    await talk(userId, 2);
    const [begun] = await executionsOf(userId);
    expect(await calls().settled(begun?.executionId ?? '')).toMatchObject({ workflowId: 'order-status', wait: { kind: 'reply' } });
    expect(await say(userId, '2', '42')).toMatchObject(taken);
    expect(await talk(userId, 4)).toEqual([
      'inbound: PEDIDO',
      'outbound: What is your order number?',
      'inbound: 42',
      'outbound: Order 42 is on its way.',
    ]);
    const [only, ...others] = await executionsOf(userId);
    expect(others).toEqual([]);
    expect(await calls().settled(only?.executionId ?? '')).toMatchObject({ status: 'completed' });
  });

  it('take each message once: the same event or the same message again is without consequence (P10)', async () => {
    const userId = '5215520000002';
    const first = await Promise.all([1, 2, 3].map(() => say(userId, '1', 'order')));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(first.filter(({ body }) => (body as { readonly duplicate?: true }).duplicate === undefined)).toHaveLength(1);
    const repeated = { status: 200, body: { success: true, duplicate: true } };
    expect(await say(userId, '1', 'order')).toMatchObject(repeated);
    expect(await say(userId, '1', 'order', { eventId: 'another event' })).toMatchObject(repeated);
    expect(await talk(userId, 2)).toEqual(['inbound: order', 'outbound: What is your order number?']);
    expect(await executionsOf(userId)).toHaveLength(1);
  });

  it('open the window: without one only a template goes out (WIN-01)', async () => {
    const remind = async (userId: string) => {
      const invoice = { user: { id: userId }, number: 'F-9', amount: '90' };
      const { executionId } = accepted(await calls().hook('payment-reminder/whatsapp/wh1', invoice));
      return calls().settled(executionId);
    };
    const [silent, talking] = ['5215520000003', '5215520000006'];
    expect(await remind(silent)).toMatchObject({ status: 'completed' });
    expect((await calls().messages('bot_wa', silent)).map(({ message }) => message.type)).toEqual(['template']);
    await say(talking, '1', 'order');
    await talk(talking, 2);
    expect(await remind(talking)).toMatchObject({ status: 'waiting', wait: { kind: 'external' } });
    expect((await talk(talking, 3)).at(-1)).toBe('outbound: Hello there, invoice F-9 of 90 is due.');
  });

  it('identify a user with two ids by either (UID-04, UID-06)', async () => {
    const [phone, bsuid] = ['5215520000004', 'MX.twoIds4'];
    await say(phone, '1', 'order', { user: { id: phone, phone, bsuid, names: 'Eve' } });
    await talk(phone, 2);
    await say(bsuid, '2', '7', { user: { id: bsuid } });
    expect((await talk(phone, 4)).at(-1)).toBe('outbound: Order 7 is on its way.');
    expect(await executionsOf(phone)).toHaveLength(1);
  });

  it('are refused without a signature, or with that of another secret, and are nowhere (T5)', async () => {
    const userId = '5215520000005';
    const unsigned = await calls().call('POST /channels/bot_wa/webhook', { body: event(userId, '1', 'order') });
    expect(unsigned).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    const forged = await calls().deliver('bot_wa', event(userId, '1', 'order'), 'inbound-secret-web');
    expect(forged).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    expect(await calls().messages('bot_wa', userId)).toEqual([]);
    expect(await executionsOf(userId)).toEqual([]);
  });
}
