/** The cards of a carousel: each with its number, a picture, a text and a button that opens an address. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';

/** What an author writes of a card. */
export interface CardTexts {
  readonly picture: string;
  readonly text: string;
  readonly button: string;
  readonly opens: string;
}

/** How many cards a carousel has. */
export const cardCounts = { least: 2, most: 10 } as const;

const at = (value: Json | undefined, ...steps: readonly string[]): Json | undefined =>
  steps.reduce<Json | undefined>((inner, step) => (isRecord(inner) ? inner[step] : undefined), value);
const textAt = (value: Json | undefined, ...steps: readonly string[]): string | undefined => {
  const found = at(value, ...steps);
  return found === undefined ? '' : typeof found === 'string' ? found : undefined;
};

/** The cards of a message, where it is a carousel whose cards say nothing but that. */
export function cardsOf(message: Json | undefined): readonly CardTexts[] | undefined {
  if (!isRecord(message) || (message['type'] !== 'carousel' && message['type'] !== 'CAROUSEL')) return undefined;
  if (Object.keys(message).some((name) => !['type', 'text', 'parameters'].includes(name))) return undefined;
  const cards = at(message, 'parameters', 'cards');
  if (cards !== undefined && !Array.isArray(cards)) return undefined;
  const list: readonly Json[] = cards ?? [];
  const found = list.map((card): CardTexts | undefined => {
    const [picture, text] = [textAt(card, 'header', 'image', 'link'), textAt(card, 'body', 'text')];
    const [button, opens] = [textAt(card, 'action', 'parameters', 'display_text'), textAt(card, 'action', 'parameters', 'url')];
    if (picture === undefined || text === undefined || button === undefined || opens === undefined) return undefined;
    return { picture, text, button, opens };
  });
  return found.every((card) => card !== undefined) ? found : undefined;
}

/** The message with these cards, numbered from 0. */
export const withCards = (message: JsonObject, cards: readonly CardTexts[]): JsonObject => ({
  ...message,
  parameters: { cards: cards.map(cardJson) },
});

const cardJson = ({ picture, text, button, opens }: CardTexts, index: number): JsonObject => ({
  card_index: index,
  type: 'cta_url',
  header: { image: { link: picture } },
  body: { text },
  action: { name: 'cta_url', parameters: { display_text: button, url: opens } },
});

export const emptyCard: CardTexts = { picture: '', text: '', button: '', opens: '' };
