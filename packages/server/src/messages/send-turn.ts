// One try to send a message.
import { type AbortSignal, type Clock, type Contact, type Random, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { windowIsOpen } from '@hilo/nodes/effects';
import type { DurableStore } from '@hilo/stores';
import { SpanKind } from '@opentelemetry/api';
import type { Logger } from '../platform/logging/logger.ts';
import { withSpan } from '../platform/tracing.ts';
import { pause } from '../platform/waiting.ts';
import { rowOfMerge } from '../audit/audit.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { type ConsentGate, noConsent } from './consent-gate.ts';
import type { Retry, Turn } from './delivery-queues.ts';
import { type Deliver, type Delivered, type DueMessage, isOfCampaign, type Paces, type Tried } from './messages.ts';
import { keyedMessage, postpone } from './outbox-sql.ts';
import { providerUser } from './provider-records.ts';
import { finalOutcome, nextTry } from './retries.ts';
import { type Addressee, deliveredOf, learnFromSent, otherNumberOf, settleTurn } from './settle.ts';
import { holdMessage, isTakenOver, takenOver, type TakeoverGate } from './takeover-gate.ts';

interface SenderParts {
  readonly store: Pick<DurableStore, 'runner' | 'executions' | 'commitWith'>;
  readonly companies: Pick<Companies, 'botOf'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Hands a message to its channel, once. */
  readonly deliver: Deliver<DueMessage, Tried>;
  /** Keeps conversations within the rate of their provider; without it, nothing waits. */
  readonly paces: Pick<Paces, 'conversation'> | undefined;
  /** Refuses templates to who has stopped them; nothing is refused without it. */
  readonly consent?: ConsentGate;
  /** Lets messages of the bot wait while a person talks with their user; none waits without it. */
  readonly takeover?: TakeoverGate;
  /** Who holds the claims of this process. */
  readonly me: string;
  /** Aborted, when nothing more is to be handed over. */
  readonly stopping: AbortSignal;
}

/**
 * Sends a message whose turn it is, and keeps what became of it: its outcome, or when it is tried again.
 *
 * @returns the outcome; `undefined` when it is tried again, or when another process has taken it over and reports the outcome
 */
export type SendTurn = (turn: Turn, retry: Retry) => Promise<Delivered | undefined>;

/** The result of handing a message over, and its user where they were read. */
interface HandedOver {
  /** `undefined` when the try failed without a result: perhaps the message was sent. */
  readonly tried: Tried | { readonly kind: 'held' } | undefined;
  readonly to?: Addressee;
}

const botGone: Delivered = { kind: 'refused', cause: 'BOT_NOT_FOUND', message: 'The bot that was to send this is gone' };
const windowClosed: Delivered = {
  kind: 'refused',
  cause: 'OUTSIDE_SESSION_WINDOW',
  message: 'The 24-hour window closed before the message could leave: only a template can be sent now',
};

/** Sends the messages of a store, each through the bot that it is of. */
export function createTurnSender(parts: SenderParts): SendTurn {
  const { store, companies, clock, random, log, me } = parts;
  const { runner } = store;

  /** The outcome that the provider reported of a message whose call had no answer; `undefined` before a report. */
  const findReported = async ({ lane: { companyId }, idempotencyKey }: Turn): Promise<Delivered | undefined> => {
    const row = await runner.readOne(keyedMessage({ companyId, idempotencyKey }));
    return row === undefined ? undefined : deliveredOf(row);
  };

  /** The reported outcome of a message whose process ended while it was sent; without a report, it is sent again (P4, P5). */
  const findReportedMeanwhile = async (turn: Turn): Promise<Delivered | undefined> => {
    const reported = await findReported(turn);
    const { lane, messageId } = turn;
    if (reported === undefined)
      log.warn(
        { botId: lane.botId, messageId },
        'A message was on its way when its process ended: it goes again under its key, and may reach its user twice',
      );
    return reported;
  };

  /** Lets a message wait for the end of a takeover; for its workflow it is sent. Where that has just ended, it is tried again at once. */
  const holdTurn = async (turn: Turn, retry: Retry): Promise<Delivered | undefined> => {
    const { id, attempts, messageId } = turn;
    if (await retry(() => holdMessage(runner, turn, me))) return { kind: 'sent', messageId };
    await retry(() => runner.write([postpone({ id, me, dueAtMs: clock.now(), attempts: attempts - 1 })]));
    return undefined;
  };

  return async (turn, retry) => {
    const { lane, id, attempts } = turn;
    const bot = companies.botOf(lane.companyId, lane.botId);
    const known = bot === undefined ? botGone : turn.wasInterrupted ? await retry(() => findReportedMeanwhile(turn)) : undefined;
    const handed: HandedOver = bot === undefined || known !== undefined ? { tried: known } : await handOver(parts, turn, bot, retry);
    if (handed.tried?.kind === 'held') return holdTurn(turn, retry);
    const isUnknown = handed.tried?.kind === 'refused' && handed.tried.cause === 'OUTCOME_UNKNOWN';
    const tried = (isUnknown ? await retry(() => findReported(turn)) : undefined) ?? handed.tried;

    const next = nextTry(tried, attempts, drawFraction(random));
    if (next !== undefined) {
      const dueAtMs = clock.now() + next.pauseMs;
      await retry(() => runner.write([postpone({ id, me, dueAtMs, attempts: next.attempts })]));
      return undefined;
    }
    const outcome = finalOutcome(tried, attempts);
    const learned = bot === undefined ? undefined : learnFromSent(bot, turn, outcome, clock.now(), handed.to);
    const other = learned === undefined || handed.to === undefined ? undefined : otherNumberOf(learned, handed.to);
    const rows =
      bot === undefined || other === undefined || learned === undefined
        ? []
        : [await retry(() => rowOfMerge(runner, bot, learned.userId, other, clock.now()))];
    const { isMine, wasRefused } = await retry(() => settleTurn(store, turn, me, outcome, clock, { learned, rows }));
    if (!isMine) return undefined;
    if (wasRefused) return windowClosed;
    return outcome.kind === 'sent' ? { kind: 'sent', messageId: outcome.messageId } : outcome;
  };
}

/** Addresses the message to its user, and tries to send it, unless only a template may be sent now. */
async function handOver(parts: SenderParts, turn: Turn, bot: Bot, retry: Retry): Promise<HandedOver> {
  const {
    store: { runner, executions },
    clock,
    paces,
    consent,
    takeover,
    stopping,
  } = parts;
  const { userId, message, messageId, idempotencyKey, executionId } = turn;
  const { companyId, id: botId, channel, settings } = bot;
  const contact = channelFacts[channel].hasSessionWindow
    ? await retry(async () => executions.contact(companyId, botId, [userId]))
    : undefined;
  const to = { knownAs: contact?.userId ?? userId, contact };
  const reported = await retry(() => runner.readOne(providerUser(turn.lane)));
  const mustBeOpen = message['type'] !== 'template' && settings.enforceSessionWindow;
  // Checked when sending, since the window may have closed after acceptance (WIN-04).
  if (mustBeOpen && (!windowIsOpen(contact, channel, clock.now()) || wasClosed(contact, reported?.windowClosedAtMs)))
    return { tried: windowClosed, to };
  const recipient = {
    id: userId,
    phone: contact?.phone ?? undefined,
    bsuid: contact?.bsuid ?? undefined,
    address: reported?.address,
  };
  const sender = executionId === null ? {} : { executionId };
  const due: DueMessage = { companyId, botId, userId, message, idempotencyKey, messageId, recipient, ...sender };
  if (!isOfCampaign(due)) await pause(clock, paces?.conversation(bot) ?? 0, stopping);
  // At the last moment: the user may have stopped such messages while this one waited.
  if (consent?.asks(bot, message) === true) {
    const now = await retry(async () => executions.contact(companyId, botId, [userId]));
    if (now?.marketing === 'revoked') return { tried: noConsent, to };
  }
  if (takeover?.asks(bot, turn) === true && (await retry(() => isTakenOver(runner, turn.lane))))
    return { tried: isOfCampaign(turn) ? takenOver : { kind: 'held' }, to };
  return { tried: await tryOnce(parts, bot, due, turn.attempts), to };
}

/** Calls the channel. @returns `undefined` when the try failed without a result */
async function tryOnce(
  { deliver, log, stopping }: Pick<SenderParts, 'deliver' | 'log' | 'stopping'>,
  bot: Bot,
  due: DueMessage,
  attempt: number,
): Promise<Tried | undefined> {
  const logUnknown = (error: string): void =>
    log.warn({ botId: bot.id, messageId: due.messageId, attempt, error }, 'It is unknown whether a message arrived');
  const attributes = {
    'hilo.company_id': due.companyId,
    'hilo.bot_id': due.botId,
    'hilo.message_id': due.messageId,
    'hilo.attempt': attempt,
  };
  try {
    const tried = await withSpan({ name: 'hilo.send', kind: SpanKind.PRODUCER, attributes }, () => deliver(bot, due, stopping));
    if (tried.kind === 'unknown') logUnknown(`${tried.cause}: ${tried.message}`);
    return tried;
  } catch (error) {
    logUnknown(String(error));
    return undefined;
  }
}

/** Whether the provider has reported, since the user's last message, that their window is closed (WIN-02). */
const wasClosed = (contact: Contact | undefined, closedAtMs: number | undefined): boolean =>
  (closedAtMs ?? 0) > (contact?.windowUntilMs ?? Number.POSITIVE_INFINITY) - sessionWindowMs;

/** A number in [0, 1). */
const drawFraction = (random: Random): number => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
