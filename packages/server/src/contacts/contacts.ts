// Rooms of contacts and their tags.
import { type Runner, encodeKey, asCondition, type Call } from '@hilo/stores';
import { rooms, roomTags } from '../platform/tables/conversations.ts';
import { tags as catalogue } from '../platform/tables/tags.ts';
import { unavailable } from '../platform/http/errors.ts';
import { deleteTags, growTagsRevision, selectRoom, selectTags, selectRoomOfUser } from './sql.ts';
import { createHash } from 'node:crypto';
import type { BotUser } from '../platform/database/lanes.ts';

export { Contact } from './contact-routes.ts';
export {
  describeConsentOf,
  describePeople,
  findPerson,
  formatInstant,
  instantOfId,
  lastOfWindow,
  personColumns,
  type Person,
  selectPeople,
} from './people.ts';
export { explainNumber, openCsv, readWrittenPhone, writeCsvLine } from './read-csv.ts';
export { grantingSince, type TellConsent } from './keep-consent.ts';
export { tellConsent } from './tell-consent.ts';

/** A room and its tags at one instant. */
export interface TaggedRoom {
  readonly botId: string;
  readonly userId: string;
  readonly names: string | undefined;
  /** Ids, in their order. */
  readonly tags: readonly number[];
  /** Another one after each change of the tags. */
  readonly revision: number;
}

/** Reads a room; `undefined` when the company has none of this id. */
export async function readRoom(runner: Runner, companyId: string, roomId: string): Promise<TaggedRoom | undefined> {
  const given = { companyId, roomId };
  // The revision comes first: tags that are changed in between no longer belong to it.
  const room = await runner.readOne(selectRoom(given));
  if (room === undefined) return undefined;
  const tags = await runner.read(selectTags(given));
  const { botId, userId, names, tagsRevision: revision } = room;
  return { botId, userId, names, revision, tags: tags.map(({ tagId }) => tagId) };
}

/** A change of a room's tags. */
export interface TagChange {
  readonly companyId: string;
  readonly roomId: string;
  /** Computes the new tags from the current ones; duplicates are removed (TAG-04). */
  readonly tags: (current: readonly number[]) => readonly number[];
  /** What they must be now; otherwise nothing changes (TAG-08). */
  readonly ifTags?: readonly number[];
}

/** Gives a row for a tag that is there, which stays until the end of the transaction: its removal waits, and then finds it in use. */
const keepTag = catalogue.change({ id: catalogue.columns.id }, (rows, { id }) =>
  rows.set(({ ref }) => ({ name: ref('name') })).where('id', '=', id),
);

/** How often the change is tried again after another request has changed the tags first. */
const maxAttempts = 100;

/** The outcome of the change. */
export type TagsChanged =
  | { readonly kind: 'changed'; readonly tags: readonly number[] }
  | { readonly kind: 'unknown-room' }
  /** Nothing was written (TAG-07). */
  | { readonly kind: 'unknown-tags'; readonly ids: readonly number[] }
  | { readonly kind: 'others'; readonly tags: readonly number[] };

/**
 * Changes the tags of a room, all of them or none. When another request changes them in between, they are read and checked again, so that
 * neither change is lost.
 *
 * @throws {HttpError} 503 when other requests were first every time
 */
export async function changeTags(runner: Runner, { companyId, roomId, tags, ifTags }: TagChange): Promise<TagsChanged> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = new Set((await runner.read(catalogue.all(companyId))).map(({ id }) => id));
    const room = await readRoom(runner, companyId, roomId);
    if (room === undefined) return { kind: 'unknown-room' };
    const next = sortIds(tags(room.tags));
    const unknown = next.filter((id) => !known.has(id));
    if (unknown.length > 0) return { kind: 'unknown-tags', ids: unknown };
    if (ifTags !== undefined && !isSame(sortIds(ifTags), room.tags)) return { kind: 'others', tags: room.tags };
    const given = { companyId, roomId };
    const { failed } = await runner.write([
      ...next.map((id) => asCondition(keepTag({ companyId, id }))),
      asCondition(growTagsRevision({ ...given, revision: room.revision })),
      deleteTags(given),
      ...roomTags.insert(next.map((tagId) => ({ ...given, tagId }))),
    ]);
    if (failed === undefined) return { kind: 'changed', tags: next };
  }
  throw unavailable('The tags of this room are changed by many requests at once; send this again in a moment');
}

const sortIds = (ids: readonly number[]): readonly number[] => [...new Set(ids)].toSorted((left, right) => left - right);

const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left.length === right.length && left.every((id, index) => id === right[index]);

/** The room of a user, by any of their ids (UID-04), and the write that creates a missing one; every process derives the same id. */
export async function findRoom(
  runner: Pick<Runner, 'readOne'>,
  { companyId, botId, userId }: BotUser,
  ids: ReadonlySet<string>,
): Promise<{ readonly roomId: string; readonly making: readonly Call[] }> {
  for (const id of ids) {
    const room = await runner.readOne(selectRoomOfUser({ companyId, botId, userId: id }));
    if (room !== undefined) return { roomId: room.id, making: [] };
  }
  const userKey = encodeKey(userId);
  const digest = createHash('sha256').update(JSON.stringify([companyId, botId, userKey]));
  const id = `room_${digest.digest('hex').slice(0, 32)}`;
  return { roomId: id, making: rooms.insertMissing([{ companyId, id, botId, userId }]) };
}
