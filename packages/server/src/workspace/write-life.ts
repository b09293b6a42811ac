import type { Steps } from '@hilo/stores';
import { letGoOn } from '../conversations/go-on.ts';
import { collections } from '../tables/collections.ts';
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

export async function writeLife(parts: Pick<WorkspaceParts, 'store' | 'clock'>, prepared: PreparedCompany): Promise<LifeWritten> {
  const { companyId, company } = prepared;
  const inBatches = async <Item>(items: readonly Item[], write: (items: readonly Item[]) => Steps<number>): Promise<number> => {
    let written = 0;
    for (let from = 0; from < items.length; from += batch)
      written += await parts.store.runner.write(() => write(items.slice(from, from + batch)));
    return written;
  };
  return {
    users: await writeUsers(parts, prepared, inBatches),
    campaigns: await inBatches(company.campaigns, function* (campaigns) {
      const added = yield* idsOf(collections.campaigns.add(campaigns.map((campaign) => campaignRow(companyId, campaign))));
      yield* collections.recipients.add(
        campaigns.filter(({ id }) => added.has(id)).flatMap((campaign) => recipientRows(companyId, campaign)),
      );
      return added.size;
    }),
    rooms: await inBatches(company.rooms, function* (rooms) {
      const added = yield* idsOf(collections.rooms.add(rooms.map((room) => roomRow(companyId, room))));
      yield* collections.roomTags.add(rooms.filter(({ id }) => added.has(id)).flatMap((room) => roomTagRows(companyId, room)));
      return added.size;
    }),
    conversations: await inBatches(company.conversations, function* (conversations) {
      const added = yield* collections.conversations.add(conversations.map((conversation) => conversationRow(companyId, conversation)));
      yield* letGoOn(added, parts.clock.now());
      return added.length;
    }),
  };
}

function* idsOf(rows: Steps<readonly { readonly id: string }[]>): Steps<ReadonlySet<string>> {
  return new Set((yield* rows).map(({ id }) => id));
}
