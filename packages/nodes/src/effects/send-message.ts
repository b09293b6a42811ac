import { type Channel, type Contact, defineEffect, type Driver, Json, type Origin, sessionWindowMs } from '@hilo/engine/contract';
import { z } from 'zod';
import { channelFacts } from '../messages/channel.ts';

/**
 * Sends a message to the user of the execution. `message` is a whole `Message` with rendered texts. `windowClosed` means that only a
 * template may be sent now (WIN-01); `refused`, that the channel does not accept this message at all.
 */
export const sendMessage = defineEffect('message.send', {
  request: z.strictObject({ message: Json }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sent'), messageId: z.string() }),
    z.strictObject({ kind: z.literal('windowClosed') }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
  samples: (_request, { text }) =>
    [{ kind: 'sent', messageId: 'message-1' }, { kind: 'refused', cause: 'REFUSED', message: text }, { kind: 'windowClosed' }] as const,
});

/**
 * Sends an approved template to the user of the execution, inside the 24-hour window or outside it (TPL-10).
 * `windowUntilMs` comes with a result that opened the window again (WIN-02), in milliseconds since the Unix epoch.
 */
export const sendTemplate = defineEffect('template.send', {
  request: z.strictObject({ templateId: z.string(), parameters: z.record(z.string(), z.string()) }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sent'), messageId: z.string(), windowUntilMs: z.number().exactOptional() }),
    z.strictObject({ kind: z.literal('refused'), cause: z.string(), message: z.string() }),
  ]),
  samples: (_request, { text }) =>
    [
      { kind: 'sent', messageId: 'message-1' },
      { kind: 'refused', cause: 'REFUSED', message: text },
    ] as const,
});

/**
 * Whether a message other than a template may be sent now (WIN-01). Only `whatsapp` has a window: it is open until the contact's
 * `windowUntilMs`, and closed for an unknown user.
 */
export function windowIsOpen(contact: Pick<Contact, 'windowUntilMs'> | undefined, channel: Channel, nowMs: number): boolean {
  if (!channelFacts[channel].hasSessionWindow) return true;
  return nowMs < (contact?.windowUntilMs ?? Number.NEGATIVE_INFINITY);
}

/** Of whom the 24-hour window is asked before a message is sent. */
export interface SessionWindowOptions {
  /** Whether the window counts for this execution: a bot's setting `enforceSessionWindow` (WIN-03). */
  readonly enforce: (origin: Origin) => boolean;
}

/** Answers `windowClosed` in the driver's place when the window is closed at the time of sending, whenever the message was scheduled (WIN-04). */
export function withSessionWindow(driver: Driver<typeof sendMessage>, { enforce }: SessionWindowOptions): Driver<typeof sendMessage> {
  return (request, context) => {
    const { contact, nowMs, origin } = context;
    const isOpen = origin.channel === undefined || windowIsOpen(contact, origin.channel, nowMs);
    return isOpen || !enforce(origin) ? driver(request, context) : { kind: 'windowClosed' };
  };
}

/** Whether a sent template opens a closed window, or only the user's own message does (WIN-02). */
export type TemplateReopensWindow = 'onSend' | 'onReply';

/**
 * Wraps the driver so that a sent template opens the window for 24 hours, when there is a window and the policy permits it (WIN-02).
 *
 * @param policy - one for all bots, or by bot: its setting `templateReopensWindow`
 */
export function reopeningWindow(
  driver: Driver<typeof sendTemplate>,
  policy: TemplateReopensWindow | ((origin: Origin) => TemplateReopensWindow),
): Driver<typeof sendTemplate> {
  return async (request, context) => {
    const result = await driver(request, context);
    const { channel } = context.origin;
    if (result.kind !== 'sent' || channel === undefined || !channelFacts[channel].hasSessionWindow) return result;
    const reopens = typeof policy === 'function' ? policy(context.origin) : policy;
    return reopens === 'onSend' ? { ...result, windowUntilMs: context.nowMs + sessionWindowMs } : result;
  };
}
