import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { HttpCredential } from './credential.ts';

/** Removes the secret of a call from its response, which may echo the request (P31). */
export interface Withhold {
  text(given: string): string;
  value(given: Json): Json;
  object(given: JsonObject): JsonObject;
  /** The beginning of a text that goes on: without an end with which a secret may begin. */
  begun(given: string): string;
}

const removed = '[redacted]';

/** @param credential - the credential of the call; without one nothing is removed */
export const withholding = (credential: HttpCredential | undefined): Withhold =>
  withholdingSecrets(credential === undefined ? [] : listSecrets(credential));

/** The same for secrets that sign a call in otherwise. */
export function withholdingSecrets(secrets: readonly string[]): Withhold {
  const needles = [...new Set(secrets.flatMap(secretSpellings))].toSorted((a, b) => b.length - a.length);
  const text = (given: string): string => needles.reduce((left, needle) => left.replaceAll(needle, removed), given);
  const object = (given: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(given).map(([name, item]) => [text(name), value(item)]));
  const value = (given: Json): Json => {
    if (typeof given === 'string') return text(given);
    if (typeof given === 'number' && needles.includes(String(given))) return removed;
    if (Array.isArray(given)) return given.map(value);
    return isJsonObject(given) ? object(given) : given;
  };
  const begun = (given: string): string => {
    const surplus = needles.map((needle) => {
      for (let length = Math.min(needle.length - 1, given.length); length > 0; length -= 1)
        if (given.endsWith(needle.slice(0, length))) return length;
      return 0;
    });
    return given.slice(0, given.length - Math.max(0, ...surplus));
  };
  return needles.length === 0 ? { text, value: (given) => given, object: (given) => given, begun } : { text, value, object, begun };
}

function listSecrets(credential: HttpCredential): readonly string[] {
  switch (credential.kind) {
    case 'basic':
      return [credential.password];
    case 'bearer':
      return [credential.token];
    case 'api-key':
      return [credential.value];
    case 'client-certificate':
      return []; // its key never leaves
  }
}

/** Shorter secrets occur in ordinary words, which would be redacted too. */
const shortest = 4;

/**
 * Every encoding of a secret in a text (P31): verbatim, and as URLs, forms, JSON, hex and base64 encode it.
 *
 * @returns texts of four characters or more; none for a shorter secret
 */
export function secretSpellings(secret: string): readonly string[] {
  if (secret.length < shortest) return [];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const url = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[\x7f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const spellings = [
    secret,
    bytes.toString('latin1'), // as headers are read
    ...[json, ascii].flatMap((text) => [text, text.replaceAll('/', '\\/')]),
    JSON.stringify(json).slice(1, -1), // JSON inside of JSON
    url,
    url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ];
  return [...new Set(spellings)].filter(({ length }) => length >= shortest);
}

/** The invariant part of a secret's base64 among other bytes: one text for each of the three alignments. */
const base64Cores = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const begin = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const core = text.slice(begin, end);
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')];
  });
