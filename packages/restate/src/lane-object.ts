import {
  type DecidedLane,
  decideLane,
  emptyLane,
  type EngineContext,
  type KeptLane,
  type LaneDecision,
  type LaneInput,
  type LaneReply,
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
      const decide = (about: LaneInput): Promise<DecidedLane> => decideLane(engine, ctx.key, kept, about);
      const decided = await countDeaths(engine, ctx.request().id, atMs, () => decide(input));
      if (decided.kind === 'done') ({ publish } = decided.result);
      return decided.kind === 'done' ? decided.result.decision : decideOnDeadly(decide, input, decided.reason, kept, atMs);
    });
    if (decision.commits.length > 0) {
      // Written before the lane takes its next input, so that an answered caller can read the result.
      await ctx.run('project', () => projection.write(decision.commits));
      if (isEmpty(decision.kept)) ctx.clear('lane');
      else ctx.set('lane', decision.kept);
    }
    publish(); // listeners; a replay has notified them before
    for (const key of decision.dropped) effects.drop(key);
    schedule(parts, ctx, decision);
    if (input.type === 'effect') underWay.delete(input.key);
    return decision.reply;
  } finally {
    underWay.delete(working);
  }
}

/** Hands on what the decision leads to: effects leave the lane, so that nothing waits behind them; timers come back to it. */
function schedule(
  { underWay, seals }: LaneParts,
  ctx: restate.ObjectContext,
  { atMs, effects, timers, turnsAtMs, elsewhere }: LaneDecision,
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
  for (const item of elsewhere) later(item.lane, { type: 'inbox', item }, atMs);
}

/** An input that repeatedly killed the process: its execution is quarantined, and a caller is refused (P17). */
async function decideOnDeadly(
  decide: (input: LaneInput) => Promise<DecidedLane>,
  input: LaneInput,
  reason: string,
  kept: KeptLane,
  atMs: number,
): Promise<LaneDecision> {
  const target = findTarget(input);
  if (target !== undefined) return (await decide({ type: 'quarantine', ...target, reason })).decision;
  const reply: LaneReply = { kind: 'refused', code: 'INVALID_REQUEST', details: { reason } };
  return { atMs, reply, kept, commits: [], effects: [], dropped: [], timers: [], turnsAtMs: [], elsewhere: [] };
}

function findTarget(input: LaneInput): { readonly companyId: string; readonly executionId: string } | undefined {
  switch (input.type) {
    case 'effect':
      return { companyId: input.companyId, executionId: input.executionId };
    case 'timer':
      return { companyId: input.wait.companyId, executionId: input.wait.executionId };
    case 'inbox': {
      const { companyId, accepted } = input.item;
      return accepted.kind === 'message' ? undefined : { companyId, executionId: accepted.executionId };
    }
    default:
      return undefined;
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
