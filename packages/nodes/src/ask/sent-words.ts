/**
 * What somebody sends in place of writing it: a pin on the map where an address is asked for, the card of a person where a number, an e-mail
 * address or a name is.
 */
import { containsText, getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import { showsNothing } from '../messages/folded-text.ts';
import type { InboundMessage } from '../messages/inbound-message.ts';
import { plainText } from '../messages/plain-text.ts';

/** The parts of a message that hold words, or stand for them. */
type Reply = Pick<Partial<InboundMessage>, 'text' | 'coordinates' | 'contacts'>;

/** So many cards, and so many entries of one, are looked at. */
const mostLooked = 20;

/**
 * A reply as a text: what is written or, where nothing is, the name and the address of a place, else a link to it, or the names, numbers and mailboxes
 * of cards.
 */
export function textOf({ text = '', coordinates, contacts = [] }: Reply): string {
  if (!showsNothing(text)) return text;
  if (coordinates !== undefined) return placeText(coordinates);
  return contacts.slice(0, mostLooked).map(cardText).filter(isShown).join('\n');
}

function placeText({ lat, long, ...described }: NonNullable<Reply['coordinates']>): string {
  const [name, address] = ['name', 'address'].map((key) => textAt(described, [key]));
  // The address often begins with the name.
  const parts = [address !== undefined && containsText(address, name ?? '') ? undefined : name, address].filter(
    (part) => part !== undefined,
  );
  return parts.length > 0 ? parts.join(', ') : plainText({ type: 'location', coordinates: { lat, long } });
}

const cardText = (card: JsonObject): string =>
  [nameOf(card), ...entriesOf(card, 'phones').map((entry) => textAt(entry, ['phone'])), ...mailboxesOf(card)]
    .filter((part) => part !== undefined)
    .join(', ');

const nameOf = (card: JsonObject): string | undefined =>
  textAt(card, ['name', 'formatted_name']) ??
  (['first_name', 'last_name'].flatMap((part) => textAt(card, ['name', part]) ?? []).join(' ') || undefined);

/**
 * What is found in a reply: in what is written or, where nothing is, in the one card that was sent, the first number or address that can be read. Two
 * cards are two people, and none is chosen of them. On WhatsApp the number that has an account goes before the others of the person.
 */
export function findWritten<Found>(
  { text = '', contacts = [] }: Reply,
  kind: 'phone' | 'email',
  find: (written: string) => Found | undefined,
): Found | undefined {
  if (!showsNothing(text)) return find(text);
  const [card, ...others] = contacts;
  if (card === undefined || others.length > 0) return undefined;
  for (const written of kind === 'phone' ? numbersOf(card) : mailboxesOf(card)) {
    const found = find(written);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where an account is named beside a number without its country, the account says it whole. */
function numbersOf(card: JsonObject): readonly string[] {
  const numbers = entriesOf(card, 'phones').map((entry) => ({ phone: textAt(entry, ['phone']), account: textAt(entry, ['wa_id']) }));
  const withAccount = numbers.flatMap(({ phone = '', account }) =>
    account === undefined ? [] : [phone.startsWith('+') ? phone : `+${account.replace(/^\+/, '')}`],
  );
  return [...withAccount, ...numbers.flatMap(({ phone }) => phone ?? [])];
}

const mailboxesOf = (card: JsonObject): readonly string[] => entriesOf(card, 'emails').flatMap((entry) => textAt(entry, ['email']) ?? []);

function entriesOf(card: JsonObject, list: string): readonly Json[] {
  const entries: Json = card[list] ?? [];
  return isList(entries) ? entries.slice(0, mostLooked) : [];
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function textAt(value: Json, path: readonly string[]): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' && isShown(found) ? found.trim() : undefined;
}

const isShown = (text: string): boolean => !showsNothing(text);
