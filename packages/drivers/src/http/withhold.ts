import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { HttpCredential } from './credential.ts';
import { secretSpellings } from './secret-spellings.ts';

/** Takes the secret of a call out of what came back: others may repeat what they were sent (P31). */
export interface Withhold {
  text(given: string): string;
  value(given: Json): Json;
  object(given: JsonObject): JsonObject;
}

const removed = '[redacted]';

/** @param credential - what signed the call in; without one nothing is taken out */
export const withholding = (credential: HttpCredential | undefined): Withhold =>
  withholdingSecrets(credential === undefined ? [] : secretsOf(credential));

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
  return needles.length === 0 ? { text, value: (given) => given, object: (given) => given } : { text, value, object };
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
