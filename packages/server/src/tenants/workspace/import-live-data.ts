import type { Call } from '@hilo/stores';
import { campaigns, recipients } from '../../platform/tables/campaigns.ts';
import { conversations, rooms, roomTags } from '../../platform/tables/conversations.ts';
import { meetPeople } from '../../platform/database/people.ts';
import { campaignItem, conversationItem, recipientItems } from './company-items.ts';
import type { PreparedCompany, WorkspaceParts } from './prepare.ts';
import { writeUsers } from './write-users.ts';

/** Kinds that change after an import: a workspace adds missing rows and never overwrites existing ones. */
export const liveKinds = ['users', 'campaigns', 'rooms', 'conversations'] as const;
export type LiveKind = (typeof liveKinds)[number];

/** How many rows of each kind were missing; of users, missing or different. */
export type LiveDataWritten = { readonly [Kind in LiveKind]: number };

/** Rows of one transaction: other requests are served in between. */
const batch = 500;

/** @param onUsers - called with how many of the company's users are done */
export async function importLiveData(
  parts: Pick<WorkspaceParts, 'store' | 'clock' | 'activateImported'>,
  prepared: PreparedCompany,
  onUsers: (users: number) => void,
): Promise<LiveDataWritten> {
  const { companyId, company } = prepared;
  const { runner } = parts.store;
  /** Inserts missing rows, in transactions of a bounded size; none when nothing is missing. */
  const addMissing = async <Item, Row>(
    items: readonly Item[],
    missing: (items: readonly Item[]) => Promise<readonly Row[]>,
    adding: (rows: readonly Row[], items: readonly Item[]) => readonly Call[],
  ): Promise<number> => {
    let added = 0;
    for (let from = 0; from < items.length; from += batch) {
      const some = items.slice(from, from + batch);
      // When another import adds some of them first, the write fails, and the missing ones are read again.
      for (let rows = await missing(some); rows.length > 0; rows = await missing(some)) {
        const { failed } = await runner.write(adding(rows, some));
        if (failed !== undefined) continue;
        added += rows.length;
        break;
      }
    }
    return added;
  };
  /** Whoever is named by them is a contact, also where the workspace does not list them. */
  const meet = (items: readonly { readonly botId: string; readonly userId: string }[]): readonly Call[] =>
    [...Map.groupBy(items, ({ botId }) => botId)].flatMap(([botId, some]) =>
      meetPeople(
        { companyId, botId },
        some.map(({ userId }) => userId),
      ),
    );
  return {
    users: await writeUsers(parts, prepared, onUsers),
    campaigns: await addMissing(
      company.campaigns,
      (some) =>
        campaigns.missing(
          runner,
          some.map((campaign) => campaignItem(companyId, campaign)),
        ),
      (rows, some) => [
        ...campaigns.insert(rows),
        ...recipients.insertMissing(filterByRows(rows, some).flatMap((campaign) => recipientItems(companyId, campaign))),
        ...meet(filterByRows(rows, some).flatMap(({ botId, ...campaign }) => campaign.recipients.map(({ userId }) => ({ botId, userId })))),
      ],
    ),
    rooms: await addMissing(
      company.rooms,
      (some) =>
        rooms.missing(
          runner,
          some.map((room) => ({ companyId, ...room })),
        ),
      (rows, some) => [
        ...rooms.insert(rows),
        ...roomTags.insertMissing(
          filterByRows(rows, some).flatMap(({ id, tags }) => tags.map((tagId) => ({ companyId, roomId: id, tagId }))),
        ),
        ...meet(filterByRows(rows, some)),
      ],
    ),
    conversations: await addMissing(
      company.conversations,
      (some) =>
        conversations.missing(
          runner,
          some.map((conversation) => conversationItem(companyId, conversation)),
        ),
      (rows) => [...conversations.insert(rows), ...parts.activateImported(rows, parts.clock.now()), ...meet(rows)],
    ),
  };
}

/** The items that have a row among these. */
function filterByRows<Item extends { readonly id: string }>(
  rows: readonly { readonly id: string }[],
  items: readonly Item[],
): readonly Item[] {
  const ids = new Set(rows.map(({ id }) => id));
  return items.filter(({ id }) => ids.has(id));
}
