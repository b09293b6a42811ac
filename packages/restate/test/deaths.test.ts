// What kills its process again and again is counted and set aside (P17): an input of a lane, and each item of its inbox.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import {
  type CreateLaneRuntime,
  emptyLane,
  type EngineContext,
  type InboxItem,
  type KeptLane,
  type LaneInput,
  type TakenInLane,
} from '@hilo/engine/runtime-kit';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { takeCounted } from '../src/lane-object.ts';

const lane = 'acme/user/bot/ada';
const ref = { companyId: 'acme', executionId: 'none' };

const message = (seq: number, text: string): InboxItem => ({
  seq,
  companyId: 'acme',
  lane,
  acceptedAtMs: 0,
  accepted: { kind: 'message', botId: 'bot', userId: 'ada', message: { type: 'text', text } },
});

/** Processes one after the other over one store. Looking for the start of a message that says `kill` never returns, as in a death. */
async function processes() {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const unmatched: unknown[] = [];
  let nowMs = 0;
  let tried: unknown;
  let deaths = 0;

  const begin = (): EngineContext => {
    nowMs += 1_000;
    const [atMs, contexts] = [nowMs, [] as EngineContext[]];
    const runtime: CreateLaneRuntime = (context) => {
      contexts.push(context);
      const nothing = async (): Promise<void> => undefined;
      return {
        accept: () => Promise.reject(new Error('Nothing is accepted')),
        start: nothing,
        stop: nothing,
        whenIdle: nothing,
        activity: () => ({ working: 0, blocked: 0 }),
      };
    };
    const engine = createEngine({
      nodes: standardNodes,
      store,
      clock: { now: () => atMs, setTimeout: () => undefined, clearTimeout: () => undefined },
      directory: {
        company: () => undefined,
        isAttended: (_companyId, _botId, _userId) => false,
        bot: () => (tried === 'kill' ? new Promise<never>(() => (deaths += 1)) : { channel: 'web' }),
      },
      runtime,
    });
    engine.on('message.unmatched', ({ message: { text }, cause }) => void unmatched.push([text, cause]));
    const [context] = contexts;
    if (context === undefined) throw new Error('An engine makes its runtime when it is created');
    return context;
  };

  /** Takes an input in one process after the other, until one survives it. */
  const take = async (
    kept: KeptLane,
    input: LaneInput,
    atMs: number,
    id: string,
    engine = begin(),
  ): Promise<[TakenInLane, EngineContext]> => {
    const deathsBefore = deaths;
    const next = kept.inbox[0]?.accepted;
    tried = next?.kind === 'message' ? next.message['text'] : undefined;
    const taken = await Promise.race([
      takeCounted(engine, { lane, kept, id, input, atMs }),
      new Promise<undefined>((resolve) => {
        const look = (left: number): void =>
          void setImmediate(() => (deaths > deathsBefore || left === 0 ? resolve(undefined) : look(left - 1)));
        look(100);
      }),
    ]);
    return taken === undefined ? take(kept, input, atMs, id) : [taken, engine];
  };

  return { begin, take, unmatched, deaths: () => deaths };
}

describe('an item that kills its process', () => {
  it.each<[string, LaneInput]>([
    ['in its own turn', { type: 'turn' }],
    ['behind the answer of an effect', { type: 'effect', ...ref, key: 'k', settled: { kind: 'result', value: null } }],
    ['behind an event of another lane', { type: 'quarantine', ...ref, reason: 'for nothing' }],
  ])('%s is set aside, and what queues behind it goes on', async (_where, first) => {
    const { begin, take, unmatched, deaths } = await processes();
    let kept: KeptLane = { ...emptyLane, inbox: [message(1, 'kill'), message(2, 'hello')], lastSeq: 2 };
    let input = first;
    let engine = begin();
    for (let step = 1; kept.inbox.length > 0; step += 1) {
      expect(step).toBeLessThan(6);
      const [{ decision, publish }, survivor] = await take(kept, input, 1_000, `invocation ${step}`, engine);
      engine = survivor;
      publish();
      ({ kept } = decision);
      expect(decision.isDue).toBe(kept.inbox.length > 0);
      input = { type: 'turn' };
    }
    expect(unmatched).toEqual([
      ['kill', 'NOT_PROCESSABLE'],
      ['hello', 'NO_START_PUBLISHED'],
    ]);
    expect(deaths()).toBeLessThanOrEqual(4); // three at its turn, and one at its quarantine, which looks for the start
  });
});
