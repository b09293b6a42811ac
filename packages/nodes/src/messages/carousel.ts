import { z } from 'zod';
import { refuseRepeats } from './choices.ts';
import type { Dialect } from './dialect.ts';
import { mustBe } from './explain.ts';
import { list, text } from './fields.ts';
import { buttonUrl, mediaUrl } from './web-address.ts';

/** Pictures side by side, each with a text and a link (MSG-41, an extension: `ChannelFacts.refusedTypes` says where it is off). */
export function carousel(dialect: Dialect) {
  const { object } = dialect;
  const link = z.literal('cta_url', { error: mustBe('"cta_url"') });
  const card = object({
    card_index: cardIndex,
    type: link,
    header: object({ image: object({ link: mediaUrl(dialect) }) }),
    body: object({ text: text(dialect) }),
    action: object({ name: link, parameters: object({ display_text: text(dialect), url: buttonUrl(dialect) }) }),
  });
  return object({
    type: z.enum(['carousel', 'CAROUSEL']).transform(() => 'carousel' as const),
    text: text(dialect),
    parameters: object({
      cards: list(card, { min: 2, max: 10 }).superRefine(
        refuseRepeats(({ card_index }) => card_index, 'card_index', 'number the cards from 0'),
      ),
    }),
  });
}

const isNoIndex = { error: mustBe('a whole number from 0 to 9') };

const cardIndex = z.int(isNoIndex).min(0, isNoIndex).max(9, isNoIndex);
