import { createHash } from 'node:crypto';
import { type BoundDriver, drive } from '@hilo/engine/contract';
import { changeTags } from '@hilo/nodes/effects';
import { type Call, call, type DurableStore, keyOf, read, type Runner, written } from '@hilo/stores';
import { changeTags as changeTagsOf } from './room-tags.ts';
import { roomOfUser } from './sql.ts';
import { collections } from '../platform/database/collections.ts';

/**
 * Changes the tags of the room of the execution's user. Whatever others change meanwhile is kept (TAG-08). A user whom the
 * bot has not talked with yet gets a room.
 */
export const createTagsDriver = ({ runner }: Pick<DurableStore, 'runner'>): BoundDriver =>
  drive(changeTags, async ({ action, tags: given }, { origin, contact }) => {
    const { companyId, botId, userId } = origin;
    if (botId === undefined || userId === undefined)
      return refused('USER_NOT_FOUND', 'This execution has no user whose conversation could be tagged');
    const ids = [userId, contact?.userId, contact?.phone, contact?.bsuid].filter((id) => typeof id === 'string');
    const { roomId, making } = await roomFor(runner, { companyId, botId, userId }, new Set(ids));
    if (making.length > 0) await runner.write(making);
    const next = {
      add: (current: readonly number[]) => [...current, ...given],
      remove: (current: readonly number[]) => current.filter((id) => !given.includes(id)),
      replace: () => given,
      clear: () => [],
    }[action];
    const changed = await changeTagsOf(runner, { companyId, roomId, tags: next });
    switch (changed.kind) {
      case 'changed':
        return { kind: 'changed', tags: [...changed.tags] };
      case 'unknown-tags':
        return refused('TAG_NOT_FOUND', `There is no tag ${changed.ids.join(', ')}`);
      default:
        return refused('ROOM_NOT_FOUND', 'The conversation with this user is gone');
    }
  });

const refused = (cause: string, message: string) => ({ kind: 'refused', cause, message }) as const;

interface Place {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
}

/** The room of a user, by any id they are known by (UID-04), and what makes it where there is none: with the same id whoever does. */
export async function roomFor(
  runner: Pick<Runner, 'readOne'>,
  { companyId, botId, userId }: Place,
  ids: ReadonlySet<string>,
): Promise<{ readonly roomId: string; readonly making: readonly Call[] }> {
  for (const id of ids) {
    const room = await runner.readOne(call(roomOfUser, { companyId, botId: written(botId), userKey: keyOf(id) }));
    if (room !== undefined) return { roomId: read(room.id), making: [] };
  }
  const userKey = keyOf(userId);
  const digest = createHash('sha256').update(JSON.stringify([companyId, botId, userKey]));
  const id = `room_${digest.digest('hex').slice(0, 32)}`;
  const row = { company_id: companyId, id, bot_id: written(botId), user_key: userKey, user_id: written(userId) };
  return { roomId: id, making: collections.rooms.add([row]) };
}
