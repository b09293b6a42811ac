// Two orders ask one person at once, through the whole service: a reply that names its message answers the question of that message.
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { changed } from '../data/inline-example.ts';
import { channelsStage, type Line } from './stage.ts';

/** How a provider numbers what it sends, and how it says which of these messages a reply names. */
interface Naming {
  accepted(count: number): JsonObject;
  named(body: JsonObject, count: number): JsonObject;
}

const page: Naming = {
  accepted: (count) => ({ recipient_id: '24', message_id: `m_${count}` }),
  named: (body, count) => changed(body, { '/entry/0/messaging/0/message/reply_to': { mid: `m_${count}` } }),
};

const namings: { readonly [kind: string]: Naming } = {
  'whatsapp-cloud': {
    accepted: (count) => ({ messaging_product: 'whatsapp', contacts: [], messages: [{ id: `wamid.${count}` }] }),
    named: (body, count) => changed(body, { '/entry/0/changes/0/value/messages/0/context': { id: `wamid.${count}` } }),
  },
  messenger: page,
  instagram: page,
  slack: {
    accepted: (count) => ({ ok: true, channel: 'D1', ts: `150343595${count}.000247` }),
    named: (body, count) => changed(body, { '/event/thread_ts': `150343595${count}.000247` }),
  },
  teams: {
    accepted: (count) => ({ id: `14859834085${count}` }),
    named: (body, count) => changed(body, { '/replyToId': `14859834085${count}` }),
  },
};

const order = {
  schemaVersion: 1,
  id: 'deliver',
  name: 'deliver',
  nodes: [
    { id: 'in', type: 'webhook', data: { variableName: 'in', methods: ['POST'], userIdPath: 'user' } },
    {
      id: 'ask',
      type: 'ask',
      data: { message: { type: 'text', text: 'Deliver order {{$webhook.in.body.n}}?' }, input: { kind: 'text' }, saveAs: '$context.said' },
    },
    {
      id: 'told',
      type: 'message',
      data: { message: { type: 'text', text: 'order {{$webhook.in.body.n}}: {{$context.said}} at {{$message.at}}' } },
    },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'in', sourceHandle: 'new', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'told' },
    ...['invalid', 'error'].map((sourceHandle) => ({ source: 'ask', sourceHandle, target: 'done' })),
    { source: 'told', sourceHandle: 'sent', target: 'done' },
  ],
};

/** Two orders that wait for an answer of the same person. @returns the numbers of their messages, among those that were sent */
async function askTwice(stage: Awaited<ReturnType<typeof channelsStage>>, line: Line): Promise<readonly [number, number]> {
  const { engine } = stage.rest.service;
  const acme = engine.company('1');
  await acme.publish(order);
  await line.say('hello there');
  await engine.whenIdle();
  const ask = async (n: number): Promise<number> => {
    const request = { method: 'POST', body: { user: line.provider.userId, n } };
    await acme.webhook('deliver', request, { bot: line.botId, userIdFormat: 'open' });
    await engine.whenIdle();
    return line.texts().findIndex((text) => text.includes(`Deliver order ${n}?`)) + 1;
  };
  return [await ask(1), await ask(2)];
}

describe('two orders ask one person at once', () => {
  it.each(Object.entries(namings))('on %s: each gets the answer to its own question, in any order', async (kind, naming) => {
    for (const first of [0, 1] as const) {
      await using stage = await channelsStage();
      const line = stage.line(kind);
      line.double.acceptBy(naming.accepted);
      const asked = await askTwice(stage, line);
      expect(Math.min(...asked)).toBeGreaterThan(0);
      const answers: string[] = [];
      for (const which of [first, 1 - first] as const) {
        const body = line.provider.textOf(`answer ${which + 1}`, `90${which}`, line.double.url, stage.rest.clock.now());
        const before = line.texts().length;
        await line.deliver(naming.named(body, asked[which as 0 | 1]));
        await stage.rest.service.engine.whenIdle();
        answers.push(
          ...line
            .texts()
            .slice(before)
            .flatMap((text) => /order \d: answer \d/.exec(text) ?? []),
        );
      }
      const expected = ['order 1: answer 1', 'order 2: answer 2'];
      expect({ kind, answers }).toEqual({ kind, answers: first === 0 ? expected : expected.toReversed() });
    }
  });
});

/** Two questions with the same buttons, one behind the other. */
const twoQuestions = {
  schemaVersion: 1,
  id: 'cancel',
  name: 'cancel',
  nodes: [
    { id: 'in', type: 'start', data: { keywords: ['cancel'] } },
    ...(['first', 'second'] as const).map((id) => ({
      id,
      type: 'ask',
      data: {
        message: { type: 'text', text: `The ${id} question?`, buttons: { options: [{ title: 'Yes' }, { title: 'No' }] } },
      },
    })),
    { id: 'told', type: 'message', data: { message: { type: 'text', text: 'All is cancelled' } } },
    { id: 'kept', type: 'message', data: { message: { type: 'text', text: 'All is kept' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'in', sourceHandle: 'next', target: 'first' },
    { source: 'first', sourceHandle: 'Yes', target: 'second' },
    { source: 'second', sourceHandle: 'Yes', target: 'told' },
    ...['first', 'second'].flatMap((source) => ['No', 'other'].map((sourceHandle) => ({ source, sourceHandle, target: 'kept' }))),
    ...['told', 'kept'].map((source) => ({ source, sourceHandle: 'sent', target: 'done' })),
  ],
};

describe('a button of a provider that does not name its message', () => {
  it.each(['messenger', 'instagram'])('on %s: a second tap on an answered question answers no other', async (kind) => {
    await using stage = await channelsStage();
    const { engine } = stage.rest.service;
    await engine.company('1').publish(twoQuestions);
    const line = stage.line(kind);
    line.double.acceptBy((count) => ({ recipient_id: '24', message_id: `m_${count}` }));
    const payloadsOf = (text: string): readonly string[] =>
      [...(line.texts().find((sent) => sent.includes(text)) ?? '').matchAll(/"payload":"([^"]*)"/g)].map(([, payload = '']) => payload);
    const tap = async (id: string, title: string, payload = ''): Promise<void> => {
      const body = line.provider.textOf('', id, line.double.url, stage.rest.clock.now());
      await line.deliver(
        changed(body, { '/entry/0/messaging/0/message': undefined, '/entry/0/messaging/0/postback': { mid: id, title, payload } }),
      );
      await engine.whenIdle();
    };
    const ends = (): readonly string[] => line.texts().flatMap((text) => /All is \w+/.exec(text) ?? []);
    await line.say('cancel');
    await engine.whenIdle();
    const [yes, no] = payloadsOf('first question');
    await tap('t1', 'Yes', yes);
    expect(payloadsOf('second question')).toHaveLength(2);
    await tap('t2', 'Yes', yes);
    await tap('t3', 'No', no);
    expect(ends()).toEqual([]);
    await tap('t4', 'Yes', payloadsOf('second question')[0]);
    expect(ends()).toEqual(['All is cancelled']);
    // A payload without a name, such as one that was sent before payloads had names, answers what is open.
    await line.say('cancel');
    await engine.whenIdle();
    await tap('t5', 'Yes', 'Yes');
    await tap('t6', 'No', 'No');
    expect(ends()).toEqual(['All is cancelled', 'All is kept']);
  });
});
