import { replayHistory } from '@hilo/engine/debug';
import type { ExecutionState, HistoryRecord } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import type { ClientRequest } from '../load/client.ts';
import type { ReceivedCall } from '../load/ledger.ts';
import { secret } from '../load/names.ts';
import { check, rules } from './check.ts';
import type { Evidence, ReplayedExecution, StoreDump } from './evidence.ts';
import { runWithoutFaults } from './faultless-run.ts';

const faultless = await runWithoutFaults();

const withStore = (change: Partial<StoreDump>): Evidence => ({ ...faultless, store: { ...faultless.store, ...change } });
const withReceived = (change: (received: readonly ReceivedCall[]) => readonly ReceivedCall[]): Evidence => ({
  ...faultless,
  received: change(faultless.received),
});
const withRequests = (change: (request: ClientRequest) => ClientRequest): Evidence => ({
  ...faultless,
  requests: faultless.requests.map(change),
});

/** Changes the stored executions of one workflow. */
const withExecutions = (workflowId: string, change: (execution: ReplayedExecution) => readonly ReplayedExecution[]): Evidence =>
  withStore({
    executions: faultless.store.executions.flatMap((execution) =>
      execution.record.workflowId === workflowId ? change(execution) : [execution],
    ),
  });
const withState = (workflowId: string, change: Partial<ExecutionState>): Evidence =>
  withExecutions(workflowId, (execution) => [
    { ...execution, record: { ...execution.record, state: { ...execution.record.state, ...change } } },
  ]);
/** Changes a history, and replays it to get the states. */
const withHistory = (workflowId: string, change: (history: readonly HistoryRecord[]) => readonly HistoryRecord[]): Evidence =>
  withExecutions(workflowId, (execution) => {
    const history = change(execution.history);
    return [{ ...execution, history, states: replayHistory(history, faultless.store.canvasOf) }];
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
    expect(check(faultless)).toEqual([]);
    expect(new Set(faultless.store.executions.map(({ record }) => record.workflowId))).toEqual(
      new Set(['talk', 'lookup', 'order', 'batch', 'family', 'sleeper']),
    );
  });

  it('takes a message for dropped where a process said so, since it may be what kills processes (P17)', () => {
    const without = withHistory(
      'talk',
      events('reply.received', () => []),
    );
    const lost = rules.keepsAccepted(without).map((finding) => /Message (\S+) was/.exec(finding)?.[1] ?? '');
    expect(lost).not.toEqual([]);
    expect(rules.keepsAccepted({ ...without, processes: [{ startedAtMs: 0, dropped: lost }] })).toEqual([]);
    const [, ...others] = lost;
    expect(rules.keepsAccepted({ ...without, processes: [{ startedAtMs: 0, dropped: others }] })).toHaveLength(1);
  });

  it.each<[keyof typeof rules, string, Evidence]>([
    ['keepsAccepted', 'an accepted execution that is gone (P1)', withExecutions('order', () => [])],
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
      withReceived((received) => [...received, { ...received[0]!, payload: '{}', processNumber: 2 }]),
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
      'two requests that are told that they won (P7)',
      withRequests((request) =>
        request.answer?.kind === 'answered' && isObject(request.answer.value) ? withoutIgnored(request) : request,
      ),
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
    [
      'keepsOrder',
      'a step that ran again after the next (P3)',
      withReceived((received) => [...received, { ...received[0]!, processNumber: 2 }]),
    ],
    ['firesOnce', 'a timer that fired twice (P11)', withHistory('lookup', events('timer.fired', twice))],
    ['firesOnce', 'a timer that fired early (P11)', withHistory('lookup', timers({ atMs: 1 }))],
    ['firesOnce', 'a timer that fired late (P11)', withHistory('lookup', timers({ atMs: Number.MAX_SAFE_INTEGER }))],
    ['firesOnce', 'a timer that is wrong about how late it is (P11)', withHistory('lookup', timers({ lateByMs: 5 }))],
    ['replaysAlike', 'a history that leads elsewhere (P19)', withHistory('talk', (history) => history.slice(0, -1))],
    ['replaysAlike', 'an advance that was made twice (P3)', withHistory('lookup', events('effect.settled', twice))],
    [
      'replaysAlike',
      'a revision that no advance made (P8)',
      withExecutions('batch', (execution) => [{ ...execution, record: { ...execution.record, revision: execution.record.revision + 1 } }]),
    ],
    [
      'replaysAlike',
      'an execution of no version (P14)',
      withStore({ versions: faultless.store.versions.map((one) => ({ ...one, hash: 'other' })) }),
    ],
    ['accountsForAll', 'an execution that never ends (P35)', withState('order', { status: 'running' })],
    ['accountsForAll', 'an end that still waits (P35)', withHistoryState('lookup')],
    [
      'accountsForAll',
      'something left in the queue (P35)',
      withStore({ queue: [{ lane: 'l', accepted: { kind: 'child.ended', executionId: 'e', waitId: 'w', result: {} } }] }),
    ],
    ['accountsForAll', 'histories without an execution (P35)', withStore({ orphanedHistories: 1 })],
    ['accountsForAll', 'an execution that the list of its user does not have (P35)', withStore({ unlisted: ['e1'] })],
    [
      'accountsForAll',
      'an execution that no request caused (P10)',
      withExecutions('order', (execution) => [execution, { ...execution, record: { ...execution.record, executionId: 'second' } }]),
    ],
    ['familiesAgree', 'a child that is gone (P18)', withExecutions('sleeper', () => [])],
    ['familiesAgree', 'a child without a parent (P18)', withExecutions('family', () => [])],
    ['familiesAgree', 'an end that was told twice (P18)', withHistory('batch', events('child.ended', twice))],
    ['familiesAgree', 'a child that outlives its parent (P18)', withState('sleeper', { status: 'waiting' })],
    [
      'familiesAgree',
      'a parent that waits for a child that has ended (P18)',
      withExecutions('family', (execution) => [
        { ...execution, record: { ...execution.record, state: execution.states.findLast(({ wait }) => wait !== undefined)! } },
      ]),
    ],
    ['keepsSecrets', 'a credential in the store (P31)', withStore({ bytes: `{"headers":{"x-api-key":"${secret}"}}` })],
  ])('%s finds %s', (name, _what, evidence) => {
    expect(rules[name](evidence)).not.toEqual([]);
  });
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function withoutIgnored(request: ClientRequest): ClientRequest {
  if (request.answer?.kind !== 'answered') return request;
  return { ...request, answer: { kind: 'answered', value: { ...(request.answer.value as object), ignored: undefined } } };
}

/** Ended executions that still have an earlier wait. */
function withHistoryState(workflowId: string): Evidence {
  return withExecutions(workflowId, (execution) => {
    const wait = execution.states.find((state) => state.wait !== undefined)?.wait;
    return [{ ...execution, record: { ...execution.record, state: { ...execution.record.state, wait } } }];
  });
}
