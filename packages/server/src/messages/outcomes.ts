import { read } from '@hilo/stores';
import type { Delivered } from './delivery.ts';
import type { SentMessage } from './outbox.ts';
import type { KeptMessage } from './outcome-sql.ts';

/** What became of a message, as whoever waits for it is told; `undefined` while it is on its way. */
export function deliveredOf({ message_id, status, code, explanation }: KeptMessage): Delivered | undefined {
  if (status === 'queued') return undefined;
  return status === 'failed'
    ? { kind: 'refused', cause: code ?? 'FAILED', message: explanation ?? '' }
    : { kind: 'sent', messageId: message_id };
}

/** The same, as a caller of the REST API is told. */
export const sentMessageOf = (row: KeptMessage): SentMessage => ({
  messageId: read(row.message_id),
  status: row.status,
  error: row.status === 'failed' && row.code !== null ? { code: row.code, message: row.explanation ?? '' } : undefined,
  updatedAtMs: row.updated_at_ms ?? row.created_at_ms,
});
