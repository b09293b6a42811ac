/**
 * How a value is recognized in a text that a program wrote: escaped as JSON or HTML, as a part of an address, with its digits grouped. Many
 * values make one pattern, a tree by their signs.
 */

/** Values by their signs, so that many that begin alike are looked for at once: a text is not read once for each. */
export interface Tree {
  readonly next: Map<string, Tree>;
  isEnd: boolean;
}

/** @param depth - the signs of each value that are taken; all by default */
export function growTree(values: readonly string[], depth = Number.POSITIVE_INFINITY): Tree {
  const root: Tree = { next: new Map(), isEnd: false };
  for (const signs of values.flatMap((value) => waysOf(toSameCase(value)))) {
    let at = root;
    for (const sign of signs.slice(0, depth)) {
      const next: Tree = at.next.get(sign) ?? { next: new Map(), isEnd: false };
      at.next.set(sign, next);
      at = next;
    }
    at.isEnd = true;
  }
  return root;
}

/** In small letters, where each sign has one: case is passed over anyway. */
const toSameCase = (value: string): string => {
  const small = value.toLowerCase();
  return small.length === value.length ? small : value;
};

/** The pattern of all values in a tree, of each place the longest. Built from its leaves: a value may be longer than a stack is deep. */
export function patternOfTree(root: Tree): string {
  const order: Tree[] = [root];
  for (let index = 0; index < order.length; index += 1) order.push(...(order[index]?.next.values() ?? []));
  const patterns = new Map<Tree, string>();
  for (const tree of order.reverse()) {
    const ways = Array.from(tree.next, ([sign, next]) => `${sign}${patterns.get(next) ?? ''}`);
    patterns.set(
      tree,
      ways.length === 0 || (ways.length === 1 && !tree.isEnd) ? ways.join('') : `(?:${ways.join('|')})${tree.isEnd ? '?' : ''}`,
    );
  }
  return patterns.get(root) ?? '';
}

/**
 * The signs of a value as patterns. A number of seven digits or more is found however its digits are grouped, another text however
 * {@link formsOf} writes its signs, and as it is.
 */
export function waysOf(value: string): readonly (readonly string[])[] {
  const digits = value.replace(/\D/g, '');
  if (/^\+?[\d\s().-]{1,60}$/.test(value) && digits.length >= 7)
    return [[String.raw`\+?\(?`, ...Array.from(digits, (digit, index) => (index === 0 ? digit : String.raw`[\s().-]{0,3}${digit}`))]];
  const signs = Array.from(value.normalize('NFC').matchAll(/\\+|[^]/gu), ([sign]) =>
    // Backslashes are counted in one piece, so that a text of many of them is read in one way only.
    sign.startsWith('\\')
      ? String.raw`(?:\\{${sign.length},${sign.length * 4}}|(?:%5C|&#0{0,4}92;|&#x0{0,4}5c;){${sign.length}})`
      : /\w/.test(sign)
        ? sign
        : formsOf(sign),
  );
  return signs.join('') === value ? [signs] : [signs, Array.from(value, literally)];
}

/**
 * The ways in which tools write a sign: as it is, as its letter and accent in turn, as JSON does and JSON in JSON, also where it keeps to
 * ASCII or escapes slashes, as a reference of HTML, and as a part of an address.
 */
function formsOf(sign: string): string {
  const parts = Array.from(sign.normalize('NFD'), (part) => `(?:${formsOfOne(part).join('|')})`);
  return parts.length === 1 ? parts.join('') : `(?:${formsOfOne(sign).join('|')}|${parts.join('')})`;
}

function formsOfOne(sign: string): readonly string[] {
  const code = sign.codePointAt(0) ?? 0;
  const units = Array.from({ length: sign.length }, (_, index) => sign.charCodeAt(index).toString(16).padStart(4, '0'));
  const escaped = JSON.stringify(sign).slice(1, -1);
  return [
    /\s/.test(sign) ? String.raw`[\s+]` : literally(sign),
    units.map((unit) => String.raw`\\{1,3}u${unit}`).join(''),
    ...(sign === '/' || escaped.length === 2 ? [String.raw`\\{1,3}${literally(escaped.slice(-1))}`] : []),
    ...(sign.isWellFormed() && encodeURIComponent(sign) !== sign ? [encodeURIComponent(sign)] : []),
    `&#0{0,4}${code};`,
    `&#x0{0,4}${code.toString(16)};`,
    ...(references[sign] ?? []),
  ];
}

const references: { readonly [sign: string]: readonly string[] } = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;', '%27'],
  ' ': ['&nbsp;'],
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** A text as programs write the whole of it: in one way from its beginning to its end. */
export function wholeForms(value: string): readonly string[] {
  const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inAscii = (text: string): string =>
    asJson(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const inAddress = encodeURIComponent(value.toWellFormed());
  const inHtml = value.replace(/[&<>"']/g, (sign) => references[sign]?.[0] ?? sign);
  return [
    ...new Set([
      value,
      value.normalize('NFC'),
      value.normalize('NFD'),
      ...[asJson, inAscii].flatMap((write) => [write(value), write(write(value))]),
      inAddress,
      inAddress.replaceAll('%20', '+'),
      inHtml,
    ]),
  ].toSorted((one, other) => other.length - one.length);
}
