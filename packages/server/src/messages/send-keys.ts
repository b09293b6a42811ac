import { type Call, call, condition, keyOf, type Migration, type Runner } from '@hilo/stores';
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
export async function usedKey(
  runner: Pick<Runner, 'readOne'>,
  { companyId, botId }: KeyPlace,
  { value, fingerprint }: SendKey,
  nowMs: number,
): Promise<UsedKey | undefined> {
  const row = await runner.readOne(call(usedSendKey, { companyId, botId, sendKey: keyOf(value), nowMs }));
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) return { kind: 'key-taken' };
  const { message_id: messageId, leaves_at_ms: leavesAtMs } = row;
  return leavesAtMs === null ? { kind: 'repeated', messageId } : { kind: 'gathered', leavesAtMs };
}

/**
 * Takes a key, as a condition of the write that does what it stands for: where it does not hold, `usedKey` says what the key
 * was used for before.
 *
 * @param holds - the message, or the conversation whose open group of texts leaves together
 */
export const takeKey = (
  { companyId, botId }: KeyPlace,
  { value, fingerprint }: SendKey,
  { messageId = '', conversationId = null }: { readonly messageId?: string; readonly conversationId?: string | null },
  nowMs: number,
): Call =>
  condition(takeSendKey, {
    companyId,
    botId,
    sendKey: keyOf(value),
    nowMs,
    fingerprint,
    messageId,
    conversationId,
    untilMs: nowMs + keyLastsMs,
  });
