// Delivers events to who subscribed to them: at least once, in their order for each person, each subscription on its own.
import { type Backoff, backoffMs, type Clock, type Random } from '@hilo/engine/contract';
import { type Dialer, isDialerError } from '@hilo/drivers';
import type { DurableStore } from '@hilo/stores';
import { type Claim, claimMs, dropClaimsOfDead, holdClaim } from '../platform/jobs/claims.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import type { DeliveryAnswer, Subscription } from '../platform/tables/events.ts';
import { createTurns, type Turns } from './delivery-turns.ts';
import type { StoredDelivery } from './subscriptions.ts';
import { claimSubscription, forgetClaims, postpone, releaseSubscription, selectDue, selectFailing, selectPage, settle } from './sql.ts';
import { signDelivery } from '../platform/events/webhook-signature.ts';

interface RunnerParts {
  readonly store: Pick<DurableStore, 'runner' | 'durability'>;
  readonly subscriptions: (companyId: string) => readonly Subscription[];
  readonly dialer: Pick<Dialer, 'request'>;
  /** Whether an address is the service's own: it would hear of what it does by hearing. */
  readonly isOwn: (url: string) => boolean;
  /** Called when a subscriber has answered that it is gone for good. */
  readonly onGone: (subscription: Subscription) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Delivers the events of a store. */
export interface EventRunner {
  start(): Promise<void>;
  /** Something was written that is due. */
  wake(): void;
  /** Begins no further delivery, ends those under way, and leaves the rest to the next process. */
  stop(): Promise<void>;
}

/** How often the store is asked for what other processes wrote, or what is due again. */
const pollMs = 1_000;
/** What is written within this time is looked for once. */
const gatheredMs = 20;
/** Subscriptions that one process serves at once. */
const maxAtOnce = 256;
/** Deliveries to one subscription at once, each of another person. */
const lanesAtOnce = 4;
const pageSize = 200;
/** How long a subscriber may take. */
const timeoutMs = 30_000;
/** An answer is read so far: one that never ends is refused. */
const maxAnswerBytes = 65_536;
/** So much of it is kept. */
const keptChars = 500;
/** How long a delivery is tried. */
export const triedForMs = 3 * 86_400_000;
/** Between the attempts of one delivery. */
const backoff: Backoff = { firstMs: 5_000, longestMs: 3_600_000 };
/** Before a subscriber that took nothing is tried again with anything. */
const outageBackoff: Backoff = { firstMs: 5_000, longestMs: 300_000 };

/** Serves subscriptions, each by one process at a time. */
export function createEventRunner(parts: RunnerParts): EventRunner {
  const { store, clock, random, log } = parts;
  const { runner } = store;
  const owner = Buffer.from(random.bytes(16)).toString('hex');
  const stopping = new AbortController();
  const running = new Map<string, { readonly work: Promise<void>; readonly turns: Turns }>();
  /** Subscriptions of which nothing was taken since somebody was refused. */
  const outages = new Map<string, Outage>();

  const serve = async (claim: Claim, place: string, turns: Turns): Promise<void> => {
    const lease = holdClaim('event_subscriptions', claim, { runner, clock, log }, stopping.signal);
    let notBeforeMs: number | undefined;
    const outage = outages.get(place) ?? { lanes: new Set(), breaks: 0 };
    try {
      const { taken, refused } = await serveSubscription(parts, claim, turns, lease.signal, outage.lanes);
      if (outage.lanes.size === 0) outages.delete(place);
      else outages.set(place, outage);
      if (taken === 0 && isOut(outage.lanes)) {
        if (refused > 0) outage.breaks += 1;
        // Where nothing could be tried, what comes for others is looked for as often as nothing tells of it.
        const breakMs = refused > 0 ? Math.ceil(backoffMs(outageBackoff, outage.breaks, drawShare(random))) : pollMs;
        notBeforeMs = clock.now() + breakMs;
      }
    } catch (error) {
      log.warn({ subscriptionId: claim.id, error: String(error) }, 'Events could not be taken or settled; the next try is in a second');
      notBeforeMs = clock.now() + pollMs;
    } finally {
      lease.end();
      // Else the claim runs out.
      await runner.write([releaseSubscription({ ...claim, notBeforeMs })]).catch(() => undefined);
    }
  };

  const startDue = async (nowMs: number): Promise<void> => {
    const due = await runner.read(selectDue({ nowMs, limit: maxAtOnce }));
    for (const { companyId, id } of due) {
      const place = JSON.stringify([companyId, id]);
      if (stopping.signal.aborted || running.size >= maxAtOnce) return;
      if (running.has(place)) continue;
      const claim: Claim = { companyId, id, owner };
      if ((await runner.writeOne(claimSubscription({ ...claim, nowMs, untilMs: clock.now() + claimMs }))) === undefined) continue;
      const turns = createTurns(clock, gatheredMs, pollMs);
      const work = serve(claim, place, turns).finally(() => {
        running.delete(place);
        poller.wake(clock.now()); // something may have been written while it ended
      });
      running.set(place, { work, turns });
    }
  };

  const poller = createPoller({
    clock,
    log,
    everyMs: pollMs,
    async poll(nowMs) {
      if (!stopping.signal.aborted) await startDue(nowMs);
    },
    failure: 'Due events could not be read',
  });

  return {
    async start() {
      await dropClaimsOfDead(store, forgetClaims({}));
      poller.start();
      poller.wake(clock.now());
    },
    wake() {
      for (const { turns } of running.values()) turns.wake();
      poller.wake(clock.now() + gatheredMs);
    },
    async stop() {
      stopping.abort();
      await poller.stop();
      await Promise.all([...running.values()].map(({ work }) => work));
    },
  };
}

/** How a subscriber does that takes nothing: who was refused since it took something, as far as that is counted, and its breaks. */
interface Outage {
  readonly lanes: Set<string>;
  breaks: number;
}

/** Whether nobody is there: so many people in a row were refused. */
const isOut = (lanes: ReadonlySet<string>): boolean => lanes.size >= lanesAtOnce;

/** A share from 0 to 1, for what must not happen everywhere at once. */
const drawShare = (random: Random): number => (random.bytes(1)[0] ?? 0) / 256;

/** What is read of a delivery that is due. */
type DueDelivery = Pick<StoredDelivery, 'seq' | 'eventId' | 'type' | 'atMs' | 'data' | 'attempts' | 'sinceMs'>;

/**
 * Delivers until nothing is due, or nobody is there.
 *
 * @param out - who was refused since something was taken; it is changed
 * @returns how many deliveries were taken, and how many refused
 */
async function serveSubscription(
  parts: RunnerParts,
  claim: Claim,
  turns: Turns,
  signal: AbortSignal,
  out: Set<string>,
): Promise<{ readonly taken: number; readonly refused: number }> {
  const find = (): Subscription | undefined =>
    parts.subscriptions(claim.companyId).find(({ id, isPaused }) => id === claim.id && !isPaused);
  let [taken, refused] = [0, 0];
  const mayGoOn = (): boolean =>
    !signal.aborted && failure === undefined && !(taken === 0 && refused > 0 && isOut(out)) && find() !== undefined;
  /** Lanes that are not at work, with what was read of them. */
  const waiting = new Map<string, readonly DueDelivery[]>();
  const working = new Map<string, Promise<void>>();

  let failure: { readonly error: unknown } | undefined;
  const work = async (lane: string, rows: readonly DueDelivery[]): Promise<void> => {
    try {
      for (const row of rows) {
        const subscription = mayGoOn() ? find() : undefined;
        if (subscription === undefined) return;
        const outcome = await deliverOne(parts, subscription, row, signal);
        if (outcome === 'delivered') {
          taken += 1;
          out.clear();
        }
        if (outcome === 'refused') {
          refused += 1;
          if (!isOut(out)) out.add(lane);
        }
        if (outcome !== 'delivered') return;
      }
    } catch (error) {
      failure = { error }; // what is under way in other lanes is waited for
    }
  };

  while (mayGoOn()) {
    const reads = waiting.size === 0 && working.size < lanesAtOnce;
    if (reads) for (const [lane, rows] of await readLanes(parts, claim, working)) waiting.set(lane, rows);
    const isQuiet = reads && waiting.size === 0;
    for (const [lane, rows] of waiting) {
      if (working.size >= lanesAtOnce) break;
      waiting.delete(lane);
      working.set(
        lane,
        work(lane, rows).finally(() => working.delete(lane)),
      );
    }
    if (working.size === 0) break;
    await Promise.race([...working.values(), ...(isQuiet ? [turns.next()] : [])]);
  }
  await Promise.all(working.values());
  if (failure !== undefined) throw failure.error;
  return { taken, refused };
}

/** What is due, by lanes that are not at work. Lanes whose first event is tried again later wait for it. */
async function readLanes(
  { store: { runner }, clock }: Pick<RunnerParts, 'store' | 'clock'>,
  claim: Claim,
  working: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, readonly DueDelivery[]>> {
  const of = { companyId: claim.companyId, subscriptionId: claim.id };
  for (let after = 0; ; ) {
    const nowMs = clock.now();
    const page = await runner.read(selectPage({ ...of, after, nowMs, limit: pageSize }));
    const failing = new Map(
      page.length === 0 ? [] : (await runner.read(selectFailing({ ...of, nowMs }))).map(({ subjectKey, dueAtMs }) => [subjectKey, dueAtMs]),
    );
    const late = page.flatMap(({ seq, subjectKey: lane }) => {
      const dueAtMs = failing.get(lane);
      return dueAtMs === undefined ? [] : [postpone({ companyId: of.companyId, seq, dueAtMs })];
    });
    if (late.length > 0) await runner.write(late);
    const ready = page.filter(({ subjectKey: lane }) => !failing.has(lane) && !working.has(lane));
    // A page of nothing but what waits for others says nothing of what is behind it. What it put off is not looked through again.
    if (ready.length > 0 || late.length === 0) return Map.groupBy(ready, ({ subjectKey: lane }) => lane);
    after = page.at(-1)?.seq ?? after;
  }
}

/** Tries a delivery and keeps what became of it. */
async function deliverOne(
  parts: RunnerParts,
  subscription: Subscription,
  row: DueDelivery,
  signal: AbortSignal,
): Promise<'delivered' | 'refused' | 'interrupted'> {
  const { store, clock, random, log } = parts;
  const answer = await attempt(parts, subscription, row, signal);
  if (answer === undefined) return 'interrupted';
  const nowMs = clock.now();
  const attempts = row.attempts + 1;
  const isTaken = answer.status !== undefined && answer.status >= 200 && answer.status < 300;
  const isGone = answer.status === 410;
  const isParked = !isTaken && (isGone || nowMs >= row.sinceMs + triedForMs);
  const againMs = Math.min(nowMs + Math.ceil(backoffMs(backoff, attempts, drawShare(random))), row.sinceMs + triedForMs);
  await store.runner.write([
    settle({
      companyId: subscription.companyId,
      seq: row.seq,
      state: isTaken ? 'delivered' : isParked ? 'parked' : 'pending',
      attempts,
      dueAtMs: isTaken || isParked ? 0 : againMs,
      endedAtMs: isTaken || isParked ? nowMs : undefined,
      answer,
    }),
  ]);
  const about = { companyId: subscription.companyId, subscriptionId: subscription.id, eventId: row.eventId, ...describe(answer) };
  if (isParked) log.warn({ ...about, attempts }, 'An event is parked: its subscriber did not take it');
  if (isGone) await parts.onGone(subscription);
  return isTaken ? 'delivered' : 'refused';
}

const describe = ({ status, code }: DeliveryAnswer): object => ({
  ...(status !== undefined && { status }),
  ...(code !== undefined && { code }),
});

/** @returns how a subscriber answered; undefined where this process was told to stop meanwhile */
async function attempt(
  { dialer, isOwn, clock }: RunnerParts,
  { companyId, id, url, secret }: Subscription,
  row: DueDelivery,
  signal: AbortSignal,
): Promise<DeliveryAnswer | undefined> {
  const atMs = clock.now();
  const answer = (rest: Omit<DeliveryAnswer, 'atMs' | 'tookMs'>): DeliveryAnswer => ({ atMs, tookMs: clock.now() - atMs, ...rest });
  if (isOwn(url))
    return answer({ code: 'OWN_ADDRESS', text: 'This is the address of the service itself: it would hear what it does by hearing' });
  const { type, data, atMs: eventAtMs } = row;
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${new Date(eventAtMs).toISOString()}","data":${data}}`;
  try {
    const { status, body: text } = await dialer.request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'user-agent': 'hilo', ...signDelivery(secret, row.eventId, atMs, body) },
      body,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      maxRedirects: 0,
      bodyStaysHome: true,
      scope: `${companyId} events ${id}`,
      signal,
    });
    return answer({ status, text: cutText(Buffer.from(text).toString('utf8')) });
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!isDialerError(error)) throw error;
    return answer({ code: error.code, text: cutText(error.message) });
  }
}

const cutText = (text: string): string => text.slice(0, keptChars).toWellFormed().replaceAll('\0', '');
