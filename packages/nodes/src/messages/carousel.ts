import { z } from 'zod';
import { refuseRepeats } from './choices.ts';
import type { Dialect } from './dialect.ts';
import { mustBe } from './explain.ts';
import { list, says, text } from './fields.ts';
import { buttonUrl, mediaUrl } from './web-address.ts';

/** Pictures side by side, each with a text and a link (MSG-41, an extension: `ChannelFacts.refusedTypes` says where it is off). */
export function carousel(dialect: Dialect) {
  const { object } = dialect;
  const link = z.literal('cta_url', { error: mustBe('"cta_url"') });
  const picture = object({ link: says('The https address of the picture', mediaUrl(dialect)) });
  const button = object({
    display_text: says('The label of the button', text(dialect)),
    url: says('The address that the button opens', buttonUrl(dialect)),
  });
  const card = object({
    card_index: says('The place of the card, counted from 0', cardIndex),
    type: says('Always "cta_url"', link),
    header: says('The top of the card', object({ image: says('The picture of the card', picture) })),
    body: says('The middle of the card', object({ text: says('The text of the card', text(dialect)) })),
    action: says(
      'The button of the card',
      object({
        name: says('Always "cta_url"', link),
        parameters: says('What the button says and opens', button),
      }),
    ),
  });
  return object({
    type: says('Pictures side by side, each with a text and a link', z.enum(['carousel', 'CAROUSEL'])).transform(() => 'carousel' as const),
    text: says('The text above the cards', text(dialect)),
    parameters: says(
      'What the carousel shows',
      object({
        cards: says(
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
