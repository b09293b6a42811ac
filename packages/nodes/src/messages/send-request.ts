// Ids of users by channel, and requests to send somebody a message.
import { type Channel, phoneNumberChannels } from '@hilo/engine/contract';
import { z } from 'zod';
import { rest, text } from './dialect.ts';
import { RequestedMessage } from './message.ts';

const phone = /^[1-9][0-9]{1,14}$/;

/** A phone number in E.164 without the leading `+` (UID-01). */
export const PhoneUserId = z.string().regex(phone, 'A phone number has 2 to 15 digits, country code first, and no "+"');

/** A business-scoped id: two capital letters, a dot, letters and digits (UID-02). */
export const Bsuid = z
  .string()
  .regex(/^[A-Z]{2}\.[A-Za-z0-9]{1,253}$/, 'A business-scoped id looks like "US.13491208655302741918", with 256 characters at most');

/** An id of a channel without phone numbers: page-scoped, a Slack member, a web session (UID-05). */
const otherUserId = /^[A-Za-z0-9_.:@-]{1,128}$/;

/** A bot's setting (UID-05): `strict` accepts phone numbers and business-scoped ids only, as specified, on every channel. */
export const UserIdFormat = z.enum(['strict', 'open']);
export type UserIdFormat = z.output<typeof UserIdFormat>;

/** Whether an id is a business-scoped one, which hides the phone number (UID-04). */
export const isBsuid = (userId: string): boolean => Bsuid.safeParse(userId).success;

/**
 * A user id before its bot is known: any text. A value that is no text is an invalid id (UID-03), a missing one is a missing field.
 */
const userIdText = z
  .unknown()
  .refine((userId) => userId !== undefined, { error: '"userId" is missing: give the recipient', abort: true })
  .refine((userId) => typeof userId === 'string', {
    error: '"userId" must be a text: put it in quotes',
    params: { code: 'INVALID_USER_ID' },
    abort: true,
  })
  .meta({ type: 'string' })
  .pipe(z.string());

/** The user ids that a bot accepts (UID-01 to UID-05). An id is kept exactly as received. */
export const userIdFor = (channel: Channel, format: UserIdFormat) =>
  userIdText.refine((userId) => userIdProblem(userId, channel, format) === undefined, {
    error: ({ input }) => userIdProblem(String(input), channel, format),
    params: { code: 'INVALID_USER_ID' },
  });

/** Why a user id is invalid and how to correct it, or `undefined`. */
export function userIdProblem(userId: string, channel: Channel, format: UserIdFormat): string | undefined {
  const isDeferred = format === 'open' && !phoneNumberChannels.has(channel);
  if (isDeferred ? otherUserId.test(userId) : phone.test(userId) || isBsuid(userId)) return undefined;
  const remedy = isDeferred
    ? '1 to 128 letters, digits, "_", ".", ":", "@" or "-"'
    : 'a phone number of 2 to 15 digits without "+", or a business-scoped id such as "US.13491208655302741918"';
  return `User id "${userId}" is not valid: give ${remedy}`;
}

/** Who a message goes to and by which bot (MSG-05, MSG-06). The form of a `userId` depends on the bot: see `userIdFor`. */
const Recipient = rest.object({ userId: userIdText, botId: text(rest).exactOptional() });

/** The body of `POST /v1/bots/{botId}/messages`. */
export const SendRequest = Recipient.and(RequestedMessage);
export type SendRequest = z.output<typeof SendRequest>;

/** The codes that a request to send a message may be refused with (ERR-06, ERR-30). */
export type MessageErrorCode = 'INVALID_REQUEST' | 'INVALID_USER_ID' | 'INVALID_MEDIA_URL';

/** The code of the specification for an issue of {@link SendRequest}, {@link Message} or {@link userIdFor}. */
export function issueCode(issue: z.core.$ZodIssue): MessageErrorCode {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return code === 'INVALID_USER_ID' || code === 'INVALID_MEDIA_URL' ? code : 'INVALID_REQUEST';
}
