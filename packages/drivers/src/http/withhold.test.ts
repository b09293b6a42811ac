import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpCredential } from './credential.ts';
import { withholding } from './withhold.ts';

const basic: HttpCredential = { kind: 'basic', username: 'ana', password: 'pass word/+é' };

describe('an answer that repeats the credential of its call (P31)', () => {
  it.each([
    ['as it is', (secret: string) => `got ${secret}!`],
    ['in a URL', (secret: string) => `?key=${encodeURIComponent(secret)}&more`],
    ['in a form', (secret: string) => new URLSearchParams({ key: secret }).toString()],
    ['as hex', (secret: string) => Buffer.from(secret).toString('hex')],
    ['as a Basic header', (secret: string) => `Basic ${Buffer.from(`ana:${secret}`).toString('base64')}`],
    ['in JSON text', (secret: string) => JSON.stringify({ secret })],
    ['in a header', (secret: string) => Buffer.from(secret).toString('latin1')],
    ['in JSON text of PHP', (secret: string) => JSON.stringify(secret).replaceAll('/', '\\/').replaceAll('é', '\\u00e9')],
    ['in JSON text of Python', (secret: string) => JSON.stringify(secret).replaceAll('é', '\\u00e9')],
    ['in JSON text with escaped slashes', (secret: string) => JSON.stringify(secret).replaceAll('/', '\\/')],
  ])('does not keep it %s', (_way, spell) => {
    const { password } = basic;
    const spelt = spell(password);
    const kept = withholding(basic).text(spelt);
    expect(kept).toContain('[redacted]');
    expect(kept).not.toContain(password);
    expect(kept).not.toBe(spelt);
  });

  it('is searched in every name and value of a body, and is otherwise left as it is', () => {
    const { value } = withholding({ kind: 'bearer', token: 'tok-en-123' });
    expect(value({ 'tok-en-123': [1, null, { deep: 'a tok-en-123 b' }], other: 'text' })).toEqual({
      '[redacted]': [1, null, { deep: 'a [redacted] b' }],
      other: 'text',
    });
  });

  it('is taken out where JSON has it as a number, and only there', () => {
    const { value } = withholding({ kind: 'basic', username: 'ana', password: '40512' });
    expect(value({ pin: 40512, other: 405121, text: '40512' })).toEqual({ pin: '[redacted]', other: 405121, text: '[redacted]' });
  });

  it('changes nothing of a call that no credential signed', () =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        const body: unknown = JSON.parse(text);
        expect(withholding(undefined).text(text)).toBe(text);
        expect(withholding(undefined).value(body as never)).toBe(body);
      }),
    ));
});
