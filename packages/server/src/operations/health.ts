// Whether the service should get requests now.
import type { Platform } from '../platform/platform.ts';
import { query } from '../platform/database/schema.ts';
import { waitUpTo } from '../platform/waiting.ts';

/** Says why nothing should be sent here now; `undefined` when all is well. */
export type Readiness = () => Promise<string | undefined>;

/** How long the store has to answer. */
const limitMs = 2_000;
/** An answer is reused for this long, so that frequent requests do not make the store write often. */
const freshMs = 1_000;

const countProbe = query({}, {}, (db) =>
  db
    .updateTable('probe')
    .set((eb) => ({ number: eb('number', '+', 1) }))
    .where('id', '=', 1),
);

/**
 * A store that can be read may still refuse writes, such as on a full disk: readiness is checked by a write like any other (P26).
 */
export function createReadiness({
  engine,
  store,
  clock,
  isAccepting,
}: Pick<Platform, 'engine' | 'store' | 'clock' | 'isAccepting'>): Readiness {
  let latest: { readonly atMs: number; readonly refusal: Promise<string | undefined> } | undefined;
  let isProbing = false;

  const probe = async (): Promise<string | undefined> => {
    isProbing = true;
    try {
      await store.runner.write([countProbe({})]);
      return undefined;
    } catch {
      return 'The store does not write: what is sent here now could not be kept';
    } finally {
      isProbing = false;
    }
  };

  return async () => {
    if (!isAccepting()) return 'The service is stopping';
    if (engine.isRecovering()) return 'The service has just started, and continues what an earlier process left unfinished';
    const nowMs = clock.now();
    const isFresh = latest !== undefined && nowMs - latest.atMs < freshMs;
    if (latest === undefined || !(isFresh || isProbing)) latest = { atMs: nowMs, refusal: probe() };
    return waitUpTo(clock, limitMs, latest.refusal, 'The store does not answer in time');
  };
}
