import { canonicalPhone, JsonObject } from '@hilo/engine/contract';
import { Bsuid } from '@hilo/nodes';
import { z } from 'zod';
import { Count, Id, Instant, list, Name, optional, Text, UserId } from './fields.ts';

/** Digits alone, as VAR-04 has them; never rewritten by country. */
const Phone = Text.transform((text, context) => {
  const phone = canonicalPhone(text);
  if (phone !== null) return phone;
  context.addIssue(`"${text.slice(0, 64)}" is not a phone number: 2 to 15 digits, country code first`);
  return z.NEVER;
});

/** A user, and when they last wrote to which bot: that opens the 24-hour window (WIN-01). */
export const User = z.strictObject({
  id: UserId,
  names: optional(Text.max(500)),
  phone: optional(Phone),
  bsuid: optional(Bsuid),
  lastMessageAt: z.record(Id, z.union([z.literal('now'), Instant])).default({}),
});

/** A template that a provider approved, or will (TPL-03). */
export const Template = z
  .strictObject({
    id: Id,
    botId: Id,
    elementName: Name,
    language: Name,
    category: z.enum(['UTILITY', 'MARKETING', 'AUTHENTICATION']),
    status: z.enum(['PENDING', 'APPROVED', 'REJECTED', 'DELETED', 'DISABLED']),
    body: optional(Text.max(65_536)),
    components: optional(z.union([z.array(JsonObject), JsonObject])),
  })
  .refine(({ body, components }) => body !== undefined || components !== undefined, {
    error: 'A template has "body", "components" or both',
    path: ['body'],
  });

const Recipient = z.strictObject({ userId: UserId, parameters: z.record(z.string(), Text).default({}) });

/** A campaign (CAM rules). */
export const Campaign = z
  .strictObject({
    id: Id,
    name: Name,
    elementName: Name,
    templateId: Id,
    botId: Id,
    status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'SCHEDULED', 'CANCELLED']),
    scheduledAt: optional(Instant),
    createdAt: Instant,
    completedAt: optional(Instant),
    totalMessages: optional(Count),
    deliveredMessages: Count.default(0),
    failedMessages: Count.default(0),
    recipients: list(Recipient),
  })
  .transform((campaign) => ({ ...campaign, totalMessages: campaign.totalMessages ?? campaign.recipients.length }))
  .superRefine(({ status, scheduledAt, recipients, totalMessages, deliveredMessages, failedMessages }, context) => {
    if (status === 'SCHEDULED' && scheduledAt === undefined)
      context.addIssue({ code: 'custom', path: ['scheduledAt'], message: 'A campaign that is SCHEDULED needs "scheduledAt"' });
    if (recipients.length > totalMessages)
      context.addIssue({ code: 'custom', path: ['totalMessages'], message: 'There are more recipients than messages in all' });
    if (deliveredMessages + failedMessages > totalMessages)
      context.addIssue({ code: 'custom', path: ['totalMessages'], message: 'More messages are delivered or failed than there are in all' });
  });
