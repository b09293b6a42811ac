import { findMeantConstant, Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { messageTypes } from './channel.ts';
import { buttons, quickReplies, refuseRepeats } from './choices.ts';
import { contacts } from './contact.ts';
import { canvas, type Dialect, list, mustBe, optionalText, rest, describe, text } from './dialect.ts';
import { buttonUrl, fileNameIn, mediaUrl } from './web-address.ts';

/** Pictures side by side, each with a text and a link (MSG-41, an extension: `ChannelFacts.refusedTypes` lists it where it is off). */
function carousel(dialect: Dialect) {
  const { object } = dialect;
  const link = z.literal('cta_url', { error: mustBe('"cta_url"') });
  const picture = object({ link: describe('The https address of the picture', mediaUrl(dialect), 'https://example.com/shoe.jpg') });
  const button = object({
    display_text: describe('The label of the button', text(dialect), 'Open the order'),
    url: describe('The address that the button opens', buttonUrl(dialect), 'https://example.com/orders/A-17'),
  });
  const card = object({
    card_index: describe('The place of the card, counted from 0', cardIndex),
    type: describe('Always "cta_url"', link),
    header: describe('The top of the card', object({ image: describe('The picture of the card', picture) })),
    body: describe('The middle of the card', object({ text: describe('The text of the card', text(dialect), 'Running shoe, 59.90') })),
    action: describe(
      'The button of the card',
      object({
        name: describe('Always "cta_url"', link),
        parameters: describe('What the button says and opens', button),
      }),
    ),
  });
  return object({
    type: describe('Pictures side by side, each with a text and a link', z.enum(['carousel', 'CAROUSEL'])).transform(
      () => 'carousel' as const,
    ),
    text: describe('The text above the cards', text(dialect), 'New this week'),
    parameters: describe(
      'What the carousel shows',
      object({
        cards: describe(
          'The cards, from left to right',
          list(card, { min: 2, max: 10 }).superRefine(
            refuseRepeats(({ card_index }) => card_index, 'card_index', 'number the cards from 0'),
          ),
        ),
      }),
    ),
  });
}

const isNoIndex = { error: mustBe('a whole number from 0 to 9') };

const cardIndex = z.int(isNoIndex).min(0, isNoIndex).max(9, isNoIndex);

/** The button of `cta_url`, which opens an address (MSG-35). */
const ctaParameters = (dialect: Dialect) =>
  dialect.object({
    url: describe('The address that the button opens', buttonUrl(dialect), 'https://example.com/orders/A-17'),
    display_text: describe('The label of the button', text(dialect), 'Open the order'),
  });

/** The button of `voice_call` (MSG-36). */
const voiceCallParameters = (dialect: Dialect) =>
  dialect.object({ display_text: describe('The label of the button that calls', text(dialect), 'Call us') });

/** What a node adds to the button of a form: authors write it in the node. */
const addedByNode = {
  form: describe(
    'The fields of the form and the label of the button that sends it, for the web chat, which draws them; a node with a form adds it',
    JsonObject.exactOptional(),
  ),
  exchange: describe(
    'The workflow that answers the screens of the form, and what it is given; a node with a form adds it',
    z.object({ workflowId: z.string(), context: Json.exactOptional() }).exactOptional(),
  ),
};

/** The button of `flow` (MSG-38 to MSG-40): a form of the channel's own. None of its fields is required. */
function flowParameters<Added extends z.ZodRawShape>(dialect: Dialect, added: Added) {
  const { object } = dialect;
  const word = optionalText(dialect);
  return object({
    flow_id: describe('The form by its id; this or flow_name names it', word, '1234567890'),
    flow_name: describe('The form by its name; this or flow_id names it', word, 'sign_up'),
    flow_cta: describe('The label of the button that opens the form', word, 'Sign up'),
    flow_action: describe('How the form begins: "navigate" opens a screen, "data_exchange" asks its server first', word, 'navigate'),
    flow_action_payload: describe(
      'What the form begins with',
      object({ screen: describe('The screen that is opened first', word, 'WELCOME') }).exactOptional(),
    ),
    flow_message_version: describe('The version of the format of such messages', word, '3'),
    mode: describe(
      'Which form is opened: the one being written (draft), or the one that is out (published)',
      z.enum(['draft', 'published'], { error: mustBe('"draft" or "published"') }).default('published'),
    ),
    ...added,
  });
}

/** The fields of each type of message, on any channel (MSG-08 to MSG-41). */
function messageSchema<Numeric extends z.ZodType, Flag extends z.ZodType, Around extends z.ZodType, Added extends z.ZodRawShape>(
  dialect: Dialect<Numeric, Flag>,
  around: (text: z.ZodString) => Around,
  added: Added,
) {
  const { object } = dialect;
  const words = describe('The text that the user reads', text(dialect), 'Your order is ready.');
  const title = describe('The heading of the message', text(dialect), 'Order A-17');
  const footer = describe('The line below the text', text(dialect), 'Acme, Lima');
  const caption = describe('The text below the file', optionalText(dialect), 'Your invoice');
  const file = describe('The https address of the file', mediaUrl(dialect), 'https://example.com/a-17.pdf');
  const type = <Name extends string>(name: Name, description: string) => describe(description, z.literal(name));
  const variants = [
    object({
      type: type('text', 'A text, perhaps with a list of options below it'),
      text: words,
      previewUrl: describe('Whether the channel shows a preview of the first address in the text', dialect.flag),
      buttons: describe('A list of options below the text', buttons(dialect).exactOptional()),
    }),
    object({
      type: type('quick_reply', 'A text with up to three buttons to answer with'),
      text: words,
      title: describe('The heading of the message', optionalText(dialect, 20), 'Order A-17'),
      quick_replies: describe('The buttons below the text, each with a title of its own', quickReplies(dialect)),
    }),
    object({ type: type('image', 'A picture'), mediaUrl: file, text: caption }),
    object({ type: type('audio', 'A recording'), mediaUrl: file }),
    object({ type: type('video', 'A video'), mediaUrl: file, text: caption }),
    object({
      type: type('file', 'A document'),
      mediaUrl: file,
      text: caption,
      filename: describe('The name that the user sees; the end of the address where left out', optionalText(dialect), 'invoice.pdf'),
    }).transform((message) => {
      const { filename = '', ...others } = message;
      if (filename.trim() !== '') return message;
      const unnamed: typeof message = others;
      const name = dialect.isDeferred(message.mediaUrl) ? undefined : fileNameIn(message.mediaUrl);
      return name === undefined ? unnamed : { ...unnamed, filename: name };
    }),
    object({ type: type('sticker', 'A sticker'), mediaUrl: file }),
    object({
      type: type('location', 'A place on the map'),
      coordinates: describe(
        'Where the place is',
        object({
          lat: describe('The latitude in degrees, north above 0', dialect.number({ min: -90, max: 90 })),
          long: describe('The longitude in degrees, east above 0', dialect.number({ min: -180, max: 180 })),
        }),
      ),
    }),
    object({ type: type('contacts', 'Cards of people'), contacts: describe('The cards, one for each person', contacts(dialect)) }),
    object({ type: type('location_request', 'A text with a button by which the user sends where they are'), text: words }),
    object({ type: type('contact_info_request', 'A text with a button by which the user sends their phone number'), text: words }),
    object({
      type: type('cta_url', 'A text with a button that opens an address'),
      title,
      text: words,
      caption: footer,
      parameters: describe('What the button says and opens', ctaParameters(dialect)),
    }),
    object({
      type: type('voice_call', 'A text with a button that calls the business'),
      header: describe('The heading of the message', optionalText(dialect), 'Order A-17'),
      text: words,
      parameters: describe('What the button says', voiceCallParameters(dialect)),
    }),
    object({
      type: type('flow', 'A text with a button that opens a form of the channel'),
      title: around(title),
      text: words,
      caption: around(footer),
      parameters: describe('Which form the button opens, and how', flowParameters(dialect, added)),
    }),
    carousel(dialect),
  ] as const;
  return z.discriminatedUnion('type', variants, { error: wrongType });
}

/** For a body that is no object, or has an unknown type: lists the types (MSG-04). */
function wrongType({ path, input }: z.core.$ZodRawIssue): string {
  if (path?.at(-1) !== 'type') {
    const meant = typeof input === 'string' && input.length <= 200 ? `; write ${JSON.stringify({ type: 'text', text: input })}` : '';
    return `${mustBe('an object')({ path, input })}${meant}`;
  }
  const { type } = input as { readonly type?: unknown };
  // A list of options is a text with buttons, whatever channels call it.
  const nearest = type === 'list' ? 'text' : typeof type === 'string' ? findMeantConstant(type, messageTypes) : undefined;
  return `${mustBe(`one of ${messageTypes.join(', ')}`)({ path, input: type })}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}

// Each consists of some 300 schemas, a quarter of what loading engine and nodes would make together: made when first used.

/** Parts around the text of a form may be left out where nothing asks for them. */
const maybe = (text: z.ZodString) => text.exactOptional();

/** The body of a request without `userId` and `botId`, where a form has every part (MSG-37). Unknown fields are left aside. */
export const RequestedMessage = z.lazy(() => messageSchema(rest, (text) => text, {}));

/** A message as it is sent: what a request asks for, or a node. Unknown fields are left aside. */
export const Message = z.lazy(() => messageSchema(rest, maybe, addedByNode));
export type Message = z.output<typeof Message>;
/** The input type of {@link Message}. */
export type MessageInput = z.input<typeof Message>;

/**
 * A message in the config of a node, before its expressions have values. Unknown fields are refused. After rendering it is parsed again,
 * as a {@link Message}: only then all of its texts are known.
 */
export const StrictMessage = z.lazy(() => messageSchema(canvas, maybe, {}));
export type StrictMessage = z.output<typeof StrictMessage>;
