import { z } from 'zod';
import { ctaParameters, flowParameters, voiceCallParameters } from './button-parameters.ts';
import { carousel } from './carousel.ts';
import { buttons, quickReplies } from './choices.ts';
import { contacts } from './contact.ts';
import { canvas, type Dialect, rest } from './dialect.ts';
import { mustBe } from './explain.ts';
import { optionalText, says, text } from './fields.ts';
import { messageTypes } from './message-type.ts';
import { fileNameIn, mediaUrl } from './web-address.ts';

/** What a message of each type holds, whatever the channel (MSG-08 to MSG-41). */
function messageSchema<Numeric extends z.ZodType, Flag extends z.ZodType>(dialect: Dialect<Numeric, Flag>) {
  const { object } = dialect;
  const words = says('The text that the user reads', text(dialect));
  const title = says('The heading of the message', text(dialect));
  const footer = says('The line below the text', text(dialect));
  const caption = says('The text below the file', optionalText(dialect));
  const file = says('The https address of the file', mediaUrl(dialect));
  const type = <Name extends string>(name: Name, description: string) => says(description, z.literal(name));
  const variants = [
    object({
      type: type('text', 'A text, perhaps with a list of options below it'),
      text: words,
      previewUrl: says('Whether the channel shows a preview of the first address in the text', dialect.flag),
      buttons: says('A list of options below the text', buttons(dialect).exactOptional()),
    }),
    object({
      type: type('quick_reply', 'A text with up to three buttons to answer with'),
      text: words,
      title: says('The heading of the message', optionalText(dialect, 20)),
      quick_replies: says('The buttons below the text, each with a title of its own', quickReplies(dialect)),
    }),
    object({ type: type('image', 'A picture'), mediaUrl: file, text: caption }),
    object({ type: type('audio', 'A recording'), mediaUrl: file }),
    object({ type: type('video', 'A video'), mediaUrl: file, text: caption }),
    object({
      type: type('file', 'A document'),
      mediaUrl: file,
      text: caption,
      filename: says('The name that the user sees; the end of the address where left out', optionalText(dialect)),
    }).transform((message) => {
      const { filename = '', ...others } = message;
      if (filename.trim() !== '') return message;
      const unnamed: typeof message = others;
      const name = dialect.isOpen(message.mediaUrl) ? undefined : fileNameIn(message.mediaUrl);
      return name === undefined ? unnamed : { ...unnamed, filename: name };
    }),
    object({ type: type('sticker', 'A sticker'), mediaUrl: file }),
    object({
      type: type('location', 'A place on the map'),
      coordinates: says(
        'Where the place is',
        object({
          lat: says('The latitude in degrees, north above 0', dialect.number({ min: -90, max: 90 })),
          long: says('The longitude in degrees, east above 0', dialect.number({ min: -180, max: 180 })),
        }),
      ),
    }),
    object({ type: type('contacts', 'Cards of people'), contacts: says('The cards, one for each person', contacts(dialect)) }),
    object({ type: type('location_request', 'A text with a button by which the user sends where they are'), text: words }),
    object({ type: type('contact_info_request', 'A text with a button by which the user sends their phone number'), text: words }),
    object({
      type: type('cta_url', 'A text with a button that opens an address'),
      title,
      text: words,
      caption: footer,
      parameters: says('What the button says and opens', ctaParameters(dialect)),
    }),
    object({
      type: type('voice_call', 'A text with a button that calls the business'),
      header: says('The heading of the message', optionalText(dialect)),
      text: words,
      parameters: says('What the button says', voiceCallParameters(dialect)),
    }),
    object({
      type: type('flow', 'A text with a button that opens a form of the channel'),
      title,
      text: words,
      caption: footer,
      parameters: says('Which form the button opens, and how', flowParameters(dialect)),
    }),
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
