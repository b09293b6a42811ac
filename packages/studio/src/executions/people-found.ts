// Whose executions are meant by a name, a number or an id that was written into the filter of a list.

/** As far as a contact of the company says who it is. */
export interface Found {
  readonly names?: string | null | undefined;
  readonly identities: readonly { readonly value: string }[];
}

/** One id by which a bot knows a person. */
export interface Identity {
  readonly userId: string;
  readonly names: string | null | undefined;
}

/** So many are offered; who has more to choose from writes more of the name. */
export const mostOffered = 12;

/**
 * The ids that a text can mean: a person has one with each bot. What is written whole is meant alone, and so is what nobody is known by:
 * there may be executions of it all the same.
 */
export function idsMeant(text: string, people: readonly Found[]): readonly Identity[] {
  const all = people.flatMap(({ names, identities }) => identities.map(({ value }): Identity => ({ userId: value, names })));
  const known = all.filter(({ userId }, at) => all.findIndex((other) => other.userId === userId) === at);
  const whole = known.find(({ userId }) => userId === text);
  if (whole !== undefined) return [whole];
  return known.length === 0 ? [{ userId: text, names: undefined }] : known.slice(0, mostOffered);
}
