import { createHash } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { InboundMessage } from '@hilo/nodes/effects';

/**
 * A user's message in the common form of all channels (EVT-02). One that is invalid by our rules is stored unchanged, since user input is
 * never refused.
 */
export function createInboundMessage(
  content: JsonObject & { readonly id: string; readonly type: string },
  original: JsonObject = content,
): InboundMessage {
  const { data = { id: content.id, type: content.type, original } } = InboundMessage.safeParse(content);
  return data;
}

/** The prefix of an id that replaces a payload which the provider refuses. */
const prefix = 'hilo:';

/** Without blanks around it and without a line break. */
const oneLine = /^\S(?:.*\S)?$/;

/**
 * The id of a button or row: the payload itself or, when it is too long, has outer blanks or several lines, a digest of it. A reply with a
 * digest is matched by its title.
 */
export const encodePayload = (payload: string, maxLength: number): string =>
  payload.length <= maxLength && oneLine.test(payload) && !namesMessage.test(payload)
    ? payload
    : `${prefix}${createHash('sha256').update(payload).digest('hex').slice(0, 40)}`;

/** The payload of a reply; `undefined` for a digest. */
export const decodePayload = (id: string): string | undefined => (id.startsWith(prefix) ? undefined : id);

/** The end of a payload that names its message. */
const namesMessage = /#hilo:([\w-]{1,64})$/;

/**
 * The payload of a button, with the message that shows it: for a provider that says which button was pressed, and not under which message,
 * so that a button of an answered question would answer the next one.
 */
export function encodeNamedPayload(payload: string, maxLength: number, messageId: string): string {
  const name = `#hilo:${messageId}`;
  return namesMessage.test(name) ? encodePayload(payload, maxLength - name.length) + name : encodePayload(payload, maxLength);
}

/** The payload of a button, and the message that shows it where it is named. */
export function decodeNamedPayload(named: string): { readonly payload: string | undefined; readonly replyTo?: string } {
  const found = namesMessage.exec(named);
  const replyTo = found?.[1];
  return found === null || replyTo === undefined
    ? { payload: decodePayload(named) }
    : { payload: decodePayload(named.slice(0, found.index)), replyTo };
}
