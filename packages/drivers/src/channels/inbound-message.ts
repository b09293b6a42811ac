import { createHash } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { InboundMessage } from '@hilo/nodes/effects';

/**
 * A message of a user in the words of every channel (EVT-02). What is none by our own rules is kept as it came, since nothing
 * that a user wrote is refused.
 */
export function inboundMessage(
  content: JsonObject & { readonly id: string; readonly type: string },
  original: JsonObject = content,
): InboundMessage {
  const { data = { id: content.id, type: content.type, original } } = InboundMessage.safeParse(content);
  return data;
}

/** What begins an id that stands for a payload which the provider does not take. */
const prefix = 'hilo:';

/** Without blanks around it and without a line break. */
const oneLine = /^\S(?:.*\S)?$/;

/**
 * The id of a button or row: the payload itself, or, for one that is too long, has outer blanks or several lines, a digest of it. A reply with
 * such an id is told from others by its title.
 */
export const optionId = (payload: string, maxLength: number): string =>
  payload.length <= maxLength && oneLine.test(payload)
    ? payload
    : `${prefix}${createHash('sha256').update(payload).digest('hex').slice(0, 40)}`;

/** The payload of a reply; `undefined` for an id that only stands for one. */
export const payloadOf = (id: string): string | undefined => (id.startsWith(prefix) ? undefined : id);
