import { fail, type Leave, leave, type Outcome, perform } from '@hilo/engine/contract';
import type { z } from 'zod';
import { sendMessage } from './effects/send-message.ts';
import type { RenderedMessage } from './message-config.ts';
import type { Message } from './messages/message.ts';

/** Sends a message, then continues with `next`, which gets the id of the message. A message that is invalid or not sent leaves by `error` or `windowClosed`. */
export function sendThen<Port extends string>(
  rendered: RenderedMessage,
  next: (sent: Message, messageId: string) => Outcome<Port>,
): Outcome<Port | 'windowClosed' | 'error'> {
  if (rendered.kind === 'invalid') return invalidMessage(rendered);
  const { message } = rendered;
  return perform(
    sendMessage({ message }),
    continueAfterSending((messageId) => next(message, messageId)),
  );
}

/** The outcome for the result of sending: `next` when the message was sent. */
export const continueAfterSending =
  <Port extends string>(next: (messageId: string) => Outcome<Port>) =>
  (result: Sent): Outcome<Port | 'windowClosed' | 'error'> => {
    switch (result.kind) {
      case 'sent':
        return next(result.messageId);
      case 'windowClosed':
        return leave('windowClosed', [], { failure: windowClosed });
      case 'refused':
        return fail(result.cause, result.message);
    }
  };

type Sent = z.output<typeof sendMessage.result>;

/** The failure of a message that no channel would take. */
export function invalidMessage({ problems: found }: Extract<RenderedMessage, { readonly kind: 'invalid' }>): Leave<'error'> {
  const problems = found.map(({ path, message }) => ({ path: [...path], message }));
  return fail('INVALID_MESSAGE', problems.map(({ message }) => message).join('; '), { problems });
}

export const windowClosed = { cause: 'WINDOW_CLOSED', message: 'The user has not written for 24 hours: only a template can be sent now' };
