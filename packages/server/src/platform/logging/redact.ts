import { secretSpellings } from '@hilo/drivers';

/** Removes every known secret from a text. */
export interface Redact {
  (text: string): string;
  /** Changes whenever a secret becomes known: what was redacted before is to be redacted again. */
  readonly version: () => number;
}

/** Encoded secrets are at least this long: they are searched for by this many first characters. */
const beginChars = 4;
const removed = '[redacted]';

/** Secrets that are no longer given are forgotten once they are more than the others: until then only new ones cost anything. */
const mostForgotten = 100;

/**
 * Redacts by value (P31): each secret verbatim, and as URLs, base64, hex and JSON encode it. Secrets that are added later are
 * removed from then on.
 */
export function createRedact(secrets: () => readonly string[]): Redact {
  let given: readonly string[] = [];
  let length = 0;
  let known = new Set<string>();
  let needles = createNeedles();
  let version = 0;
  const learn = (): void => {
    const now = secrets();
    if (now === given && now.length === length) return;
    const added = new Set(now.filter((secret) => !known.has(secret)));
    [given, length] = [now, now.length];
    if (known.size + added.size > 2 * now.length + mostForgotten) {
      [known, needles] = [new Set(now), createNeedles()];
      needles.add(known);
    } else {
      for (const secret of added) known.add(secret);
      needles.add(added);
    }
    version += 1;
  };
  const redact = (text: string): string => {
    learn();
    return removeNeedles(text, needles);
  };
  return Object.assign(redact, {
    version() {
      learn();
      return version;
    },
  });
}

/** The texts to remove; a line is scanned once, however many secrets there are. */
interface Needles {
  /** By their first characters. */
  readonly byBegin: ReadonlyMap<string, SameBegin>;
  /** 1 where some text begins with two characters of this mark: nearly all of a line is passed over by it. */
  readonly marks: Uint8Array;
  add(secrets: Iterable<string>): void;
}

/** Texts with the same first characters, by length, the longest first: all tokens of a provider begin alike, and of few lengths. */
type SameBegin = readonly (readonly [length: number, texts: Set<string>])[];

const computeMark = (first: number, second: number): number => (first * 251 + second) & 0xffff;

function createNeedles(): Needles {
  const byBegin = new Map<string, SameBegin>();
  const marks = new Uint8Array(0x1_0000);
  const add = (needle: string): void => {
    const begin = needle.slice(0, beginChars);
    const same = byBegin.get(begin) ?? [];
    const [, texts] = same.find(([length]) => length === needle.length) ?? [];
    if (texts !== undefined) {
      texts.add(needle);
      return;
    }
    byBegin.set(
      begin,
      [...same, [needle.length, new Set([needle])] as const].toSorted(([one], [other]) => other - one),
    );
    marks[computeMark(begin.charCodeAt(0), begin.charCodeAt(1))] = 1;
  };
  return {
    byBegin,
    marks,
    add(secrets) {
      for (const secret of secrets) for (const needle of secretSpellings(secret)) add(needle);
    },
  };
}

/** So few texts are compared one by one: the first character that differs ends it, where a part of the text would be copied. */
const fewTexts = 8;

/**
 * Finds the longest text that stands at a place. It stands apart from the loop over a text: a closure in it would cost an object for each
 * character.
 */
function findNeedle(text: string, at: number, needles: SameBegin = []): string | undefined {
  for (const [length, texts] of needles) {
    if (at + length > text.length) continue;
    if (texts.size > fewTexts) {
      const part = text.slice(at, at + length);
      if (texts.has(part)) return part;
    } else for (const needle of texts) if (text.startsWith(needle, at)) return needle;
  }
  return undefined;
}

function removeNeedles(text: string, { byBegin, marks }: Needles): string {
  let kept = '';
  let from = 0;
  for (let at = 0; at + beginChars <= text.length; at += 1) {
    if (marks[computeMark(text.charCodeAt(at), text.charCodeAt(at + 1))] === 0) continue;
    const needle = findNeedle(text, at, byBegin.get(text.slice(at, at + beginChars)));
    if (needle === undefined) continue;
    kept += text.slice(from, at) + removed;
    from = at + needle.length;
    at = from - 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}
