import { type BoundDriver, type Clock, drive } from '@hilo/engine/contract';
import { changeConsent, changedTags, changeGroup, changeTags } from '@hilo/nodes/effects';
import type { DurableStore } from '@hilo/stores';
import { groupMembers } from '../platform/tables/contacts.ts';
import { keepConsent, type TellConsent } from './keep-consent.ts';
import { changeTags as changeTagsOf, findRoom } from './contacts.ts';

/**
 * Changes the tags of the room of the execution's user. Concurrent changes are kept (TAG-08). A user without a room gets one.
 */
export const createTagsDriver = ({ runner }: Pick<DurableStore, 'runner'>): BoundDriver =>
  drive(changeTags, async ({ action, tags: given }, { origin, contact }) => {
    const { companyId, botId, userId } = origin;
    if (botId === undefined || userId === undefined)
      return refusal('USER_NOT_FOUND', 'This execution has no user whose conversation could be tagged');
    const ids = [userId, contact?.userId, contact?.phone, contact?.bsuid].filter((id) => typeof id === 'string');
    const { roomId, making } = await findRoom(runner, { companyId, botId, userId }, new Set(ids));
    if (making.length > 0) await runner.write(making);
    const changed = await changeTagsOf(runner, { companyId, roomId, tags: (current) => changedTags(current, action, given) });
    switch (changed.kind) {
      case 'changed':
        return { kind: 'changed', tags: [...changed.tags] };
      case 'unknown-tags':
        return refusal('TAG_NOT_FOUND', `There is no tag ${changed.ids.join(', ')}`);
      default:
        return refusal('ROOM_NOT_FOUND', 'The conversation with this user is gone');
    }
  });

/** Adds the execution's user to a group of contacts, or takes them out: under the id by which their bot knows them, as all their rows are. */
export const createGroupDriver = ({ runner }: Pick<DurableStore, 'runner'>): BoundDriver =>
  drive(changeGroup, async ({ action, group: groupName }, { origin, contact }) => {
    const { companyId, userId: named } = origin;
    const userId = contact?.userId ?? named;
    if (userId === undefined) return refusal('USER_NOT_FOUND', 'This execution has no user who could be in a group');
    const isAdding = action === 'add';
    await runner.write(
      isAdding
        ? groupMembers.insertMissing([{ companyId, groupName, userId }])
        : [groupMembers.remove({ companyId, groupName, personKey: userId })],
    );
    return { kind: 'changed' };
  });

/** Keeps what the execution's user said to marketing messages, and tells canvases that wait for it. */
export const createConsentDriver = ({ runner }: Pick<DurableStore, 'runner'>, clock: Clock, tell: TellConsent): BoundDriver =>
  drive(changeConsent, async ({ marketing, evidence }, { origin, contact, idempotencyKey }) => {
    const { companyId, userId: named } = origin;
    const userId = contact?.userId ?? named;
    if (userId === undefined) return refusal('USER_NOT_FOUND', 'This execution has no user who could say something');
    const consent = { marketing, atMs: clock.now(), source: 'node', ...(evidence !== undefined && { evidence }) } as const;
    if (!(await keepConsent(runner, { companyId, userId, consent })))
      return refusal('NO_CONSENT', 'The user has stopped such messages: only they allow them again, by the word that starts them');
    await tell({ companyId, userId, marketing, source: 'node', evidence, atMs: consent.atMs, key: idempotencyKey });
    return { kind: 'changed' };
  });

const refusal = (cause: string, message: string) => ({ kind: 'refused', cause, message }) as const;
