// Statements over rooms and their tags.
import { isContactOf, isPersonOf } from '../platform/database/people.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { integer, lookup, optional, pick, text } from '@hilo/stores';
import { rooms, roomTags } from '../platform/tables/conversations.ts';

/** A room with its user and the revision of its tags. */
export const selectRoom = companyQuery(
  { roomId: rooms.columns.id },
  { ...pick(rooms.columns, 'botId', 'userId'), tagsRevision: integer(), names: optional(text()) },
  (company, given) =>
    company
      .selectFrom('rooms')
      .leftJoin('contacts', (join) => join.on(isContactOf('rooms')))
      .leftJoin('people', (join) => join.on(isPersonOf('rooms')))
      .select(['rooms.bot_id', 'rooms.user_id', 'rooms.tags_revision'])
      // The names that the bot learned, else those of the workspace.
      .select(({ fn, ref }) => fn.coalesce(ref('contacts.names'), ref('people.names')).as('names'))
      .where('rooms.id', '=', given.roomId),
);

/** The room of a user with a bot: of several, the first by its id. */
export const selectRoomOfUser = rooms.read(['id'], { ...pick(rooms.columns, 'botId'), userId: lookup() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('user_key', '=', given.userId).orderBy('id').limit(1),
);

/** The ids of the tags of a room, ascending. */
export const selectTags = roomTags.read(['tagId'], { roomId: roomTags.columns.roomId }, (rows, { roomId }) =>
  rows.where('room_id', '=', roomId).orderBy('tag_id'),
);

/** Marks a change of a room's tags; gives no row when they were changed concurrently. */
export const growTagsRevision = rooms.change({ roomId: rooms.columns.id, revision: integer() }, (rows, { roomId, revision }) =>
  rows
    .set((eb) => ({ tags_revision: eb('tags_revision', '+', 1) }))
    .where('id', '=', roomId)
    .where('tags_revision', '=', revision),
);

/** Removes all tags of a room, as a part of their replacement. */
export const deleteTags = roomTags.removeWhere({ roomId: roomTags.columns.roomId }, (rows, { roomId }) =>
  rows.where('room_id', '=', roomId),
);
