/**
 * The name under which a conversation is kept, from what its author calls it: letters without their accents, and a dash for every sign that a
 * file's name does not have everywhere.
 *
 * @returns an empty text where nothing is left
 */
export const testName = (written: string): string =>
  written
    .slice(0, 1_000) // what is behind this has no place in a name, and a run of dots is looked at from each of its places
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100);
