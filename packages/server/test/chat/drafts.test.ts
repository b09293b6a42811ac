/** Replies in the web chat while a model writes them: drafts come before the message, which takes their place, and nothing of them stays. */
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restStage, type RestStage } from '../rest/rest-stage.ts';
import { chatApp, type EventReader, openBrowser } from './chat-stage.ts';

/** What the model of this file answers next: each test writes its own stream. */
let answer: (response: ServerResponse) => void = () => undefined;
const bodies: JsonObject[] = [];
const provider = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    bodies.push(JSON.parse(body) as JsonObject);
    answer(response);
  });
});

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const says = (content: string): string => chunk({ role: 'assistant', content });
const end = (reason = 'stop'): string => `${chunk({}, reason)}data: [DONE]\n\n`;
const exits = [
  chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'exit_done', arguments: '{}' } }] }),
  end('tool_calls'),
];

const helper = (host: string): JsonObject => ({
  schemaVersion: 1,
  id: 'helper',
  name: 'Helper',
  kind: 'skill',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'secret', type: 'set', data: { assignments: [{ path: '$context.code', value: 'Zanzibar-77' }] } },
    {
      id: 'help',
      type: 'agent',
      data: {
        model: { baseUrl: `http://${host}/v1`, name: 'small' },
        instructions: 'Help.',
        exits: [{ name: 'done', when: 'They are content.' }],
        withhold: ['$context.code'],
        stream: true,
      },
    },
    { id: 'bye', type: 'message', data: { message: { type: 'text', text: 'Bye.' } } },
    { id: 'stop', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'secret' },
    { source: 'secret', target: 'help' },
    { source: 'help', sourceHandle: 'done', target: 'bye' },
    { source: 'help', sourceHandle: 'limit', target: 'stop' },
    { source: 'help', sourceHandle: 'error', target: 'stop' },
    { source: 'bye', sourceHandle: 'sent', target: 'stop' },
  ],
});

let stage: RestStage;
let ask: Awaited<ReturnType<typeof chatApp>>;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const host = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
  stage = await restStage({ settings: { egressAllow: [host] } });
  ask = await chatApp(stage.service, helper(host));
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  provider.closeAllConnections();
  provider.close();
});

interface Piece {
  readonly key: string;
  readonly at: number;
  readonly text: string;
}

/** The next draft, or message of the bot. */
async function nextOf(reader: EventReader): Promise<Piece | string> {
  for (;;) {
    const { event, data = '' } = await reader.next();
    if (event === 'draft') return JSON.parse(data) as Piece;
    const { direction, message } = event === 'message' ? (JSON.parse(data) as { direction: string; message: { text: string } }) : {};
    if (direction === 'outbound') return message?.text ?? '';
  }
}

/** The drafts until the next message of the bot, and the message. */
async function untilMessage(reader: EventReader): Promise<readonly [readonly Piece[], string]> {
  const pieces: Piece[] = [];
  for (;;) {
    const next = await nextOf(reader);
    if (typeof next === 'string') return [pieces, next];
    pieces.push(next);
  }
}

async function eventsUntilReady(reader: EventReader): Promise<readonly (string | undefined)[]> {
  const names: (string | undefined)[] = [];
  while (names.at(-1) !== 'ready') names.push((await reader.next()).event);
  return names;
}

/** Holds the stream of the model open until the test says how it goes on. */
function holding(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    answer = (response) => resolve(response.writeHead(200, { 'content-type': 'text/event-stream' }));
  });
}

describe('a reply that is written', () => {
  it('is shown in each tab as it comes, then is the message, and is nowhere kept', async () => {
    const visitor = await openBrowser(ask);
    const [first, second] = [await visitor.events(), await visitor.events()];
    const asking = holding();
    const said = visitor.say('is A-17 there?');
    const model = await asking;
    model.write(says('Three [[v1]] are'));
    const piece = await nextOf(first);
    expect(piece).toMatchObject({ at: 0, text: 'Three … are' }); // the value behind a mark is in no draft
    expect(await nextOf(second)).toEqual(piece);
    const late = await visitor.events();
    expect(await nextOf(late)).toEqual(piece);
    model.write(says(' left.'));
    model.end(end());
    expect((await said).status).toBe(200);
    const [rest, last] = await untilMessage(first);
    const ending = { key: (piece as Piece).key, at: 11, text: ' left.' };
    expect(rest).toEqual(rest.length === 0 ? [] : [ending]); // the message may come first
    expect(last).toBe('Three Zanzibar-77 are left.');
    const messages = await (await visitor.events()).messages(2);
    expect(messages.map(({ message }) => message.text)).toEqual(['is A-17 there?', 'Three Zanzibar-77 are left.']);
    expect(bodies.at(-1)).toMatchObject({ stream: true });
    expect(JSON.stringify(bodies)).not.toContain('Zanzibar');
    // A tab that comes now sees the message alone.
    const fresh = await visitor.events();
    await fresh.messages(2);
    expect(await eventsUntilReady(fresh)).not.toContain('draft');
    for (const reader of [first, second, late, fresh]) await reader.cancel();
  });

  it('is taken back where the stream is cut, and where a call follows', async () => {
    const visitor = await openBrowser(ask);
    const reader = await visitor.events();
    let asking = holding();
    const said = visitor.say('hello');
    let model = await asking;
    model.write(says('Half an ans'));
    const { key } = (await nextOf(reader)) as Piece;
    asking = holding();
    model.socket?.destroy();
    expect(await nextOf(reader)).toEqual({ key, at: 0, text: '' });
    const asked = bodies.length;
    // It is asked once more, two seconds later.
    await expect.poll(() => (stage.clock.advanceBy(500), bodies.length), { interval: 10 }).toBe(asked + 1);
    model = await asking;
    model.write(says('Let me see.'));
    const other = (await nextOf(reader)) as Piece;
    expect(other).toMatchObject({ at: 0, text: 'Let me see.' });
    expect(other.key).not.toBe(key);
    model.end(exits.join(''));
    expect(await nextOf(reader)).toEqual({ key: other.key, at: 0, text: '' });
    expect(await nextOf(reader)).toBe('Bye.');
    await said;
    await reader.cancel();
  });

  it('is gone with the execution that was cancelled', async () => {
    const visitor = await openBrowser(ask);
    const reader = await visitor.events();
    const asking = holding();
    const said = visitor.say('hello');
    const model = await asking;
    model.write(says('I know that you'));
    const { key } = (await nextOf(reader)) as Piece;
    const company = stage.service.engine.company('1');
    const { results } = await company.executions({ workflowId: 'helper', status: 'running' });
    for (const { executionId } of results) await company.cancel(executionId, 'Its person is erased');
    expect(await nextOf(reader)).toEqual({ key, at: 0, text: '' });
    model.end(says(' live there') + end());
    await said;
    const fresh = await visitor.events();
    const [only] = await fresh.messages(1);
    expect(only?.message.text).toBe('hello');
    expect(await eventsUntilReady(fresh)).not.toContain('draft');
    for (const one of [reader, fresh]) await one.cancel();
  });
});
