/** Shorter secrets occur in ordinary words, which would be redacted as well. */
const shortest = 4;

/**
 * Every way in which a secret may stand in a text (P31): as it is, and as URLs, forms, JSON, hex and base64 write it.
 *
 * @returns texts of four characters or more; none for a shorter secret
 */
export function secretSpellings(secret: string): readonly string[] {
  if (secret.length < shortest) return [];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const url = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[\x7f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const spellings = [
    secret,
    bytes.toString('latin1'), // as headers are read
    ...[json, ascii].flatMap((text) => [text, text.replaceAll('/', '\\/')]),
    JSON.stringify(json).slice(1, -1), // JSON inside of JSON
    url,
    url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ];
  return [...new Set(spellings)].filter(({ length }) => length >= shortest);
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
