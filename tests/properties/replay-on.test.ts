import type { HistoryRecord } from '@hilo/engine/contract';
import { compileCanvas, type CompiledCanvas, nodeTypes, replayOn } from '@hilo/engine/debug';
import { compareCanvases } from '@hilo/engine/authoring';
import { canvasHash } from '@hilo/engine/store-kit';
import { parseCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas } from '../../packages/testing/src/arbitraries/canvases.ts';
import { Lockstep } from '../../packages/engine/src/machine/replay-on.ts';
import { move, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { change, changes } from './changed-canvases.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compiled, inputOf, walk } from './walk.ts';

const types = nodeTypes(standardNodes);

function compile(json: object): CompiledCanvas | undefined {
  const { canvas: parsed } = parseCanvas(json);
  if (parsed === undefined) return undefined;
  const { compiled: made, problems } = compileCanvas(parsed, canvasHash(parsed), types);
  return problems.some(({ severity }) => severity === 'error') ? undefined : made;
}

const aMessage = { id: 'first', type: 'text', text: 'hello' };

/** Whether the message of a walk begins a content where the walk began. */
const beginsThere = ({ starts }: CompiledCanvas): boolean => {
  const routing = { spend: () => true, once: <Made>(make: (message: typeof aMessage) => Made): Made => make(aMessage) };
  const [first] = starts;
  const entry = first?.definition.entry;
  return starts.length === 1 && entry?.kind === 'message' && entry.match(first?.config, aMessage, routing) !== undefined;
};

/** The history of a walk, as far as it can be replayed on another content. */
function historyOf(drawn: CompiledCanvas, moves: readonly Move[]): readonly HistoryRecord[] {
  const steps = walk(drawn, moves).filter(({ before, after }) => before !== after);
  const away = steps.findIndex(({ event }) => event.type === 'canvas.entered' || event.type === 'execution.migrated');
  const records = steps.slice(0, away === -1 ? undefined : away).map(({ event, entries }) => ({ event, entries }));
  const accepted = { type: 'execution.accepted', atMs: 0, input: inputOf(drawn) } as const;
  return [{ event: accepted, entries: [] }, ...records].map((one, revision) => ({ companyId: '1', executionId: 'e', revision, ...one }));
}

const drawnWalk = fc.record({ json: canvas(), moves: fc.array(move, { maxLength: 14, size: 'max' }) });

describe('a recorded conversation', () => {
  it('equals itself on its own content (R1)', () => {
    let compared = 0;
    fc.assert(
      fc.property(drawnWalk, ({ json, moves }) => {
        const drawn = compiled(json);
        if (!beginsThere(drawn)) return;
        const outcome = replayOn(historyOf(drawn, moves), () => drawn, drawn);
        compared += 1;
        expect(outcome.kind === 'unreadable' ? 'equal' : outcome.kind).toBe('equal');
      }),
      fewRuns(150),
    );
    expect(compared).toBeGreaterThan(0);
  });

  it('has the same outcome and looks when its work is done in parts (P20)', () =>
    fc.assert(
      fc.property(drawnWalk, changes(['remark', 'order', 'unreachable']), fc.constantFrom(1, 40), ({ json, moves }, list, work) => {
        const drawn = compiled(json);
        const draft = compile(change(json, list));
        if (draft === undefined || !beginsThere(drawn) || !beginsThere(draft)) return;
        const play = (part: number) => {
          const seen: unknown[] = [];
          const canvasOf = (hash: string) => (hash === draft.hash ? draft : drawn);
          const lockstep = new Lockstep(historyOf(drawn, moves), canvasOf, draft, { onSeen: (...one) => void seen.push(one) });
          for (;;) {
            const outcome = lockstep.advance(10, part);
            if (outcome !== undefined) return { outcome, seen };
          }
        };
        expect(play(work)).toEqual(play(Number.POSITIVE_INFINITY));
      }),
      fewRuns(100),
    ));

  it('equals itself on a content that is the same from its entry (R2)', () =>
    fc.assert(
      fc.property(drawnWalk, changes(['remark', 'layout', 'order', 'unreachable']), ({ json, moves }, list) => {
        const drawn = compiled(json);
        const draft = compile(change(json, list));
        if (draft === undefined || !beginsThere(drawn) || !beginsThere(draft)) return;
        const entry = drawn.starts[0]?.id ?? '';
        if (compareCanvases(drawn, draft).differenceFrom(entry, false) !== undefined) return;
        const outcome = replayOn(historyOf(drawn, moves), (hash) => (hash === draft.hash ? draft : drawn), draft);
        expect(outcome.kind === 'unreadable' ? 'equal' : outcome.kind).toBe('equal');
      }),
      fewRuns(150),
    ));
});

const talk = (nodes: readonly object[], edges: readonly object[]) =>
  compiled({ schemaVersion: 1, id: 'w', name: 'w', kind: 'skill', nodes, edges });
const begin = { id: 'begin', type: 'start', data: { fallback: true } };
const say = (id: string, text: string) => ({ id, type: 'message', data: { message: { type: 'text', text } } });
const wire = (source: string, target: string, sourceHandle?: string) => ({ source, target, ...(sourceHandle && { sourceHandle }) });
const done = { id: 'done', type: 'end' };
const answers = (count: number): readonly Move[] =>
  Array.from({ length: count }, () => ({ kind: 'answer', choice: 0, text: 'Yes', value: 'v', afterMs: 1_000 }));
const two = talk(
  [begin, say('greet', 'Hello'), say('bye', 'Bye'), done],
  [wire('begin', 'greet'), wire('greet', 'bye', 'sent'), wire('bye', 'done', 'sent')],
);
const hello = [wire('begin', 'greet'), wire('greet', 'done', 'sent')];
const replayed = (draft: CompiledCanvas, ignore: readonly string[] = [], was = two, moves = answers(3)) =>
  replayOn(historyOf(was, moves), (hash) => (hash === draft.hash ? draft : was), draft, { ignore: new Set(ignore) });

describe('a difference', () => {
  it('of a text is noted at its node and its field, and what is behind it is seen when it is ignored', () => {
    const other = talk(
      [begin, say('greet', 'Good day'), say('bye', 'See you'), done],
      [wire('begin', 'greet'), wire('greet', 'bye', 'sent'), wire('bye', 'done', 'sent')],
    );
    const first = replayed(other);
    expect(first).toMatchObject({
      kind: 'differs',
      how: 'request',
      index: 1,
      before: { nodeId: 'greet', what: 'message.send', value: { message: { text: 'Hello' } } },
      after: { value: { message: { text: 'Good day' } } },
    });
    const group = 'group' in first ? first.group : '';
    expect(group).toBe('request:greet:message.text');
    expect(replayed(other, [group])).toMatchObject({ group: 'request:bye:message.text', index: 2 });
    expect(replayed(other, [group, 'request:bye:message.text'])).toEqual({ kind: 'equal' });
  });

  it('of a node that is gone names it, of one that is new, too, and of the end', () => {
    const without = talk([begin, say('greet', 'Hello'), done], [wire('begin', 'greet'), wire('greet', 'done', 'sent')]);
    expect(replayed(without)).toMatchObject({ how: 'missing', before: { nodeId: 'bye' }, after: { what: 'ended.completed' } });
    expect(replayed(two, [], without)).toMatchObject({ how: 'extra', after: { nodeId: 'bye' } });
    const between = talk(
      [begin, say('news', 'News'), say('greet', 'Hello'), say('bye', 'Bye'), done],
      [wire('begin', 'news'), wire('news', 'greet', 'sent'), wire('greet', 'bye', 'sent'), wire('bye', 'done', 'sent')],
    );
    expect(replayed(between)).toMatchObject({ how: 'extra', index: 1, after: { nodeId: 'news' } });
    const ends = talk(
      [begin, say('greet', 'Hello'), say('bye', 'Bye'), { ...done, data: { outputs: { a: 1 } } }],
      [wire('begin', 'greet'), wire('greet', 'bye', 'sent'), wire('bye', 'done', 'sent')],
    );
    expect(replayed(ends)).toMatchObject({ how: 'end', group: 'end:done:outputs.a' });
  });

  it.each([
    [
      'leaves out a turn whose node is still there',
      ['greet', 'last'],
      { how: 'missing', group: 'missing:bye:sent', before: { nodeId: 'bye' } },
    ],
    ['swaps two turns', ['greet', 'last', 'bye'], { how: 'missing', group: 'missing:bye:sent', after: { nodeId: 'last' } }],
    [
      'comes to a node that it never came to',
      ['greet', 'spare', 'last'],
      { how: 'order', group: 'order:spare:sent', before: { nodeId: 'bye' } },
    ],
    [
      'comes to a node that is new',
      ['greet', 'news', 'bye', 'last'],
      { how: 'extra', group: 'extra:news:sent', after: { nodeId: 'news' } },
    ],
    ['ends before a turn', ['greet', 'bye'], { how: 'missing', before: { nodeId: 'last' }, after: { what: 'ended.completed' } }],
    [
      'goes on behind its end',
      ['greet', 'bye', 'last', 'spare'],
      { how: 'extra', before: { what: 'ended.completed' }, after: { nodeId: 'spare' } },
    ],
  ])('of a conversation that %s is named so', (_name, way, difference) => {
    const along = (names: readonly string[], all: readonly string[]) =>
      talk(
        [begin, ...all.map((name) => say(name, name)), done],
        ['begin', ...names].map((name, index) => wire(name, names[index] ?? 'done', index === 0 ? undefined : 'sent')),
      );
    const known = ['greet', 'bye', 'last', 'spare'];
    const was = along(['greet', 'bye', 'last'], known);
    expect(replayed(along(way, way.includes('news') ? [...known, 'news'] : known), [], was, answers(4))).toMatchObject(difference);
  });

  it('is none where an effect or a wait belongs to another visit of its node', () => {
    const number = { id: 'number', type: 'set', data: { assignments: [{ path: '$context.n', value: 1 }] } };
    const time = { id: 'time', type: 'set', data: { assignments: [{ path: '$context.at', value: '2040-01-01T00:00:00Z' }] } };
    const until = { id: 'until', type: 'wait-until', data: { at: '{{$context.at ?? "2001-01-01T00:00:00Z"}}' } };
    /** One that comes to both nodes too early comes back to them. */
    const coming = (isEarly: boolean) =>
      talk(
        [begin, number, say('greet', 'Number {{$context.n + 1}}'), time, until, say('bye', 'Bye'), done],
        [
          wire('begin', isEarly ? 'greet' : 'number'),
          wire('number', 'greet'),
          wire('greet', 'number', 'error'),
          wire('greet', isEarly ? 'until' : 'time', 'sent'),
          wire('time', 'until'),
          wire('until', 'time', 'past'),
          wire('until', 'bye', 'elapsed'),
          wire('bye', 'done', 'sent'),
        ],
      );
    const [early, late] = [coming(true), coming(false)];
    const moves: readonly Move[] = [...answers(1), { kind: 'timer', choice: 0, text: '', value: null, afterMs: 0 }, ...answers(1)];
    const visits = (canvas: CompiledCanvas) => walk(canvas, moves).at(-1)?.after.visits;
    expect([visits(early), visits(late)]).toMatchObject([
      { greet: 2, until: 2, bye: 1 },
      { greet: 1, until: 1, bye: 1 },
    ]);
    expect([replayed(early, [], late, moves), replayed(late, [], early, moves)]).toEqual([{ kind: 'equal' }, { kind: 'equal' }]);
  });

  it('is not known where a request came to a webhook that has another name on the draft: its address would be another', () => {
    const hooked = (id: string) =>
      talk(
        [begin, { id, type: 'webhook', data: { variableName: 'call', methods: ['POST'] } }, say('greet', 'Hello'), done],
        [wire('begin', 'greet'), wire(id, 'greet', 'new'), wire('greet', 'done', 'sent')],
      );
    const [was, other] = [hooked('hook'), hooked('other')];
    const request = { type: 'webhook.received', via: 'hook', once: false, waitId: 'none', writes: [], atMs: 1_900_000_000_500 } as const;
    const history = historyOf(was, []).concat({ companyId: '1', executionId: 'e', revision: 2, event: request, entries: [] });
    const on = (draft: CompiledCanvas, received = request.via as string) => {
      const records = history.map((one) => (one.event === request ? { ...one, event: { ...request, via: received } } : one));
      return replayOn(records, (hash) => (hash === draft.hash ? draft : was), draft);
    };
    expect([on(was), on(other)]).toEqual([{ kind: 'equal' }, { kind: 'unknown', why: 'webhook' }]);
    expect([on(was, 'bank'), on(other, 'bank')]).toEqual([{ kind: 'equal' }, { kind: 'equal' }]); // by the address of another node
  });

  it('is none for one that was called, where a webhook begins the content as well', () => {
    const was = talk(
      [begin, { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'] } }, say('greet', 'Hello'), done],
      [wire('begin', 'greet'), wire('hook', 'greet', 'new'), wire('greet', 'done', 'sent')],
    );
    const trigger = { kind: 'call', inputs: {}, webhook: {} } as const;
    const history = historyOf(was, answers(1)).map((one) =>
      one.event.type === 'execution.started' ? { ...one, event: { ...one.event, trigger } } : one,
    );
    expect(replayOn(history, () => was, was)).toEqual({ kind: 'equal' });
  });

  it('is one of the start where a keyword of another node has the message', () => {
    const keyed = talk(
      [begin, { id: 'other', type: 'start', data: { keywords: ['hello'] } }, say('greet', 'Hello'), done],
      [...hello, wire('other', 'greet')],
    );
    expect(replayed(keyed)).toMatchObject({ how: 'start', before: { nodeId: 'begin' }, after: { nodeId: 'other' } });
  });

  it('of the status of an end, and of what it hands over, are two', () => {
    const fails = talk([begin, say('greet', 'Hello'), { ...done, data: { outputs: { a: '{{$context.executionId * 2.0}}' } } }], hello);
    const hands = talk([begin, say('greet', 'Hello'), { ...done, data: { outputs: { a: 1 } } }], hello);
    expect(replayed(fails, [], hands)).toMatchObject({ how: 'end', group: 'end:done:status' });
    expect(replayed(fails, [], fails)).toEqual({ kind: 'equal' });
  });

  it('of a start whose message no longer begins it is one of the start', () => {
    const strict = talk(
      [{ ...begin, data: { keywords: ['never'] } }, say('greet', 'Hello'), done],
      [wire('begin', 'greet'), wire('greet', 'done', 'sent')],
    );
    expect(replayed(strict)).toMatchObject({ how: 'start', index: 1, before: { nodeId: 'begin' } });
  });

  it('of a time is one of the wait, and a timer that is due before an answer has its turn', () => {
    const waiting = (duration: string) =>
      talk(
        [
          begin,
          {
            id: 'ask',
            type: 'ask',
            data: { message: { type: 'text', text: 'Yes?' }, input: { kind: 'text' }, saveAs: '$context.a', timeout: duration },
          },
          say('late', 'Too late'),
          done,
        ],
        [wire('begin', 'ask'), wire('ask', 'done', 'answered'), wire('ask', 'late', 'timeout'), wire('late', 'done', 'sent')],
      );
    const answered = (afterMs: number): readonly Move[] => [...answers(1), { kind: 'answer', choice: 0, text: 'Yes', value: 'v', afterMs }];
    const moves = answered(7_200_000);
    const short = waiting('PT1H');
    expect(replayed(short, [], waiting('PT3H'), moves)).toMatchObject({ how: 'request', group: 'request:ask:dueInMs' });
    expect(replayed(short, ['request:ask:dueInMs'], waiting('PT3H'), moves)).toMatchObject({ how: 'extra', after: { nodeId: 'late' } });
    const outcomes = [3_599_999, 3_600_000, 3_600_001].map((afterMs) =>
      replayed(waiting('PT1H'), ['request:ask:dueInMs'], waiting('PT3H'), answered(afterMs)),
    );
    expect(outcomes).toMatchObject([{ kind: 'equal' }, { how: 'extra' }, { how: 'extra' }]); // one that is due at the very instant has been
  });
});

describe('a chance', () => {
  const names = Array.from({ length: 20 }, (_none, index) => `way-${index}`);
  const chance = (id: string, ways = names, first = 100 / ways.length) => ({
    id,
    type: 'random',
    data: {
      routes: ways.map((name, index) => ({ name, percent: index === 0 ? first : (100 - first) / (ways.length - 1) })),
    },
  });
  /** Draws one of twenty, perhaps behind another draw, which shifts it. */
  const drawing = ({ isShifted = false, first = 5 } = {}) =>
    talk(
      [
        begin,
        ...(isShifted ? [chance('shift', ['one', 'other'])] : []),
        chance('coin', names, first),
        ...names.map((name) => say(name, name)),
        done,
      ],
      [
        ...(isShifted ? [wire('begin', 'shift'), wire('shift', 'coin', 'one'), wire('shift', 'coin', 'other')] : [wire('begin', 'coin')]),
        ...names.flatMap((name) => [wire('coin', name, name), wire(name, 'done', 'sent')]),
      ],
    );

  it('that falls otherwise, since a node before it draws too, is told from what the author changed', () => {
    const was = drawing();
    const drawn = replayed(drawing({ isShifted: true }), [], was);
    expect(drawn).toMatchObject({ kind: 'differs', how: 'drawn', group: 'drawn:coin' });
    expect(replayed(drawing({ isShifted: true }), ['drawn:coin'], was)).toEqual({ kind: 'equal' });
    expect(replayed(drawing({ isShifted: true, first: 81 }), [], was)).not.toMatchObject({ how: 'drawn' });
    expect(replayed(drawing(), [], was)).toEqual({ kind: 'equal' });
  });

  it('in code is one of its seed, with which it goes on, and is not lost where what is behind it is ignored', () => {
    const coding = (isShifted: boolean, outputs: object, source = 'return 1;') =>
      talk(
        [
          begin,
          ...(isShifted ? [chance('shift', ['one', 'other'])] : []),
          { id: 'code', type: 'code', data: { source, saveAs: '$context.x' } },
          { ...done, data: { outputs } },
        ],
        [
          ...(isShifted ? [wire('begin', 'shift'), wire('shift', 'code', 'one'), wire('shift', 'code', 'other')] : [wire('begin', 'code')]),
          ...['next', 'error'].map((port) => wire('code', 'done', port)),
        ],
      );
    const was = coding(false, { a: 1 });
    const seed = { kind: 'differs', how: 'drawn', group: 'drawn:code:seed' };
    expect(replayed(coding(true, { a: 1 }), [], was)).toMatchObject(seed);
    expect(replayed(coding(true, { a: 2 }), [], was)).toMatchObject({ how: 'end', group: 'end:done:outputs.a' });
    expect(replayed(coding(true, { a: 2 }), ['end:done:outputs.a'], was)).toMatchObject(seed);
    expect(replayed(coding(false, { a: 1 }, 'return 2;'), [], was)).toMatchObject({ how: 'request', group: 'request:code:source' });
  });
});
