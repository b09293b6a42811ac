/** Takes every known secret out of a text. */
export type Redact = (text: string) => string;

/** Shorter ones are in too many words to be told from them. */
const shortest = 4;
const removed = '[redacted]';

/**
 * Redacts by value (P31): each secret as it is, and as URLs, base64, hex and JSON write it. Secrets that are added later are
 * known from then on.
 */
export function createRedact(secrets: () => readonly string[]): Redact {
  let known: readonly string[] = [];
  let needles = needlesOf([]);
  return (text) => {
    const now = secrets();
    if (!isSameList(now, known)) [known, needles] = [[...now], needlesOf(now)];
    return without(text, needles);
  };
}

/** Texts to be removed: a line is gone through once, however many secrets there are. */
interface Needles {
  /** Longest first, by their first characters. */
  readonly byBegin: ReadonlyMap<string, readonly string[]>;
  /** 1 where some text begins with two characters of this mark: nearly all of a line is passed over by it. */
  readonly marks: Uint8Array;
}

const markOf = (text: string, at: number): number => (text.charCodeAt(at) * 251 + text.charCodeAt(at + 1)) & 0xffff;

function needlesOf(secrets: readonly string[]): Needles {
  const needles = new Map<string, string[]>();
  for (const needle of new Set(secrets.filter(({ length }) => length >= shortest).flatMap(spellings))) {
    const begin = needle.slice(0, shortest);
    needles.set(
      begin,
      [...(needles.get(begin) ?? []), needle].sort((a, b) => b.length - a.length),
    );
  }
  const marks = new Uint8Array(0x1_0000);
  for (const begin of needles.keys()) marks[markOf(begin, 0)] = 1;
  return { byBegin: needles, marks };
}

function without(text: string, { byBegin, marks }: Needles): string {
  let kept = '';
  let from = 0;
  for (let at = 0; at + shortest <= text.length; at += 1) {
    if (marks[markOf(text, at)] === 0) continue;
    const needle = byBegin.get(text.slice(at, at + shortest))?.find((candidate) => text.startsWith(candidate, at));
    if (needle === undefined) continue;
    kept += text.slice(from, at) + removed;
    from = at + needle.length;
    at = from - 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Every way in which a secret may stand in a line. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const url = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1), // JSON inside of JSON
    url,
    url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ].filter(({ length }) => length >= shortest);
}

/** What is the same of a secret's base64 wherever it stands among other bytes: one text for each of the three ways to be aligned. */
const base64Cores = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const begin = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const core = text.slice(begin, end);
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')];
  });

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);
