import { replayHistory } from '@hilo/engine/debug';
import type { ExecutionState, HistoryRecord } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import type { Wish } from '../load/client.ts';
import type { ReceivedCall } from '../load/ledger.ts';
import { secret } from '../load/names.ts';
import { check, rules } from './check.ts';
import type { Evidence, StoreDump, Story } from './evidence.ts';
import { quietDay } from './quiet-day.ts';

const day = await quietDay();

const withStore = (change: Partial<StoreDump>): Evidence => ({ ...day, store: { ...day.store, ...change } });
const withReceived = (change: (received: readonly ReceivedCall[]) => readonly ReceivedCall[]): Evidence => ({
  ...day,
  received: change(day.received),
});
const withWishes = (change: (wish: Wish) => Wish): Evidence => ({ ...day, wishes: day.wishes.map(change) });

/** Changes the stored executions of one workflow. */
const withStories = (workflowId: string, change: (story: Story) => readonly Story[]): Evidence =>
  withStore({ stories: day.store.stories.flatMap((story) => (story.record.workflowId === workflowId ? change(story) : [story])) });
const withState = (workflowId: string, change: Partial<ExecutionState>): Evidence =>
  withStories(workflowId, (story) => [{ ...story, record: { ...story.record, state: { ...story.record.state, ...change } } }]);
/** Changes a history, and replays it to get the states. */
const withHistory = (workflowId: string, change: (history: readonly HistoryRecord[]) => readonly HistoryRecord[]): Evidence =>
  withStories(workflowId, (story) => {
    const history = change(story.history);
    return [{ ...story, history, states: replayHistory(history, day.store.canvasOf) }];
  });
const events =
  (type: HistoryRecord['event']['type'], change: (line: HistoryRecord) => readonly HistoryRecord[]) =>
  (history: readonly HistoryRecord[]): readonly HistoryRecord[] =>
    history.flatMap((line) => (line.event.type === type ? change(line) : [line]));
const twice = (line: HistoryRecord): readonly HistoryRecord[] => [line, line];
const timers = (change: { readonly atMs?: number; readonly lateByMs?: number }) =>
  events('timer.fired', (line) => (line.event.type === 'timer.fired' ? [{ ...line, event: { ...line.event, ...change } }] : []));

const swapped = (first: RegExp, second: RegExp) =>
  withReceived((received) => {
    const [one, other] = [first, second].map((text) => received.find(({ payload, path }) => text.test(`${path} ${payload}`))!);
    return received.map((call) => (call === one ? other! : call === other ? one! : call));
  });

describe('the checker', () => {
  it('finds nothing where nothing is wrong, and has seen all there is', () => {
    expect(check(day)).toEqual([]);
    expect(new Set(day.store.stories.map(({ record }) => record.workflowId))).toEqual(
      new Set(['talk', 'lookup', 'order', 'batch', 'family', 'sleeper']),
    );
  });

  it.each<[keyof typeof rules, string, Evidence]>([
    ['keepsAccepted', 'an accepted execution that is gone (P1)', withStories('order', () => [])],
    [
      'keepsAccepted',
      'a message without consequence (P1)',
      withHistory(
        'talk',
        events('reply.received', () => []),
      ),
    ],
    ['keepsAccepted', 'a message that was taken twice (P10)', withHistory('talk', events('reply.received', twice))],
    ['repeatsAlike', 'an attempt made twice in one process (P3)', withReceived((received) => [...received, received[0]!])],
    [
      'repeatsAlike',
      'one key with two payloads (P4)',
      withReceived((received) => [...received, { ...received[0]!, payload: '{}', life: 2 }]),
    ],
    ['intendsFirst', 'an effect without an intent (P3)', withReceived((received) => [...received, { ...received[0]!, key: 'unheard of' }])],
    [
      'intendsFirst',
      'an effect other than its intent (P4)',
      withReceived((received) => received.map((call) => ({ ...call, payload: '{}' }))),
    ],
    ['intendsFirst', 'an answer to what was never done (P3)', withReceived((received) => received.slice(1))],
    [
      'oneWinner',
      'two who are told that they won (P7)',
      withWishes((wish) => (wish.answer?.kind === 'answered' && isObject(wish.answer.value) ? withoutIgnored(wish) : wish)),
    ],
    ['oneWinner', 'a resume that two requests made (P7)', withHistory('order', events('webhook.received', twice))],
    [
      'oneWinner',
      'an accepted resume without a winner (P7)',
      withHistory(
        'order',
        events('webhook.received', () => []),
      ),
    ],
    ['keepsOrder', 'two messages of a user the wrong way round (P9)', swapped(/hello #1/, /echo #2/)],
    ['keepsOrder', 'two effects of an execution the wrong way round (P9)', swapped(/reserve.*"a"/, /reserve.*"b"/)],
    ['keepsOrder', 'a step that ran again after the next (P3)', withReceived((received) => [...received, { ...received[0]!, life: 2 }])],
    ['firesOnce', 'a timer that fired twice (P11)', withHistory('lookup', events('timer.fired', twice))],
    ['firesOnce', 'a timer that fired early (P11)', withHistory('lookup', timers({ atMs: 1 }))],
    ['firesOnce', 'a timer that fired late (P11)', withHistory('lookup', timers({ atMs: Number.MAX_SAFE_INTEGER }))],
    ['firesOnce', 'a timer that is wrong about how late it is (P11)', withHistory('lookup', timers({ lateByMs: 5 }))],
    ['replaysAlike', 'a history that leads elsewhere (P19)', withHistory('talk', (history) => history.slice(0, -1))],
    ['replaysAlike', 'an advance that was made twice (P3)', withHistory('lookup', events('effect.settled', twice))],
    [
      'replaysAlike',
      'a revision that no advance made (P8)',
      withStories('batch', (story) => [{ ...story, record: { ...story.record, revision: story.record.revision + 1 } }]),
    ],
    [
      'replaysAlike',
      'an execution of no version (P14)',
      withStore({ versions: day.store.versions.map((one) => ({ ...one, hash: 'other' })) }),
    ],
    ['accountsForAll', 'an execution that never ends (P35)', withState('order', { status: 'running' })],
    ['accountsForAll', 'an end that still waits (P35)', withHistoryState('lookup')],
    [
      'accountsForAll',
      'something left in the queue (P35)',
      withStore({ queue: [{ lane: 'l', accepted: { kind: 'child.ended', executionId: 'e', waitId: 'w', result: {} } }] }),
    ],
    ['accountsForAll', 'histories of nobody (P35)', withStore({ orphanedHistories: 1 })],
    [
      'accountsForAll',
      'an execution that nobody asked for (P10)',
      withStories('order', (story) => [story, { ...story, record: { ...story.record, executionId: 'second' } }]),
    ],
    ['familiesAgree', 'a child that is gone (P18)', withStories('sleeper', () => [])],
    ['familiesAgree', 'a child without a parent (P18)', withStories('family', () => [])],
    ['familiesAgree', 'an end that was told twice (P18)', withHistory('batch', events('child.ended', twice))],
    ['familiesAgree', 'a child that outlives its parent (P18)', withState('sleeper', { status: 'waiting' })],
    [
      'familiesAgree',
      'a parent that waits for a child that has ended (P18)',
      withStories('family', (story) => [
        { ...story, record: { ...story.record, state: story.states.findLast(({ wait }) => wait !== undefined)! } },
      ]),
    ],
    ['keepsSecrets', 'a credential in the store (P31)', withStore({ bytes: `{"headers":{"x-api-key":"${secret}"}}` })],
  ])('%s finds %s', (name, _what, evidence) => {
    expect(rules[name](evidence)).not.toEqual([]);
  });
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function withoutIgnored(wish: Wish): Wish {
  if (wish.answer?.kind !== 'answered') return wish;
  return { ...wish, answer: { kind: 'answered', value: { ...(wish.answer.value as object), ignored: undefined } } };
}

/** Ended executions that still have an earlier wait. */
function withHistoryState(workflowId: string): Evidence {
  return withStories(workflowId, (story) => {
    const wait = story.states.find((state) => state.wait !== undefined)?.wait;
    return [{ ...story, record: { ...story.record, state: { ...story.record.state, wait } } }];
  });
}
