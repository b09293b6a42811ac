import {
  type Commit,
  type ExecutionEvent,
  type ExecutionState,
  HiloError,
  type HistoryRecord,
  type OpenWait,
  type PendingEffect,
} from '@hilo/engine/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, CommitMade, EffectMade, Evidence } from './evidence.ts';
import { type OracleName, oracles } from './oracles/oracles.ts';
import { simulateCluster } from './simulate-cluster.ts';
import { executionRecord } from '../../packages/testing/src/contracts/index.ts';

/** The evidence of a run that went well; each test spoils a copy of it. */
let sound: Evidence;

beforeAll(async () => {
  const command = { user: 0, choice: 0, copies: 1 };
  const commands = [
    { ...command, kind: 'says' as const, atMs: 10 },
    { ...command, kind: 'calls' as const, atMs: 20, choice: 1 },
    { ...command, kind: 'resumes' as const, atMs: 400_000, choice: 1 },
    { ...command, kind: 'calls' as const, atMs: 500, choice: 2 },
  ];
  const { evidence, findings } = await simulateCluster({
    seed: 4,
    processes: 2,
    isShared: true,
    users: 1,
    faults: {},
    answering: 0.9,
    commands,
  });
  if (findings.length > 0) throw new Error(`The run that is to go well does not: ${JSON.stringify(findings)}`);
  sound = evidence;
});

const found = (oracle: OracleName, planted: Partial<Evidence>): readonly string[] => oracles[oracle]({ ...sound, ...planted });

const committed = (parts: Partial<Commit>, more: Partial<CommitMade> = {}): CommitMade => ({
  order: 100_000,
  atMs: 0,
  process: 'p9#9',
  seqs: [],
  commit: { saves: [], history: [], contacts: [], enqueue: [], dequeue: [], ...parts },
  ...more,
});
const answer = (parts: Partial<Answer>): Answer => ({ atMs: 0, verb: 'message', key: 'planted', ...parts });
const history = (event: ExecutionEvent, executionId = 'planted'): HistoryRecord => ({
  companyId: '1',
  executionId,
  revision: 2,
  event,
  entries: [],
});
const resumed = (once: boolean) => history({ type: 'webhook.received', waitId: 'w', via: 'hook', once, writes: [], atMs: 1 });
const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) throw new Error('The run that went well has none');
  return item;
};
/** An effect of a process in its first life. */
const effect = (parts: Partial<EffectMade>): EffectMade => ({ ...first(sound.effects), lifetime: 1, ...parts });
const changed = (parts: Partial<ExecutionState>) => {
  const record = executionRecord({ id: 'planted' });
  return { ...record, state: { ...record.state, ...parts } };
};
const wait: OpenWait = { id: 'w', kind: 'timer', nodeId: 'n', openedAtMs: 0, dueAtMs: 1_000, onDue: 'timeout', takesReply: false };
const fired = (atMs: number) => history({ type: 'timer.fired', waitId: 'w', lateByMs: 0, atMs });
const timed = (...events: readonly HistoryRecord[]): Partial<Evidence> => ({
  commits: [committed({ saves: [changed({ status: 'waiting', wait })] })],
  histories: new Map([['planted', events]]),
});

describe('each oracle', () => {
  it.each(Object.keys(oracles) as OracleName[])('finds nothing in a run that went well: %s', (oracle) => {
    expect(found(oracle, {})).toEqual([]);
  });

  it('acceptedIsKept reports a lost message, start, cancel and resume (P1)', () => {
    for (const verb of ['message', 'start', 'cancel', 'resume'] as const) {
      expect(found('acceptedIsKept', { answers: [...sound.answers, answer({ verb, executionId: 'gone' })] })).toHaveLength(1);
    }
    expect(found('acceptedIsKept', { answers: [answer({ verb: 'start', executionId: 'gone', refusal: 'NODE_NOT_FOUND' })] })).toEqual([]);
  });

  it('acceptedIsKept reports a delivery that was accepted twice (P10)', () => {
    const seen = { keys: ['1:bot:event:planted'], untilMs: 0, answer: null };
    expect(found('acceptedIsKept', { commits: [...sound.commits, committed({ seen }), committed({ seen })] })).toHaveLength(1);
  });

  it('effectsOnce reports an effect that one process performs twice in one life (P3)', () => {
    expect(found('effectsOnce', { effects: [...sound.effects, effect({ order: 90_000 })] })).toHaveLength(1);
    expect(found('effectsOnce', { effects: [...sound.effects, effect({ order: 90_000, lifetime: 2 })] })).toEqual([]);
  });

  it('effectsOnce notices an effect that a later process performs though its answer is recorded (P3)', () => {
    const again = effect({ order: 90_000, process: 'p2#9', aliveSince: 80_000 });
    expect(found('effectsOnce', { effects: [...sound.effects, again] })).toHaveLength(1);
  });

  it('effectsOnce notices an effect without a committed intent (P3)', () => {
    const pending: PendingEffect = {
      key: 'planted',
      nodeId: 'n',
      attempt: 1,
      type: 'http.request',
      request: null,
      limitMs: 1,
      limitCause: { cause: 'TIMEOUT', message: '' },
    };
    const early = effect({ order: 1, key: 'planted', process: 'p9#9' });
    expect(found('effectsOnce', { effects: [early], commits: [committed({ saves: [changed({ pending })] })] })).toHaveLength(1);
  });

  it('effectsOnce notices a payload that is another (P4)', () => {
    const other = effect({ process: 'p9#9', payload: '"other"' });
    expect(found('effectsOnce', { effects: [...sound.effects, other] })).toHaveLength(1);
  });

  it('oneWinner reports two winners, an answer too many that claims to have won, and no winner (P7)', () => {
    const won = answer({ verb: 'resume', executionId: 'planted', isIgnored: false });
    const histories = (...records: readonly HistoryRecord[]) => new Map([['planted', records]]);
    expect(found('oneWinner', { histories: histories(resumed(true), resumed(true)) })).toHaveLength(1);
    expect(found('oneWinner', { histories: histories(resumed(true)), answers: [won, won] })).toHaveLength(1);
    expect(found('oneWinner', { histories: histories(), answers: [{ ...won, isIgnored: true }] })).toHaveLength(1);
    expect(found('oneWinner', { histories: histories(resumed(true)), answers: [won, { ...won, isIgnored: true }] })).toEqual([]);
  });

  it('order notices a message that is processed before an earlier one (P9)', () => {
    const accepted = { kind: 'message', botId: 'b', userId: 'u', message: {} } as const;
    const enqueue = [1, 2].map(() => ({ companyId: '1', lane: 'l', acceptedAtMs: 0, accepted }));
    const processed = (seq: number) => committed({ saves: [changed({})], dequeue: [{ lane: 'l', seq }] });
    const accept = committed({ enqueue }, { seqs: [1, 2] });
    expect(found('order', { commits: [accept, processed(2), processed(1)] })).toHaveLength(1);
    expect(found('order', { commits: [accept, processed(1), processed(2)] })).toEqual([]);
  });

  it('order notices messages that leave in another order than that of the canvas (P9)', () => {
    const { executionId } = first(sound.effects);
    const effects = sound.effects.filter((effect) => effect.executionId === executionId);
    expect(effects.length).toBeGreaterThan(1);
    expect(found('order', { effects: effects.map((effect) => ({ ...effect, order: -effect.order })) })).toHaveLength(effects.length - 1);
  });

  it('timers reports a timer that fires early, twice or late, and one that never was set (P11)', () => {
    expect(found('timers', timed(fired(999)))).toHaveLength(1);
    expect(found('timers', timed(fired(1_000), fired(1_000)))).toHaveLength(1);
    expect(found('timers', timed(fired(60_000)))).toHaveLength(1);
    expect(found('timers', { ...timed(fired(60_000)), isPunctual: false })).toEqual([]);
    expect(found('timers', { ...timed(fired(1_000)), commits: [] })).toHaveLength(1);
  });

  it('pinned notices another version, another canvas, and a history that leads elsewhere (P14, P19)', () => {
    const saves = (...records: readonly Commit['saves'][number][]) => records.map((record) => committed({ saves: [record] }));
    const record = executionRecord({ id: 'planted' });
    expect(found('pinned', { commits: saves(record, { ...record, version: 2 }) })).toHaveLength(1);
    expect(found('pinned', { commits: saves(record, changed({ canvasHash: 'other' })) })).toHaveLength(1);
    const ended = first(sound.executions);
    const elsewhere = { ...ended, state: { ...ended.state, visitsInAll: 999 } };
    expect(found('pinned', { executions: [elsewhere, ...sound.executions.slice(1)] })).toHaveLength(1);
  });

  it('conservation reports a queued item with no or two consequences, and a lost execution (P35)', () => {
    const accepted = { kind: 'child.ended', executionId: 'e', waitId: 'w', result: {} } as const;
    const accept = committed({ enqueue: [{ companyId: '1', lane: 'l', acceptedAtMs: 0, accepted }] }, { seqs: [7_777] });
    const processed = committed({ dequeue: [{ lane: 'l', seq: 7_777 }] });
    expect(found('conservation', { commits: [...sound.commits, accept] })).toHaveLength(1);
    expect(found('conservation', { commits: [...sound.commits, accept, processed, processed] })).toHaveLength(1);
    expect(found('conservation', { executions: sound.executions.slice(1) }).length).toBeGreaterThan(0);
  });

  it('conservation notices a child without a parent that waits for it, and a parent without its child (P18)', () => {
    const orphan = { ...changed({ status: 'waiting', wait }), parent: { executionId: 'none', waitId: 'w' } };
    const parent = changed({ status: 'waiting', wait: { ...wait, kind: 'child', childId: 'none' } });
    for (const record of [orphan, parent]) expect(found('conservation', { executions: [...sound.executions, record] })).toHaveLength(1);
  });

  it('ownFaults reports a fault that is not the store’s, and an unhandled rejection (P32)', () => {
    const told = (error: unknown) => ({ faults: [{ process: 'p1#1', error, while: 'testing' }] });
    expect(found('ownFaults', told(new TypeError('planted')))).toHaveLength(1);
    expect(found('ownFaults', told(new HiloError('STORE_UNAVAILABLE', { reason: 'planted' })))).toEqual([]);
    expect(found('ownFaults', { unhandled: [new HiloError('STORE_UNAVAILABLE', { reason: 'planted' })] })).toHaveLength(1);
  });

  it('liveness notices who is never answered, what never ends, and a timer that is overdue', () => {
    const stuck = (state: Partial<ExecutionState>) => found('liveness', { executions: [changed(state)] });
    expect(found('liveness', { isQuiet: false })).toHaveLength(1);
    expect(found('liveness', { unanswered: ['planted'] })).toHaveLength(1);
    expect(found('liveness', { unfinished: [{ lane: 'l', unsettled: [], queued: 1 }] })).toHaveLength(1);
    expect(stuck({ status: 'running' })).toHaveLength(1);
    expect(stuck({ status: 'waiting', wait })).toHaveLength(1);
    expect(stuck({ status: 'waiting', wait: { ...wait, dueAtMs: sound.endMs + 1 } })).toEqual([]);
  });
});
