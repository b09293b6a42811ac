/**
 * A text without what people leave out when they type: case, accents, blanks around it. Two texts are the same to a person
 * when they fold to the same one.
 *
 * Only marks that go with letters of any script are accents. Vowel signs, as Hindi writes them, and the marks that make は
 * into ば and ぱ are what distinguishes one word from another. Upper case makes ß into SS and ᾳ into ΑΙ, lower case before it ẞ into ß.
 */
export const foldedText = (text: string): string =>
  text.toLowerCase().toUpperCase().normalize('NFD').replace(accents, '').toLowerCase().trim();

const accents = /[[\p{M}&&\p{Script=Inherited}]--[\u3099\u309a]]/gv;
