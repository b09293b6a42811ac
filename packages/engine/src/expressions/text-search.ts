/**
 * Search for texts in texts, both of which tenants may choose. JavaScript's own search takes time proportional to text times part for
 * periodic texts (`'aaa…'` in `'aaa…b'`): 42 s for one request of 720 KB. These functions are linear in both (P20). A rule of `npm run
 * verify` keeps `includes`, `indexOf`, `lastIndexOf`, `split` and `replaceAll` away from two such texts elsewhere.
 */

/** Up to this length of the part, the built-in search reads each character a bounded number of times, and is many times faster. */
const shortPart = 16;

/** The first index of a part in a text, from a position on; -1 when there is none. */
export function findText(text: string, part: string, from = 0): number {
  if (part.length <= shortPart) return text.indexOf(part, from);
  // Most texts have not even its beginning: then the table of the search is not made.
  const begin = text.length - from < part.length ? -1 : text.indexOf(part.slice(0, shortPart), from);
  return begin < 0 ? -1 : prepareSearch(part)(text, begin);
}

/** The last index of a part in a text, at a position or before it; -1 when there is none. */
export function findLastText(text: string, part: string, from: number = text.length): number {
  if (part.length <= shortPart) return text.lastIndexOf(part, from);
  // The same search, with both texts read backwards.
  const within = text.slice(0, from + part.length);
  const at = prepareSearch(part, true)(within, 0);
  return at < 0 ? -1 : within.length - at - part.length;
}

/** Whether a text contains a part. */
export const containsText = (text: string, part: string): boolean => findText(text, part) >= 0;

/** The pieces of a text between its separators; its UTF-16 units for an empty separator. */
export function splitText(text: string, separator: string): string[] {
  if (separator.length <= shortPart) return text.split(separator);
  const find = prepareSearch(separator);
  const pieces: string[] = [];
  let from = 0;
  for (let at = find(text, 0); at >= 0; at = find(text, from)) {
    pieces.push(text.slice(from, at));
    from = at + separator.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/**
 * Knuth, Morris and Pratt's search: after a mismatch it continues with the longest beginning of the part that also ends here, so
 * that no character of the text is read more than twice.
 *
 * @param isBackwards - reads both from their ends; positions are then counted from the end as well
 */
function prepareSearch(part: string, isBackwards = false): (text: string, from: number) => number {
  const unit = isBackwards
    ? (source: string, index: number) => source.charCodeAt(source.length - 1 - index)
    : (source: string, index: number) => source.charCodeAt(index);
  /** For each length of a beginning of the part: the length of the longest shorter beginning that it ends with. */
  const borders = new Int32Array(part.length + 1);
  const extend = (length: number, next: number): number => {
    let matched = length;
    while (matched > 0 && unit(part, matched) !== next) matched = borders[matched] ?? 0;
    return unit(part, matched) === next ? matched + 1 : 0;
  };
  for (let index = 1, matched = 0; index < part.length; index += 1) {
    matched = extend(matched, unit(part, index));
    borders[index + 1] = matched;
  }
  return (text, from) => {
    let matched = 0;
    for (let index = from; index < text.length; index += 1) {
      matched = extend(matched, unit(text, index));
      if (matched === part.length) return index - part.length + 1;
    }
    return -1;
  };
}
