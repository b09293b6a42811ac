import { statement } from '../platform/database/schema.ts';

type Room = { readonly companyId: string; readonly roomId: string };

/** A room with its user and the revision of its tags. */
export const selectRoom = statement<Room>()((db, given) =>
  db
    .selectFrom('rooms')
    .leftJoin('contacts', (join) =>
      join
        .onRef('contacts.company_id', '=', 'rooms.company_id')
        .onRef('contacts.bot_id', '=', 'rooms.bot_id')
        .onRef('contacts.user_key', '=', 'rooms.user_key'),
    )
    .leftJoin('users', (join) => join.onRef('users.company_id', '=', 'rooms.company_id').onRef('users.user_key', '=', 'rooms.user_key'))
    .select(['rooms.bot_id', 'rooms.user_id', 'rooms.tags_revision'])
    // The names that the bot learned, else those of the workspace.
    .select(({ fn, ref }) => fn.coalesce(ref('contacts.names'), ref('users.names')).as('names'))
    .where('rooms.company_id', '=', given.companyId)
    .where('rooms.id', '=', given.roomId),
);

/** The room of a user with a bot: of several, the first by its id. */
export const selectRoomOfUser = statement<{ readonly companyId: string; readonly botId: string; readonly userKey: string }>()((db, given) =>
  db
    .selectFrom('rooms')
    .select('id')
    .where('company_id', '=', given.companyId)
    .where('bot_id', '=', given.botId)
    .where('user_key', '=', given.userKey)
    .orderBy('id')
    .limit(1),
);

/** The ids of the tags of a room, ascending. */
export const selectTags = statement<Room>()((db, given) =>
  db
    .selectFrom('room_tags')
    .select('tag_id')
    .where('company_id', '=', given.companyId)
    .where('room_id', '=', given.roomId)
    .orderBy('tag_id'),
);

/** Marks a change of a room's tags; returns no row when they were changed concurrently. */
export const growTagsRevision = statement<Room & { readonly revision: number }>()((db, given) =>
  db
    .updateTable('rooms')
    .set((eb) => ({ tags_revision: eb('tags_revision', '+', 1) }))
    .where('company_id', '=', given.companyId)
    .where('id', '=', given.roomId)
    .where('tags_revision', '=', given.revision)
    .returning('id'),
);

/** Removes all tags of a room, as a part of their replacement. */
export const deleteTags = statement<Room>()((db, given) =>
  db.deleteFrom('room_tags').where('company_id', '=', given.companyId).where('room_id', '=', given.roomId),
);

/** Adds a tag to a room, as a part of their replacement. */
export const insertTag = statement<Room & { readonly tagId: number }>()((db, given) =>
  db.insertInto('room_tags').values({ company_id: given.companyId, room_id: given.roomId, tag_id: given.tagId }),
);
