// A message that a person wrote to a user in the provider's own app: it is kept as an operator's, and takes the conversation over.
import { createHash } from 'node:crypto';
import type { PausableQuestion } from '@hilo/engine';
import { type JsonObject, Duration } from '@hilo/engine/contract';
import { asCondition, type Call, integer, lookup, pick, type Runner } from '@hilo/stores';
import { sql } from 'kysely';
import { actOfEvent } from '../audit/audit.ts';
import { findRoom } from '../contacts/contacts.ts';
import { keepSaid } from '../messages/messages.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { telling } from '../platform/events/telling.ts';
import { appOrigin, conversations } from '../platform/tables/conversations.ts';
import { operatorWrites } from './activity.ts';
import { tellOpened } from './conversation-events.ts';
import { active, activeConversation, insertConversation } from './sql.ts';
import { laneOf, nameLane } from '../platform/database/lanes.ts';

/** What a person said in the app. */
export interface SaidInApp {
  readonly companyId: string;
  readonly botId: string;
  /** The id by which the bot knows the user. */
  readonly userId: string;
  readonly message: JsonObject;
  /** The provider's id of the message. */
  readonly eventId: string;
  /** The provider in whose app it was written, as the table of types has it. */
  readonly app: string;
}

/** How long a takeover lasts; undefined for one that ends by hand. */
const readTakeoverMs = (takeover: string): number | undefined => Duration.safeParse(takeover).data;

const noteTakeover = companyQuery(
  { ...pick(conversations.columns, 'id', 'idleMs'), nowMs: integer() },
  {},
  (company, { id, nowMs, idleMs }) =>
    company
      .updateTable('conversations')
      .set({
        ...operatorWrites(nowMs),
        taken_over_at_ms: sql<number>`coalesce(taken_over_at_ms, ${nowMs})`,
        // A conversation that an operator has keeps its own time.
        idle_ms: sql<number | null>`case when origin = ${sql.lit(appOrigin)} then cast(${idleMs} as bigint) else idle_ms end`,
        due_at_ms: sql<number | null>`${nowMs} + case when origin = ${sql.lit(appOrigin)} then cast(${idleMs} as bigint) else idle_ms end`,
      })
      .where('id', '=', id)
      .where('state', '=', active)
      .returning('id'),
);

/** How often another conversation of the same user may begin and end meanwhile. */
const maxAttempts = 10;

/**
 * Keeps what a person said in the app among the messages of the user, in the conversation that they have or in one that begins with it;
 * from then until its end the bot is silent. One commit: the message is kept and the bot silent, or neither.
 *
 * @param takeover - the company's setting
 * @returns `duplicate` for a message that was kept before (P10)
 */
export async function takeOver(runner: Runner, said: SaidInApp, takeover: string, nowMs: number): Promise<'taken' | 'duplicate'> {
  const { companyId, botId, userId, message, eventId, app } = said;
  const activeKey = nameLane(laneOf({ companyId, botId, userId }));
  const keeping = keepSaid({ companyId, botId }, { eventId, userId, content: message }, nowMs);
  const idleMs = readTakeoverMs(takeover);
  const noted = (id: string): Call => asCondition(noteTakeover({ companyId, id, nowMs, idleMs }));
  const onRecord = (id: string): Call =>
    actOfEvent(
      { actor: `a person in the app of ${app}`, requestId: id, action: 'takeOverConversation' },
      { companyId, kind: 'conversation', id },
      nowMs,
    );
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const current = await runner.readOne(activeConversation({ activeKey }));
    if (current !== undefined) {
      const record = current.takenOverAtMs === undefined ? [onRecord(current.id)] : [];
      const { failed } = await runner.write([...keeping, noted(current.id), ...record]);
      if (failed === undefined) return 'taken';
      if (failed === keeping[0]) return 'duplicate';
      continue;
    }
    const id = `conv_${createHash('sha256')
      .update(JSON.stringify([botId, eventId]))
      .digest('hex')
      .slice(0, 32)}`;
    const { roomId, making } = await findRoom(runner, { companyId, botId, userId }, new Set([userId]));
    const beginning = asCondition(
      insertConversation({
        companyId,
        id,
        botId,
        userId,
        userKey: userId,
        roomId,
        operatorId: undefined,
        teamName: undefined,
        origin: appOrigin,
        startAtMs: nowMs,
        waitingSinceMs: undefined,
        lastMessageBy: 'operator',
        idleMs,
        dueAtMs: idleMs === undefined ? undefined : nowMs + idleMs,
        waitKey: id,
        executionId: undefined,
        activeKey,
      }),
    );
    const opened = { companyId, botId, userId, id, operatorId: null, teamName: null, origin: appOrigin, executionId: undefined };
    const { failed } = await runner.write([
      ...keeping,
      telling(beginning, () => tellOpened(opened, nowMs)),
      ...making,
      noted(id),
      onRecord(id),
    ]);
    if (failed === undefined) return 'taken';
    if (failed === keeping[0]) return 'duplicate';
  }
  throw new Error('A conversation of the user began and ended again and again');
}

/** A time in which a person talked with a user. */
const takeoversSince = conversations.read(
  ['takenOverAtMs', 'endAtMs'],
  { ...pick(conversations.columns, 'botId'), userId: lookup(), sinceMs: integer() },
  (rows, { botId, userId, sinceMs }) =>
    rows
      .where('user_key', '=', userId)
      .where('bot_id', '=', botId)
      .where('taken_over_at_ms', 'is not', null)
      .where((eb) => eb.or([eb('end_at_ms', 'is', null), eb('end_at_ms', '>', sinceMs)])),
);

/** How soon it is looked again whether a person still talks with a user. */
const againMs = 60_000;

/**
 * Until when the timer of a question is put off: its time stands still while a person talks with the user.
 *
 * @returns undefined where its time is over
 */
export async function questionPausedUntil(
  runner: Pick<Runner, 'read'>,
  { companyId, botId, userId, openedAtMs, dueAtMs }: PausableQuestion,
  nowMs: number,
): Promise<number | undefined> {
  const times = await runner.read(takeoversSince({ companyId, botId, userId, sinceMs: openedAtMs }));
  if (times.some(({ endAtMs }) => endAtMs === undefined)) return nowMs + againMs;
  const stoodStillMs = times.reduce((sum, { takenOverAtMs: fromMs, endAtMs: toMs }) => {
    return sum + Math.max(0, (toMs ?? nowMs) - Math.max(fromMs ?? openedAtMs, openedAtMs));
  }, 0);
  const untilMs = dueAtMs + stoodStillMs;
  return untilMs > nowMs ? untilMs : undefined;
}
