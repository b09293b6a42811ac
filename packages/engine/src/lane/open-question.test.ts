// Which question a message answers: by the message that it names, and by when it was written.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseCanvas } from '../canvas/parse.ts';
import { defineEffect, defineNode, drive, finish, type JsonObject, leave, perform, reply, timer } from '../contract/index.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';

const visual = { label: '', category: 'flow', icon: 'x', colour: '#000000', description: '' } as const;
const say = defineEffect('say', { request: z.strictObject({ text: z.string() }), result: z.strictObject({ messageId: z.string() }) });
const config = z.strictObject({ text: z.string() });
const nodes = [
  defineNode({
    type: 'start',
    config: z.strictObject({ keyword: z.string(), isFallback: z.boolean().default(false), interrupts: z.boolean().default(false) }),
    visual,
    ports: ['next'],
    entry: {
      kind: 'message',
      match: ({ keyword, isFallback }, { text, payload }) =>
        payload === keyword ? 'payload' : text === keyword ? 'keyword' : isFallback ? 'fallback' : undefined,
      interrupts: ({ interrupts }) => interrupts,
    },
    run: () => leave('next'),
  }),
  defineNode({ type: 'say', config, visual, ports: ['next'], run: ({ config: { text } }) => perform(say({ text }), () => leave('next')) }),
  /** Asks, and asks once more after an answer that is "what?". */
  defineNode({
    type: 'ask',
    config,
    visual,
    ports: ['next'],
    run: ({ config: { text } }) => {
      const answered = (message: JsonObject) =>
        leave('next', [
          { path: ['$context', text], value: message['text'] ?? null },
          { path: ['$context', 'at'], value: message['at'] ?? null },
        ]);
      return perform(say({ text }), () =>
        perform(reply({}), (first) => {
          if (first.kind !== 'message') return leave('next');
          if (first.message['text'] !== 'what?') return answered(first.message);
          return perform(say({ text: `${text} again` }), () =>
            perform(reply({}), (second) => (second.kind === 'message' ? answered(second.message) : leave('next'))),
          );
        }),
      );
    },
  }),
  defineNode({
    type: 'pause',
    config: z.strictObject({}),
    visual,
    ports: ['next'],
    run: () => perform(timer({ dueAtMs: Number.MAX_SAFE_INTEGER, isInterruptible: true }), () => leave('next')),
  }),
  defineNode({ type: 'end', config: z.strictObject({}), visual, ports: [], run: () => finish('done', {}) }),
];

/** A workflow of these nodes, one after the other. */
function line(id: string, start: JsonObject, ...steps: readonly (readonly [type: string, data: JsonObject])[]) {
  const all = [['start', { keyword: id, ...start }], ...steps, ['end', {}]] as const;
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id,
    name: id,
    nodes: all.map(([type, data], index) => ({ id: `n${index}`, type, data })),
    edges: all.slice(1).map((_step, index) => ({ source: `n${index}`, target: `n${index + 1}` })),
  });
  if (canvas === undefined) throw new Error('The canvas can be parsed');
  return canvas;
}

const startedAtMs = Date.UTC(2026, 0, 1);

async function talking(...canvases: readonly ReturnType<typeof line>[]) {
  let [drawn, nowMs, count] = [0, startedAtMs, 0];
  const store = createMemoryStore();
  const sent: string[] = [];
  const open = () =>
    createEngine({
      store: { executions: store, canvases: kept },
      nodes,
      drivers: [drive(say, ({ text }) => ({ messageId: `id ${sent.push(text)} ${text}` }))],
      clock: { now: () => nowMs, setTimeout: () => undefined, clearTimeout: () => undefined },
      random: { bytes: (length) => new Uint8Array(length).fill((drawn += 1)) },
      directory: { company: () => undefined, bot: () => ({ channel: 'web' }) },
    });
  const kept = createMemoryCanvases();
  let engine = open();
  for (const canvas of canvases) {
    await engine.saveDraft('1', canvas);
    await engine.publish('1', canvas.id);
  }
  const causes: string[] = [];
  engine.on('message.unmatched', ({ cause }) => causes.push(cause));
  return {
    sent,
    causes,
    idOf: (text: string) => `id ${sent.indexOf(text) + 1} ${text}`,
    pass: (ms: number) => (nowMs += ms),
    now: () => nowMs,
    restart: () => (engine = open()),
    async says(text: string, message: JsonObject = {}, more: object = {}) {
      const inbound = {
        companyId: '1',
        botId: 'bot',
        eventId: `e${(count += 1)}`,
        user: { id: 'u' },
        message: { text, ...message },
        ...more,
      };
      const { outcome } = await engine.receiveMessage(inbound);
      await engine.whenIdle();
      return outcome;
    },
    contact: async () => store.contact('1', 'bot', ['u']),
    /** The variables of the executions of a workflow, newest first. */
    async answers(workflowId: string) {
      const { results } = await store.list('1', { workflowId, limit: 10 });
      return results.map(({ state }) => state.variables['$context'] as JsonObject);
    },
  };
}

const order = (id: string) => line(id, {}, ['ask', { text: `Deliver ${id}?` }]);

describe('a reply that names its message', () => {
  it('answers the question of that message, though another was asked later, also after a restart', async () => {
    const { says, idOf, answers, restart, pass } = await talking(order('one'), line('two', {}, ['ask', { text: 'Deliver two?' }]));
    await says('one');
    pass(1);
    // The second begins beside the first, as by a webhook: the first waits for no answer of this name.
    expect(await says('two', { replyTo: 'of nobody' }, { repliesTo: [] })).toBe('started');
    restart();
    expect(await says('no', { replyTo: idOf('Deliver one?') })).toBe('resumed');
    expect(await answers('one')).toMatchObject([{ 'Deliver one?': 'no' }]);
    expect(await answers('two')).not.toMatchObject([{ 'Deliver two?': 'no' }]);
    expect(await says('yes', { replyTo: 'wamid.2' }, { repliesTo: [idOf('Deliver two?')] })).toBe('resumed');
    expect(await answers('two')).toMatchObject([{ 'Deliver two?': 'yes' }]);
  });

  const twice = line('twice', {}, ['ask', { text: 'Receipt?' }], ['ask', { text: 'Cancel?' }]);

  it.each(['known here', 'unknown here'])(
    'answers no other once its own is answered: a second tap on a message that is %s',
    async (how) => {
      const { says, idOf, answers, causes } = await talking(twice, line('any', { isFallback: true }, ['say', { text: 'Sorry?' }]));
      await says('twice');
      const replyTo = how === 'known here' ? idOf('Receipt?') : 'wamid.1';
      expect(await says('yes', { replyTo })).toBe('resumed');
      const resolved = how === 'known here' ? { repliesTo: [replyTo] } : {};
      expect(await says('yes', { replyTo }, resolved)).toBe('unmatched');
      expect(causes).toEqual(['ANSWERS_NO_OPEN_QUESTION']);
      expect(await answers('twice')).toMatchObject([{ 'Receipt?': 'yes' }]);
      expect(await says('no', { replyTo: idOf('Cancel?') })).toBe('resumed');
      expect(await answers('twice')).toMatchObject([{ 'Receipt?': 'yes', 'Cancel?': 'no' }]);
    },
  );

  it('answers a question that was asked again after an answer that was none', async () => {
    const { says, idOf, answers } = await talking(twice);
    await says('twice');
    await says('what?', { replyTo: idOf('Receipt?') });
    expect(await says('yes', { replyTo: idOf('Receipt?') })).toBe('resumed');
    expect(await answers('twice')).toMatchObject([{ 'Receipt?': 'yes' }]);
  });

  it('interrupts a wait behind a message that asked nothing, and starts the workflow of its payload', async () => {
    const wait = line('wait', {}, ['say', { text: 'Your order is ready' }], ['pause', {}]);
    const { says, idOf, sent } = await talking(wait, twice, line('late', {}, ['say', { text: 'This is over' }]));
    await says('wait');
    expect(await says('fine', { replyTo: idOf('Your order is ready') }, { repliesTo: [idOf('Your order is ready')] })).toBe('resumed');
    await says('twice');
    expect(await says('Yes', { replyTo: 'wamid.0', payload: 'late' }, { repliesTo: [] })).toBe('started');
    expect(sent).toEqual(['Your order is ready', 'Receipt?', 'This is over']);
  });
});

describe('a message that was written before it came', () => {
  const day = 86_400_000;
  const ask = line('ask', {}, ['ask', { text: 'Prices?' }]);

  it('answers no question that was asked later, and one that was asked before', async () => {
    const { says, pass, now, answers, causes } = await talking(ask);
    expect(await says('ask', {}, { atMs: now() })).toBe('started');
    expect(await says('old', {}, { atMs: now() - 5 * day })).toBe('unmatched');
    expect(causes).toEqual(['ANSWERS_NO_OPEN_QUESTION']);
    const askedAtMs = now();
    pass(day);
    expect(await says('on its way', {}, { atMs: askedAtMs + 1_000 })).toBe('resumed');
    expect(await answers('ask')).toMatchObject([{ at: new Date(askedAtMs + 1_000).toISOString() }]);
  });

  it.each([
    [1_001, 60_000, 'unmatched'],
    [1_000, 60_000, 'resumed'], // the second of the question, as many providers tell it
    [9_000, 10_000, 'resumed'], // it came within the time that clocks may differ
    [10_000, 10_001, 'unmatched'],
  ])('counts where it was written %i ms before the question and came after %i ms: %s', async (beforeMs, lateByMs, outcome) => {
    const { says, pass, now } = await talking(ask);
    await says('ask');
    const writtenAtMs = now() - beforeMs;
    pass(lateByMs - beforeMs);
    expect(await says('yes', {}, { atMs: writtenAtMs })).toBe(outcome);
  });

  it.each([
    ['in the future', (nowMs: number) => nowMs + day],
    ['missing', () => undefined],
    ['before all channels', () => 0],
    ['in seconds', (nowMs: number) => Math.floor(nowMs / 1_000)],
    ['in microseconds', (nowMs: number) => nowMs * 1_000],
    ['no time', () => Number.NaN],
  ])('whose time is %s was written when it came', async (_what, told: (nowMs: number) => number | undefined) => {
    const { says, now, pass, contact, answers } = await talking(ask);
    await says('ask', {}, { atMs: told(now()) });
    pass(60_000);
    expect(await says('yes', {}, { atMs: told(now()) })).toBe('resumed');
    expect(await contact()).toMatchObject({ windowUntilMs: now() + day });
    expect(await answers('ask')).toMatchObject([{ at: new Date(now()).toISOString() }]);
  });

  it('opens the window from then on, and never closes one', async () => {
    const { says, now, contact } = await talking();
    await says('a', {}, { atMs: now() - 5 * day });
    expect(await contact()).toMatchObject({ windowUntilMs: now() - 4 * day });
    await says('b');
    await says('c', {}, { atMs: now() - 5 * day });
    expect(await contact()).toMatchObject({ windowUntilMs: now() + day });
  });
});

it('an opening answers nothing and starts only what its reference names', async () => {
  const { says, answers } = await talking(order('one'), line('sale', {}, ['say', { text: 'Sale' }]), line('any', { isFallback: true }));
  const isOpening = true;
  expect(await says('', { payload: 'nothing' }, { isOpening })).toBe('unmatched');
  await says('one');
  expect(await says('', { payload: 'sale' }, { isOpening })).toBe('started');
  expect(await says('', { payload: 'nothing' }, { isOpening })).toBe('unmatched');
  expect(await says('yes')).toBe('resumed');
  expect(await answers('one')).toMatchObject([{ 'Deliver one?': 'yes' }]);
});
