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
