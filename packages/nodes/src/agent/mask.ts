/**
 * Marks in place of values that no model may see. A value is hidden wherever it stands in what goes to a model, and put back in what comes
 * from it; a mark that somebody else types is none.
 */
import { formatPath, isJsonObject, type Json, parseJsonText, type Path, splitText, type Variables } from '@hilo/engine/contract';
import type { AgentConfig } from './config.ts';

/** A value with a mark: the first of a conversation has `[[v1]]`, and keeps it. */
export type Masked = {
  readonly value: string | number;
  /** What it is, for the model: the path of a variable, or a kind of value. */
  readonly of: string;
};

type Redacted = AgentConfig['redact'][number];

/** Shorter values occur in ordinary words. */
const shortest = 3;
/** The most values that get a mark of their own, and that a conversation keeps; further ones are removed for good. */
const mostMarks = 200;
const removed = '[removed]';

const mark = (index: number): string => `[[v${index + 1}]]`;
const marks = /\[\[v(\d{1,4})\]\]/g;

/** The marks of one turn. Values that `redact` finds are added to those that are known. */
export class Mask {
  #known: readonly Masked[];
  /** Values without a mark, for which there was none left. */
  readonly #unmarked: readonly Masked[];
  readonly #redacts: readonly Redacted[];
  #values: Values;

  constructor({ known, unmarked }: Withheld, redacts: readonly Redacted[], values = compileValues({ known, unmarked })) {
    this.#known = known;
    this.#unmarked = unmarked;
    this.#redacts = redactOrder.filter((kind) => redacts.includes(kind));
    this.#values = values;
  }

  /** All values with a mark so far. */
  get known(): readonly Masked[] {
    return this.#known;
  }

  /** The mask of a later message of the same conversation: the paths may have other values by then. */
  next(config: Pick<AgentConfig, 'withhold' | 'redact'>, variables: Variables): Mask {
    const before: Withheld = { known: this.#known, unmarked: this.#unmarked };
    const withheld = addValues(before, config.withhold, variables);
    return new Mask(withheld, config.redact, withheld === before ? this.#values : undefined);
  }

  /** What it hides: the same as long as nothing is added. */
  get values(): object {
    return this.#values;
  }

  /** Hides values in what a user, a tool or an author wrote. What looks like a mark there becomes none. */
  hide(given: Json): Json {
    return mapTexts(given, (text) => this.hideText(text));
  }

  /** Hides values in what a model wrote or what is hidden already: its marks stay. */
  hideAround(given: Json): Json {
    return mapTexts(given, (text) => this.hideAroundText(text));
  }

  /** Hides values in JSON that a model wrote: its escapes hide nothing. What is no JSON is a text. */
  hideAroundJson(text: string): string {
    if (isNothing(this.#values)) return text;
    const given = readJson(text);
    if (given === undefined) return this.hideAroundText(text);
    const hidden = this.hideAround(given);
    return hidden === given ? text : JSON.stringify(hidden);
  }

  hideText(text: string): string {
    const values = this.#values;
    const known = values.hidden.get(text);
    if (known !== undefined) return known;
    const hidden = this.#redact(this.#hideValues(escapeMarks(text)));
    // A text with a new value is not kept: masks that do not know its mark share the texts.
    if (values === this.#values) values.hidden.set(text, hidden);
    return hidden;
  }

  hideAroundText(text: string): string {
    if (isNothing(this.#values)) return text;
    const { hiddenAround } = this.#values;
    const known = hiddenAround.get(text);
    if (known !== undefined) return known;
    const hidden = splitMarks(text)
      .map((part, index) => (index % 2 === 1 ? part : this.#hideValues(part)))
      .join('');
    hiddenAround.set(text, hidden);
    return hidden;
  }

  /** Puts the values back in what a model wrote. A text that is one mark becomes the value as it was. */
  show(given: Json): Json {
    return this.#show(given, () => true);
  }

  showText(text: string): string {
    return this.#showText(text, () => true);
  }

  /**
   * Leaves withheld values only where a server outside may get them: of the others it sees marks, as a model does.
   *
   * @param given - inputs in which the values are put back: a mark that is left there was typed, and is none
   */
  hideFrom(given: Json, sees: readonly Path[]): Json {
    const seen = sees.map(formatPath);
    const hidden = mapTexts(given, (text) => this.#hideValues(text.replace(marks, escapeMarks)));
    return this.#show(hidden, ({ of }) => seen.some((path) => of === path || of.startsWith(`${path}.`)));
  }

  #show(given: Json, isShown: (value: Masked) => boolean): Json {
    if (typeof given === 'string') {
      const whole = /^\[\[v(\d{1,4})\]\]$/.exec(given)?.[1];
      const value = whole === undefined ? undefined : this.#known[Number(whole) - 1];
      return value !== undefined && isShown(value) ? value.value : this.#showText(given, isShown);
    }
    if (Array.isArray(given)) return given.map((item: Json) => this.#show(item, isShown));
    if (!isJsonObject(given)) return given;
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [name, this.#show(item, isShown)]));
  }

  #showText(text: string, isShown: (value: Masked) => boolean): string {
    return text.replace(marks, (written, number: string) => {
      const value = this.#known[Number(number) - 1];
      return value !== undefined && isShown(value) ? String(value.value) : written;
    });
  }

  /** What each mark stands for, as a line for the model; `undefined` when there is none. */
  describe(): string | undefined {
    if (this.#known.length === 0) return undefined;
    const meanings = this.#known.map(({ of }, index) => `${mark(index)} is ${of}`);
    return `Some values are hidden behind marks: ${meanings.join(', ')}. Write a mark as it is where its value is meant.`;
  }

  #hideValues(text: string): string {
    const { long, guards, find } = this.#values;
    const parts = long.reduce<readonly string[]>(
      (before, { value, forms }) =>
        forms.reduce(
          (pieces, form) => pieces.flatMap((part, index) => (index % 2 === 1 ? [part] : around(part, form, this.#markFor(value)))),
          before,
        ),
      [text],
    );
    if (find === undefined) return parts.join('');
    return parts
      .map((part, index) => {
        if (index % 2 === 1) return part;
        return guards.some((guard) => isOver(guard, part)) ? removed : part.replace(find, (found) => this.#markOf(found));
      })
      .join('');
  }

  #markFor(value: Masked): string {
    const index = this.#known.indexOf(value);
    return index < 0 ? removed : mark(index);
  }

  /** The mark of a text that was found: of the longest value that it is. */
  #markOf(found: string): string {
    const { whole, byLength } = this.#values;
    const known = whole.get(found);
    if (known !== undefined) return known;
    const value = byLength.find((one) => one.isWhole(found));
    const marked = value === undefined ? removed : this.#markFor(value.value);
    whole.set(found, marked);
    return marked;
  }

  #redact(text: string): string {
    let left = text;
    for (const kind of this.#redacts) {
      left = splitMarks(left)
        .map((part, index) =>
          index % 2 === 1 ? part : part.replace(shapes[kind].find, (found) => (shapes[kind].isOne(found) ? this.#add(found, kind) : found)),
        )
        .join('');
    }
    return left;
  }

  #add(value: string, kind: Redacted): string {
    const index = this.#known.findIndex((one) => one.value === value);
    if (index >= 0) return mark(index);
    if (this.#known.length >= mostMarks) return removed;
    this.#known = [...this.#known, { value, of: shapes[kind].words }];
    this.#values = compileValues({ known: this.#known, unmarked: this.#unmarked });
    return mark(this.#known.length - 1);
  }
}

/** The values that are hidden: those that have a mark by their number, and the others. */
interface Withheld {
  readonly known: readonly Masked[];
  readonly unmarked: readonly Masked[];
}

/** The marks for the values that these paths have now, or had at several times, beside those that there are. */
export function maskOf(
  known: readonly Masked[],
  { withhold, redact }: Pick<AgentConfig, 'withhold' | 'redact'>,
  ...times: readonly Pick<Variables, 'get'>[]
): Mask {
  const none: Withheld = { known, unmarked: [] };
  return new Mask(
    times.reduce((withheld, variables) => addValues(withheld, withhold, variables), none),
    redact,
  );
}

/** The values beside those that these paths have now; the same where nothing is new. */
function addValues(before: Withheld, withhold: readonly Path[], variables: Pick<Variables, 'get'>): Withheld {
  const known = [...before.known];
  const unmarked = [...before.unmarked];
  const texts = new Set([...known, ...unmarked].map(({ value }) => String(value)));
  const count = texts.size;
  for (const path of withhold)
    for (const value of leavesOf(variables.get(path))) {
      const text = String(value);
      if (text.length < shortest || texts.has(text)) continue;
      texts.add(text);
      (known.length < mostMarks ? known : unmarked).push({ value, of: formatPath(path) });
    }
  return texts.size === count ? before : { known, unmarked };
}

/** The texts and numbers in a value. */
function leavesOf(value: Json | undefined): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((item: Json) => leavesOf(item)) : [];
}

function readJson(text: string): Json | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** A text in which nothing looks like the beginning of a mark. */
const escapeMarks = (text: string): string => text.replace(/\[(?=\[)/g, '[ ');

/** A text and its marks in turn: every second part is a mark. */
const splitMarks = (text: string): readonly string[] => text.split(/(\[\[v\d{1,4}\]\])/);

/** Values in the form in which they are looked for, and the texts in which they were hidden: a visit shows a model the same ones again. */
interface Values {
  /** Those with a mark that {@link find} finds, the longest first. */
  readonly byLength: readonly { readonly value: Masked; isWhole(text: string): boolean }[];
  /** One pattern for all values that are not long, as a tree; `undefined` for none. */
  readonly find: RegExp | undefined;
  /** What keeps a text from being looked through that begins like a value at very many places. */
  readonly guards: readonly Guard[];
  /** Those that are looked for as they are, and as one program writes the whole of them. */
  readonly long: readonly { readonly value: Masked; readonly forms: readonly string[] }[];
  readonly hidden: Map<string, string>;
  readonly hiddenAround: Map<string, string>;
  /** Marks by what {@link find} has found. */
  readonly whole: Map<string, string>;
}

/** Values of more signs are looked for as a whole, and all patterns together have so many characters: larger ones cannot be compiled. */
const [mostSigns, mostPatternChars] = [1_000, 100_000];

function compileValues({ known, unmarked }: Withheld): Values {
  const values = [...known, ...unmarked]
    .map((value) => ({ value, text: String(value.value) }))
    .toSorted((one, other) => one.text.length - other.text.length);
  let patternChars = 0;
  const isLong = values.map(({ text }) => {
    if (text.length > mostSigns || patternChars > mostPatternChars) return true;
    for (const signs of waysOf(text)) for (const sign of signs) patternChars += sign.length;
    return patternChars > mostPatternChars;
  });
  const long = values.filter((_, index) => isLong[index] === true).reverse();
  const longestFirst = values.filter((_, index) => isLong[index] !== true).reverse();
  const marked = new Set(known);
  const texts = longestFirst.map(({ text }) => text);
  return {
    byLength: longestFirst
      .filter(({ value }) => marked.has(value))
      .map(({ value, text }) => {
        let whole: RegExp | undefined;
        return {
          value,
          isWhole: (found) =>
            (whole ??= new RegExp(
              `^(?:${waysOf(text)
                .map((signs) => signs.join(''))
                .join('|')})$`,
              'iu',
            )).test(found),
        };
      }),
    find: texts.length === 0 ? undefined : new RegExp(patternOfTree(growTree(texts)), 'giu'),
    guards: guardsOf(texts),
    long: long.map(({ value, text }) => ({ value, forms: wholeForms(text) })),
    hidden: new Map(),
    hiddenAround: new Map(),
    whole: new Map(),
  };
}

/** The places at which a text begins like a value, of which it may have so many. */
interface Guard {
  readonly begins: RegExp;
  readonly most: number;
}

/** Signs that count as a beginning, signs of a value that is not short, and signs that are looked at for one text beyond its own. */
const [beginning, medium, mostWork] = [8, 64, 300_000];

/**
 * A text that repeats the beginning of a long value at each of its places would be looked through once for each of them: users write both.
 * Such a text is removed as a whole.
 */
function guardsOf(texts: readonly string[]): readonly Guard[] {
  const [middling, longer] = [
    texts.filter((text) => text.length > beginning && text.length <= medium),
    texts.filter((text) => text.length > medium),
  ];
  return [
    { of: middling, signs: medium },
    { of: longer, signs: longer[0]?.length ?? 0 },
  ]
    .filter(({ of }) => of.length > 0)
    .map(({ of, signs }) => ({
      begins: new RegExp(`(?=${patternOfTree(growTree(of, beginning))})`, 'giu'),
      most: Math.ceil(mostWork / signs),
    }));
}

function isOver({ begins, most }: Guard, text: string): boolean {
  if (text.length <= most) return false;
  let count = 0;
  for (const _ of text.matchAll(begins)) if ((count += 1) > most) return true;
  return false;
}

const isNothing = ({ find, long }: Values): boolean => find === undefined && long.length === 0;

/** A text as programs write the whole of it: in one way from its beginning to its end. */
function wholeForms(value: string): readonly string[] {
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

/** The parts of a text around what is looked for, with a mark between each two. */
const around = (text: string, found: string, marked: string): readonly string[] =>
  splitText(text, found).flatMap((part, index) => (index === 0 ? [part] : [marked, part]));

/** Values by their signs, so that many that begin alike are looked for at once: a text is not read once for each. */
interface Tree {
  readonly next: Map<string, Tree>;
  isEnd: boolean;
}

/** @param depth - the signs of each value that are taken; all by default */
function growTree(values: readonly string[], depth = Number.POSITIVE_INFINITY): Tree {
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
function patternOfTree(root: Tree): string {
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
function waysOf(value: string): readonly (readonly string[])[] {
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

/** Applies a change to each text of a value, the names of objects too. A number that it would change becomes a text. */
function mapTexts(given: Json, change: (text: string) => string): Json {
  if (typeof given === 'string') return change(given);
  if (typeof given === 'number') {
    const changed = change(String(given));
    return changed === String(given) ? given : changed;
  }
  if (Array.isArray(given)) return given.map((item: Json) => mapTexts(item, change));
  if (!isJsonObject(given)) return given;
  const entries = Object.entries(given);
  const changed = entries.map(([name, item]) => [change(name), mapTexts(item, change)] as const);
  // What has nothing to hide stays the value that it is.
  return changed.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1])
    ? given
    : Object.fromEntries(changed);
}

/** What may be a part of another comes after it: the digits of a card may look like a phone number. */
const redactOrder: readonly Redacted[] = ['email', 'iban', 'card', 'phone'];

/** The forms of what `redact` finds, with words for the model. */
const shapes: {
  readonly [kind in Redacted]: { readonly find: RegExp; readonly words: string; readonly isOne: (text: string) => boolean };
} = {
  email: { find: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, words: 'an e-mail address', isOne: () => true },
  card: { find: /\d(?:[ -]?\d){12,18}/g, words: 'the number of a card', isOne: (text) => isLuhn(text.replace(/\D/g, '')) },
  iban: {
    find: /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g,
    words: 'the number of a bank account',
    isOne: () => true,
  },
  phone: { find: /\+?\(?\d(?:[\s().-]{0,3}\d){6,14}/g, words: 'a phone number', isOne: () => true },
};

function isLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}
