import { type ContactChange, sessionWindowMs } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { keyOf, type Steps } from '@hilo/stores';
import { botSettings } from '../directory/bot-of.ts';
import { collections } from '../tables/collections.ts';
import { userRow } from './company-rows.ts';
import type { WorkspaceParts } from './parts.ts';
import type { PreparedCompany } from './prepare.ts';

type User = PreparedCompany['company']['users'][number];

/** Writes items a few at a time. */
type InBatches = <Item>(items: readonly Item[], write: (items: readonly Item[]) => Steps<number>) => Promise<number>;

/** Contacts of one commit. */
const batch = 500;

/**
 * Keeps users, and lets the bots know them: those to whom they wrote, with the window of that day (WIN-01), and those that
 * take ids like theirs. What a bot has learned since from the user's own messages stays, unless the workspace changed.
 *
 * @returns how many users were missing or different
 */
export async function writeUsers(
  { store, clock }: Pick<WorkspaceParts, 'store' | 'clock'>,
  { companyId, company: { users } }: PreparedCompany,
  inBatches: InBatches,
): Promise<number> {
  const bots = (await store.runner.read(() => collections.bots.rows(companyId))).map((bot) => ({
    botId: bot.bot_id,
    takes: (userId: string) => userIdProblem(userId, bot.channel, botSettings(bot).userIdFormat) === undefined,
  }));
  const changed = new Set<string>();
  await inBatches(users, function* (some) {
    const written = yield* collections.users.put(some.map((user) => userRow(companyId, user)));
    for (const { user_key } of written) changed.add(user_key);
    return written.length;
  });

  const nowMs = clock.now();
  let contacts: ContactChange[] = [];
  const commit = async (): Promise<void> => {
    if (contacts.length > 0) await store.executions.commit({ saves: [], history: [], contacts, enqueue: [], dequeue: [] });
    contacts = [];
  };
  for (const user of users) {
    for (const { botId, takes } of bots) {
      const lastMessageAt = user.lastMessageAt[botId];
      if (lastMessageAt === undefined && !takes(user.id)) continue;
      const change = await contactChange(store, { companyId, botId }, user, changed.has(keyOf(user.id)), {
        lastMs: lastMessageAt === 'now' ? nowMs : lastMessageAt,
      });
      if (change !== undefined) contacts.push(change);
      if (contacts.length === batch) await commit();
    }
  }
  await commit();
  return changed.size;
}

/** What a bot has still to learn of a user; nothing, when it knows all of it. */
async function contactChange(
  { executions }: WorkspaceParts['store'],
  bot: { readonly companyId: string; readonly botId: string },
  { id, names, phone, bsuid }: User,
  isChanged: boolean,
  { lastMs }: { readonly lastMs: number | undefined },
): Promise<ContactChange | undefined> {
  const ids = [id, phone, bsuid].filter((known) => known !== undefined);
  const known = await executions.contact(bot.companyId, bot.botId, ids);
  const identity = {
    ...(names !== undefined && { names }),
    ...(phone !== undefined && { phone }),
    ...(bsuid !== undefined && { bsuid }),
  };
  const windowUntilMs = lastMs === undefined ? undefined : lastMs + sessionWindowMs;
  const opens = windowUntilMs !== undefined && windowUntilMs > (known?.windowUntilMs ?? 0);
  if (known !== undefined && !isChanged && !opens) return undefined;
  return {
    ...bot,
    userId: known?.userId ?? id,
    ...(known === undefined || isChanged ? identity : {}),
    ...(opens ? { windowUntilMs } : {}),
  };
}
