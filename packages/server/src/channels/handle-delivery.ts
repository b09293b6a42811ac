// Takes what providers deliver: authenticated, in order, durable before it is answered.
import { parseJson, utf8 } from '@hilo/engine';
import { createHmac, randomUUID } from 'node:crypto';
import { answerChallenge } from '@hilo/channels';
import type {
  AccountError,
  ChannelAnswer,
  ChannelEvent,
  ConnectedChannel,
  Delivery,
  DeliveryHeaders,
  ExchangeAnswer,
  Received,
  TemplateChange,
} from '@hilo/channels';
import type { Admission } from '../platform/http/admission.ts';
import { type HttpAnswer, type HttpCall, jsonAnswer } from '../platform/http/call.ts';
import { HttpError, notFound, unauthorized, unavailable } from '../platform/http/errors.ts';
import { httpLimits } from '../platform/http/limits.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { waitUpTo } from '../platform/waiting.ts';
import { takeTemplateChanges } from '../templates/templates.ts';
import type { Bot } from '../tenants/companies.ts';
import { findServedBot } from '../tenants/moving/refuse-away.ts';
import type { BotChannel, ChannelParts } from './channels.ts';
import { answerForm, exchangeMs } from './flow-exchange.ts';
import { type EventOutcome, takeEvent } from './provider-events.ts';

/**
 * Handles a delivery of a provider: it is answered only when its events are durable, which are processed in order of arrival (P1, P9).
 * Where so many take too long for the provider, the answer is 503 and they are processed all the same: the provider delivers them again,
 * when they are duplicates (P10).
 *
 * @throws {HttpError | HiloError} the refusal
 */
export async function handleDelivery(
  service: ChannelParts,
  { admission, rateLimit, visitors }: Traffic,
  call: Pick<HttpCall, 'headers' | 'readBody' | 'clientAddress'>,
  botId: string,
): Promise<HttpAnswer> {
  const headers = headersOf(call);
  if (!service.channels.isSigned(headers)) throw unauthorized('Sign the delivery: no header with a signature came with it');
  const body = await unprovenBody(call, admission);
  const delivery: Delivery = { headers, body, json: (text = utf8(body)) => parseJson(text, httpLimits.deliveryKeys) };
  const { bot, connected, host } = await senderOf(service, delivery, botId);
  const entry = admission.enter({ kind: 'known', holder: bot.companyId });
  let leave = (): void => entry.leave();
  try {
    entry.take(body.byteLength);
    await rateLimit?.consume(`bot ${bot.id}`);
    const received = await receive(service, { bot, connected, host }, delivery);
    if (bot.provider.kind === 'web')
      for (const event of received.events)
        if ('user' in event) {
          await visitors.consume(bot.id, event.user.id, call.clientAddress);
          visitors.countMessage(event.user.id, call.clientAddress);
        }
    const others = await receiversOf(service, bot, delivery, Object.keys(received.elsewhere ?? {}));
    const shares: Share[] = [{ bot, received }];
    for (const other of others.values()) {
      await rateLimit?.consume(`bot ${other.bot.id}`);
      shares.push({ bot: other.bot, received: await receive(service, other, delivery) });
    }
    // What no bot takes is told once: by the bot of the address.
    for (const [index, share] of shares.entries()) await takeReports(service, share, (account) => index > 0 || others.has(account));
    const taking = Promise.all(shares.map(({ bot: to, received: { events } }) => takeEvents(service, to, events, call.headers))).then(
      (taken) => taken.flat(),
    );
    const isLong = shares.reduce((sum, { received: { events } }) => sum + events.length, 0) > maxEventsAtOnce;
    const outcomes = isLong ? await waitUpTo(service.clock, answerWithinMs, taking) : await taking;
    if (outcomes === undefined) {
      leave = () => void finishLater(service, bot, taking).finally(() => entry.leave());
      throw unavailable('The events of this delivery are still being processed; deliver it again, and those that were are not repeated');
    }
    if (received.answer !== undefined) return answerWith(received.answer);
    const isRepeated = outcomes.length > 0 && outcomes.every((outcome) => outcome === 'duplicate');
    return jsonAnswer(200, {
      success: true,
      ...(isRepeated && { duplicate: true }),
      ...(outcomes.length === 1 && { outcome: outcomes[0] }),
    });
  } finally {
    leave();
  }
}

type ReceivedEvents = Extract<Received, { readonly kind: 'events' }>;

/** What a delivery holds for a bot. */
interface Share {
  readonly bot: Bot;
  readonly received: ReceivedEvents;
}

/** @throws {HttpError} 400 for a malformed delivery */
async function receive(
  service: ChannelParts,
  { bot, connected, host }: Pick<Receiver, 'bot' | 'connected' | 'host'>,
  delivery: Delivery,
): Promise<ReceivedEvents> {
  const received = await connected.receive(delivery, { ...host(), noted: (counts) => countNotices(service, bot, counts) });
  if (received.kind === 'invalid') throw new HttpError(400, received.code, received.message);
  return received;
}

function countNotices({ channels }: Pick<ChannelParts, 'channels'>, bot: Bot, counts: { readonly [what: string]: number }): void {
  for (const [what, number] of Object.entries(counts)) channels.notices.report(bot, what, number);
}

/**
 * The bots of the same company that have these accounts, by account. An app delivers those of all its accounts to one address: to that of one bot.
 * Each of them judges the delivery by its own secret, since a bot of another app says nothing about this one.
 */
async function receiversOf(
  service: ChannelParts,
  bot: Bot,
  delivery: Delivery,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, Receiver>> {
  const found = new Map<string, Receiver>();
  if (accounts.length === 0) return found;
  const wanted = new Set(accounts);
  for (const other of service.companies.bots(bot.companyId)) {
    if (other.id === bot.id || other.provider.kind !== bot.provider.kind) continue;
    const receiver = receiverOf(service, other.id);
    const account = receiver?.connected.account;
    if (receiver === undefined || account === undefined || !wanted.has(account) || found.has(account)) continue;
    if (await isAuthentic(receiver, delivery)) found.set(account, receiver);
  }
  return found;
}

/** Keeps and logs what a delivery says of a bot's account, and what of it is left out: not what is for an account that others report. */
async function takeReports(service: ChannelParts, { bot, received }: Share, isReported: (account: string) => boolean): Promise<void> {
  logAccountErrors(service, bot, received.accountErrors);
  const count = (counts: { readonly [what: string]: number }): void => countNotices(service, bot, counts);
  if (received.templates !== undefined) await takeNews(service, bot, received.templates, count);
  const missed = new Map(Object.entries(received.leftOut ?? {}));
  for (const [account, parts] of Object.entries(received.elsewhere ?? {}))
    if (isReported(account)) for (const [what, number] of Object.entries(parts)) missed.set(what, (missed.get(what) ?? 0) - number);
  const leftOut = Object.fromEntries([...missed].filter(([, number]) => number > 0));
  if (Object.keys(leftOut).length > 0) logLeftOut(service, bot, leftOut);
  count(leftOut);
}

/**
 * Answers a form of a provider that asks for its next screen. Whoever is not authenticated is told 432 without a body, whether there is
 * such a bot or not (P28).
 */
export async function handleExchange(
  service: ChannelParts,
  { admission, rateLimit }: Traffic,
  call: Pick<HttpCall, 'headers' | 'readBody' | 'clientAddress'>,
  { botId, workflowId }: { readonly botId: string; readonly workflowId: string },
): Promise<HttpAnswer> {
  const untilMs = service.clock.now() + exchangeMs;
  const headers = headersOf(call);
  if (!service.channels.isSigned(headers)) return sealed(432, null);
  const body = await unprovenBody(call, admission);
  const delivery: Delivery = { headers, body, json: (text = utf8(body)) => parseJson(text, httpLimits.deliveryKeys) };
  const receiver = receiverOf(service, botId);
  const asking = receiver?.connected.exchange;
  if (receiver === undefined) createHmac('sha256', 'nobody').update(body).digest();
  if (receiver === undefined || !(await isAuthentic(receiver, delivery)) || asking === undefined) return sealed(432, null);
  service.companies.bot(botId); // one that has another address is refused with it
  const { bot } = receiver;
  const entry = admission.enter({ kind: 'known', holder: bot.companyId });
  try {
    entry.take(body.byteLength);
    await rateLimit?.consume(`bot ${bot.id}`);
    const work = openSealed(service, receiver, delivery, {
      ask: (token, question) => answerForm(service, bot, workflowId, token, question, untilMs),
      locale: service.companies.company(bot.companyId)?.locale,
      noted: (error) =>
        service.log.warn(
          { companyId: bot.companyId, botId, workflowId, error },
          `A form of bot "${botId}" has a fault; its provider reports it`,
        ),
    });
    const limitMs = Math.max(0, untilMs - service.clock.now());
    const { status, text, action, outcome } = (await waitUpTo(service.clock, limitMs, work)) ?? late;
    service.channels.exchanges.report({ bot: bot.id, action, outcome });
    return sealed(status, text);
  } finally {
    entry.leave();
  }
}

/** Answers with the keys that this process knows and, where none fits, once more: another process may have made one a moment ago. */
async function openSealed(
  service: ChannelParts,
  { bot, connected, host }: Receiver,
  delivery: Delivery,
  asking: Parameters<NonNullable<ConnectedChannel['exchange']>['answer']>[2],
): Promise<ExchangeAnswer> {
  const unknown: ExchangeAnswer = { status: otherKey, text: null, action: 'none', outcome: 'otherKey' };
  const answered = (await connected.exchange?.answer(delivery, host(), asking)) ?? unknown;
  if (answered.status !== otherKey) return answered;
  await service.companies.refresh();
  const now = receiverOf(service, bot.id);
  return (await now?.connected.exchange?.answer(delivery, now.host(), asking)) ?? answered;
}

/** The status for a request that is sealed for a key that is not the bot's. */
const otherKey = 421;

const late = { status: 503, text: null, action: 'none', outcome: 'late' } as const;

/** An answer to a form: sealed, so that it is text whatever is in it. */
const sealed = (status: number, text: string | null): HttpAnswer => ({
  status,
  headers: text === null ? {} : { 'content-type': 'text/plain; charset=utf-8' },
  text,
});

/** Providers wait three seconds for an answer, and some of that is the network's. */
const answerWithinMs = 2_500;

/** Waits for the events of a delivery that was answered before. Its sender brings again what fails: it was told 503. */
const finishLater = ({ log }: ChannelParts, { companyId, id: botId }: Bot, taking: Promise<unknown>): Promise<unknown> =>
  taking.catch((error: unknown) =>
    log.warn({ companyId, botId, error }, `Events of a delivery to bot "${botId}" failed; its provider delivers them again`),
  );

/** Providers put up to a thousand events into one delivery, and wait some seconds for its answer: so many are processed at once. */
const maxEventsAtOnce = 16;

/** Where so many users of a delivery fail, it is not for them: such as a store that is away. */
const maxFailures = 8;

/**
 * Processes the events of a delivery: those about one user, or one sent message, one after the other in their order (P9), others at once.
 *
 * What fails for one user or message costs the others nothing: it may fail again with each delivery.
 *
 * @returns their outcomes, in the order of the events
 * @throws {HiloError} the first failure; the next delivery brings all of them again (P10), also those that were not begun since so many failed
 */
async function takeEvents(
  service: ChannelParts,
  bot: Bot,
  events: readonly ChannelEvent[],
  headers: HttpCall['headers'],
): Promise<readonly EventOutcome[]> {
  // A changed id makes one user of two: what comes before and behind it keeps its place.
  const isOneLine = events.some(({ kind }) => kind === 'userIdChanged');
  const lines = [...Map.groupBy(events.entries(), ([, event]) => (isOneLine ? '' : subjectOf(event))).values()].map(sortByTime);
  const outcomes: EventOutcome[] = [];
  const failures: unknown[] = [];
  const takeLine = async (line: readonly (readonly [number, ChannelEvent])[]): Promise<void> => {
    for (const [index, event] of line) outcomes[index] = await takeEvent(service, bot, event, headers);
  };
  const takeLines = async (): Promise<void> => {
    for (let line = lines.shift(); line !== undefined && failures.length < maxFailures; line = lines.shift())
      await takeLine(line).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(maxEventsAtOnce, lines.length) }, takeLines));
  if (failures.length > 0) throw failures[0];
  return outcomes;
}

/** In the order in which they happened, as far as the provider tells; those of one instant stay as they came. */
const sortByTime = <Entry extends readonly [number, ChannelEvent]>(line: readonly Entry[]): Entry[] =>
  line.every(([, { atMs }]) => atMs > 0) ? line.toSorted(([, one], [, other]) => one.atMs - other.atMs) : [...line];

/** What an event is about: a user, by the id that every event of theirs has, or a message that was sent to one. */
function subjectOf(event: ChannelEvent): string {
  if (event.kind !== 'status') return `user ${event.user.bsuid ?? event.user.id}`;
  return `message ${'messageId' in event.of ? event.of.messageId : event.of.providerMessageId}`;
}

/** Keeps what the provider says of templates. Of one that the company does not have there is nothing to keep. */
async function takeNews(
  service: ChannelParts,
  bot: Bot,
  changes: readonly TemplateChange[],
  count: (counts: { readonly [what: string]: number }) => void,
): Promise<void> {
  const source = { actor: `provider ${bot.provider.kind}`, via: 'provider', requestId: randomUUID(), isList: false } as const;
  const { unknown } = await takeTemplateChanges(service, bot, changes, source);
  if (unknown > 0) count({ 'change of an unknown template': unknown });
}

/** More of them in one delivery say nothing new, and would fill the log. */
const maxAccountErrors = 10;

/** No message carries these errors to its record: a warning is where operators learn of them. */
function logAccountErrors({ log }: ChannelParts, { companyId, id: botId, provider }: Bot, errors: readonly AccountError[] = []): void {
  for (const { code, message } of errors.slice(0, maxAccountErrors))
    log.warn({ companyId, botId, provider: provider.kind, code }, `The provider of bot "${botId}" reports: ${message}`);
}

/** One line a delivery, with counts alone: its sender is told 200, since the same delivery again would be no better. */
function logLeftOut({ log }: ChannelParts, { companyId, id: botId, provider }: Bot, leftOut: { readonly [what: string]: number }): void {
  const counts = Object.entries(leftOut).map(([what, count]) => `${what}: ${count}`);
  log.warn(
    { companyId, botId, provider: provider.kind, leftOut },
    `Parts of a delivery to bot "${botId}" were left out, which cannot be processed: ${counts.join(', ')}`,
  );
}

/** The headers of a call as adapters look them up. */
function headersOf({ headers }: Pick<HttpCall, 'headers'>): DeliveryHeaders {
  const has = (name: string): boolean => Object.hasOwn(headers, name.toLowerCase());
  return { has, get: (name) => (has(name) ? (headers[name.toLowerCase()] ?? null) : null) };
}

/** Only the signature over the body proves the sender: until it is read, the request counts as unauthenticated. */
async function unprovenBody(
  { readBody, clientAddress }: Pick<HttpCall, 'readBody' | 'clientAddress'>,
  admission: Admission,
): Promise<Uint8Array> {
  const entry = admission.enter({ kind: 'anonymous', address: clientAddress });
  try {
    return await readBody(entry);
  } finally {
    entry.leave();
  }
}

/**
 * The bot whose provider signed a delivery. An unknown bot, or one that takes no messages here, answers like a wrong secret, after
 * the same work: ids of bots cannot be enumerated without a credential (P28).
 *
 * @throws {HttpError} 401; 503 and 421 for a company that is being moved or has left, told to its provider alone
 */
async function senderOf(service: ChannelParts, delivery: Delivery, botId: string): Promise<Receiver> {
  const receiver = receiverOf(service, botId);
  if (receiver === undefined) createHmac('sha256', 'nobody').update(delivery.body).digest();
  if (receiver === undefined || !(await isAuthentic(receiver, delivery)))
    throw unauthorized('The signature is not that of this body under the secret of this address');
  service.companies.bot(botId); // one that has another address is refused with it
  return receiver;
}

/** An adapter that throws has not authenticated the delivery (T5). */
async function isAuthentic({ connected, host }: Receiver, delivery: Delivery): Promise<boolean> {
  try {
    return await connected.authenticate(delivery, host());
  } catch {
    return false;
  }
}

/**
 * Answers a provider's verification request for the address of a bot. Only here is 403 an answer, and the same one for any bot that does
 * not exist (P28); a request that is no verification gets 404.
 *
 * @throws {HttpError} 403, 404
 */
export function verifyAddress(service: ChannelParts, { query }: Pick<HttpCall, 'query'>, botId: string): HttpAnswer {
  if (query.size === 0) throw notFound('NOT_FOUND', 'There is nothing at this address; deliveries are posted to it');
  const receiver = findServedBot(service.companies, botId) === undefined ? undefined : receiverOf(service, botId);
  const answer = receiver?.connected.verify?.(query, receiver.host()) ?? answerChallenge(query, deriveDecoySecret(service, botId));
  if (answer === undefined) throw new HttpError(403, 'UNAUTHORIZED', 'This is not the verify token of this address');
  return answerWith(answer);
}

/**
 * A challenge of X is answered for every id, so that none tells which bots there are: for a bot that has no secret to sign it, with one of
 * the id.
 */
const deriveDecoySecret = ({ settings }: Pick<ChannelParts, 'settings'>, botId: string): string =>
  createHmac('sha256', settings.adminToken).update(`challenges to no bot of X: ${botId}`).digest('hex');

const answerWith = (answer: ChannelAnswer): HttpAnswer =>
  'text' in answer
    ? { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: answer.text }
    : jsonAnswer(200, answer.json);

interface Receiver extends Omit<BotChannel, 'connected'> {
  readonly bot: Bot;
  readonly connected: ConnectedChannel;
}

/** The bot of the path. A bot whose provider has no secret cannot authenticate deliveries, and accepts none (T5). */
function receiverOf({ companies, channels }: ChannelParts, botId: string): Receiver | undefined {
  const bot = companies.botToProve(botId);
  const channel = bot === undefined ? undefined : channels.of(bot);
  if (bot === undefined || channel === undefined || 'unfitFields' in channel.connected) return undefined;
  return { bot, ...channel, connected: channel.connected };
}
