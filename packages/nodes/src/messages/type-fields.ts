/** The fields that a message of each type has on every channel, so that what is behind a choice by `$message.type` may read them. */
import type { Json } from '@hilo/engine/contract';

const file = ['mediaUrl'];

const fieldsByType: { readonly [type: string]: readonly string[] | undefined } = {
  text: ['text'],
  button: ['text', 'payload'],
  image: file,
  video: file,
  audio: file,
  document: file,
  sticker: file,
  location: ['coordinates'],
  contacts: ['contacts'],
  order: ['order'],
  flow: ['response'],
  referral: ['referral'],
};

/** Whether a source reads the type of the message: a path, or one expression. */
export const isMessageType = (source: Json): boolean =>
  typeof source === 'string' && /^(?:\{\{)?\s{0,9}\$message\.type\s{0,9}(?:\}\})?$/.test(source);

/** The places that have a value in a message of a type, or in one of any of several types. */
export function fieldsOfTypes(types: Json): readonly string[] {
  const [first = [], ...others] = (Array.isArray(types) ? types : [types]).map((type: Json) =>
    typeof type === 'string' && Object.hasOwn(fieldsByType, type) ? (fieldsByType[type] ?? []) : [],
  );
  return first.filter((field) => others.every((fields) => fields.includes(field))).map((field) => `$message.${field}`);
}
