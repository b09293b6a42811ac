// Reads what a visitor of the web chat writes.
import { createHash } from 'node:crypto';
import { JsonObject } from '@hilo/engine/contract';
import { maxFormBytes, showsNothing, textLength, userIdProblem } from '@hilo/nodes/effects';
import { z } from 'zod';
import type { ChannelContext, Delivery, Received } from '../channel-adapter.ts';
import { explainIssues, inWords } from '../explain-issues.ts';
import { createInboundMessage } from '../inbound-message.ts';
import type { WebConfig } from './config.ts';
import { bearerToken, visitorOf } from './visitor.ts';

const words = (max: number) =>
  z.string().refine((text) => textLength(text, 'characters') <= max, { error: `It has more than ${max} characters: send it in parts` });

const upTo = (degrees: number) =>
  z.number().refine((value) => Math.abs(value) <= degrees, { error: `it must be from -${degrees} to ${degrees}` });

/** The browser's own id of a message: the same id again is the same message (P10). */
export const VisitorMessageId = z.string().regex(/^[\w-]{8,64}$/, 'An id has 8 to 64 letters, digits, "_" or "-"');

/**
 * The id of a message, unique across visitors. The browser's own id is stored as `clientId`: two visitors may use the same one, and none
 * can take the id of another's message.
 */
export const visitorMessageName = (visitorId: string, clientId: string): string =>
  `web_${createHash('sha256')
    .update(JSON.stringify([visitorId, clientId]))
    .digest('hex')
    .slice(0, 32)}`;

/** What a visitor's browser posts. Unknown fields are ignored (GEN-07); files have their own route. */
const VisitorMessage = z.discriminatedUnion('type', [
  z.object({ id: VisitorMessageId, type: z.literal('text'), text: words(4_096).refine((text) => !showsNothing(text), 'It is empty') }),
  z.object({ id: VisitorMessageId, type: z.literal('button'), text: words(1_000), payload: words(4_096).exactOptional() }),
  z.object({
    id: VisitorMessageId,
    type: z.literal('location'),
    coordinates: z.object({ lat: upTo(90), long: upTo(180) }),
  }),
  z.object({
    id: VisitorMessageId,
    type: z.literal('form'),
    /** The message that offered the form. */
    of: z.string().min(1).max(256),
    values: JsonObject.refine((values) => textLength(JSON.stringify(values), 'bytes') <= maxFormBytes, {
      error: `They have more than ${maxFormBytes} bytes: shorten the answers`,
    }),
  }),
]);

/** The fields of a message, as every channel has them. A form names the message that offered it as `flow_token`, as WhatsApp does. */
function contentOf(posted: z.output<typeof VisitorMessage>): JsonObject & { readonly id: string; readonly type: string } {
  if (posted.type !== 'form') return posted;
  const { id, of, values } = posted;
  return { id, type: 'flow', text: '', name: '', response: { ...values, flow_token: of } };
}

type Context = Pick<ChannelContext<WebConfig, unknown>, 'bot' | 'config' | 'clock'>;

/** Reads one message of the visitor in the token, whatever the body contains. */
export async function receive(delivery: Delivery, context: Context): Promise<Received> {
  const visitor = await visitorOf(bearerToken(delivery.headers) ?? '', context);
  if (visitor === undefined) return { kind: 'invalid', code: 'INVALID_REQUEST', message: 'The token of the visitor is not valid' };
  const { bot } = context;
  const problem = userIdProblem(visitor.id, bot.channel, bot.userIdFormat);
  if (problem !== undefined) return { kind: 'invalid', code: 'INVALID_USER_ID', message: problem };
  const { data: posted, error } = VisitorMessage.safeParse(delivery.json(), { error: inWords });
  if (posted === undefined) return { kind: 'invalid', code: 'INVALID_REQUEST', message: explainIssues(error.issues, 'the message') };
  const { id, names, phone } = visitor;
  const user = { id, ...(names !== undefined && { names }), ...(phone !== undefined && { phone }) };
  const name = visitorMessageName(visitor.id, posted.id);
  const message = createInboundMessage({ ...contentOf(posted), id: name, clientId: posted.id });
  // A browser's clock cannot be trusted.
  const { draft } = visitor;
  return { kind: 'events', events: [{ kind: 'message', eventId: name, atMs: 0, user, message, ...(draft !== undefined && { draft }) }] };
}
