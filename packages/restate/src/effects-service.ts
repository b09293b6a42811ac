import { readContact, type EffectCall, type EngineContext, type LaneInput, settle, type Settled } from '@hilo/engine/runtime-kit';
import * as restate from '@restatedev/restate-sdk';
import { countDeaths } from './deaths.ts';
import { type EffectEntry, forever, handlers, places, toLane } from './entries.ts';
import type { Sealed, Seals } from './seals.ts';

/** The result of an effect. `dropped`: it is not awaited any more. */
type Performed =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'deadly'; readonly reason: string };

/** The effects under way in this process. */
export interface Effects {
  /** Performs an effect once at a time: a concurrent repetition gets the same answer. */
  perform(call: EffectCall): Promise<Performed>;
  /** Aborts an effect whose result is not awaited any more. */
  drop(key: string): void;
}

/** Performs effects with the drivers of an engine. */
export function createEffects(engine: EngineContext): Effects {
  const underWay = new Map<string, { readonly performed: Promise<Performed>; drop(): void }>();

  const begin = (call: EffectCall): Promise<Performed> => {
    const dropped = Promise.withResolvers<Performed>();
    let abort = (): void => undefined;
    const perform = async (): Promise<Performed> => {
      if (!(await isAwaited(engine, call))) return { kind: 'dropped' };
      const settled = settle(engine, call, await readContact(engine, call), (how) => (abort = how));
      return { kind: 'settled', settled: await settled };
    };
    const performed = Promise.race([perform(), dropped.promise]).finally(() => underWay.delete(call.key));
    const drop = (): void => {
      abort();
      dropped.resolve({ kind: 'dropped' });
    };
    underWay.set(call.key, { performed, drop });
    return performed;
  };

  return {
    perform: (call) => underWay.get(call.key)?.performed ?? begin(call),
    drop: (key) => underWay.get(key)?.drop(),
  };
}

/** Whether the execution still waits for it: it may have been cancelled while the process was away. */
async function isAwaited({ store }: EngineContext, { key, executionId, origin: { companyId } }: EffectCall): Promise<boolean> {
  const record = await store.load(companyId, executionId);
  return record?.state.status === 'running' && record.state.pending?.key === key;
}

/** Longer than any effect may take: until then an attempt without a response is not given up. */
const longestEffect: restate.Duration = { hours: 2 };

/**
 * Performs effects outside of their lanes, each under its key, however long it takes: the lane stays free for a cancellation. A process
 * that dies in between performs the effect again, under the same key (P3, P4).
 */
export const createEffectsService = (engine: EngineContext, seals: Seals, effects: Effects, underWay: { delete(name: string): void }) =>
  restate.service({
    name: handlers.effects,
    options: {
      journalRetention: 0,
      retryPolicy: forever,
      ingressPrivate: true,
      inactivityTimeout: longestEffect,
      abortTimeout: longestEffect,
    },
    handlers: {
      async perform(ctx: restate.Context, sealed: Sealed): Promise<void> {
        const { lane, call, atMs: askedAtMs } = seals.open<EffectEntry>(places.effects, sealed);
        const { performed, atMs } = await ctx.run('perform', async (): Promise<{ performed: Performed; atMs: number }> => {
          const performed = await countDeaths<Performed>(engine, call.key, askedAtMs, {
            attempt: () => effects.perform(call),
            giveUp: async (reason) => ({ kind: 'deadly', reason }),
          });
          return { performed, atMs: engine.clock.now() };
        });
        const { key, executionId, origin } = call;
        const of = { companyId: origin.companyId, executionId };
        const sendToLane = (input: LaneInput) => ctx.genericSend(toLane(seals, lane, { input, atMs }));
        if (performed.kind === 'settled') sendToLane({ type: 'effect', ...of, key, settled: performed.settled });
        else underWay.delete(key);
        if (performed.kind === 'deadly') sendToLane({ type: 'quarantine', ...of, reason: performed.reason });
      },
    },
  });
