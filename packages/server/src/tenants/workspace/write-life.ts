import type { Call } from '@hilo/stores';
import { letGoOn } from '../../conversations/activate-imported.ts';
import { collections } from '../../platform/database/collections.ts';
import { campaignRow, conversationRow, recipientRows, roomRow, roomTagRows } from './company-rows.ts';
import type { WorkspaceParts } from './parts.ts';
import type { PreparedCompany } from './prepare.ts';
import { writeUsers } from './write-users.ts';

/** Kinds that live on after they came: a workspace brings those that are missing, and never turns back what became of them. */
export const livingKinds = ['users', 'campaigns', 'rooms', 'conversations'] as const;
export type LivingKind = (typeof livingKinds)[number];

/** How many of each kind were missing; of users, those that were missing or different. */
export type LifeWritten = { readonly [Kind in LivingKind]: number };

/** Rows of one transaction: others are served in between. */
const batch = 500;

/** @param onUsers - told how many of the company's users are done */
export async function writeLife(
  parts: Pick<WorkspaceParts, 'store' | 'clock'>,
  prepared: PreparedCompany,
  onUsers: (users: number) => void,
): Promise<LifeWritten> {
  const { companyId, company } = prepared;
  const { runner } = parts.store;
  /** Writes what is missing, in transactions of a bounded size; where nothing is, there is none. */
  const addMissing = async <Item, Row>(
    items: readonly Item[],
    missing: (items: readonly Item[]) => Promise<readonly Row[]>,
    adding: (rows: readonly Row[], items: readonly Item[]) => readonly Call[],
  ): Promise<number> => {
    let added = 0;
    for (let from = 0; from < items.length; from += batch) {
      const some = items.slice(from, from + batch);
      // Where another import adds some of them first, nothing is written, and what is missing then is looked for again.
      for (let rows = await missing(some); rows.length > 0; rows = await missing(some)) {
        const { failed } = await runner.write(adding(rows, some));
        if (failed !== undefined) continue;
        added += rows.length;
        break;
      }
    }
    return added;
  };
  const { campaigns, recipients, rooms, roomTags, conversations } = collections;
  return {
    users: await writeUsers(parts, prepared, onUsers),
    campaigns: await addMissing(
      company.campaigns,
      (some) =>
        campaigns.missing(
          runner,
          some.map((campaign) => campaignRow(companyId, campaign)),
        ),
      (rows, some) => [
        ...campaigns.addNew(rows),
        ...recipients.add(among(rows, some).flatMap((campaign) => recipientRows(companyId, campaign))),
      ],
    ),
    rooms: await addMissing(
      company.rooms,
      (some) =>
        rooms.missing(
          runner,
          some.map((room) => roomRow(companyId, room)),
        ),
      (rows, some) => [...rooms.addNew(rows), ...roomTags.add(among(rows, some).flatMap((room) => roomTagRows(companyId, room)))],
    ),
    conversations: await addMissing(
      company.conversations,
      (some) =>
        conversations.missing(
          runner,
          some.map((conversation) => conversationRow(companyId, conversation)),
        ),
      (rows) => [...conversations.addNew(rows), ...letGoOn(rows, parts.clock.now())],
    ),
  };
}

/** Those of the items that have a row among these. */
function among<Item extends { readonly id: string }>(rows: readonly { readonly id: string }[], items: readonly Item[]): readonly Item[] {
  const ids = new Set(rows.map(({ id }) => id));
  return items.filter(({ id }) => ids.has(id));
}
