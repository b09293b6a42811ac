import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseCanvas } from '../canvas/parse.ts';
import { defineNode, finish, type JsonObject, leave, limits, perform, reply, type Routing } from '../contract/index.ts';
import { createEngine } from '../engine.ts';

const visual = { label: '', category: 'flow', icon: 'x', colour: '#000000', description: '' } as const;
const none = z.strictObject({});

type Match = (config: { readonly name: string }, message: JsonObject, routing?: Routing) => 'keyword' | 'fallback' | undefined;

/** An engine with one canvas for each name, whose starts match as the test says, and which then waits for a reply. */
async function listening(names: readonly string[], match: Match, more: { interrupts?: () => boolean; bot?: () => JsonObject } = {}) {
  const nodes = [
    defineNode({
      type: 'own',
      config: z.strictObject({ name: z.string() }),
      visual,
      ports: ['next'],
      entry: { kind: 'message', match, interrupts: more.interrupts ?? (() => false) },
      run: () => leave('next'),
    }),
    defineNode({ type: 'listen', config: none, visual, ports: ['next'], run: () => perform(reply({}), () => leave('next')) }),
    defineNode({ type: 'end', config: none, visual, ports: [], run: () => finish('done', {}) }),
  ];
  const clock = { now: () => 1_000, setTimeout: (callback: () => void) => queueMicrotask(callback), clearTimeout: () => undefined };
  const engine = createEngine({ nodes, clock, directory: { company: () => undefined, bot: more.bot ?? (() => ({ channel: 'web' })) } });
  for (const name of names) {
    const { canvas } = parseCanvas({
      schemaVersion: 1,
      id: name,
      name,
      nodes: [
        { id: 'start', type: 'own', data: { name } },
        { id: 'listen', type: 'listen', data: {} },
        { id: 'end', type: 'end', data: {} },
      ],
      edges: [
        { source: 'start', target: 'listen' },
        { source: 'listen', target: 'end' },
      ],
    });
    if (canvas === undefined) throw new Error('The canvas cannot be parsed');
    await engine.saveDraft('1', canvas);
    await engine.publish('1', name);
  }
  const faults: string[] = [];
  engine.on('engine.fault', ({ while: doing }) => faults.push(doing));
  let count = 0;
  const says = async (text: string) =>
    (
      await engine.receiveMessage({
        companyId: '1',
        botId: 'bot',
        eventId: `${(count += 1)}`,
        user: { id: '521' },
        message: { type: 'text', text },
      })
    ).outcome;
  return { engine, says, faults };
}

describe('a start that throws', () => {
  it('does not match: each message has an outcome, and those behind it too', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('throws', 'matches', 'misses'), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('hard', 'easy'), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (behaviours, texts, throwsInInterrupts) => {
          let isPublished = false;
          const names = behaviours.map((behaviour, index) => `${behaviour}${index}`);
          const { engine, says, faults } = await listening(
            names,
            ({ name }, { text }) => {
              if (name.startsWith('throws') && text === 'hard') throw new RangeError('too long');
              return name.startsWith('matches') ? 'keyword' : undefined;
            },
            {
              interrupts: () => {
                if (throwsInInterrupts && isPublished) throw new TypeError('none of mine');
                return false;
              },
            },
          );
          isPublished = true;
          let isWaiting = false;
          for (const text of texts) {
            const matches = behaviours.includes('matches');
            expect(await says(text)).toBe(isWaiting ? 'resumed' : matches ? 'started' : 'unmatched');
            isWaiting = !isWaiting && matches;
          }
          await engine.whenIdle();
          const isFaulty = behaviours.every((behaviour) => behaviour === 'throws') && texts[0] === 'hard';
          expect(!isFaulty || faults.some((doing) => doing.startsWith('trying the start "start" of workflow throws'))).toBe(true);
        },
      ),
      { numRuns: 40 },
    ));

  it('is not tried again where what it led to cannot be processed', async () => {
    let tries = 0;
    let isFailing = false;
    const { says, faults, engine } = await listening(['one'], () => ((tries += 1), 'keyword'), {
      bot: () => {
        if (isFailing && tries > 0) throw new Error('no bot');
        return { channel: 'web' };
      },
    });
    isFailing = true;
    expect(await says('hello')).toBe('queued');
    await engine.whenIdle();
    expect(tries).toBe(1);
    isFailing = false;
    expect(faults).not.toEqual([]);
    expect(await says('hello')).toBe('started'); // its lane goes on
  });
});

describe('the budget of a message', () => {
  it('is one for all starts, and what one makes of the message the others find', async () => {
    const make = (message: JsonObject) => ({ fields: Object.keys(message).length });
    const made = new Set<unknown>();
    const allowed: boolean[] = [];
    const { says } = await listening(['a', 'b', 'c', 'd'], (_config, _message, routing) => {
      if (routing === undefined) return undefined; // it is published
      made.add(routing.once(make));
      allowed.push(routing.spend(limits.routingWork / 2));
      return undefined;
    });
    await says('hello');
    expect(allowed).toEqual([true, true, false, false]);
    expect(made.size).toBe(1);
  });

  it('is said to be used up once for a version and a start, and not for each message', async () => {
    const { says, faults } = await listening(['a', 'b', 'c'], (_config, _message, routing) => {
      routing?.spend(limits.routingWork / 2);
      return undefined;
    });
    for (let times = 0; times < 3; times += 1) await says('hello');
    expect(faults).toEqual([expect.stringContaining('of workflow c')]);
  });
});

it('a message of somebody who tries a draft starts that draft, whatever is published and whether or not it matches', async () => {
  const { engine } = await listening(['live', 'tried'], ({ name }, { text }) => (name === text ? 'keyword' : undefined));
  const started: string[] = [];
  engine.on('execution.started', ({ workflowId, version, origin: { route } }) => started.push(`${workflowId} ${version} ${route}`));
  let count = 0;
  const says = (text: string, draft?: string) =>
    engine.receiveMessage({
      companyId: '1',
      botId: 'bot',
      eventId: `draft ${(count += 1)}`,
      user: { id: `${count}` },
      message: { type: 'text', text },
      ...(draft !== undefined && { draft }),
    });
  for (const [text, draft, outcome] of [
    ['live', 'tried', 'started'],
    ['nothing', 'tried', 'started'],
    ['live', 'none', 'unmatched'],
    ['live', undefined, 'started'],
    ['nothing', undefined, 'unmatched'],
  ] as const)
    expect([text, draft, await says(text, draft)]).toEqual([text, draft, { outcome }]);
  await engine.whenIdle();
  expect(started.toSorted()).toEqual(['live 1 production', 'tried draft test', 'tried draft test']);
});
