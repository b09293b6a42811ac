import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { HttpCredential } from './credential.ts';
import { secretSpellings } from './secret-spellings.ts';

/** Takes the secret of a call out of what came back: others may repeat what they were sent (P31). */
export interface Withhold {
  text(given: string): string;
  value(given: Json): Json;
}

const removed = '[redacted]';

/** @param credential - what signed the call in; without one nothing is taken out */
export function withholding(credential: HttpCredential | undefined): Withhold {
  const needles =
    credential === undefined ? [] : [...new Set(secretsOf(credential).flatMap(secretSpellings))].toSorted((a, b) => b.length - a.length);
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
