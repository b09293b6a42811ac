import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedact } from './redact.ts';

describe('redact (P31)', () => {
  const secret = fc.string({ unit: 'binary', minLength: 6, maxLength: 40 }).filter((text) => text.isWellFormed() && new Set(text).size > 3);
  const around = fc.string({ maxLength: 20 });

  const spellings: readonly (readonly [string, (text: string) => string])[] = [
    ['as it is', (text) => text],
    ['JSON', (text) => JSON.stringify(text).slice(1, -1)],
    ['JSON in JSON', (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    ['a URL', encodeURIComponent],
    ['a form', (text) => new URLSearchParams([['', text]]).toString().slice(1)],
    ['hex', (text) => Buffer.from(text).toString('hex')],
    ['hex in capitals', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ];

  it.each(spellings)('leaves no secret in a line: %s', (_name, spell) => {
    fc.assert(
      fc.property(secret, around, around, (text, before, after) => {
        expect(createRedact(() => [text])(before + spell(text) + after)).not.toContain(spell(text));
      }),
    );
  });

  it.each(['base64', 'base64url'] as const)('leaves nothing to decode in %s, at any position of the secret', (encoding) => {
    fc.assert(
      fc.property(secret, around, around, (text, before, after) => {
        const line = Buffer.from(before + text + after).toString(encoding);
        const left = createRedact(() => [text])(line);
        expect(left).toContain('[redacted]');
        for (const part of left.split('[redacted]')) expect(Buffer.from(part, encoding).toString()).not.toContain(text);
      }),
    );
  });

  it('removes secrets that are added later, and leaves other texts as they are', () => {
    const secrets: string[] = [];
    const redact = createRedact(() => secrets);
    expect(redact('the word is swordfish')).toBe('the word is swordfish');
    secrets.push('swordfish', 'sword', 'abc');
    expect(redact('the word is swordfish, not sword or abc')).toBe('the word is [redacted], not [redacted] or abc');
  });

  it('removes the longest at each place, whatever is added and taken away in between', () => {
    const text = fc.oneof(
      fc.constantFrom('EAAG', 'EAAGa', 'EAAGab', 'EAAGabc', 'EAAHabcd'),
      fc.integer({ min: 0, max: 40 }).map((number) => `EAAG-token-${number}`),
      fc.integer({ min: 0, max: 400 }).map((number) => `of-${number}`),
    );
    const lists = fc.array(fc.uniqueArray(text, { maxLength: 60 }), { minLength: 1, maxLength: 8 });
    const line = fc.array(fc.oneof(text, fc.constantFrom(' ', 'E', 'x', 'EAA')), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(lists, line, (given, written) => {
        let [now = []] = given;
        const redact = createRedact(() => now);
        expect(redact(written)).toBe(removeNaively(written, now));
        for (const list of given) {
          now = list;
          // What was taken away may still be removed; what is known is.
          for (const secret of list) expect(redact(written)).not.toContain(secret);
        }
      }),
    );
  });

  it('has another version for each other list, in whatever order it is', () => {
    let now = Array.from({ length: 300 }, (_, number) => `EAAG-token-${number}`);
    const redact = createRedact(() => now);
    const versions = [redact.version()];
    for (const added of ['EAAG-token-301', 'EAAG-token-302']) {
      now = [added, ...now].toReversed();
      versions.push(redact.version(), redact.version());
      expect(redact(`${added} EAAG-token-7`)).toBe('[redacted] [redacted]');
    }
    expect(versions).toEqual([1, 2, 2, 3, 3]);
  });
});

function removeNaively(text: string, secrets: readonly string[]): string {
  const longest = secrets.toSorted((one, other) => other.length - one.length);
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const found = longest.find((secret) => text.startsWith(secret, at));
    kept += found === undefined ? text.charAt(at) : '[redacted]';
    at += found?.length ?? 1;
  }
  return kept;
}
