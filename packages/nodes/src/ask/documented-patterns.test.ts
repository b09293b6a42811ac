// The patterns that the documents give for kinds of answers which `ask` has no word for.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Input, readAnswer } from './input.ts';

const rows = readFileSync(new URL('../../../../scripts/docs/notes/ask.md', import.meta.url), 'utf8').split('\n');

it.each<[asked: string, taken: string, refused: string]>([
  ['the last four digits', '1234| 0007 ', '123|12345|12 34|abcd|'],
  [
    'an address of the web',
    'https://example.com|http://example.com:8080/a?b=c#d|example.com|www.example.com.pe/x|https://mañana.example/año|例え.テスト|EXAMPLE.COM| example.com ',
    'example|http://|ftp://example.com|javascript:alert(1)|ana@example.com|example.com is mine|https://exa mple.com|http://localhost|1.2.3.4',
  ],
  ['a code such as', 'ABC-1234|abc1234| ABC-1234 ', 'AB-1234|ABC-123|ABC-12345|ABC 1234'],
])('%s: its pattern takes what it names, and nothing else', (asked, taken, refused) => {
  const [, pattern = ''] = /`"like": ("[^`]+")`/.exec(rows.find((row) => row.includes(asked)) ?? '') ?? [];
  const input = Input.parse({ kind: 'text', like: JSON.parse(pattern) as unknown });
  const isTaken = (text: string): boolean => readAnswer({ text }, input, { get: () => undefined }, 0) !== undefined;
  expect(taken.split('|').filter((text) => !isTaken(text))).toEqual([]);
  expect(refused.split('|').filter(isTaken)).toEqual([]);
});
