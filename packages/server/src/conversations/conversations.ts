// Conversations with operators, from their opening to their end.
import type { PausableQuestion } from '@hilo/engine';
import type { Clock, JsonObject, Random } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import type { Chosen, Wanted } from '@hilo/nodes/effects';
import { asCondition, type Call, type DurableStore, type Runner } from '@hilo/stores';
import { telling } from '../platform/events/telling.ts';
import { operatorGroups } from '../platform/tables/conversations.ts';
import { findRoom } from '../contacts/contacts.ts';
import { type MessageParts, type Outbox, releaseHeld, type SendKey } from '../messages/messages.ts';
import { createConsentGate, isStopped } from '../messages/consent-gate.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { noteOperator } from './activity.ts';
import { chooseOperator, giveToOperator, operatorStays } from './choose-operator.ts';
import { tellAssigned, tellEnded, tellOpened } from './conversation-events.ts';
import { type Grouping, readGroupingWindowMs, isGroupable } from './grouping.ts';
import {
  activeConversation,
  assignConversation,
  conversationById,
  endConversation,
  insertConversation,
  insertTransferred,
  joinConversation,
} from './sql.ts';
import { questionPausedUntil, type SaidInApp, takeOver } from './take-over.ts';
import { laneOf, nameLane } from '../platform/database/lanes.ts';

export { requireConversation } from './find-conversation.ts';
export { findUserKeys } from './list.ts';

/** What the routes of conversations work with. */
export type ConversationParts = Pick<Platform, 'store' | 'clock' | 'log'> &
  Pick<MessageParts, 'companies' | 'outbox' | 'media' | 'channels'> & { readonly conversations: Conversations };

/** A conversation that is to begin. */
export interface Opening extends Wanted {
  readonly companyId: string;
  readonly botId: string;
  /** The id by which the bot knows the user. */
  readonly userId: string;
  /** `organic`, `induced_by_operator`, `app` or another origin (CON-16). */
  readonly origin: string;
  /** After how long without a message it expires. */
  readonly idleMs: number;
  /** The same again is the same conversation; drawn, when left out. */
  readonly id?: string;
  /** Whether the user waits for an answer from the beginning: true for a hand-off, false when the operator writes first. */
  readonly isUserWaiting: boolean;
  /**
   * For a hand-off, the execution that waits for the end, or null when none does. An open conversation of the user is reused.
   */
  readonly handsOver?: string | null;
}

/** The outcome of opening a conversation. */
export type Opened =
  | { readonly kind: 'opened'; readonly id: string; readonly waitKey: string }
  /** The user has one already. */
  | { readonly kind: 'taken'; readonly id: string }
  | Exclude<Chosen, { readonly kind: 'chosen' }>;

/** The outcome of an operator's message. */
export type OperatorMessageOutcome =
  | { readonly kind: 'sent'; readonly messageId: string }
  /** It leaves with others, at the latest then (GRP-01). */
  | { readonly kind: 'gathered'; readonly leavesAtMs: number }
  /** The conversation has ended, or has no operator. */
  | { readonly kind: 'unattended' }
  /** The key was used for another request. */
  | { readonly kind: 'key-taken' };

/** The user has stopped templates of this category. */
interface Stopped {
  readonly kind: 'stopped';
}

/** The outcome of a transfer. */
export type Transferred =
  | { readonly kind: 'transferred'; readonly childId: string }
  | { readonly kind: 'ended' }
  | Exclude<Chosen, { readonly kind: 'chosen' }>;

/** The life of conversations between users and operators (CON-17, CON-18). What ended stays as it is. */
export interface Conversations {
  open(opening: Opening): Promise<Opened>;
  /**
   * Sends a message of the operator, in the order of all that is sent to the user (P9), or gathers it with others (GRP-01).
   * The same key again is the same message (MSG-43).
   */
  send(companyId: string, id: string, message: JsonObject, key?: SendKey): Promise<OperatorMessageOutcome>;
  /** Sends a template of the operator, in the same order; it is never gathered. */
  sendTemplate(companyId: string, id: string, template: JsonObject, key?: SendKey): Promise<OperatorMessageOutcome | Stopped>;
  /** Closes or resolves a conversation. @returns whether it was active */
  end(companyId: string, id: string, state: 'closed' | 'resolved', reason: string): Promise<boolean>;
  /** Ends a conversation and opens its child with another operator, in one commit. */
  transfer(companyId: string, id: string, to: Wanted): Promise<Transferred>;
  /** Lets another operator continue with the same conversation. */
  assign(
    companyId: string,
    id: string,
    to: Wanted,
  ): Promise<{ readonly kind: 'assigned' | 'ended' } | Exclude<Chosen, { readonly kind: 'chosen' }>>;
  /** Keeps what a person said in the provider's app, and takes the conversation over for as long as the company says. */
  takeOver(said: SaidInApp, takeover: string): Promise<'taken' | 'duplicate'>;
  /** Until when the timer of a question is put off, since a person talks with its user from the app; undefined where it is not. */
  questionPausedUntil(question: PausableQuestion): Promise<number | undefined> | undefined;
  /** Whether this user is in a conversation with an operator. */
  isActive(companyId: string, botId: string, userId: string): Promise<boolean>;
}

interface ConversationsParts {
  readonly store: Pick<DurableStore, 'runner' | 'executions'>;
  readonly companies: Pick<Companies, 'botOf' | 'company' | 'template'>;
  readonly outbox: Pick<Outbox, 'accept' | 'used'>;
  readonly grouping: Grouping;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Called when something is due, at once or at an instant. */
  readonly wake: (atMs: number) => void;
  /** Called after a conversation of a company began, ended or changed hands. */
  readonly onChanged?: (companyId: string) => void;
}

/** How long before the end of the 24-hour window gathered texts are sent. */
const leavingMs = 1_000;

/** Conversations over a store; every change is one transaction, so that any process may make the next. */
export function createConversations(parts: ConversationsParts): Conversations {
  const {
    store: { runner },
    grouping,
    clock,
    random,
    wake,
    onChanged = () => {},
  } = parts;
  /** Tells of a change, whatever came of it: who listens reads again. */
  const notifying = async <Outcome>(companyId: string, outcome: Promise<Outcome>): Promise<Outcome> => {
    const settled = await outcome;
    onChanged(companyId);
    return settled;
  };
  /** The choice of an operator depends on the open conversations: those of a company are opened one after the other. */
  const inTurn = createTurns();
  const newId = (): string => `conv_${Buffer.from(random.bytes(16)).toString('hex')}`;

  /**
   * Changes a conversation after its gathered texts are sent (GRP-01, GRP-02). The change locks the conversation's row, as adding a
   * text does: a text that was added since is seen, and sent before the change.
   *
   * @param changes - conditions on the conversation first
   * @returns whether the conditions held
   */
  const changeBehindTexts: ChangeBehindTexts = async (companyId, id, changes) => {
    const nothingGathered = asCondition(operatorGroups.find({ companyId, conversationId: id }), 0);
    for (;;) {
      await grouping.flush(companyId, id);
      const { failed } = await runner.write([...changes, nothingGathered]);
      if (failed !== nothingGathered) return failed === undefined;
    }
  };

  return {
    open: (opening) =>
      notifying(
        opening.companyId,
        inTurn(opening.companyId, () => open(runner, opening, opening.id ?? newId(), clock.now())),
      ),
    send: (...given) => send(parts, ...given),
    sendTemplate: (...given) => sendTemplate(parts, ...given),
    end: (companyId, id, state, reason) =>
      notifying(companyId, end({ runner, changeBehindTexts, wake }, { companyId, id }, { state, reason }, clock.now())),
    transfer: (companyId, id, to) =>
      notifying(
        companyId,
        inTurn(companyId, () => transfer({ runner, changeBehindTexts }, companyId, id, newId(), to, clock.now())),
      ),
    assign: (companyId, id, to) =>
      notifying(
        companyId,
        inTurn(companyId, () => assign({ runner, changeBehindTexts }, { companyId, id }, to, clock.now)),
      ),
    takeOver: (said, takeover) =>
      notifying(
        said.companyId,
        inTurn(said.companyId, () => takeOver(runner, said, takeover, clock.now())),
      ),
    questionPausedUntil: (question) =>
      parts.companies.company(question.companyId)?.takeover === undefined ? undefined : questionPausedUntil(runner, question, clock.now()),
    isActive: async (companyId, botId, userId) =>
      (await runner.readOne(activeConversation({ activeKey: nameLane(laneOf({ companyId, botId, userId })) }))) !== undefined,
  };
}

interface ChangeParts {
  readonly runner: DurableStore['runner'];
  readonly changeBehindTexts: ChangeBehindTexts;
}

/** @returns false where it had ended already */
async function end(
  { runner, changeBehindTexts, wake }: ChangeParts & Pick<ConversationsParts, 'wake'>,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  { state, reason }: { readonly state: Parameters<Conversations['end']>[2]; readonly reason: Parameters<Conversations['end']>[3] },
  nowMs: number,
): Promise<boolean> {
  const row = await runner.readOne(conversationById({ companyId, id }));
  const ending = asCondition(endConversation({ companyId, id, state, reason, nowMs, childId: undefined, notifies: true }));
  const told = row === undefined ? ending : telling(ending, () => tellEnded({ companyId, id, row }, { state, reason }, nowMs));
  const released = row === undefined ? [] : [releaseHeld(laneOf({ ...row, companyId }))];
  const isEnded = await changeBehindTexts(companyId, id, [told, ...released]);
  if (isEnded) wake(nowMs);
  return isEnded;
}

async function assign(
  { runner, changeBehindTexts }: ChangeParts,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  to: Wanted,
  now: () => number,
): ReturnType<Conversations['assign']> {
  const row = await runner.readOne(conversationById({ companyId, id }));
  const given = await giveToOperator(runner, companyId, to, ({ operatorId, teamName }) => {
    const assigning = asCondition(assignConversation({ companyId, id, operatorId, teamName: teamName ?? undefined }));
    const told =
      row === undefined ? assigning : telling(assigning, () => tellAssigned({ companyId, id, row }, { operatorId, teamName }, now()));
    // Texts of two operators are never one message (GRP-01).
    return changeBehindTexts(companyId, id, [operatorStays({ companyId, operatorId }), told]);
  });
  return given.kind === 'given' ? { kind: 'assigned' } : given;
}

/** The row of a conversation and its bot; `undefined` where one of them is missing. */
async function findAttended({ store: { runner }, companies }: ConversationsParts, companyId: string, id: string) {
  const row = await runner.readOne(conversationById({ companyId, id }));
  const bot = row === undefined ? undefined : companies.botOf(companyId, row.botId);
  return row === undefined || bot === undefined ? undefined : { companyId, id, row, bot };
}
type Attended = NonNullable<Awaited<ReturnType<typeof findAttended>>>;

/** Sends a message of the operator, or gathers it with others. */
async function send(
  parts: ConversationsParts,
  companyId: string,
  id: string,
  message: JsonObject,
  key?: SendKey,
): Promise<OperatorMessageOutcome> {
  const { grouping, wake } = parts;
  const attended = await findAttended(parts, companyId, id);
  if (attended === undefined) return { kind: 'unattended' };
  const { row, bot } = attended;
  const windowMs = isGroupable(message) ? await findGroupingMs(parts, bot, row.userId) : undefined;
  if (windowMs !== undefined && isGroupable(message)) {
    const gathered = await grouping.add({ companyId, id, botId: bot.id, userId: row.userId }, message.text, windowMs, key);
    if (gathered.kind === 'gathered') wake(gathered.leavesAtMs);
    return gathered.kind === 'repeated' ? { kind: 'sent', messageId: gathered.messageId } : gathered;
  }
  return sendNow(parts, attended, message, key);
}

async function sendTemplate(
  parts: ConversationsParts,
  companyId: string,
  id: string,
  template: JsonObject,
  key?: SendKey,
): Promise<OperatorMessageOutcome | Stopped> {
  const attended = await findAttended(parts, companyId, id);
  if (attended === undefined) return { kind: 'unattended' };
  const { companies, outbox, store } = parts;
  const contact = await store.executions.contact(companyId, attended.bot.id, [attended.row.userId]);
  if (isStopped(createConsentGate(companies), attended.bot, template, contact)) {
    // What was accepted before they said so is answered as before.
    const before = key === undefined ? undefined : await outbox.used({ companyId, botId: attended.bot.id }, key);
    if (before === undefined) return { kind: 'stopped' };
  }
  return sendNow(parts, attended, template, key);
}

/** Sends a message of the operator behind the texts that were gathered before it (GRP-02). */
async function sendNow(
  { outbox, grouping, clock }: ConversationsParts,
  { companyId, id, row, bot }: Attended,
  message: JsonObject,
  key: SendKey | undefined,
): Promise<OperatorMessageOutcome> {
  await grouping.flush(companyId, id);
  const userId = row.userId;
  const acceptance = await outbox.accept({
    companyId,
    botId: bot.id,
    userId,
    knownAs: userId,
    message,
    from: 'operator',
    guard: noteOperator({ companyId, id, botId: row.botId, userId }, clock.now()),
    ...(key !== undefined && { key }),
  });
  switch (acceptance.kind) {
    case 'accepted':
    case 'repeated':
      return { kind: 'sent', messageId: acceptance.messageId };
    case 'guarded':
      return { kind: 'unattended' };
    default:
      return acceptance;
  }
}

/** How long a text may be gathered: none waits until the user's 24-hour window is over (WIN-04). */
async function findGroupingMs(
  { store: { executions }, companies, clock }: Pick<ConversationsParts, 'store' | 'companies' | 'clock'>,
  bot: Bot,
  userId: string,
): Promise<number | undefined> {
  const windowMs = readGroupingWindowMs(companies.company(bot.companyId)?.settings ?? {});
  if (windowMs === undefined || !bot.settings.enforceSessionWindow || !channelFacts[bot.channel].hasSessionWindow) return windowMs;
  const contact = await executions.contact(bot.companyId, bot.id, [userId]);
  const leftMs = (contact?.windowUntilMs ?? 0) - leavingMs - clock.now();
  return leftMs > 0 ? Math.min(windowMs, leftMs) : undefined;
}

type ChangeBehindTexts = (companyId: string, id: string, changes: readonly Call[]) => Promise<boolean>;

/** How often another conversation of the same user may begin and end while one is opened. */
const maxAttempts = 10;

/** A user has one active conversation with a bot: of two that are opened at once, the first to commit is the one. */
async function open(runner: Runner, opening: Opening, id: string, nowMs: number): Promise<Opened> {
  const { companyId, botId, userId, handsOver, isUserWaiting, idleMs, origin } = opening;
  const activeKey = nameLane(laneOf({ companyId, botId, userId }));
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const mine = await runner.readOne(conversationById({ companyId, id }));
    if (mine !== undefined) return { kind: 'opened', id, waitKey: mine.waitKey ?? id };
    const joined = await join(runner, { companyId, activeKey }, handsOver);
    if (joined !== undefined) return joined;
    const chosen = await chooseOperator(runner, companyId, opening);
    if (chosen.kind !== 'chosen') return chosen;
    const { roomId, making } = await findRoom(runner, { companyId, botId, userId }, new Set([userId]));
    const { operatorId, teamName } = chosen;
    const beginning = asCondition(
      insertConversation({
        companyId,
        id,
        botId,
        userId,
        userKey: userId,
        roomId,
        operatorId,
        teamName: teamName ?? undefined,
        origin,
        startAtMs: nowMs,
        waitingSinceMs: isUserWaiting ? nowMs : undefined,
        lastMessageBy: isUserWaiting ? 'user' : undefined,
        idleMs,
        dueAtMs: nowMs + idleMs,
        waitKey: id,
        executionId: handsOver ?? undefined,
        activeKey,
      }),
    );
    const { failed } = await runner.write([
      operatorStays({ companyId, operatorId }),
      telling(beginning, () =>
        tellOpened({ companyId, botId, userId, id, operatorId, teamName, origin, executionId: handsOver ?? undefined }, nowMs),
      ),
      ...making,
    ]);
    if (failed === undefined) return { kind: 'opened', id, waitKey: id };
  }
  return { kind: 'no-operator' };
}

/** Joins the conversation that the user has already, if there is one. */
async function join(
  runner: Runner,
  { companyId, activeKey }: { readonly companyId: string; readonly activeKey: string },
  handsOver: string | null | undefined,
): Promise<Opened | undefined> {
  const current = await runner.readOne(activeConversation({ activeKey }));
  if (current === undefined) return undefined;
  const { id } = current;
  if (handsOver === undefined) return { kind: 'taken', id };
  if (handsOver === null) return { kind: 'opened', id, waitKey: current.waitKey ?? id };
  const joined = await runner.writeOne(joinConversation({ companyId, id, executionId: handsOver }));
  return joined === undefined ? undefined : { kind: 'opened', id, waitKey: joined.waitKey ?? id };
}

async function transfer(
  { runner, changeBehindTexts }: { readonly runner: Runner; readonly changeBehindTexts: ChangeBehindTexts },
  companyId: string,
  id: string,
  childId: string,
  to: Wanted,
  nowMs: number,
): Promise<Transferred> {
  const parent = await runner.readOne(conversationById({ companyId, id }));
  const given = await giveToOperator(runner, companyId, to, async ({ operatorId, teamName }) => {
    if (parent === undefined) return false;
    const child = { companyId, parentId: id, childId, operatorId, teamName: teamName ?? undefined, nowMs };
    return changeBehindTexts(companyId, id, [
      operatorStays({ companyId, operatorId }),
      telling(
        asCondition(endConversation({ companyId, id, state: 'transferred', reason: 'transferred', nowMs, childId, notifies: false })),
        () => [
          tellEnded({ companyId, id, row: parent }, { state: 'transferred', reason: undefined, childId }, nowMs),
          tellOpened(
            {
              companyId,
              botId: parent.botId,
              userId: parent.userId,
              id: childId,
              operatorId,
              teamName,
              origin: parent.origin,
              executionId: undefined,
            },
            nowMs,
          ),
        ],
      ),
      insertTransferred({ ...child, activeKey: nameLane(laneOf({ ...parent, companyId })) }),
      // When an imported parent was never activated, the user may have another active conversation: then this one is not active.
      insertTransferred({ ...child, activeKey: undefined }),
    ]);
  });
  return given.kind === 'given' ? { kind: 'transferred', childId } : given;
}

/** Serialises work by name: opening a conversation sees the result of the open before it. */
function createTurns(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    const end = (): void => void (last.get(name) === turn && last.delete(name));
    turn.then(end, end);
    return turn;
  };
}
