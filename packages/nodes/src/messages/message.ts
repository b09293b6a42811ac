import { z } from 'zod';
import { ctaParameters, flowParameters, voiceCallParameters } from './button-parameters.ts';
import { carousel } from './carousel.ts';
import { buttons, quickReplies } from './choices.ts';
import { contacts } from './contact.ts';
import { canvas, type Dialect, rest } from './dialect.ts';
import { mustBe } from './explain.ts';
import { optionalText, text } from './fields.ts';
import { messageTypes } from './message-type.ts';
import { fileNameIn, mediaUrl } from './web-address.ts';

/** What a message of each type holds, whatever the channel (MSG-08 to MSG-41). */
function messageSchema<Numeric extends z.ZodType, Flag extends z.ZodType>(dialect: Dialect<Numeric, Flag>) {
  const { object } = dialect;
  const words = text(dialect);
  const caption = optionalText(dialect);
  const file = mediaUrl(dialect);
  const variants = [
    object({ type: z.literal('text'), text: words, previewUrl: dialect.flag, buttons: buttons(dialect).exactOptional() }),
    object({
      type: z.literal('quick_reply'),
      text: words,
      title: optionalText(dialect, 20),
      quick_replies: quickReplies(dialect),
    }),
    object({ type: z.literal('image'), mediaUrl: file, text: caption }),
    object({ type: z.literal('audio'), mediaUrl: file }),
    object({ type: z.literal('video'), mediaUrl: file, text: caption }),
    object({ type: z.literal('file'), mediaUrl: file, text: caption, filename: optionalText(dialect) }).transform((message) => {
      const { filename = '', ...others } = message;
      if (filename.trim() !== '') return message;
      const unnamed: typeof message = others;
      const name = dialect.isOpen(message.mediaUrl) ? undefined : fileNameIn(message.mediaUrl);
      return name === undefined ? unnamed : { ...unnamed, filename: name };
    }),
    object({ type: z.literal('sticker'), mediaUrl: file }),
    object({
      type: z.literal('location'),
      coordinates: object({ lat: dialect.number({ min: -90, max: 90 }), long: dialect.number({ min: -180, max: 180 }) }),
    }),
    object({ type: z.literal('contacts'), contacts: contacts(dialect) }),
    object({ type: z.literal('location_request'), text: words }),
    object({ type: z.literal('contact_info_request'), text: words }),
    object({ type: z.literal('cta_url'), title: words, text: words, caption: words, parameters: ctaParameters(dialect) }),
    object({ type: z.literal('voice_call'), header: caption, text: words, parameters: voiceCallParameters(dialect) }),
    object({ type: z.literal('flow'), title: words, text: words, caption: words, parameters: flowParameters(dialect) }),
    carousel(dialect),
  ] as const;
  return z.discriminatedUnion('type', variants, { error: wrongType });
}

/** For a body that is no object, or whose type is not one of ours: the sentence lists those (MSG-04). */
function wrongType({ path, input }: z.core.$ZodRawIssue): string {
  if (path?.at(-1) !== 'type') return mustBe('an object')({ path, input });
  return mustBe(`one of ${messageTypes.join(', ')}`)({ path, input: (input as { readonly type?: unknown }).type });
}

/** A message as it is sent: the body of a request without `userId` and `botId`. Unknown fields are left aside. */
export const Message = messageSchema(rest);
export type Message = z.output<typeof Message>;
/** What {@link Message} takes. */
export type MessageInput = z.input<typeof Message>;

/**
 * A message in the config of a node, before its expressions have values. Unknown fields are refused. Once rendered it
 * is parsed again, as a {@link Message}: only then are all of its texts known.
 */
export const StrictMessage = messageSchema(canvas);
export type StrictMessage = z.output<typeof StrictMessage>;
