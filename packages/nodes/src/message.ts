// The node `message`.
import { defineNode, leave, perform } from '@hilo/engine/contract';
import { z } from 'zod';
import { sendMessage } from './effects/send-message.ts';
import { messageChecks, messageNames, MessageTemplate, messageSummary } from './message-config.ts';
import { continueAfterSending, sendThen } from './message-sending.ts';

const sent = leave('sent');

/** A visit that has its result: the request is recorded, so that the message is not rendered again. */
const answered = perform(
  sendMessage({ message: null }),
  continueAfterSending(() => sent),
);

/** Sends a message of any type and continues. */
export const message = defineNode({
  type: 'message',
  config: z.strictObject({ message: MessageTemplate }),
  visual: {
    label: 'Message',
    category: 'message',
    icon: 'message-square',
    colour: '#2563eb',
    description: 'Sends the user a text, a file, a place, a contact, buttons or a form, and continues without waiting for a reply.',
    summary: ({ message }) => messageSummary(message),
    formHints: { message: 'message' },
  },
  facts: { needs: 'a bot of the channel, and its 24-hour window open', limits: 'those of the channel' },
  names: messageNames,
  ports: ['sent'],
  optionalPorts: ['windowClosed', 'error'],
  supports: { kinds: ['skill'] },
  sends: () => 'message',
  effects: [sendMessage],
  compile: ({ message }) => ({
    run: ({ variables, channel, isAnswered = false }) => (isAnswered ? answered : sendThen(message(variables, channel), () => sent)),
  }),
  check: ({ message }, { channels }) => messageChecks(message, channels),
});
