import { fail, type Leave, leave, type Outcome, perform } from '@hilo/engine/contract';
import type { z } from 'zod';
import { sendMessage } from './effects/send-message.ts';
import type { RenderedMessage } from './message-config.ts';
import type { Message } from './messages/message.ts';

/** Sends a message and returns the port of a visit whose message failed; `next` decides after a sent one. */
export function sending<Port extends string>(
  rendered: RenderedMessage,
  next: (sent: Message) => Outcome<Port>,
): Outcome<Port | 'windowClosed' | 'error'> {
  if (rendered.kind === 'invalid') return invalidMessage(rendered);
  const { message } = rendered;
  return perform(
    sendMessage({ message }),
    whereSendingLeads(() => next(message)),
  );
}

/** The port for the result of a message. */
export const whereSendingLeads =
  <Port extends string>(next: () => Outcome<Port>) =>
  (result: Sent): Outcome<Port | 'windowClosed' | 'error'> => {
    switch (result.kind) {
      case 'sent':
        return next();
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
