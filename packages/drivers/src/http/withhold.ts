import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { HttpCredential } from './credential.ts';

/** Takes the secret of a call out of what came back: others may repeat what they were sent (P31). */
export interface Withhold {
  text(given: string): string;
  value(given: Json): Json;
}

const removed = '[redacted]';
/** Shorter ones are in too many words to be told from them. */
const shortest = 4;

/** @param credential - what signed the call in; without one nothing is taken out */
export function withholding(credential: HttpCredential | undefined): Withhold {
  const needles =
    credential === undefined ? [] : [...new Set(secretsOf(credential).flatMap(spellings))].toSorted((a, b) => b.length - a.length);
  const text = (given: string): string => needles.reduce((left, needle) => left.replaceAll(needle, removed), given);
  const value = (given: Json): Json => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    return isJsonObject(given) ? Object.fromEntries(Object.entries(given).map(([name, item]) => [text(name), value(item)])) : given;
  };
  return { text, value: needles.length === 0 ? (given) => given : value };
}

function secretsOf(credential: HttpCredential): readonly string[] {
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

/** Every way in which it may be written; of base64 what is the same wherever it stands among other bytes. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const url = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((before) => {
    const core = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64url')
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')];
  });
  return [
    secret,
    json,
    url,
    url.toLowerCase(),
    new URLSearchParams([['', secret]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64,
  ].filter(({ length }) => length >= shortest);
}
