// What a person is called where a screen names them: by the name that is known, a visitor of a web chat by a part of an id that nobody reads.
import { type PartWords, usePartWords } from '../words/part.ts';

const personWords: PartWords<'person.visitor'> = {
  en: { 'person.visitor': 'Visitor {id}' },
  es: { 'person.visitor': 'Visitante {id}' },
};

/** The web chat draws 22 letters for each visitor; so many tell those of one list apart. */
const visitorId = /^web:([\w-]{5})[\w-]{17}$/;

/** A few letters of the id of a visitor who was never named; nothing where the id is another's. */
export const shortVisitor = (id: string): string | undefined => visitorId.exec(id)?.[1];

/** A function that names a person by their name and id; both may be missing. */
export function usePersonName(): (names: string | null | undefined, id: string) => string {
  const say = usePartWords(personWords);
  return (names, id) => {
    if (names !== null && names !== undefined && names !== '') return names;
    const visitor = shortVisitor(id);
    return visitor === undefined ? id : say('person.visitor', { id: visitor });
  };
}
