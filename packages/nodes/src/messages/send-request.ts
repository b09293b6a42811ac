import type { z } from 'zod';
import { rest } from './dialect.ts';
import { text } from './fields.ts';
import { Message } from './message.ts';
import { userIdText } from './user-id.ts';

/** Who a message goes to and by which bot (MSG-05, MSG-06). The form of a `userId` depends on the bot: see `userIdFor`. */
const Recipient = rest.object({ userId: userIdText, botId: text(rest).exactOptional() });

/** The body of `POST /v1/bots/{botId}/messages`. */
export const SendRequest = Recipient.and(Message);
export type SendRequest = z.output<typeof SendRequest>;

/** The codes that a request to send a message may be refused with (ERR-06, ERR-30). */
export type MessageErrorCode = 'INVALID_REQUEST' | 'INVALID_USER_ID' | 'INVALID_MEDIA_URL';

/** The code of the specification for an issue of {@link SendRequest}, {@link Message} or {@link userIdFor}. */
export function issueCode(issue: z.core.$ZodIssue): MessageErrorCode {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return code === 'INVALID_USER_ID' || code === 'INVALID_MEDIA_URL' ? code : 'INVALID_REQUEST';
}
