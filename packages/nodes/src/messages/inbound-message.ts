import { Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { mustBe } from './dialect.ts';

const line = z.string({ error: mustBe('a text') }).exactOptional();

const isNoName = { error: mustBe('a text that is not empty') };

const name = z.string(isNoName).min(1, isNoName);

/**
 * What a user sent, whatever the channel (EVT-02). Fields that Hilo does not know are kept, so that a canvas can read
 * what its channel says. Nothing that a person typed is refused: texts are as long and phones as odd as they came.
 */
export const InboundMessage = z
  .object({
    /** The channel's own id of the message: the same one again is the same message. */
    id: name,
    type: name,
    text: line,
    /** What the chosen button or row was given to say (MSG-18). */
    payload: line,
    mediaUrl: line,
    filename: line,
    coordinates: z.object({ lat: z.number(), long: z.number() }).catchall(Json).exactOptional(),
    contacts: z.array(JsonObject).exactOptional(),
  })
  .catchall(Json);
export type InboundMessage = z.output<typeof InboundMessage>;
