// Who else has a workflow open: people, not the pages that they have or had open, of which a reload leaves one behind.

/** A page that somebody has open. */
export interface PageHere {
  readonly tab: string;
  /** What the service calls its operator, such as `user ana` or `admin session`. */
  readonly name: string;
  readonly nodeId: string | undefined;
}

/** So many people are named. */
const maxHere = 50;

/** Whether a name is of one person: the admin token is shared, so its pages may be of several. */
const isOfOne = (name: string): boolean => /^(?:operator|user|token) ./s.test(name);

const personOf = ({ tab, name }: Pick<PageHere, 'tab' | 'name'>): string => (isOfOne(name) ? `name ${name}` : `tab ${tab}`);

/** Whether two pages are of one person, as far as their names tell. */
export const isSamePerson = (
  one: { readonly name: string; readonly tab?: string | undefined },
  other: { readonly name: string; readonly tab?: string | undefined },
): boolean => personOf({ name: one.name, tab: one.tab ?? '' }) === personOf({ name: other.name, tab: other.tab ?? '' });

/**
 * The people beside the one who asks, by their names, each once.
 *
 * @param pages - those seen last first: a person is where they were seen last
 */
export function listOthers(
  pages: readonly PageHere[],
  asking: Pick<PageHere, 'tab' | 'name'>,
): { readonly name: string; readonly nodeId: string | null }[] {
  const people = new Map<string, PageHere>();
  for (const page of pages) {
    const person = personOf(page);
    if (page.tab !== asking.tab && person !== personOf(asking) && !people.has(person)) people.set(person, page);
  }
  return [...people.values()]
    .slice(0, maxHere)
    .map(({ name, nodeId }) => ({ name, nodeId: nodeId ?? null }))
    .toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}
