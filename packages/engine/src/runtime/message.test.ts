import { parseCanvas } from '../canvas/parse.ts';
import { defineEffect, defineNode, drive, finish, type JsonObject, leave, perform, reply } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const visual = { label: '', category: 'flow', icon: 'x', colour: '#000000', description: '' } as const;
const none = z.strictObject({});
const work = defineEffect('work', { request: none, result: z.literal('done') });
const nodes = [
  defineNode({
    type: 'start',
    config: z.strictObject({ interrupts: z.boolean().default(false) }),
    visual,
    ports: ['next'],
    entry: {
      kind: 'message',
      match: (_config, { text }) => (text === 'begin' ? 'keyword' : text === 'anything' ? 'fallback' : undefined),
      interrupts: ({ interrupts }) => interrupts,
    },
    run: () => leave('next'),
  }),
  defineNode({ type: 'listen', config: none, visual, ports: ['next'], run: () => perform(reply({}), () => leave('next')) }),
  defineNode({ type: 'work', config: none, visual, ports: ['next'], run: () => perform(work({}), () => leave('next')) }),
  defineNode({ type: 'end', config: none, visual, ports: [], run: () => finish('done', {}) }),
];

/** An engine with a canvas that listens, works and ends; the work ends when the test decides. */
async function talking({
  isPublished = true,
  isAttended = () => false,
  settings = {},
  interrupts = false,
}: {
  isPublished?: boolean;
  isAttended?: () => boolean;
  settings?: JsonObject;
  interrupts?: boolean;
} = {}) {
  let drawn = 0;
  const begun = Promise.withResolvers<void>();
  const done = Promise.withResolvers<'done'>();
  const store = createMemoryStore();
  const engine = createEngine({
    store: { executions: store, canvases: createMemoryCanvases() },
    nodes,
    drivers: [drive(work, () => (begun.resolve(), done.promise))],
    clock: { now: () => 1_000, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: { bytes: (length) => new Uint8Array(length).fill((drawn += 1)) },
    directory: { company: () => undefined, bot: () => ({ channel: 'web' }), isAttended },
  });
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'talk',
    name: 'Talk',
    settings,
    nodes: ['start', 'listen', 'work', 'end'].map((type) => ({ id: type, type, data: type === 'start' ? { interrupts } : {} })),
    edges: [
      { source: 'start', target: 'listen' },
      { source: 'listen', target: 'work' },
      { source: 'work', target: 'end' },
    ],
  });
  if (canvas === undefined) throw new Error('The canvas cannot be parsed');
  await engine.saveDraft('1', canvas);
  if (isPublished) await engine.publish('1', 'talk');
  const unmatched: string[] = [];
  engine.on('message.unmatched', ({ cause }) => unmatched.push(cause));
  let count = 0;
  const says = (text: string, eventId = `event ${(count += 1)}`) =>
    engine.receiveMessage({ companyId: '1', botId: 'bot', eventId, user: { id: '521' }, message: { type: 'text', text } });
  const executions = async () => {
    const { results } = await store.list('1', { limit: 10 });
    return results.map(({ state }) => [state.status, state.ending?.failure?.cause]);
  };
  return { engine, executions, says, unmatched, begun: begun.promise, finishWork: () => done.resolve('done') };
}

describe('the outcome of a message', () => {
  it('is that it started, resumed, waits in its queue, is a duplicate, or is unmatched', async () => {
    const { engine, says, unmatched, begun, finishWork } = await talking();
    expect(await says('hello')).toEqual({ outcome: 'unmatched' });
    expect(unmatched).toEqual(['NO_START_MATCHED']);
    expect(await says('begin', 'delivery')).toEqual({ outcome: 'started' });
    expect(await says('begin', 'delivery')).toEqual({ outcome: 'duplicate' });
    expect(await says('go on')).toEqual({ outcome: 'resumed' });
    await begun;
    expect(await says('while it works')).toEqual({ outcome: 'queued' });
    finishWork();
    await engine.whenIdle();
    expect(unmatched).toEqual(['NO_START_MATCHED', 'NO_START_MATCHED']);
    expect(await says('hello')).toEqual({ outcome: 'unmatched' });
  });

  it('of several concurrent ones is reported for those that have their turn at once, and the others are queued', async () => {
    const { engine, says, begun } = await talking();
    const outcomes = await Promise.all([says('begin'), says('a'), says('b')]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['started', 'resumed', 'queued']);
    await begun;
    expect(engine.activity().blocked).toBe(1); // by the work that `a` led to; `b` waits for it
  });

  it('begins no canvas that is for other channels than that of the bot', async () => {
    expect(await (await talking({ settings: { channels: ['whatsapp'] } })).says('begin')).toEqual({ outcome: 'unmatched' });
    expect(await (await talking({ settings: { channels: ['whatsapp', 'web'] } })).says('begin')).toEqual({ outcome: 'started' });
  });

  it('starts an interrupting workflow in place of the waiting one, by keyword alone', async () => {
    const { executions, says } = await talking({ interrupts: true });
    expect(await says('begin')).toEqual({ outcome: 'started' });
    expect(await says('begin')).toEqual({ outcome: 'started' });
    expect(await executions()).toEqual([
      ['waiting', undefined],
      ['cancelled', 'INTERRUPTED'],
    ]);
    expect(await says('anything')).toEqual({ outcome: 'resumed' });
  });

  it.each([
    [{ timeZone: 'Mars/Base' }, { code: 'INVALID_TIME_ZONE', message: expect.stringContaining('"Mars/Base"') as string }],
    [{ locale: 'klingon-QO' }, { code: 'INVALID_LOCALE', message: expect.stringContaining('"klingon-QO"') as string }],
  ])('is refused before it is accepted where its user is nowhere: %j', async (place, error) => {
    const { engine, executions } = await talking();
    const message = { companyId: '1', botId: 'bot', eventId: 'e', user: { id: '521', ...place }, message: { type: 'text', text: 'begin' } };
    await expect(engine.receiveMessage(message)).rejects.toMatchObject(error);
    expect(await executions()).toEqual([]);
    expect(await engine.receiveMessage({ ...message, user: { id: '521' } })).toEqual({ outcome: 'started' });
  });

  it('gives the reason when nothing matches', async () => {
    const { says, unmatched } = await talking({ isPublished: false });
    expect(await says('begin')).toEqual({ outcome: 'unmatched' });
    expect(unmatched).toEqual(['NO_START_PUBLISHED']);
  });

  it('is held during a conversation with an operator: no workflow gets it, and it is not reported as unmatched', async () => {
    const { engine, says, unmatched } = await talking({ isAttended: () => true });
    const attended: unknown[] = [];
    engine.on('message.attended', ({ userId, message: { text } }) => attended.push([userId, text]));
    expect(await says('begin')).toEqual({ outcome: 'held' });
    expect([unmatched, attended]).toEqual([[], [['521', 'begin']]]);
  });
});
