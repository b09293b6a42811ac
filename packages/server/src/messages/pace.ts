import type { AbortSignal, Clock } from '@hilo/engine/contract';
import { integer, pick, type Runner, text } from '@hilo/stores';
import { sql } from 'kysely';
import { query } from '../platform/database/schema.ts';
import { sendPaces } from '../platform/tables/sending.ts';
import { pause } from '../platform/waiting.ts';
import type { Bot } from '../tenants/companies.ts';
import type { OfBot } from '../platform/database/lanes.ts';

/** The published rate limit of a provider for one bot. */
export interface ProviderRate {
  readonly messagesPerSecond: number;
  /** Messages that may go at once; a tenth of a second's and at least ten, when left out. */
  readonly burst?: number;
}

/**
 * Keeps bots within the rate limits of their providers: one token bucket per bot, in the store, shared by all processes.
 * Conversations have priority: they wait only for each other, and campaigns use the rest.
 */
export interface Paces {
  /** Counts a message of a conversation. @returns how long it waits: 0, as long as conversations alone stay within the rate */
  conversation(bot: Bot): number;
  /** Messages of a campaign that may be on their way at once, see {@link atOnceFor}. */
  campaignAtOnce(bot: Bot): number;
  /** Resolves when it is the turn of a campaign's message, or at once when it is to stop. @throws {HiloError} `STORE_UNAVAILABLE` */
  campaign(bot: Bot, signal: AbortSignal): Promise<void>;
  /** Writes nothing more. */
  stop(): void;
}

/** A campaign's messages a second where the provider publishes no rate, so that its users' replies are not overrun. */
const campaignRate: ProviderRate = { messagesPerSecond: 50 };

/** The burst for conversations when the provider publishes none: an answer is often several messages. */
const minBurst = 10;

/** How often messages of conversations are added to the bucket in the store, where other processes see them. */
const reportMs = 100;

/** Turns that a campaign takes from the store at a time: those of a tenth of a second. Conversations wait for none of them. */
const turnsOf = ({ messagesPerSecond }: ProviderRate): number => Math.max(1, Math.floor(messagesPerSecond / 10));

/** Concurrent calls needed to reach the rate when each takes 1.5 s; at most as many as there may be connections to the provider. */
export const atOnceFor = ({ messagesPerSecond }: ProviderRate): number =>
  Math.min(maxAtOnce, Math.max(minAtOnce, Math.ceil(messagesPerSecond * 1.5)));
const minAtOnce = 32;
const maxAtOnce = 128;

/** The paces of all bots over a store, shared by its processes. */
export function createPaces({
  runner,
  clock,
  rateOf,
}: {
  readonly runner: Pick<Runner, 'writeOne'>;
  readonly clock: Clock;
  /** `undefined` where the provider publishes none. */
  readonly rateOf: (bot: Bot) => ProviderRate | undefined;
}): Paces {
  const buckets = new Map<string, Bucket>();
  const stopping = new AbortController();

  /** A bot with another provider, or another rate, has another bucket here. */
  const bucketOf = ({ companyId, id }: Bot, rate: ProviderRate): Bucket => {
    const name = JSON.stringify([companyId, id, rate.messagesPerSecond, rate.burst]);
    const bucket =
      buckets.get(name) ??
      createBucket({
        runner,
        clock,
        bot: { companyId, botId: id },
        rate,
        stopping: stopping.signal,
      });
    buckets.set(name, bucket);
    return bucket;
  };

  return {
    conversation(bot) {
      const rate = rateOf(bot);
      return rate === undefined ? 0 : bucketOf(bot, rate).countConversation();
    },
    campaignAtOnce: (bot) => atOnceFor(rateOf(bot) ?? campaignRate),
    async campaign(bot, signal) {
      if (signal.aborted) return;
      const turnUs = await bucketOf(bot, rateOf(bot) ?? campaignRate).takeTurn();
      await pause(clock, Math.ceil((turnUs - nowUs(clock)) / 1_000), signal);
    },
    stop: () => stopping.abort(),
  };
}

/** One process's view of a bot's bucket. Instants are in microseconds: 80 a second are 12.5 ms apart. */
interface Bucket {
  /** Counts a message of a conversation. @returns how many milliseconds it waits */
  countConversation(): number;
  /** The next turn of a campaign. A late campaign catches up by the turns of one batch at most. */
  takeTurn(): Promise<number>;
}

interface BucketParts {
  readonly runner: Pick<Runner, 'writeOne'>;
  readonly clock: Clock;
  readonly bot: OfBot;
  readonly rate: ProviderRate;
  /** Aborted, when nothing more is to be written. */
  readonly stopping: AbortSignal;
}

const nowUs = (clock: Pick<Clock, 'now'>): number => Math.floor(clock.now() * 1_000);

function createBucket({ runner, clock, bot, rate, stopping }: BucketParts): Bucket {
  const distanceUs = Math.round(1_000_000 / rate.messagesPerSecond);
  /** How far conversations may be ahead of the rate. */
  const depthUs = ((rate.burst ?? Math.max(minBurst, Math.ceil(rate.messagesPerSecond / 10))) - 1) * distanceUs;
  const turnsAtATime = turnsOf(rate);
  /** When all that conversations have sent would be through, one after the other. */
  let conversationsUs = 0;
  /** Messages of conversations that are not in the store's bucket yet, and when the first of them was sent. */
  let [unreported, unreportedSinceUs] = [0, 0];
  /** When campaigns of this process may send, one message each. */
  const turnsUs: number[] = [];
  let lastTurnUs = 0;
  let taking: Promise<void> | undefined;
  let isReportDue = false;

  /** Adds messages of conversations to the store's bucket, takes turns for campaigns after them, and reads what other processes sent. */
  const exchange = async (turns: number): Promise<void> => {
    const reported = unreported;
    unreported = 0;
    try {
      const startUs = reported > 0 ? Math.min(unreportedSinceUs, nowUs(clock)) : nowUs(clock);
      const sums = { conversationsUs: reported * distanceUs, allUs: (reported + turns) * distanceUs };
      const first = { firstConversationsUs: startUs + sums.conversationsUs, firstAllUs: startUs + sums.allUs };
      const given = { ...bot, nowUs: startUs, farthestUs: startUs + farthestUs, ...sums, ...first };
      const found = await runner.writeOne(useBucket(given));
      if (found === undefined) return;
      conversationsUs = found.conversationsUs + unreported * distanceUs;
      for (let turn = turns; turn > 0; turn -= 1) turnsUs.push(found.allUs - turn * distanceUs);
    } catch (error) {
      unreported += reported;
      throw error;
    }
  };

  const reportSoon = async (): Promise<void> => {
    if (isReportDue) return;
    isReportDue = true;
    await pause(clock, reportMs, stopping);
    isReportDue = false;
    if (unreported > 0 && !stopping.aborted) await exchange(0).catch(() => void reportSoon()); // the store answers another time
  };

  const takeTurns = (): Promise<void> => (taking ??= exchange(turnsAtATime).finally(() => (taking = undefined)));

  return {
    countConversation() {
      const atUs = nowUs(clock);
      const startUs = Math.max(atUs, conversationsUs - depthUs);
      conversationsUs = Math.max(atUs, conversationsUs) + distanceUs;
      if (unreported === 0) unreportedSinceUs = atUs;
      unreported += 1;
      void reportSoon();
      return Math.ceil((startUs - atUs) / 1_000);
    },
    async takeTurn() {
      while (turnsUs.length === 0) await takeTurns();
      const turnUs = Math.max(turnsUs.shift() ?? 0, lastTurnUs + distanceUs);
      lastTurnUs = turnUs;
      // Prefetches the next turns; when the store fails, the caller that finds no turn gets the error.
      if (turnsUs.length === Math.floor(turnsAtATime / 2) && turnsAtATime > 1) takeTurns().catch(() => {});
      return turnUs;
    },
  };
}

/** A bucket is never further ahead than this: when it is, the clock was set back (P12). */
const farthestUs = 600_000_000;

/**
 * Counts sent messages and takes turns for campaigns. Returns, for each sum, the instant when all of it is through, one message after
 * the other.
 */
const sums = pick(sendPaces.columns, 'conversationsUs', 'allUs');
const useBucket = query(
  {
    companyId: text(),
    botId: text(),
    nowUs: integer(),
    farthestUs: integer(),
    ...sums,
    /** Both sums of a bot that has sent nothing yet. */
    firstConversationsUs: integer(),
    firstAllUs: integer(),
  },
  sums,
  (db, given) => {
    const behind = (column: 'conversations_us' | 'all_us') => {
      const kept = sql.ref<number>(`send_paces.${column}`);
      return sql<number>`(case when ${kept} between ${given.nowUs} and ${given.farthestUs} then ${kept} else ${given.nowUs} end)`;
    };
    return db
      .insertInto('send_paces')
      .values({
        company_id: given.companyId,
        bot_id: given.botId,
        conversations_us: given.firstConversationsUs,
        all_us: given.firstAllUs,
      })
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'bot_id']).doUpdateSet({
          conversations_us: sql<number>`${behind('conversations_us')} + ${given.conversationsUs}`,
          all_us: sql<number>`${behind('all_us')} + ${given.allUs}`,
        }),
      )
      .returning(['conversations_us', 'all_us']);
  },
);
