import type { AbortSignal, Clock } from '@hilo/engine/contract';
import { call, type Runner, encodeText } from '@hilo/stores';
import { sql } from 'kysely';
import { statement } from '../platform/database/schema.ts';
import { pause } from '../platform/waiting.ts';
import type { Bot } from '../tenants/companies.ts';
import type { BotColumns } from './provider-records.ts';

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
const leastBurst = 10;

/** How often messages of conversations are added to the bucket in the store, where other processes see them. */
const noteMs = 100;

/** Turns that a campaign takes from the store at a time: those of a tenth of a second. Conversations wait for none of them. */
const turnsOf = ({ messagesPerSecond }: ProviderRate): number => Math.max(1, Math.floor(messagesPerSecond / 10));

/** Concurrent calls needed to reach the rate when each takes 1.5 s; at most as many as there may be connections to the provider. */
export const atOnceFor = ({ messagesPerSecond }: ProviderRate): number =>
  Math.min(maxAtOnce, Math.max(leastAtOnce, Math.ceil(messagesPerSecond * 1.5)));
const leastAtOnce = 32;
const maxAtOnce = 128;

/** One process's view of a bot's bucket. Instants are in microseconds: 80 a second are 12.5 ms apart. */
interface Bucket {
  readonly columns: BotColumns;
  readonly distanceUs: number;
  /** How far conversations may be ahead of the rate. */
  readonly depthUs: number;
  readonly turnsAtATime: number;
  /** When all that conversations have sent would be through, one after the other. */
  conversationsUs: number;
  /** Messages of conversations that are not in the store's bucket yet. */
  unsaid: number;
  /** When the first of them was sent. */
  unsaidSinceUs: number;
  /** When campaigns of this process may send, one message each. */
  readonly turnsUs: number[];
  lastTurnUs: number;
  taking: Promise<void> | undefined;
  timer: unknown;
}

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
  let isStopped = false;
  const nowUs = (): number => Math.floor(clock.now() * 1_000);

  const bucketOf = (bot: Bot, rate: ProviderRate): Bucket => {
    const name = JSON.stringify([bot.companyId, bot.id]);
    const known = buckets.get(name);
    if (known !== undefined) return known;
    const distanceUs = Math.round(1_000_000 / rate.messagesPerSecond);
    const bucket: Bucket = {
      columns: { companyId: encodeText(bot.companyId), botId: encodeText(bot.id) },
      distanceUs,
      depthUs: ((rate.burst ?? Math.max(leastBurst, Math.ceil(rate.messagesPerSecond / 10))) - 1) * distanceUs,
      turnsAtATime: turnsOf(rate),
      conversationsUs: 0,
      unsaid: 0,
      unsaidSinceUs: 0,
      turnsUs: [],
      lastTurnUs: 0,
      taking: undefined,
      timer: undefined,
    };
    buckets.set(name, bucket);
    return bucket;
  };

  /** Adds messages of conversations to the store's bucket, takes turns for campaigns after them, and reads what other processes sent. */
  const exchange = async (bucket: Bucket, turns: number): Promise<void> => {
    const { columns, distanceUs, unsaid } = bucket;
    bucket.unsaid = 0;
    try {
      const startUs = unsaid > 0 ? Math.min(bucket.unsaidSinceUs, nowUs()) : nowUs();
      const sums = { conversationsUs: unsaid * distanceUs, allUs: (unsaid + turns) * distanceUs };
      const first = { firstConversationsUs: startUs + sums.conversationsUs, firstAllUs: startUs + sums.allUs };
      const given = { ...columns, nowUs: startUs, farthestUs: startUs + farthestUs, ...sums, ...first };
      const found = await runner.writeOne(call(useBucket, given));
      if (found === undefined) return;
      bucket.conversationsUs = found.conversations_us + bucket.unsaid * distanceUs;
      for (let turn = turns; turn > 0; turn -= 1) bucket.turnsUs.push(found.all_us - turn * distanceUs);
    } catch (error) {
      bucket.unsaid += unsaid;
      throw error;
    }
  };

  const noteLater = (bucket: Bucket): void => {
    if (isStopped) return;
    bucket.timer ??= clock.setTimeout(() => {
      bucket.timer = undefined;
      if (bucket.unsaid > 0) exchange(bucket, 0).catch(() => noteLater(bucket)); // the store answers another time
    }, noteMs);
  };

  const takeTurns = (bucket: Bucket): Promise<void> =>
    (bucket.taking ??= exchange(bucket, bucket.turnsAtATime).finally(() => (bucket.taking = undefined)));

  /** The next turn of a campaign, in microseconds. A late campaign catches up by the turns of one batch at most. */
  const nextTurn = async (bucket: Bucket): Promise<number> => {
    while (bucket.turnsUs.length === 0) await takeTurns(bucket);
    const turnUs = Math.max(bucket.turnsUs.shift() ?? 0, bucket.lastTurnUs + bucket.distanceUs);
    bucket.lastTurnUs = turnUs;
    // Prefetches the next turns; when the store fails, the caller that finds no turn gets the error.
    if (bucket.turnsUs.length === Math.floor(bucket.turnsAtATime / 2) && bucket.turnsAtATime > 1) takeTurns(bucket).catch(() => {});
    return turnUs;
  };

  return {
    conversation(bot) {
      const rate = rateOf(bot);
      if (rate === undefined) return 0;
      const bucket = bucketOf(bot, rate);
      const startUs = Math.max(nowUs(), bucket.conversationsUs - bucket.depthUs);
      bucket.conversationsUs = Math.max(nowUs(), bucket.conversationsUs) + bucket.distanceUs;
      if (bucket.unsaid === 0) bucket.unsaidSinceUs = nowUs();
      bucket.unsaid += 1;
      noteLater(bucket);
      return Math.ceil((startUs - nowUs()) / 1_000);
    },
    campaignAtOnce: (bot) => atOnceFor(rateOf(bot) ?? campaignRate),
    async campaign(bot, signal) {
      if (signal.aborted) return;
      const bucket = bucketOf(bot, rateOf(bot) ?? campaignRate);
      const turnUs = await nextTurn(bucket);
      await pause(clock, Math.ceil((turnUs - nowUs()) / 1_000), signal);
    },
    stop() {
      isStopped = true;
      for (const { timer } of buckets.values()) clock.clearTimeout(timer);
    },
  };
}

/** A bucket is never further ahead than this: when it is, the clock was set back (P12). */
const farthestUs = 600_000_000;

/**
 * Counts sent messages and takes turns for campaigns. Returns, for each sum, the instant when all of it is through, one message after
 * the other.
 */
const useBucket = statement<
  BotColumns & {
    readonly nowUs: number;
    readonly farthestUs: number;
    readonly conversationsUs: number;
    readonly allUs: number;
    /** Both sums of a bot that has sent nothing yet. */
    readonly firstConversationsUs: number;
    readonly firstAllUs: number;
  }
>()((db, given) => {
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
});
