/** What a message of a user says, in words for whoever reads text alone, such as a model. */
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { showsNothing } from './folded-text.ts';
import type { InboundMessage } from './inbound-message.ts';

/** So many parts of a form, an order or a list of contacts are told. */
const mostParts = 50;

/** The text of a message, or what was pressed; before what is no text stands its type, and behind it what it holds. */
export function wordsOf({ type = 'empty', text = '', payload, ...fields }: Partial<InboundMessage>): string {
  const held = heldIn(type, fields);
  if (showsNothing(text)) return held === '' ? (payload ?? `[${type}]`) : `[${type}] ${held}`;
  if (held !== '') return `[${type}] ${text} (${held})`;
  return type === 'text' || type === 'button' ? text : `[${type}] ${text}`;
}

function heldIn(type: string, { response, coordinates, contacts, order }: Partial<InboundMessage>): string {
  switch (type) {
    case 'flow':
      return isJsonObject(response) ? answers(response) : '';
    case 'location':
      return coordinates === undefined
        ? ''
        : joined([coordinates.lat, coordinates.long, coordinates['name'] ?? null, coordinates['address'] ?? null]);
    case 'contacts':
      return (contacts ?? []).slice(0, mostParts).map(contact).join('; ');
    case 'order':
      return isJsonObject(order) && Array.isArray(order['product_items'])
        ? order['product_items'].slice(0, mostParts).map(orderLine).join('; ')
        : '';
    default:
      return '';
  }
}

/** The fields of a form, but for the token that says which form it was. */
const answers = (response: JsonObject): string =>
  Object.entries(response)
    .filter(([name]) => name !== 'flow_token')
    .slice(0, mostParts)
    .map(([name, value]) => `${name}: ${plain(value)}`)
    .join(', ');

function contact(one: JsonObject): string {
  const { name, phones } = one;
  const numbers = Array.isArray(phones)
    ? phones.slice(0, mostParts).map((phone: Json) => (isJsonObject(phone) ? (phone['phone'] ?? null) : null))
    : [];
  return joined([isJsonObject(name) ? (name['formatted_name'] ?? null) : null, ...numbers]);
}

const orderLine = (item: Json): string =>
  isJsonObject(item)
    ? `${plain(item['quantity'] ?? null)} × ${plain(item['product_retailer_id'] ?? null)}, ${plain(item['item_price'] ?? null)} ${plain(item['currency'] ?? null)}`
    : plain(item);

const joined = (parts: readonly Json[]): string =>
  parts
    .filter((part) => part !== null)
    .map(plain)
    .join(', ');

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
