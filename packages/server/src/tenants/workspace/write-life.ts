import type { Steps } from '@hilo/stores';
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
    missing: (items: readonly Item[]) => Steps<readonly Row[]>,
    add: (rows: readonly Row[], items: readonly Item[]) => Steps<number>,
  ): Promise<number> => {
    let written = 0;
    for (let from = 0; from < items.length; from += batch) {
      const some = items.slice(from, from + batch);
      const rows = await runner.read(() => missing(some));
      if (rows.length > 0) written += await runner.write(() => add(rows, some));
    }
    return written;
  };
  return {
    users: await writeUsers(parts, prepared, onUsers),
    campaigns: await addMissing(
      company.campaigns,
      (campaigns) => collections.campaigns.missing(campaigns.map((campaign) => campaignRow(companyId, campaign))),
      function* (rows, campaigns) {
        const added = yield* idsOf(collections.campaigns.add(rows));
        yield* collections.recipients.add(
          campaigns.filter(({ id }) => added.has(id)).flatMap((campaign) => recipientRows(companyId, campaign)),
        );
        return added.size;
      },
    ),
    rooms: await addMissing(
      company.rooms,
      (rooms) => collections.rooms.missing(rooms.map((room) => roomRow(companyId, room))),
      function* (rows, rooms) {
        const added = yield* idsOf(collections.rooms.add(rows));
        yield* collections.roomTags.add(rooms.filter(({ id }) => added.has(id)).flatMap((room) => roomTagRows(companyId, room)));
        return added.size;
      },
    ),
    conversations: await addMissing(
      company.conversations,
      (conversations) => collections.conversations.missing(conversations.map((conversation) => conversationRow(companyId, conversation))),
      function* (rows) {
        const added = yield* collections.conversations.add(rows);
        yield* letGoOn(added, parts.clock.now());
        return added.length;
      },
    ),
  };
}

function* idsOf(rows: Steps<readonly { readonly id: string }[]>): Steps<ReadonlySet<string>> {
  return new Set((yield* rows).map(({ id }) => id));
}
