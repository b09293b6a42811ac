import type { Clock, Random } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { windowIsOpen } from '@hilo/nodes/effects';
import { ask, askOne, type DurableStore, read, type Steps, written } from '@hilo/stores';
import type { Deliver, Delivered, DueMessage, Tried } from '../drivers/delivery.ts';
import { keepOutbound, outboundRow } from '../messages/message-log.ts';
import { setStatus } from '../messages/statements.ts';
import type { Bot, Companies } from '../service/companies.ts';
import type { Logger } from '../service/logger.ts';
import type { OutboundMessage } from '../service/message-log.ts';
import { acceptSend } from './accept.ts';
import { createLanes, laneName } from './lanes.ts';
import type { Outbox, SentMessage } from './outbox.ts';
import { usedKey } from './send-keys.ts';
import { reopeningOf, settleTurn } from './settle.ts';
import { dueLanes, enqueue, forgetClaims, forgetSendKeys, keyedMessage, type LaneColumns, postpone, sentMessage } from './statements.ts';
import { takeNext, type Turn } from './turns.ts';
import { createWaiters } from './waiters.ts';

interface OutboxParts {
  readonly store: DurableStore;
  readonly companies: Pick<Companies, 'botOf'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Hands a message to its channel, once. */
  readonly deliver: Deliver<DueMessage, Tried>;
}

/** An outbox that is at work. */
export interface RunningOutbox extends Outbox {
  /** Takes up what was accepted and is not sent, in this process or in one that is gone. */
  start(): Promise<void>;
  /** Hands nothing more over, and waits for what is at hand. */
  stop(): Promise<void>;
}

/**
 * How often one message is handed over that did not arrive, or of which nobody knows whether it did (P5), and how long before
 * it is tried again. The others to its user wait as long (P9).
 */
const pausesMs = [1_000, 5_000, 25_000];

/** A channel that asks for more time than this gets no further try. */
const longestPauseMs = 60_000;

/** How soon a message of a process that died is found by those that share the store. */
const sweepMs = 5_000;

/** How often keys whose day is over are removed. */
const forgetKeysMs = 3_600_000;

const isGone: Delivered = { kind: 'refused', cause: 'BOT_NOT_FOUND', message: 'The bot that was to send this is gone' };
const windowClosed: Delivered = {
  kind: 'refused',
  cause: 'OUTSIDE_SESSION_WINDOW',
  message: 'The 24-hour window closed before the message could leave: only a template can be sent now',
};

export function createOutbox({ store, companies, clock, random, log, deliver }: OutboxParts): RunningOutbox {
  const { runner, executions } = store;
  const me = hex(random.bytes(8));
  const waiters = createWaiters();
  let timer: unknown;
  let forgetKeysAtMs = 0;
  let isStopped = false;

  /** What came of a try; `undefined` when nobody knows whether the message arrived. */
  const handOver = async (turn: Turn, bot: Bot): Promise<{ readonly tried: Tried | undefined; readonly knownAs: string }> => {
    const { userId, message, idempotencyKey } = turn;
    const isTemplate = message['type'] === 'template';
    const contact = channelFacts[bot.channel].hasSessionWindow ? await executions.contact(bot.companyId, bot.id, [userId]) : undefined;
    const knownAs = contact?.userId ?? userId;
    // At the time of sending, whenever it was accepted (WIN-04).
    if (!isTemplate && bot.settings.enforceSessionWindow && !windowIsOpen(contact, bot.channel, clock.now()))
      return { tried: windowClosed, knownAs };
    const outbound: OutboundMessage = { companyId: bot.companyId, botId: bot.id, userId, message, idempotencyKey };
    try {
      return { tried: await deliver(bot, { ...outbound, messageId: turn.messageId }, neverAborted), knownAs };
    } catch (error) {
      log.warn(
        { botId: bot.id, messageId: turn.messageId, attempt: turn.attempts, error: String(error) },
        'Nobody knows whether a message arrived',
      );
      return { tried: undefined, knownAs };
    }
  };

  const perform = async (turn: Turn): Promise<void> => {
    const { lane, id, attempts, idempotencyKey } = turn;
    const bot = companies.botOf(read(lane.companyId), read(lane.botId));
    const { tried, knownAs } = bot === undefined ? { tried: isGone, knownAs: turn.userId } : await handOver(turn, bot);
    const pauseMs = pauseBehind(tried, attempts);
    if (pauseMs !== undefined) {
      await runner.write(() => ask(postpone, { id, me, dueAtMs: clock.now() + pauseMs }));
      return;
    }
    const outcome = inTheEnd(tried, attempts);
    const reopening = bot === undefined || outcome.kind !== 'sent' ? undefined : reopeningOf(bot, turn, knownAs, clock.now());
    await settleTurn(store, turn, me, outcome, clock, reopening);
    waiters.tell(laneName(lane), idempotencyKey, outcome);
  };

  /** Tells those who wait of messages that another process settled. */
  const look = async (lane: LaneColumns): Promise<void> => {
    for (const idempotencyKey of waiters.keysOf(laneName(lane))) {
      const row = await runner.read(() => askOne(keyedMessage, { companyId: lane.companyId, idempotencyKey }));
      const delivered = row === undefined ? undefined : outcomeOf(row);
      if (delivered !== undefined) waiters.tell(laneName(lane), idempotencyKey, delivered);
    }
  };

  const lanes = createLanes({ clock, log, next: (lane) => takeNext(runner, lane, me, clock), perform, look });

  const sweep = async (): Promise<void> => {
    try {
      for (const { company_id, bot_id, user_key } of await runner.read(() => ask(dueLanes, { nowMs: clock.now() })))
        lanes.wake({ companyId: company_id, botId: bot_id, userKey: user_key });
      if (clock.now() >= forgetKeysAtMs) {
        await runner.write(() => ask(forgetSendKeys, { nowMs: clock.now() }));
        forgetKeysAtMs = clock.now() + forgetKeysMs;
      }
    } catch (error) {
      log.warn({ error: String(error) }, 'The outbox could not be looked through; the next look is soon');
    }
    if (!isStopped) timer = clock.setTimeout(() => void sweep(), sweepMs);
  };

  return {
    accept: async (send) => {
      const { acceptance, lane } = await acceptSend(store, send, `rest:${hex(random.bytes(16))}`, companies, clock);
      if (lane !== undefined) lanes.wake(lane);
      return acceptance;
    },
    used: ({ companyId, botId }, key) =>
      runner.read(() => usedKey({ companyId: written(companyId), botId: written(botId) }, key, clock.now())),
    async send(_bot, outbound, signal) {
      const row = outboundRow(outbound, 'queued', clock.now());
      const lane: LaneColumns = { companyId: row.company_id, botId: row.bot_id, userKey: row.user_key };
      const idempotencyKey = row.idempotency_key ?? '';
      const known = await runner.write(() => queue(row, lane, idempotencyKey));
      if (known !== undefined) return known;
      const waiting = waiters.wait(laneName(lane), idempotencyKey, signal);
      lanes.wake(lane);
      return waiting;
    },
    async find(companyId, botId, messageId) {
      const name = { companyId: written(companyId), botId: written(botId), messageId: written(messageId) };
      const row = await runner.read(() => askOne(sentMessage, name));
      return row === undefined ? undefined : sentMessageOf(row);
    },
    async start() {
      // Nobody else has a SQLite file: what is claimed there, is claimed by a process that is gone.
      if (store.durability.database === 'sqlite') await runner.write(() => ask(forgetClaims, {}));
      await sweep();
    },
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await lanes.stop();
    },
  };
}

/** How long a message waits for its next try; `undefined` for one that gets none. */
function pauseBehind(tried: Tried | undefined, attempts: number): number | undefined {
  const pauseMs = pausesMs[attempts - 1];
  if (pauseMs === undefined || tried?.kind === 'sent' || tried?.kind === 'refused') return undefined;
  const askedMs = tried?.retryAfterMs ?? 0;
  return askedMs > longestPauseMs ? undefined : Math.max(pauseMs, askedMs);
}

/** What is said of a message that is not tried again. */
function inTheEnd(tried: Tried | undefined, attempts: number): Delivered {
  if (tried === undefined)
    return { kind: 'refused', cause: 'OUTCOME_UNKNOWN', message: `After ${attempts} attempts nobody knows whether the message arrived` };
  return tried.kind === 'later' ? { kind: 'refused', cause: tried.cause, message: tried.message } : tried;
}

/** Keeps a workflow's message on its lane. A node that tries again sends the same message again (P4). @returns what is known of it already */
function* queue(row: ReturnType<typeof outboundRow>, lane: LaneColumns, idempotencyKey: string): Steps<Delivered | undefined> {
  const isNew = yield* keepOutbound(row);
  const kept = isNew ? undefined : yield* askOne(keyedMessage, { companyId: lane.companyId, idempotencyKey });
  if (kept !== undefined && kept.status !== 'queued' && kept.status !== 'failed') return { kind: 'sent', messageId: kept.message_id };
  if (kept?.status === 'failed') yield* ask(setStatus, { companyId: lane.companyId, idempotencyKey, status: 'queued' });
  yield* ask(enqueue, { ...lane, idempotencyKey });
  return undefined;
}

interface KeptMessage {
  readonly message_id: string;
  readonly status: string;
  readonly created_at_ms: number;
  readonly code: string | null;
  readonly explanation: string | null;
  readonly updated_at_ms: number | null;
}

/** What became of a message; `undefined` while it is on its way. */
function outcomeOf({ message_id, status, code, explanation }: KeptMessage): Delivered | undefined {
  if (status === 'queued') return undefined;
  return status === 'failed'
    ? { kind: 'refused', cause: code ?? 'FAILED', message: explanation ?? '' }
    : { kind: 'sent', messageId: message_id };
}

const sentMessageOf = (row: KeptMessage): SentMessage => ({
  messageId: read(row.message_id),
  status: row.status,
  error: row.status === 'failed' && row.code !== null ? { code: row.code, message: row.explanation ?? '' } : undefined,
  updatedAtMs: row.updated_at_ms ?? row.created_at_ms,
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** What was handed over is waited for: its channel has a limit of its own. */
const neverAborted = new AbortController().signal;
