// A person answers in the provider's own app: what they write is an operator's message, and the bot is silent until that has ended.
import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase, runtimeOfTests, skipOn, virtualTime } from '../data/runtime.ts';
import { botOf, type Kind, takeoverStage, type TakeoverStage, userOf } from './takeover-stage.ts';

const minuteMs = 60_000;
const kinds: readonly Kind[] = ['whatsapp-cloud', 'messenger', 'instagram'];

let stage: TakeoverStage;

/** What a bot says from here on. */
const hearing = (kind: Kind) => {
  const before = stage.told(kind).length;
  return (): readonly string[] => stage.told(kind).slice(before);
};

const inbox = async (): Promise<readonly JsonObject[]> => {
  const { body } = await stage.ask('GET', '/inbox?companyId=1');
  return (body as { readonly results: readonly JsonObject[] }).results;
};
/** The same a moment later: a look for what is due may be under way while time passes, and the next one is due after it. */
const inboxLater = async (): Promise<readonly JsonObject[]> => {
  await stage.passes(0);
  return inbox();
};
const conversationId = async (): Promise<string> => {
  const [first] = await inbox();
  if (typeof first?.['_id'] !== 'string') throw new Error('Nobody talks with the user');
  return first['_id'];
};

/** As the run says; over a real PostgreSQL too, where all is taken. */
const stores = { [runtimeOfTests]: undefined, ...(inject('takesAll') && runtimeOfTests === 'sqlite' && { postgres: openDatabase }) };

describe.each(Object.entries(stores))('a person who answers in the app, on %s', (_store, over) => {
  beforeAll(async () => void (stage = await takeoverStage(over)));
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(kinds)('of %s silences the bot for its time, and the user is kept for them', async (kind) => {
    await stage.lasts('PT30M');
    const told = hearing(kind);
    await stage.writes(kind, 'hello');
    const before = ['bot: welcome', 'bot: your name?'];
    await expect.poll(told).toEqual(before);
    await stage.passes(5 * minuteMs);
    expect(await stage.answers(kind, 'Hi, Olga here')).toMatchObject({ success: true, outcome: 'noted' });
    await stage.writes(kind, 'Ana');
    await stage.writes(kind, 'hello');
    await stage.passes(29 * minuteMs);
    expect(told()).toEqual(before);
    expect(await inbox()).toMatchObject([
      { operator: null, origin: 'app', state: 'active', wasReplied: true, unread: 2, lastMessage: { by: 'user', text: 'hello' } },
    ]);
    const { body } = await stage.ask('GET', `/inbox/${await conversationId()}/messages?companyId=1`);
    const { results } = body as { readonly results: readonly JsonObject[] };
    expect(results.filter(({ by }) => by === 'operator')).toMatchObject([{ message: { text: 'Hi, Olga here' } }]);
    const exported = await stage.ask('POST', `/companies/1/contacts/${botOf(kind)}:${userOf(kind)}/export`);
    const { messages } = exported['body'] as {
      readonly messages: readonly { readonly direction: string; readonly message: { readonly text: string } }[];
    };
    const talk = messages.map(({ direction, message }) => `${direction}: ${message.text}`).join('\n');
    expect(talk).toContain('outbound: Hi, Olga here\ninbound: Ana\ninbound: hello');
    // What the user writes does not make it longer; then the bot answers again, and its question is as it was.
    await stage.passes(2 * minuteMs);
    await expect.poll(inboxLater).toEqual([]);
    expect(told()).toEqual(before);
    await stage.writes(kind, 'Bea');
    await expect.poll(told).toEqual([...before, 'bot: thanks, Bea']);
  });

  it('is heard again and again: each message begins the time anew, and one that comes twice is one', async () => {
    await stage.lasts('PT30M');
    await stage.answers('messenger', 'one', { id: 'same' });
    await stage.passes(20 * minuteMs);
    await stage.answers('messenger', 'two');
    expect(await stage.answers('messenger', 'one', { id: 'same' })).toMatchObject({ duplicate: true });
    const conversation = await conversationId();
    const ended = async () => (await stage.ask('GET', `/audit?companyId=1&action=endTakeover&object=conversation:${conversation}`))['body'];
    await stage.passes(29 * minuteMs);
    expect(await inbox()).toHaveLength(1);
    expect(await ended()).toMatchObject({ results: [] });
    await stage.passes(2 * minuteMs);
    await expect.poll(inboxLater).toEqual([]);
    expect(await ended()).toMatchObject({ results: [{ actor: 'the service', object: { kind: 'conversation', id: conversation } }] });
    const { results } = await stage.service().messages.list('1', botOf('messenger'), { userId: '24', limit: 50 });
    const said = results.filter(({ direction, executionId }) => direction === 'outbound' && executionId === null);
    expect(said.map(({ message, status }) => [message['text'], status]).slice(-2)).toEqual([
      ['one', 'sent'],
      ['two', 'sent'],
    ]);
  });

  it('is not the bot itself, whose messages come back by their key or their name', async () => {
    await stage.lasts('never');
    const told = hearing('instagram');
    await stage.writes('instagram', 'hello');
    await expect.poll(told).toHaveLength(2);
    await stage.answers('instagram', 'bot: welcome', { id: 'instagram-out-1' });
    await stage.answers('instagram', 'bot: your name?', { id: 'other', metadata: 'key' });
    expect(await inbox()).toEqual([]);
    await stage.writes('instagram', 'Ana');
    await expect.poll(told).toContain('bot: thanks, Ana');
  });

  it('is kept as said to the user, and changes nothing where the company says nothing of it', async () => {
    await stage.lasts(undefined);
    const told = hearing('whatsapp-cloud');
    const timesOf = async () =>
      (await stage.ask('GET', `/companies/1/contacts/${botOf('whatsapp-cloud')}:${userOf('whatsapp-cloud')}`))['body'];
    const before = (await timesOf()) as JsonObject;
    await stage.passes(minuteMs);
    await stage.answers('whatsapp-cloud', 'Hi from the app', { id: 'unasked' });
    expect(await stage.answers('whatsapp-cloud', 'Hi from the app', { id: 'unasked' })).toMatchObject({ duplicate: true });
    const after = (await timesOf()) as JsonObject;
    expect(after['lastInboundAt']).toEqual(before['lastInboundAt']);
    expect(after['lastOutboundAt']).not.toEqual(before['lastOutboundAt']);
    const { results } = await stage.service().messages.list('1', botOf('whatsapp-cloud'), { userId: userOf('whatsapp-cloud'), limit: 50 });
    expect(results.filter(({ message }) => message['text'] === 'Hi from the app')).toMatchObject([
      { direction: 'outbound', status: 'sent', cause: null },
    ]);
    expect(await inbox()).toEqual([]);
    await stage.writes('whatsapp-cloud', 'hello');
    await stage.writes('whatsapp-cloud', 'Ana');
    await expect.poll(told).toHaveLength(3);
  });

  it('holds what workflows say, in its order, until an operator ends it; it is on record and told', async (context) => {
    skipOn(context, virtualTime);
    await stage.lasts('never');
    const subscribed = { url: 'https://events.example/hook', events: ['conversation.*', 'message.sent'] };
    const made = await stage.ask('POST', '/companies/1/event-subscriptions', subscribed);
    const { id: subscription } = made['body'] as { readonly id: string };
    const told = hearing('whatsapp-cloud');
    await stage.writes('whatsapp-cloud', 'remind');
    await stage.answers('whatsapp-cloud', 'Hi');
    await stage.passes(60 * minuteMs);
    await stage.writes('whatsapp-cloud', 'STOP');
    const campaign = {
      name: 'Offer',
      botId: botOf('whatsapp-cloud'),
      templateId: 'promo',
      audience: { users: [userOf('whatsapp-cloud')] },
      parameters: {},
    };
    const { body } = await stage.ask('POST', '/companies/1/campaigns', campaign);
    await stage.passes(2 * minuteMs);
    const { id } = body as { readonly id: string };
    // What looks for the campaign may have begun before it was there, and looks again a moment later.
    const reportOf = async () => {
      await stage.passes(0);
      return stage.ask('GET', `/companies/1/campaigns/${id}/report`);
    };
    await expect.poll(reportOf).toMatchObject({ body: { failed: { TAKEN_OVER: 1 } } });
    expect(told()).toEqual([]);

    const conversation = await conversationId();
    await stage.ask('POST', `/conversations/${conversation}/assign?companyId=1`, { operatorId: 10 });
    await stage.ask('POST', `/conversations/${conversation}/messages?companyId=1`, { type: 'text', text: 'by Olga' });
    await expect.poll(told).toEqual(['by Olga']);
    await stage.reopen();
    await stage.passes(minuteMs);
    expect(told()).toEqual(['by Olga']);

    await stage.ask('POST', `/conversations/${conversation}/resolve?companyId=1`, {});
    await stage.passes(minuteMs);
    await expect.poll(told).toEqual(['by Olga', 'bot: reminder', 'bot: stopped']);
    const acts = await stage.ask('GET', '/audit?companyId=1&action=takeOverConversation');
    const [act] = (acts['body'] as { readonly results: readonly JsonObject[] }).results;
    const object = { kind: 'conversation', id: conversation };
    expect(act).toMatchObject({ actor: 'a person in the app of whatsapp-cloud', action: 'takeOverConversation', object, outcome: '200' });
    const { body: deliveries } = await stage.ask('GET', `/companies/1/event-subscriptions/${subscription}/deliveries?limit=100`);
    const types = (deliveries as { readonly results: readonly { readonly type: string }[] }).results.map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['conversation.opened', 'conversation.assigned', 'conversation.ended', 'message.sent']));
  });

  it('never hears the bot between two messages of theirs, whatever comes at once', async () => {
    await stage.lasts('PT30M');
    const kind = 'whatsapp-cloud';
    const acts = fc.constantFrom('hello', 'Ana', 'remind', 'person', 'person', 'campaign', 'minutes', 'half an hour', 'restart', 'end');
    let number = 0;
    stage.happened.length = 0;
    const act = async (what: string): Promise<void> => {
      number += 1;
      if (what === 'person') return void (await stage.answers(kind, `person ${number}`));
      if (what === 'minutes') return stage.passes(11 * minuteMs);
      if (what === 'half an hour') return stage.passes(31 * minuteMs);
      if (what === 'restart') return stage.reopen();
      if (what === 'end') {
        const [open] = await inbox();
        if (typeof open?.['_id'] !== 'string') return;
        stage.happened.push({ what: 'person', text: 'end', atMs: stage.clock.now() });
        return void (await stage.ask('POST', `/conversations/${open['_id']}/close?companyId=1`, {}));
      }
      if (what === 'campaign') {
        const audience = { users: [userOf(kind)] };
        const campaign = { name: `c${number}`, botId: botOf(kind), templateId: 'promo', audience, parameters: {} };
        return void (await stage.ask('POST', '/companies/1/campaigns', campaign));
      }
      return void (await stage.writes(kind, what));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(acts, { minLength: 1, maxLength: 2 }), { maxLength: 8 }), async (rounds) => {
        let silentUntilMs = 0;
        for (const round of rounds) {
          // A process that ends takes nothing more meanwhile; and of an end and a message at once, either may be the last.
          const isAtOnce = !round.some((what) => what === 'restart' || what === 'end');
          if (isAtOnce) await Promise.all(round.map(act));
          else for (const what of round) await act(what);
          const tooEarly = stage.happened.splice(0).filter(({ what, text, atMs }) => {
            if (what === 'person') silentUntilMs = text === 'end' ? 0 : atMs + 30 * minuteMs;
            return what === 'bot' && atMs < silentUntilMs;
          });
          // One message may be with the provider when the person writes: a user gets them one after the other.
          expect(tooEarly.slice(round.includes('person') ? 1 : 0)).toEqual([]);
        }
        await stage.passes(32 * minuteMs);
        stage.happened.length = 0;
      }),
      { numRuns: 8, endOnFailure: true }, // what was held by one run is in the next: a failure gets no smaller
    );
    await expect.poll(inboxLater).toEqual([]);
    const before = stage.told(kind).length;
    await stage.writes(kind, 'Ana');
    await stage.writes(kind, 'hello');
    await expect.poll(() => stage.told(kind).length).toBeGreaterThan(before);
  });
});
