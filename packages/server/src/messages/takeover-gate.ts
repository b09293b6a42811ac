// While a person talks with a user from the provider's app the bot is silent: its messages wait in the outbox until that has ended, and
// campaigns leave the user out.
import { type Call, integer, plain, type Runner } from '@hilo/stores';
import { sql } from 'kysely';
import { type Database, companyQuery, heldMs, query } from '../platform/database/schema.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { isByItself, isOfCampaign } from './message-keys.ts';
import type { Turn } from './delivery-queues.ts';
import { laneColumns, nameLane, type Lane } from '../platform/database/lanes.ts';

/** Judges messages by who talks with their user. */
export interface TakeoverGate {
  /** Whether a message may have to wait: then it is looked up whether a person talks with its user. */
  asks(bot: Pick<Bot, 'companyId'>, turn: Pick<Turn, 'executionId' | 'idempotencyKey'>): boolean;
}

/** What operators and other programs send goes out: they mean this user, now. */
export const createTakeoverGate = (companies: Pick<Companies, 'company'>): TakeoverGate => ({
  asks: ({ companyId }, turn) =>
    companies.company(companyId)?.takeover !== undefined && (turn.executionId !== null || isOfCampaign(turn) || isByItself(turn)),
});

/** The outcome of a campaign's message to a user with whom a person talks. */
export const takenOver = {
  kind: 'refused',
  cause: 'TAKEN_OVER',
  message: 'A person talks with the user from the app of the provider: the bot is silent until that has ended',
} as const;

/** The conversation in which a person talks with the user of a lane. */
const taken = (db: Database, activeKey: string) =>
  db.selectFrom('conversations').select('id').where('active_key', '=', activeKey).where('taken_over_at_ms', 'is not', null);

const takenConversation = query({ activeKey: plain() }, {}, (db, { activeKey }) => taken(db, activeKey));

export const isTakenOver = async (runner: Pick<Runner, 'readOne'>, lane: Lane): Promise<boolean> =>
  (await runner.readOne(takenConversation({ activeKey: nameLane(lane) }))) !== undefined;

const hold = query({ id: integer(), me: plain(), activeKey: plain() }, {}, (db, given) =>
  db
    .updateTable('outbox')
    // One that may have been sent before its process ended is remembered as such.
    .set((eb) => ({
      due_at_ms: heldMs,
      attempts: eb('attempts', '-', 1),
      claimed_by: eb.case().when('was_interrupted', '=', 0).then(null).else(eb.ref('claimed_by')).end(),
    }))
    .where('id', '=', given.id)
    .where('claimed_by', '=', given.me)
    .where(({ exists }) => exists(taken(db, given.activeKey)))
    .returning('id'),
);

/** Lets a claimed message wait in its place for the end of the takeover. @returns false where that has ended meanwhile */
export const holdMessage = async (
  runner: Pick<Runner, 'writeOne'>,
  { id, lane }: Pick<Turn, 'id' | 'lane'>,
  me: string,
): Promise<boolean> => (await runner.writeOne(hold({ id, me, activeKey: nameLane(lane) }))) !== undefined;

const release = companyQuery({ ...laneColumns, activeKey: plain() }, {}, (company, given, db) =>
  company
    .updateTable('outbox')
    .set({ due_at_ms: 0 })
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .where('due_at_ms', '=', heldMs)
    .where(({ not, exists }) => not(exists(taken(db, given.activeKey)))),
);

/** Gives back what was held for a user; belongs behind what ends the conversation, in its transaction. */
export const releaseHeld = (lane: Lane): Call => release({ ...lane, activeKey: nameLane(lane) });

/** Gives back what was held in the very moment in which its takeover ended in another process. */
export const releaseLeftBehind = query({}, {}, (db) =>
  db
    .updateTable('outbox')
    .set({ due_at_ms: 0 })
    .where('due_at_ms', '=', heldMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversations')
            .select('conversations.id')
            .whereRef('conversations.company_id', '=', 'outbox.company_id')
            .whereRef('conversations.bot_id', '=', 'outbox.bot_id')
            .whereRef('conversations.user_key', '=', 'outbox.user_key')
            .where('conversations.state', '=', sql.lit('active'))
            .where('conversations.taken_over_at_ms', 'is not', null),
        ),
      ),
    ),
);

/** A message that waits for the end of a takeover. */
export const heldMessage = companyQuery({ idempotencyKey: plain() }, {}, (company, given) =>
  company.selectFrom('outbox').select('id').where('idempotency_key', '=', given.idempotencyKey).where('due_at_ms', '=', heldMs),
);
