import { type InboxEvent, isInternal, type InboxItem } from '@hilo/engine/contract';
import { decodeText, encodeText } from './text-encoding.ts';

/** Something accepted, as its row is written. */
export type QueueValues = ReturnType<typeof queueRowOf>;

/** The row of something accepted. */
export const queueRowOf = (queued: Omit<InboxItem, 'seq'>) => ({
  companyId: encodeText(queued.companyId),
  lane: encodeText(queued.lane),
  acceptedAtMs: queued.acceptedAtMs,
  accepted: JSON.stringify(queued.accepted),
  rank: isInternal(queued) ? 0 : 1,
});

interface QueueRow {
  readonly seq: number;
  readonly company_id: string;
  readonly lane: string;
  readonly accepted_at_ms: number;
  readonly accepted: string;
}

/** @throws when the row is not as {@link queueRowOf} makes them: a bug wrote it, or a hand */
export const queuedOf = ({ seq, company_id, lane, accepted_at_ms, accepted }: QueueRow): InboxItem => ({
  seq,
  companyId: decodeText(company_id),
  lane: decodeText(lane),
  acceptedAtMs: accepted_at_ms,
  accepted: acceptedOf(accepted),
});

function acceptedOf(text: string): InboxEvent {
  const accepted: unknown = JSON.parse(text);
  if (!isAccepted(accepted)) throw new SyntaxError('This is nothing that can be accepted');
  return accepted;
}

const kinds: readonly InboxEvent['kind'][] = ['start', 'child.start', 'message', 'child.ended', 'event'];

const isAccepted = (value: unknown): value is InboxEvent =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.some((kind) => kind === value.kind);
