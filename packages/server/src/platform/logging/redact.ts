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

/**
 * Redacts by value (P31): each secret verbatim, and as URLs, base64, hex and JSON encode it. Secrets that are added later are
 * removed from then on.
 */
export function createRedact(secrets: () => readonly string[]): Redact {
  let given: readonly string[] = [];
  let known: readonly string[] = [];
  let needles = createNeedles();
  let version = 0;
  const learn = (): void => {
    const now = secrets();
    if (now === given && now.length === known.length) return;
    if (!isPrefix(known, now)) [known, needles] = [[], createNeedles()];
    needles.add(now.slice(known.length)); // mostly secrets are appended
    [given, known] = [now, [...now]];
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
  /** Longest first, by their first characters. */
  readonly byBegin: ReadonlyMap<string, readonly string[]>;
  /** 1 where some text begins with two characters of this mark: nearly all of a line is passed over by it. */
  readonly marks: Uint8Array;
  add(secrets: readonly string[]): void;
}

const computeMark = (first: number, second: number): number => (first * 251 + second) & 0xffff;

function createNeedles(): Needles {
  const byBegin = new Map<string, readonly string[]>();
  const marks = new Uint8Array(0x1_0000);
  return {
    byBegin,
    marks,
    add(secrets) {
      for (const needle of new Set(secrets.flatMap(secretSpellings))) {
        const begin = needle.slice(0, beginChars);
        const known = byBegin.get(begin) ?? [];
        byBegin.set(
          begin,
          [...known, needle].sort((a, b) => b.length - a.length),
        );
        marks[computeMark(begin.charCodeAt(0), begin.charCodeAt(1))] = 1;
      }
    },
  };
}

/** Apart from the loop over a text: a closure in it would cost an object for each character. */
const findNeedle = (text: string, at: number, needles: readonly string[] = []): string | undefined =>
  needles.find((needle) => text.startsWith(needle, at));

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

const isPrefix = (begin: readonly string[], all: readonly string[]): boolean =>
  begin.length <= all.length && begin.every((text, index) => text === all[index]);
