// A message that is accepted and has its turn in one commit, beside the same in two: nobody can tell the difference but by the commits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseCanvas } from '../canvas/parse.ts';
import { defineEffect, defineNode, drive, finish, leave, perform, reply } from '../contract/index.ts';
import type { Commit, ExecutionStore } from '../contract/store.ts';
import { createEngine } from '../engine.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { createJoinedDeliveries, markOfJoined } from './joined-deliveries.ts';

const visual = { label: '', category: 'flow', icon: 'x', colour: '#000000', description: '' } as const;
const none = z.strictObject({});
const work = defineEffect('work', { request: z.strictObject({ names: z.string().nullable() }), result: z.literal('done') });
const nodes = [
  defineNode({
    type: 'start',
    config: none,
    visual,
    ports: ['next'],
    entry: {
      kind: 'message',
      match: (_config, { text }) => {
        if (text === 'poison') throw new Error('no text');
        return text === 'begin' ? 'keyword' : text === 'hello' ? 'fallback' : undefined;
      },
    },
    run: () => leave('next', [{ path: ['$memory', 'begun'], value: true }]),
  }),
  defineNode({
    type: 'work',
    config: none,
    visual,
    ports: ['next'],
    run({ variables }) {
      const names = variables.get(['$user', 'names']);
      return perform(work({ names: typeof names === 'string' ? names : null }), () => leave('next'));
    },
  }),
  defineNode({ type: 'listen', config: none, visual, ports: ['next'], run: () => perform(reply({}), () => leave('next')) }),
  defineNode({ type: 'end', config: none, visual, ports: [], run: () => finish('done', {}) }),
];
const order = ['start', 'work', 'listen', 'end'];
const canvas = {
  schemaVersion: 1,
  id: 'talk',
  name: 'Talk',
  nodes: order.map((type) => ({ id: type, type, data: {} })),
  edges: order.slice(1).map((target, index) => ({ source: order[index], target })),
};

declare const setImmediate: (callback: () => void) => unknown;

/** Lets all pending work run. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

const users = ['521', '522'] as const;
const step = fc.oneof(
  fc.record({
    do: fc.constant('say' as const),
    user: fc.constantFrom(...users),
    text: fc.constantFrom('begin', 'hello', 'yes', 'poison'),
    names: fc.option(fc.constantFrom('Ana', 'Luis'), { nil: undefined }),
    phone: fc.option(fc.constantFrom('51999000111', '51999000222'), { nil: undefined }),
    eventId: fc.option(fc.constantFrom('e1', 'e2'), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('attend' as const), user: fc.constantFrom(...users) }),
  fc.record({ do: fc.constant('settle' as const) }),
  fc.record({ do: fc.constant('wait' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Says and does all of it, and tells everything that can be seen of it. */
async function live(steps: readonly Step[], isJoined: boolean) {
  let [nowMs, drawn, count] = [1_000, 0, 0];
  const memory = createMemoryStore();
  const commits: Commit[] = [];
  const store: ExecutionStore = { ...memory, commit: (commit) => (commits.push(commit), memory.commit(commit)) };
  if (!isJoined) await store.countCrashes([markOfJoined]);
  const attended = new Set<string>();
  const hanging: (() => void)[] = [];
  const seen: unknown[] = [];
  const engine = createEngine({
    store: { executions: store, canvases: createMemoryCanvases() },
    nodes,
    drivers: [drive(work, ({ names }) => new Promise((resolve) => hanging.push(() => (seen.push(['worked', names]), resolve('done')))))],
    clock: { now: () => nowMs, setTimeout: () => undefined, clearTimeout: () => undefined },
    random: { bytes: (length) => new Uint8Array(length).fill((drawn += 1)) },
    directory: {
      company: () => undefined,
      bot: () => ({ channel: 'web' }),
      isAttended: (_companyId, _botId, userId) => attended.has(userId),
    },
  });
  const parsed = parseCanvas(canvas).canvas;
  if (parsed === undefined) throw new Error('The canvas cannot be parsed');
  await engine.saveDraft('1', parsed);
  await engine.publish('1', 'talk');
  for (const name of ['message.received', 'message.unmatched', 'message.attended', 'execution.started', 'execution.ended'] as const)
    engine.on(name, (...told: readonly unknown[]) => seen.push([name, ...told]));
  const said: Promise<unknown>[] = [];
  for (const one of steps) {
    if (one.do === 'say') {
      const { user: id, text, names, phone, eventId } = one;
      count += 1;
      const user = { id, ...(names !== undefined && { names }), ...(phone !== undefined && { phone }) };
      const message = { type: 'text', text, id: eventId ?? `m${count}` };
      said.push(engine.receiveMessage({ companyId: '1', botId: 'bot', eventId: eventId ?? `d${count}`, user, message }));
    } else if (one.do === 'attend') attended[attended.has(one.user) ? 'delete' : 'add'](one.user);
    else if (one.do === 'settle') hanging.shift()?.();
    if (one.do !== 'say') await quiet();
    nowMs += 10;
  }
  const outcomes = await Promise.all(said);
  for (; hanging.length > 0; await quiet()) hanging.shift()?.();
  await engine.whenIdle();
  const { results } = await store.list('1', { limit: 100 });
  const histories = await Promise.all(results.map(({ executionId }) => store.history('1', executionId)));
  const contacts = await Promise.all(users.map(async (id) => store.contact('1', 'bot', [id])));
  return { outcomes, seen, results, histories, contacts, commits, store, engine };
}

/** What does not depend on how many random numbers were drawn before. */
const anonymous = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one: unknown) => (/Id$|^id$|^key$|seed|lane/.test(key) && key !== 'userId' ? undefined : one)));

describe('messages that are accepted and have their turn in one commit', () => {
  it('lead to what they lead to in two, whatever comes together (P9, P10)', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        // One at a time: in what order turns of different users are committed is not promised.
        const inTurn = steps.flatMap((one): Step[] => (one.do === 'say' ? [one, { do: 'wait' }] : [one]));
        const [joined, apart] = [await live(inTurn, true), await live(inTurn, false)];
        const what = ({ outcomes, seen, results, histories, contacts }: typeof joined) =>
          anonymous({ outcomes, seen, results, histories, contacts });
        expect(what(joined)).toEqual(what(apart));
        expect(joined.commits.length).toBeLessThanOrEqual(apart.commits.length);
      }),
      { numRuns: 60 },
    ));

  it('have their turns in the order in which they came, also those that come together (P9)', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('begin', 'yes', 'hello', 'poison'), { minLength: 2, maxLength: 8 }), async (texts) => {
        const steps = texts.map((text): Step => ({ do: 'say', user: '521', text, names: undefined, phone: undefined, eventId: undefined }));
        const { commits } = await live([...steps, ...Array<Step>(10).fill({ do: 'settle' })], true);
        const accepted = commits.flatMap(({ enqueue, taken = [] }) => [...taken, ...enqueue]);
        expect(accepted.flatMap(({ accepted: one }) => (one.kind === 'message' ? [one.message['id']] : []))).toEqual(
          texts.map((_, index) => `m${index + 1}`),
        );
      }),
      { numRuns: 40 },
    ));

  it('take one commit where nothing else is in the lane, the first of a user too', async () => {
    const say = (text: 'begin' | 'yes'): Step => ({ do: 'say', user: '521', text, names: 'Ana', phone: undefined, eventId: undefined });
    const { commits, outcomes, seen } = await live([say('begin'), { do: 'wait' }, { do: 'settle' }, say('yes')], true);
    expect(outcomes).toEqual([{ outcome: 'started' }, { outcome: 'resumed' }]);
    expect(commits.map(({ enqueue, taken = [] }) => [enqueue.length, taken.length])).toEqual([
      [0, 1],
      [0, 0],
      [0, 1],
    ]); // the effect's
    expect(seen).toContainEqual(['worked', 'Ana']);
  });
});

describe('the mark of a process that joins', () => {
  const joins = async (deliveries: ReturnType<typeof createJoinedDeliveries>): Promise<boolean> => {
    const acceptance = deliveries.enter('1/bot/521');
    const joined = await acceptance.join(async () => true);
    acceptance.leave();
    return joined ?? false;
  };

  it('is left by one that dies, and each after it accepts messages alone until one stops cleanly (P17)', async () => {
    const store = createMemoryStore();
    const [first, second, third] = Array.from({ length: 3 }, () => createJoinedDeliveries(store));
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
    expect(await joins(first)).toBe(true);
    expect(await joins(second)).toBe(false); // the first has died
    expect(await joins(second)).toBe(false);
    await second.end();
    expect(await joins(second)).toBe(false); // it ends
    expect(await joins(third)).toBe(true);
    await third.end();
    expect(await store.crashCounts([markOfJoined])).toEqual(new Map());
  });

  it('is durable before anything is joined', async () => {
    const store = createMemoryStore();
    const isLacking = { crashes: true };
    const lacking = {
      ...store,
      countCrashes: (lanes: readonly string[]) => (isLacking.crashes ? Promise.reject(new Error('no disk')) : store.countCrashes(lanes)),
    };
    const deliveries = createJoinedDeliveries(lacking);
    expect(await joins(deliveries)).toBe(false);
    isLacking.crashes = false;
    expect(await joins(deliveries)).toBe(true);
    expect(await store.crashCounts([markOfJoined])).toEqual(new Map([[markOfJoined, 1]]));
  });
});
