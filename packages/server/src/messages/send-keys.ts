import { askOne, keyOf, type Migration, type Steps } from '@hilo/stores';
import type { SendKey, UsedKey } from './outbox.ts';
import { takeSendKey, usedSendKey } from './send-key-sql.ts';

/** When a text leaves that was gathered with others under its key: its message has no name yet (GRP-01). */
export const sendKeysOfTexts: Migration = ({ integer }) => [`alter table send_keys add column leaves_at_ms ${integer}`];

/** How long an `Idempotency-Key` stands for its request (MSG-43). */
const keyLastsMs = 86_400_000;

/** Whose key it is, in columns. */
interface KeyPlace {
  readonly companyId: string;
  readonly botId: string;
}

/** What a key was used for before; `undefined` for a new one, and for one whose day is over. */
export function* usedKey({ companyId, botId }: KeyPlace, { value, fingerprint }: SendKey, nowMs: number): Steps<UsedKey | undefined> {
  const row = yield* askOne(usedSendKey, { companyId, botId, sendKey: keyOf(value), nowMs });
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) return { kind: 'key-taken' };
  const { message_id: messageId, leaves_at_ms: leavesAtMs } = row;
  return leavesAtMs === null ? { kind: 'repeated', messageId } : { kind: 'gathered', leavesAtMs };
}

/**
 * Takes a key in the transaction that does what it stands for.
 *
 * @returns what it was used for before: then nothing may be done again
 */
export function* takeKey(
  place: KeyPlace,
  key: SendKey,
  holds: { readonly messageId: string; readonly leavesAtMs: number | null },
  nowMs: number,
): Steps<UsedKey | undefined> {
  const { companyId, botId } = place;
  const { value, fingerprint } = key;
  const given = { companyId, botId, sendKey: keyOf(value), nowMs, fingerprint, ...holds, untilMs: nowMs + keyLastsMs };
  if ((yield* askOne(takeSendKey, given)) !== undefined) return undefined;
  return (yield* usedKey(place, key, nowMs)) ?? { kind: 'key-taken' };
}
