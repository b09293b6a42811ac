// How people are called on a page, by the names that the service has for operators.
import { type PartWords, usePartWords } from '../words/part.ts';

/**
 * The name of an operator without the word that says what it is, and without the digest that keeps accounts of OpenID Connect apart:
 * `user ana+0123456789abcdef` is shown as `ana`. The record of acts shows the whole name.
 */
export const shownName = (name: string): string => name.replace(/^(?:operator|user|token) (?=.)/, '').replace(/(?<=.)\+[0-9a-f]{16}$/, '');

/** Callers that are nobody's own. */
const actorWords: PartWords<'actor.admin' | 'actor.token' | 'actor.operator' | 'actor.nobody'> = {
  en: { 'actor.admin': 'the administrator', 'actor.token': 'the admin token', 'actor.operator': 'an operator', 'actor.nobody': 'nobody' },
  es: {
    'actor.admin': 'la administración',
    'actor.token': 'el token de administración',
    'actor.operator': 'un operador',
    'actor.nobody': 'nadie',
  },
};
const actors = new Map<string, keyof (typeof actorWords)['en']>([
  ['admin session', 'actor.admin'],
  ['admin token', 'actor.token'],
  ['operator', 'actor.operator'],
  ['nobody', 'actor.nobody'],
]);

/**
 * The name of an operator, or who it was where nobody has one, in the language of the reader.
 *
 * @param nameOf - how a name is written
 */
export function useActorName(nameOf: (name: string) => string = shownName): (name: string) => string {
  const say = usePartWords(actorWords);
  return (name) => {
    const actor = actors.get(name);
    return actor === undefined ? nameOf(name) : say(actor);
  };
}
