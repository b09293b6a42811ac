import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

/** Marks of direction, and what has no width, of each of its blocks. */
const unseen = [
  '\u00ad',
  '\u061c',
  '\u180e',
  '\u200b',
  '\u200f',
  '\u202e',
  '\u2060',
  '\u2067',
  '\ufeff',
  '\ufff9',
  '\u{e0041}',
  '\u3164',
  '\u0085',
  '\n',
  '\u2028',
];

const secret = 's3cr3t/of "acme"';

function lines(format: 'json' | 'pretty', ...entries: readonly (readonly [object, string])[]): string {
  let written = '';
  const log = createLogger({ format, secrets: () => [secret], write: (line) => (written += line) });
  for (const [fields, message] of entries) log.info(fields, message);
  return written;
}

describe('the log', () => {
  it('is one line of JSON an event', () => {
    const line = lines('json', [{ requestId: 'r1', status: 200 }, 'request']);
    expect(line.endsWith('\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      requestId: 'r1',
      status: 200,
      msg: 'request',
    });
  });

  it('is short where people read it', () => {
    expect(lines('pretty', [{ path: '/v1/x', status: 404, about: 'two words' }, 'request'])).toMatch(
      /^\d\d:\d\d:\d\d INFO {2}request {2}path=\/v1\/x {2}status=404 {2}about="two words"\n$/,
    );
  });

  it.each(['json', 'pretty'] as const)('writes no secret, in any field and encoding (P31): %s', (format) => {
    const error = new Error(`connect to ${secret} failed`, { cause: { password: secret } });
    const written = lines(format, [
      {
        error,
        [secret]: 1,
        url: `https://x/?k=${encodeURIComponent(secret)}`,
        deep: [{ b: Buffer.from(`id:${secret}`).toString('base64') }],
        json: JSON.stringify({ secret }),
      },
      secret,
    ]);
    expect(written).not.toMatch(/s3cr3t|czNjcjN0|M2NyM3|zY3IzdC/);
    expect(written).toContain('connect to [redacted] failed');
  });

  it.each(['json', 'pretty'] as const)('has no character that a terminal obeys, and no second line (T17): %s', (format) => {
    const written = lines(format, [{ text: 'a\nb\r\u001b[31m\u009b\u2028\u202e\u0000' }, 'evil\nINFO faked']);
    expect(written.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    expect(written).toContain('\\u001b[31m\\u009b\\u2028\\u202e\\u0000');
  });

  it.each(['json', 'pretty'] as const)('tells apart what looks alike, in each place of a line, and means the same: %s', (format) => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...unseen, 'a', ' ', '"', 'é', '\u{1f600}', '\u2764\ufe0f') }),
        fc.constantFrom(...unseen),
        (text, mark) => {
          const name = `${text}${mark}ana`;
          const written = lines(format, [{ name, deep: [{ [name]: name }] }, name]);
          expect(written.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u3164\u115f]/u);
          expect(format === 'pretty' ? { name } : JSON.parse(written)).toMatchObject({ name });
        },
      ),
    );
  });

  it('cuts a field at 8 KB, and accepts any value', () => {
    const loop: { self?: object } = {};
    loop.self = loop;
    const line = JSON.parse(lines('json', [{ long: 'x'.repeat(20_000), loop, big: 10n, none: undefined, call: () => 1 }, 'odd'])) as {
      long: string;
      big: string;
    };
    expect(line.long).toHaveLength(8 * 1024 + 1);
    expect(line.big).toBe('10');
  });
});
