// The places of a template that a campaign fills for each person.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { shownText } from '../canvas/canvas-json.ts';

const place = /\{\{\s*([^{}\s]{1,100})\s*\}\}/g;

/** The names of the places of a template, in its order: those of its text, then those of its header, footer and buttons. */
export function parametersOf({ body, components }: JsonObject): readonly string[] {
  const texts = [body, components].filter((one): one is Json => one !== undefined && one !== null);
  return [...new Set(texts.flatMap((one) => [...shownText(one).matchAll(place)].map(([, name = '']) => name)))];
}

/** What fills a place where its name says who is meant. */
export const usualFor = (name: string): string => (/^(?:user_?)?(?:full_?)?(?:names?|nombres?)$/i.test(name) ? '{{user.names}}' : '');

/** What a person is known by: what a place can be filled with. */
export const knownOfPeople = ['{{user.names}}', '{{user.phone}}'] as const;
