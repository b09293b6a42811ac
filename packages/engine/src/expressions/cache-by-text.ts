// What is made of a text that may come from a request, kept by it: by count, since such texts have no end, and by length, since one may be
// as long as the request.

const maxKept = 500;
/** Longer than any name of a locale, a zone or a formatter: what is made of a longer text is made each time. */
const longestKey = 100;

/** A cache that is cleared when it is full. @param make - what is kept of a text; `undefined` is kept too */
export function createCacheByText<Item>(make: (text: string) => Item): (text: string) => Item {
  const kept = new Map<string, Item>();
  return (text) => {
    if (text.length > longestKey) return make(text);
    const known = kept.get(text);
    if (known !== undefined || kept.has(text)) return known as Item;
    if (kept.size >= maxKept) kept.clear();
    const made = make(text);
    kept.set(text, made);
    return made;
  };
}
