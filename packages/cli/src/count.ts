/** A number with the name of what it counts, given in the plural: `1 company`, `2 companies`. */
export const countOf = (number: number, plural: string): string => `${number} ${number === 1 ? singularOf(plural) : plural}`;

/** The singular of a regular plural. */
export const singularOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');
