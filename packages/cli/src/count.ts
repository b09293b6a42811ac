/** A number with the name of what it counts, given in the plural: `1 company`, `2 companies`. */
export const formatCount = (number: number, plural: string): string => `${number} ${number === 1 ? makeSingular(plural) : plural}`;

/** The singular of a regular plural. */
export const makeSingular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');
