import type { Clock, Random } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { ask, askOne, type DurableStore, keyOf, read, type Steps, written } from '@hilo/stores';
import type { Outbox } from '../messages/messages.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { roomFor } from '../contacts/driver.ts';
import { activeKeyOf } from '../platform/database/schema.ts';
import { chooseOperator } from './choose-operator.ts';
import type { Conversations, Opened, Opening, Transferred } from './conversations.ts';
import { type Grouping, groupingWindowMs, isGroupable } from './grouping.ts';
import { noteOperator } from './activity.ts';
import {
  activeConversation,
  assignConversation,
  conversationById,
  endConversation,
  insertConversation,
  joinConversation,
  type NewConversation,
} from './sql.ts';

interface ConversationParts {
  readonly store: Pick<DurableStore, 'runner' | 'executions'>;
  readonly companies: Pick<Companies, 'botOf' | 'company'>;
  readonly outbox: Pick<Outbox, 'accept'>;
  readonly grouping: Grouping;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Told that something is to be looked after, at once or at an instant. */
  readonly wake: (atMs: number) => void;
}

/** So long before the end of the 24-hour window gathered texts leave. */
const leavingMs = 1_000;

export function createConversations({
  store: { runner, executions },
  companies,
  outbox,
  grouping,
  clock,
  random,
  wake,
}: ConversationParts): Conversations {
  const newId = (): string => `conv_${Buffer.from(random.bytes(16)).toString('hex')}`;

  /** How long a text may be gathered: none waits until the user's 24-hour window is over (WIN-04). */
  const gatheringMs = async (bot: Bot, userId: string): Promise<number | undefined> => {
    const windowMs = groupingWindowMs(companies.company(bot.companyId)?.settings ?? {});
    if (windowMs === undefined || !bot.settings.enforceSessionWindow || !channelFacts[bot.channel].hasSessionWindow) return windowMs;
    const contact = await executions.contact(bot.companyId, bot.id, [userId]);
    const leftMs = (contact?.windowUntilMs ?? 0) - leavingMs - clock.now();
    return leftMs > 0 ? Math.min(windowMs, leftMs) : undefined;
  };

  return {
    async open(opening) {
      const id = opening.id ?? newId();
      const nowMs = clock.now();
      return runner.write(() => opened(opening, id, nowMs));
    },
    async say(companyId, id, message, key) {
      const found = await runner.read(() => askOne(conversationById, { companyId, id: written(id) }));
      const bot = found === undefined ? undefined : companies.botOf(companyId, read(found.bot_id));
      if (found === undefined || bot === undefined) return { kind: 'unattended' };
      const userId = read(found.user_id);
      const windowMs = isGroupable(message) ? await gatheringMs(bot, userId) : undefined;
      if (windowMs !== undefined && isGroupable(message)) {
        const said = await grouping.add({ companyId, id, botId: bot.id }, message.text, windowMs, key);
        if (said.kind === 'gathered') wake(said.leavesAtMs);
        return said.kind === 'repeated' ? { kind: 'sent', messageId: said.messageId } : said;
      }
      await grouping.flush(companyId, id); // what was written before leaves before (GRP-02)
      const acceptance = await outbox.accept({
        companyId,
        botId: bot.id,
        userId,
        knownAs: userId,
        message: { ...message },
        from: 'operator',
        guard: () => noteOperator(companyId, written(id), clock.now()),
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
    },
    async end(companyId, id, state, reason) {
      await grouping.flush(companyId, id);
      const nowMs = clock.now();
      const given = { companyId, id: written(id), state, reason: written(reason), nowMs, childId: null, tells: 1 };
      const ended = await runner.write(() => askOne(endConversation, given));
      if (ended !== undefined) wake(nowMs);
      return ended !== undefined;
    },
    async transfer(companyId, id, to) {
      await grouping.flush(companyId, id);
      const childId = newId();
      return runner.write(
        () => transferred(companyId, id, childId, to, clock.now()),
        ({ kind }) => kind === 'transferred',
      );
    },
    async assign(companyId, id, to) {
      await grouping.flush(companyId, id); // texts of two operators are never one message (GRP-01)
      return runner.write(function* (): Steps<Awaited<ReturnType<Conversations['assign']>>> {
        const chosen = yield* chooseOperator(companyId, to);
        if (chosen.kind !== 'chosen') return chosen;
        const { operatorId, teamName } = chosen;
        const assigned = yield* askOne(assignConversation, { companyId, id: written(id), operatorId, teamName });
        return { kind: assigned === undefined ? 'ended' : 'assigned' };
      });
    },
    isActive: async (companyId, botId, userId) =>
      (await runner.read(() =>
        askOne(activeConversation, { activeKey: activeKeyOf({ companyId, botId: written(botId), userKey: keyOf(userId) }) }),
      )) !== undefined,
  };
}

/** One user has one conversation with a bot at a time: also when two open one at once, one of them is it. */
function* opened(opening: Opening, id: string, nowMs: number): Steps<Opened> {
  const { companyId, botId, userId, handsOver } = opening;
  const talk = { companyId, botId: written(botId), userKey: keyOf(userId) };
  const mine = yield* askOne(conversationById, { companyId, id });
  if (mine !== undefined) return { kind: 'opened', id, waitKey: mine.wait_key ?? id };
  const joined = yield* joining(talk, handsOver);
  if (joined !== undefined) return joined;
  const chosen = yield* chooseOperator(companyId, opening);
  if (chosen.kind !== 'chosen') return chosen;
  const { operatorId, teamName } = chosen;
  const roomId = yield* roomFor({ companyId, botId, userId }, new Set([userId]));
  const { isUserWaiting, idleMs, origin } = opening;
  const inserted = yield* askOne(insertConversation, {
    ...talk,
    id,
    userId: written(userId),
    roomId: written(roomId),
    operatorId,
    teamName,
    origin: written(origin),
    startAtMs: nowMs,
    waitingSinceMs: isUserWaiting ? nowMs : null,
    lastMessageBy: isUserWaiting ? 'user' : null,
    idleMs,
    dueAtMs: nowMs + idleMs,
    waitKey: id,
    executionId: handsOver ?? null,
    parentId: null,
    activeKey: activeKeyOf(talk),
  } satisfies NewConversation);
  if (inserted !== undefined) return { kind: 'opened', id, waitKey: id };
  return (yield* joining(talk, handsOver)) ?? { kind: 'nobody' };
}

/** The conversation that the user has already. */
function* joining(
  talk: { readonly companyId: string; readonly botId: string; readonly userKey: string },
  handsOver: string | null | undefined,
): Steps<Opened | undefined> {
  const current = yield* askOne(activeConversation, { activeKey: activeKeyOf(talk) });
  if (current === undefined) return undefined;
  const { id } = current;
  if (handsOver === undefined) return { kind: 'taken', id };
  if (handsOver === null) return { kind: 'opened', id, waitKey: current.wait_key ?? id };
  const joined = yield* askOne(joinConversation, { companyId: talk.companyId, id, executionId: handsOver });
  return joined === undefined ? undefined : { kind: 'opened', id, waitKey: joined.wait_key ?? id };
}

function* transferred(
  companyId: string,
  id: string,
  childId: string,
  to: Parameters<typeof chooseOperator>[1],
  nowMs: number,
): Steps<Transferred> {
  const chosen = yield* chooseOperator(companyId, to);
  if (chosen.kind !== 'chosen') return chosen;
  const ending = { companyId, id: written(id), state: 'transferred', reason: 'transferred', nowMs, childId, tells: 0 };
  const parent = yield* askOne(endConversation, ending);
  if (parent === undefined) return { kind: 'ended' };
  const { bot_id: botId, user_key: userKey, idle_ms: idleMs } = parent;
  const child: NewConversation = {
    companyId,
    id: childId,
    roomId: parent.room_id,
    botId,
    userKey,
    userId: parent.user_id,
    operatorId: chosen.operatorId,
    teamName: chosen.teamName,
    origin: 'transfer',
    startAtMs: nowMs,
    waitingSinceMs: parent.waiting_since_ms === null ? null : nowMs,
    lastMessageBy: parent.last_message_by,
    idleMs,
    dueAtMs: idleMs === null ? null : nowMs + idleMs,
    waitKey: parent.wait_key ?? parent.id,
    executionId: parent.execution_id,
    parentId: parent.id,
    activeKey: activeKeyOf({ companyId, botId, userKey }),
  };
  // The user may have another one, when the parent came with a workspace file and did not go on.
  if ((yield* askOne(insertConversation, child)) === undefined) yield* ask(insertConversation, { ...child, activeKey: null });
  return { kind: 'transferred', childId };
}
