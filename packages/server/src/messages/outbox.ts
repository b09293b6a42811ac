import { type AbortSignal, type Clock, type Contact, type Random, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { windowIsOpen } from '@hilo/nodes/effects';
import { call, type DurableStore, encodeKey, decodeText, encodeText } from '@hilo/stores';
import { SpanKind } from '@opentelemetry/api';
import type { Logger } from '../platform/logging/logger.ts';
import { withSpan } from '../platform/tracing.ts';
import { pause } from '../platform/waiting.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { acceptSend, queue, usedKey } from './accept-send.ts';
import { createClaims, createLanes, type RetryPolicy, laneName, takeNext, type Turn } from './delivery-queues.ts';
import { outboundRow } from './message-log.ts';
import {
  type Deliver,
  type Delivered,
  type DueMessage,
  isOfCampaign,
  type OnKept,
  type Outbox,
  type Paces,
  type Tried,
} from './messages.ts';
import { dueLanes, forgetClaims, forgetSendKeys, keyedMessage, type LaneColumns, laneOf, postpone, sentMessage } from './outbox-sql.ts';
import { forgetProviderMessages, providerUser } from './provider-records.ts';
import { finalOutcome, nextTry } from './retries.ts';
import { deliveredOf, reopeningOf, sentMessageOf, settleTurn } from './settle.ts';

interface OutboxParts {
  readonly store: DurableStore;
  readonly companies: Pick<Companies, 'botOf'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Hands a message to its channel, once. */
  readonly deliver: Deliver<DueMessage, Tried>;
  /** Whether keeping a message is all there is to sending it. */
  readonly isRecordOnly: (bot: Bot) => boolean;
  readonly onKept?: OnKept;
  /** Keeps conversations within the rate of their provider; without it, nothing waits. */
  readonly paces?: Pick<Paces, 'conversation'>;
}

/** An outbox that is at work. */
export interface RunningOutbox extends Outbox {
  /** Sends what was accepted and not sent, by this process or one that has died, and renews its claims from here on. */
  start(): Promise<void>;
  /** Hands nothing more over, and waits for what its channels have; what still waits for its turn there is left to others. */
  stop(): Promise<void>;
}

/** How often claims are renewed, and expired claims of other processes are looked for. */
const sweepMs = 5_000;

/** How often expired keys are removed. */
const forgetKeysMs = 3_600_000;

const botGone: Delivered = { kind: 'refused', cause: 'BOT_NOT_FOUND', message: 'The bot that was to send this is gone' };
const windowClosed: Delivered = {
  kind: 'refused',
  cause: 'OUTSIDE_SESSION_WINDOW',
  message: 'The 24-hour window closed before the message could leave: only a template can be sent now',
};

/** An outbox over a store. What earlier processes left unsent is sent from its `start` on. */
export function createOutbox({
  store,
  companies,
  clock,
  random,
  log,
  deliver,
  isRecordOnly,
  onKept = () => {},
  paces,
}: OutboxParts): RunningOutbox {
  const { runner, executions } = store;
  const me = hex(random.bytes(8));
  /** A SQLite file belongs to one process, so no other can take a claim over. */
  const isShared = store.durability.database === 'postgres';
  const waiters = createWaiters();
  const claims = createClaims(runner, me, clock);
  /** Aborted, when nothing more is to be handed over. */
  const stopping = new AbortController();
  let timer: unknown;
  let forgetKeysAtMs = 0;
  let isAtRest = false;

  const logUnknown = ({ messageId, attempts: attempt }: Turn, { id: botId }: Bot, error: string): void =>
    log.warn({ botId, messageId, attempt, error }, 'It is unknown whether a message arrived');

  /** Tries to send. @returns `tried` as `undefined` when the try failed without a result */
  const handOver = async (
    turn: Turn,
    bot: Bot,
    retryPolicy: RetryPolicy,
  ): Promise<{ readonly tried: Tried | undefined; readonly knownAs: string }> => {
    const { userId, message, idempotencyKey } = turn;
    const isTemplate = message['type'] === 'template';
    const contact = channelFacts[bot.channel].hasSessionWindow
      ? await retryPolicy(async () => executions.contact(bot.companyId, bot.id, [userId]))
      : undefined;
    const knownAs = contact?.userId ?? userId;
    const said = await retryPolicy(() => runner.readOne(call(providerUser, turn.lane)));
    // Checked when sending, since the window may have closed after acceptance (WIN-04).
    if (!isTemplate && bot.settings.enforceSessionWindow && (!windowIsOpen(contact, bot.channel, clock.now()) || wasClosed(contact, said)))
      return { tried: windowClosed, knownAs };
    const recipient = {
      id: userId,
      phone: contact?.phone ?? undefined,
      bsuid: contact?.bsuid ?? undefined,
      address: said?.address ?? undefined,
    };
    const { companyId, id: botId } = bot;
    const due: DueMessage = { companyId, botId, userId, message, idempotencyKey, messageId: turn.messageId, recipient };
    if (!isOfCampaign(due)) await pause(clock, paces?.conversation(bot) ?? 0, stopping.signal);
    try {
      const attributes = {
        'hilo.company_id': companyId,
        'hilo.bot_id': botId,
        'hilo.message_id': turn.messageId,
        'hilo.attempt': turn.attempts,
      };
      const tried = await withSpan({ name: 'hilo.send', kind: SpanKind.PRODUCER, attributes }, () => deliver(bot, due, stopping.signal));
      if (tried.kind === 'unknown') logUnknown(turn, bot, `${tried.cause}: ${tried.message}`);
      return { tried, knownAs };
    } catch (error) {
      logUnknown(turn, bot, String(error));
      return { tried: undefined, knownAs };
    }
  };

  /** The outcome that the provider reported of a message whose call had no answer; `undefined` before a report. */
  const reportedOutcome = async ({ lane: { companyId }, idempotencyKey }: Turn): Promise<Delivered | undefined> => {
    const row = await runner.readOne(call(keyedMessage, { companyId, idempotencyKey }));
    return row === undefined ? undefined : deliveredOf(row);
  };

  /** The reported outcome of a message whose process ended while it was sent; without a report, it is sent again (P4, P5). */
  const reportedMeanwhile = async (turn: Turn): Promise<Delivered | undefined> => {
    const reported = await reportedOutcome(turn);
    const { lane, messageId } = turn;
    if (reported === undefined)
      log.warn(
        { botId: decodeText(lane.botId), messageId },
        'A message was on its way when its process ended: it goes again under its key, and may reach its user twice',
      );
    return reported;
  };

  const perform = async (turn: Turn, retryPolicy: RetryPolicy): Promise<void> => {
    const { lane, id, attempts, idempotencyKey } = turn;
    const bot = companies.botOf(decodeText(lane.companyId), decodeText(lane.botId));
    const known = bot === undefined ? botGone : turn.wasInterrupted ? await retryPolicy(() => reportedMeanwhile(turn)) : undefined;
    const handed =
      bot === undefined || known !== undefined ? { tried: known, knownAs: turn.userId } : await handOver(turn, bot, retryPolicy);
    const { knownAs } = handed;
    const isUnknown = handed.tried?.kind === 'refused' && handed.tried.cause === 'OUTCOME_UNKNOWN';
    const tried = (isUnknown ? await retryPolicy(() => reportedOutcome(turn)) : undefined) ?? handed.tried;
    const next = nextTry(tried, attempts, fraction(random));
    if (next !== undefined) {
      const dueAtMs = clock.now() + next.pauseMs;
      await retryPolicy(() => runner.write([call(postpone, { id, me, dueAtMs, attempts: next.attempts })]));
      return;
    }
    const outcome = finalOutcome(tried, attempts);
    const reopening = bot === undefined || outcome.kind !== 'sent' ? undefined : reopeningOf(bot, turn, knownAs, clock.now());
    const { isMine, wasRefused } = await retryPolicy(() => settleTurn(store, turn, me, outcome, clock, reopening));
    const answer: Delivered = outcome.kind === 'sent' ? { kind: 'sent', messageId: outcome.messageId } : outcome;
    const delivered = wasRefused ? windowClosed : answer;
    if (isMine) waiters.tell(laneName(lane), idempotencyKey, delivered); // else the process that took it over reports the outcome
  };

  /** Resolves the waiters of messages that another process settled. */
  const look = async (lane: LaneColumns): Promise<void> => {
    for (const idempotencyKey of waiters.keysOf(laneName(lane))) {
      const row = await runner.readOne(call(keyedMessage, { companyId: lane.companyId, idempotencyKey }));
      const delivered = row === undefined ? undefined : deliveredOf(row);
      if (delivered !== undefined) waiters.tell(laneName(lane), idempotencyKey, delivered);
    }
  };

  const lanes = createLanes({
    clock,
    log,
    next: (lane) => takeNext(runner, lane, me, clock),
    perform: (turn, retryPolicy) => claims.during(turn.id, () => perform(turn, retryPolicy)),
    look,
  });

  const sweep = async (): Promise<void> => {
    try {
      if (isShared) await claims.renew();
      for (const row of await runner.read(call(dueLanes, { nowMs: clock.now() }))) lanes.wake(laneOf(row));
      if (clock.now() >= forgetKeysAtMs) {
        await runner.write([call(forgetSendKeys, { nowMs: clock.now() })]);
        await runner.write([forgetProviderMessages(clock.now())]);
        forgetKeysAtMs = clock.now() + forgetKeysMs;
      }
    } catch (error) {
      log.warn({ error: String(error) }, 'The outbox could not be looked through; the next look is soon');
    }
    if (!isAtRest) timer = clock.setTimeout(() => void sweep(), sweepMs);
  };

  return {
    accept: async (send) => {
      const { acceptance, lane } = await acceptSend(store, send, `rest:${hex(random.bytes(16))}`, { companies, isRecordOnly }, clock);
      if (lane !== undefined) lanes.wake(lane);
      if (acceptance.kind === 'accepted')
        onKept({ companyId: encodeText(send.companyId), botId: encodeText(send.botId), userKey: encodeKey(send.knownAs) });
      return acceptance;
    },
    used: ({ companyId, botId }, key) => usedKey(runner, { companyId: encodeText(companyId), botId: encodeText(botId) }, key, clock.now()),
    async send(_bot, outbound, signal) {
      const row = outboundRow(outbound, 'queued', clock.now());
      const idempotencyKey = row.idempotency_key ?? '';
      const queued = await queue(runner, row, idempotencyKey);
      if (queued.kind === 'sent') return queued;
      const { lane } = queued;
      onKept(lane);
      const waiting = waiters.wait(laneName(lane), idempotencyKey, signal);
      lanes.wake(lane);
      return waiting;
    },
    async find(companyId, botId, messageId) {
      const name = { companyId: encodeText(companyId), botId: encodeText(botId), messageId: encodeText(messageId) };
      const row = await runner.readOne(call(sentMessage, name));
      return row === undefined ? undefined : sentMessageOf(row);
    },
    async start() {
      // Without a shared store, existing claims are of a process that has died.
      if (!isShared) await runner.write([call(forgetClaims, {})]);
      await sweep();
    },
    async stop() {
      stopping.abort();
      await lanes.stop(); // claims are renewed meanwhile
      isAtRest = true;
      clock.clearTimeout(timer);
    },
  };
}

/** Whether the provider has reported, since the user's last message, that their window is closed (WIN-02). */
const wasClosed = (contact: Contact | undefined, said: { readonly window_closed_at_ms: number | null } | undefined): boolean =>
  (said?.window_closed_at_ms ?? 0) > (contact?.windowUntilMs ?? Number.POSITIVE_INFINITY) - sessionWindowMs;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A number in [0, 1). */
const fraction = (random: Random): number => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;

/** Callers that wait for the outcome of a message, by its lane and the key of its row. */
export interface Waiters {
  /** @throws {Error} when the caller's time is over: then the outcome is unknown (P5) */
  wait(lane: string, idempotencyKey: string, signal: AbortSignal): Promise<Delivered>;
  tell(lane: string, idempotencyKey: string, delivered: Delivered): void;
  /** The keys in this lane that a caller waits for. */
  keysOf(lane: string): readonly string[];
}

function createWaiters(): Waiters {
  const waiting = new Map<string, Map<string, Set<(delivered: Delivered) => void>>>();
  const of = (lane: string): Map<string, Set<(delivered: Delivered) => void>> => {
    const known = waiting.get(lane) ?? new Map<string, Set<(delivered: Delivered) => void>>();
    waiting.set(lane, known);
    return known;
  };

  return {
    wait(lane, idempotencyKey, signal) {
      const keys = of(lane);
      const these = keys.get(idempotencyKey) ?? new Set();
      keys.set(idempotencyKey, these);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          these.delete(settle);
          if (these.size === 0 && keys.get(idempotencyKey) === these) keys.delete(idempotencyKey);
          if (keys.size === 0 && waiting.get(lane) === keys) waiting.delete(lane);
          signal.removeEventListener('abort', giveUp);
        };
        const settle = (delivered: Delivered): void => {
          leave();
          resolve(delivered);
        };
        const giveUp = (): void => {
          leave();
          reject(new Error('The message was not taken by its channel in time: it stays on its way'));
        };
        these.add(settle);
        signal.addEventListener('abort', giveUp);
        if (signal.aborted) giveUp();
      });
    },
    tell(lane, idempotencyKey, delivered) {
      for (const settle of waiting.get(lane)?.get(idempotencyKey) ?? []) settle(delivered);
    },
    keysOf: (lane) => [...(waiting.get(lane)?.keys() ?? [])],
  };
}
