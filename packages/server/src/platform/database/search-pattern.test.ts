import { findsParts } from '@hilo/stores';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patternsOf } from './search-pattern.ts';

/** What SQLite finds, and what a regular expression does, as PostgreSQL has it. */
function finds(typed: string, text: string, where: 'text' | 'number'): boolean {
  const patterns = patternsOf(typed);
  const inSqlite = findsParts(text, patterns[`${where}Parts`]) === 1;
  // JavaScript refuses escapes that PostgreSQL takes.
  const regex = patterns[`${where}Regex`].replaceAll(/\\(.)/gsu, (escaped, sign: string) =>
    /["#%&',:;<=>@_`~!-]/.test(sign) ? sign : escaped,
  );
  expect(new RegExp(regex, 'su').test(text), `as in SQLite: ${patterns[`${where}Regex`]}`).toBe(inSqlite);
  return inSqlite;
}

it.each([
  ['5215512345678', '+52 1 55 1234 5678', true],
  ['5215512345678', '+52 55 1234-5678', true],
  ['5215512345678', '525512345678', true],
  ['5215512345678', '55 1234 5678', true],
  ['5215512345678', '(55) 1234 5678', true],
  ['5215512345678', '0052 55 1234 5678', true],
  ['5215512345678', '5512345678', true],
  ['5215512345678', '55 1234', true],
  ['5215512345678', '1234-5678', true],
  ['5215512345678', '+52 1 55', true],
  ['5215512345678', '+5', false], // one digit is no number
  ['5215512345678', '+52', true],
  ['5215512345678', '345', true],
  ['5215512345678', '55 4321', false],
  ['5215512345678', '+52 1 55 1234 5679', false],
  ['551112345678', '+55 11 91234-5678', true],
  ['51999888777', '999-888-777', true],
  ['MX.a1B2c3', 'mx.A1', true],
  ['24681357902468135', '246813579024681', true],
  ['24681357902468135', '2499999902468135', false],
])('finds the number %s by %s: %s', (text, typed, isFound) => {
  expect(finds(typed, text, 'number')).toBe(isFound);
});

it.each([
  ['born 2026-11-30', '2026-11-30', true],
  ['sku 12.34', '12.34', true],
  ['flat 55 1234', '55 1234', true],
  ['flat 551234', '55 1234', false],
  ['cep 12345-678', '12345-678', true],
  ['100% sure', '100%', true],
  ['100 sure', '100%', false],
  ['Ana María', 'Ana M', true],
  ['Ana María', 'ana_m', false],
  ['Ana María', 'maria', true],
  ['ana maria', 'MARÍA', true],
  ['JOSÉ ÑANDÚ', 'josé ñandú', true],
  ['José Ñandú', 'nandu', true],
  ['João', 'joao', true],
  ['Łukasz', 'lukasz', true],
  ['Đỗ Hải', 'do hai', true],
  ['Søren', 'soren', true],
  ['Анна', 'анн', true],
  ['АННА', 'анна', true],
  ['ΑΝΝΑ', 'αννα', true],
  ['عائشة', 'عائ', true],
  ['Андрей', 'андрей', true],
  ['Ana 🌸', '🌸', true],
  ['José', 'José'.normalize('NFD'), true],
  ['Jose', 'josue', false],
])('finds in %s what is typed as %s: %s', (text, typed, isFound) => {
  expect(finds(typed, text, 'text')).toBe(isFound);
});

it('finds every text by each part of it, in any case, with and without accents, and nothing else', () => {
  const part = fc.string({ unit: fc.constantFrom(...Array.from('aenoñÁéÜßжЖ%_![]*?^$.\\/(){}|+-"#&~ 🌸')), minLength: 1, maxLength: 8 });
  const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase(); // of the letters that are drawn here
  const varied = fc.constantFrom<(text: string) => string>(
    (text) => text.toUpperCase().replaceAll('SS', 'ß'),
    (text) => text.toLowerCase(),
    plain,
    (text) => text.normalize('NFD'),
  );
  fc.assert(
    fc.property(part, part, part, varied, (before, sought, behind, vary) => {
      // A quote at the beginning is written otherwise in the store, as it is in a search.
      fc.pre(!vary(sought).startsWith('"'));
      expect(finds(vary(sought), `x${before}${sought}${behind}`, 'text')).toBe(true);
      expect(finds(sought, `x${before}`, 'text')).toBe(plain(`x${before}`).includes(plain(sought)));
    }),
    { numRuns: 300 },
  );
});

it('takes time in step with the text, whatever is looked for in it', () => {
  const { textParts } = patternsOf(`${'a'.repeat(199)}b`);
  for (let count = 0; count < 50; count += 1) expect(findsParts('á'.repeat(40_000), textParts)).toBe(0); // as a pattern of SQLite: a minute
  expect(findsParts(`${'á'.repeat(40_000)}B`, textParts)).toBe(1);
});
