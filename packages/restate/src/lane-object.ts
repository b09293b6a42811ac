// A lane as a virtual object of Restate.
import {
  emptyLane,
  type EngineContext,
  type KeptLane,
  type LaneDecision,
  type LaneInput,
  type LaneReply,
  takeInLane,
  type TakenInLane,
} from '@hilo/engine/runtime-kit';
import * as restate from '@restatedev/restate-sdk';
import type { Effects } from './effects-service.ts';
import { countDeaths } from './deaths.ts';
import { type EffectEntry, forever, handlers, createJsonSerde, type KeyedEntry, type LaneEntry, places, toLane } from './entries.ts';
import type { Projection } from './projection.ts';
import type { Sealed, Seals } from './seals.ts';

/** What the lane object works with. */
export interface LaneParts {
  readonly engine: EngineContext;
  readonly seals: Seals;
  readonly projection: Projection;
  readonly effects: Pick<Effects, 'drop'>;
  /** Called with the number of inputs and effects in progress. */
  readonly underWay: { add(name: string): void; delete(name: string): void };
}

/**
 * A lane as a virtual object: Restate gives it one writer, stores its open executions, and sets its timers. Each input is decided by the
 * engine in one journalled step, so that a retry, in this release or another, finds the same decision.
 */
export const createLaneObject = (parts: LaneParts) =>
  restate.object({
    name: handlers.lane,
    options: { journalRetention: 0, idempotencyRetention: { minutes: 10 }, retryPolicy: forever, ingressPrivate: false },
    handlers: {
      take: async (ctx: restate.ObjectContext, entry: Sealed): Promise<LaneReply> =>
        takeEntry(parts, ctx, parts.seals.open<LaneEntry>(places.lane(ctx.key), entry)),
    },
  });

async function takeEntry(parts: LaneParts, ctx: restate.ObjectContext, { input, atMs }: LaneEntry): Promise<LaneReply> {
  const { engine, projection, effects, underWay } = parts;
  const working = `${ctx.key} ${ctx.request().id}`;
  underWay.add(working);
  try {
    const kept = (await ctx.get<KeptLane>('lane')) ?? emptyLane;
    let publish = (): void => undefined;
    const decision = await ctx.run('decide', async (): Promise<LaneDecision> => {
      const taken = await takeCounted(engine, { lane: ctx.key, kept, id: ctx.request().id, input, atMs });
      ({ publish } = taken);
      return taken.decision;
    });
    if (decision.commits.length > 0) {
      // Written before the lane takes its next input, so that an answered caller can read the result.
      await ctx.run('project', () => projection.write(decision.commits));
      if (isEmpty(decision.kept)) ctx.clear('lane');
      else ctx.set('lane', decision.kept);
    }
    publish(); // listeners; a replay has notified them before
    for (const key of decision.dropped) effects.drop(key);
    schedule(parts, ctx, decision, atMs);
    if (input.type === 'effect') underWay.delete(input.key);
    return decision.reply;
  } finally {
    underWay.delete(working);
  }
}

/** An input, the lane that it is for, and the invocation that brings it. */
interface Counted extends LaneEntry {
  readonly lane: string;
  readonly kept: KeptLane;
  /** The same for every attempt. */
  readonly id: string;
}

/** Takes an input of a lane, unless it has killed its process too often: then it is set aside, with what it is for (P17). */
export const takeCounted = (engine: EngineContext, { lane, kept, id, input, atMs }: Counted): Promise<TakenInLane> =>
  countDeaths(engine, id, atMs, {
    attempt: (isRetry) => takeInLane(engine, lane, kept, input, isRetry),
    giveUp: (reason, isRepeated) => takeInLane(engine, lane, kept, blame(input, reason, isRepeated), true),
  });

/**
 * Hands on what the decision leads to: effects leave the lane, so that nothing waits behind them; timers come back to it.
 *
 * @param askedAtMs - when the input was requested: an item that it left may be what killed the process then, and is counted (P17)
 */
function schedule(
  { underWay, seals }: LaneParts,
  ctx: restate.ObjectContext,
  { atMs, effects, timers, turnsAtMs, elsewhere, isDue }: LaneDecision,
  askedAtMs: number,
): void {
  const later = (lane: string, input: LaneInput, dueAtMs: number): void => {
    const delay = Math.max(0, dueAtMs - atMs);
    ctx.genericSend({ ...toLane(seals, lane, { input, atMs: dueAtMs }), ...(delay > 0 && { delay }) });
  };
  for (const call of effects) {
    underWay.add(call.key);
    const entry: EffectEntry = { lane: ctx.key, call, atMs };
    const parameter = seals.seal(places.effects, entry);
    ctx.genericSend({ service: handlers.effects, method: 'perform', parameter, inputSerde: createJsonSerde<Sealed>() });
  }
  for (const wait of timers) later(ctx.key, { type: 'timer', wait }, wait.dueAtMs);
  for (const turnAtMs of turnsAtMs) later(ctx.key, { type: 'turn' }, turnAtMs);
  if (isDue) later(ctx.key, { type: 'turn' }, askedAtMs);
  for (const item of elsewhere) later(item.lane, { type: 'inbox', item }, atMs);
}

/** What is done about an input that repeatedly killed its process: what it is for is quarantined, and a caller is refused (P17). */
function blame(input: LaneInput, reason: string, isRepeated: boolean): LaneInput {
  switch (input.type) {
    case 'effect':
      return { type: 'quarantine', companyId: input.companyId, executionId: input.executionId, reason };
    case 'timer':
      return { type: 'quarantine', companyId: input.wait.companyId, executionId: input.wait.executionId, reason };
    case 'turn':
      return { type: 'poison', reason, isRepeated };
    case 'inbox':
    case 'quarantine':
    case 'poison':
      return input; // it runs no node
    default:
      return { type: 'refusal', reason };
  }
}

/** A lane that has had an inbox keeps its counter, so that no number is reused. */
const isEmpty = ({ executions, inbox, lastSeq }: KeptLane): boolean => executions.length + inbox.length + lastSeq === 0;

/** How long a delivery id is remembered (P10): what the engine's own stores keep them for. */
const keyRetention: restate.Duration = { days: 8 };

/**
 * A delivery id as a virtual object. Repetitions of a start have other execution ids, and so other lanes: the first is forwarded, and its
 * answer given to all of them for eight days. A refused one is forgotten.
 */
export const createKeyObject = (seals: Seals) =>
  restate.object({
    name: handlers.key,
    options: { journalRetention: 0, idempotencyRetention: { minutes: 10 }, retryPolicy: forever },
    handlers: {
      async take(ctx: restate.ObjectContext, sealed: Sealed): Promise<LaneReply> {
        const { lane, ...entry } = seals.open<KeyedEntry>(places.key(ctx.key), sealed);
        const known = await ctx.get<LaneReply>('reply');
        if (known !== null) return known;
        const reply = await ctx.genericCall({ ...toLane(seals, lane, entry), outputSerde: createJsonSerde<LaneReply>() });
        if (reply.kind !== 'answer') return reply;
        ctx.set('reply', reply);
        ctx.genericSend({
          service: handlers.key,
          method: 'forget',
          key: ctx.key,
          parameter: seals.seal(places.forget(ctx.key), null),
          inputSerde: createJsonSerde<Sealed>(),
          delay: keyRetention,
        });
        return reply;
      },
      forget: restate.handlers.object.exclusive(
        { ingressPrivate: true },
        async (ctx: restate.ObjectContext, sealed: Sealed): Promise<void> => {
          seals.open(places.forget(ctx.key), sealed);
          ctx.clearAll();
        },
      ),
    },
  });
