import type { Hold, HoldConfig, Variables } from '@hilo/engine/contract';
import { sendMessage } from './effects/send-message.ts';

/**
 * Keeps the user's messages from the flow while an effect works (RET rules).
 *
 * @param hold - what `run` is given: `undefined` where no user is held
 * @param capMs - when the user is released though the node continues: see `holdCapMs`
 */
export function holdUser(hold: HoldConfig | undefined, capMs: number, variables: Variables): Hold | undefined {
  if (hold === undefined) return undefined;
  const { onMessage, message } = hold;
  const text = message?.(variables) ?? '';
  return { onMessage, capMs, ...(text.trim() !== '' && { reply: sendMessage({ message: { type: 'text', text } }) }) };
}
