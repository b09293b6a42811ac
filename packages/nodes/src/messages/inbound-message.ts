// Messages of users, as every channel delivers them.
import { Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { mustBe } from './dialect.ts';

const line = z.string({ error: mustBe('a text') }).exactOptional();

/** The schema of JSON tries six types before it refuses `undefined`: a field that is not there, as most of these, is told at once. */
const other = z
  .unknown()
  .refine((value): boolean => value !== undefined)
  .pipe(Json)
  .exactOptional();

const isNoName = { error: mustBe('a text that is not empty') };

const name = z.string(isNoName).min(1, isNoName);

/**
 * A user's message, of any channel (EVT-02): its fields are those of `$message` that the check knows. Unknown fields are kept, so that a canvas can read what its channel sends. User input is
 * never refused: texts may have any length and phone numbers any form.
 */
export const InboundMessage = z
  .object({
    /** The channel's own id of the message: the same one again is the same message. */
    id: name,
    type: name,
    text: line,
    /** The payload of the chosen button or row (MSG-18). */
    payload: line,
    mediaUrl: line,
    filename: line,
    coordinates: z.object({ lat: z.number(), long: z.number() }).catchall(Json).exactOptional(),
    contacts: z.array(JsonObject).exactOptional(),
    // Those of some channels, as they send them.
    replyTo: other,
    mediaId: other,
    mediaError: other,
    /** The handle of what the user sent, for 30 days. */
    file: other,
    mimeType: other,
    order: other,
    response: other,
    name: other,
    referral: other,
    referredProduct: other,
    /** The story of the account that the user answers: its id and, while it is there, its address. */
    story: other,
    attachment: other,
    interactive: other,
    command: other,
    channel: other,
    clientId: other,
    value: other,
  })
  .catchall(Json);
export type InboundMessage = z.output<typeof InboundMessage>;
