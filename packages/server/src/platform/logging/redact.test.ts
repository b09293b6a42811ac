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
});
