import { getPath, type Json, parsePath, type Path } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { maskOf } from './mask.ts';

const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'Ana',
    'user',
    'phone',
    '5215512345678',
    '+52 1 55 1234-5678',
    '[[v1]]',
    '[[',
    'v1]',
    'v12',
    'aaa',
    'aab',
    '$&',
    '(a+)+$',
    '[[[',
    'O"Hara',
    'a\\b',
    'two\nlines',
  ),
);
const hides = (values: readonly Json[]) =>
  maskOf(
    [],
    { withhold: [['$context', 'secrets']], redact: [] },
    { get: (path: Path) => getPath({ $context: { secrets: values } }, path) },
  );
/** Whether a text may have a value as JSON, an address or HTML writes it, which is not as it is. */
const mayBeWrittenOtherwise = (text: string): boolean => /[\\%&]/.test(text);
const outsideOf = (text: string): readonly string[] => text.split(/\[\[v\d+\]\]/);

describe('a mask', () => {
  it('takes what stands between the brackets unseen for nothing, and values with such signs for the values that they look like', () => {
    const unseen = fc.constantFrom(
      '',
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\u2060',
      '\u{e0041}',
      '\u200b\u200d',
      '\ufe0f\u200d',
      '\u200b\u200b\u200b',
    );
    fc.assert(
      fc.property(unseen, unseen, fc.boolean(), (one, other, isInValue) => {
        const secret = isInValue ? `999${one}888777` : '999888777';
        const mask = hides([secret]);
        const hidden = mask.hideText(`say [${one}[${other}v1]] of 999${other}888777 and ${secret}`);
        const read = hidden.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
        expect(read).not.toContain('999888777');
        expect(read.split('[[v1]]')).toHaveLength(3); // the values, and not what was typed
        expect(mask.showText('[[v1]]')).toBe(secret);
      }),
    );
  });

  it('leaves no withheld value outside of its marks, and puts each back', () =>
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.array(value, { maxLength: 8 }), fc.boolean(), (values, parts, isTwice) => {
        const mask = hides(values);
        const text = parts.map((part, index) => (index % 2 === 0 ? part : (values[index % Math.max(1, values.length)] ?? part))).join('');
        const once = mask.hideText(text);
        const hidden = isTwice ? mask.hideAroundText(once) : once;
        const wrong = values.filter(
          (one) => one.length >= 3 && outsideOf(hidden).some((part) => part.toLowerCase().includes(one.toLowerCase())),
        );
        expect(wrong).toEqual([]);
        if (mayBeWrittenOtherwise(text)) return; // is put back as the value that was written so
        expect(
          mask
            .showText(hidden)
            .toLowerCase()
            .replace(/[\s().+[\]-]/g, ''),
        ).toBe(text.toLowerCase().replace(/[\s().+[\]-]/g, ''));
      }),
      {
        numRuns: 2_000,
        examples: [
          [['"+ x'], ['\\', '', 'y'], false],
          [['/  '], ['\\', 'Ana'], false],
        ],
      },
    ));

  it('leaves none of more values than there are marks, also when one begins as another, and keeps no more than the marks', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(value, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 14 }),
        fc.boolean(),
        (stems, times, isLater) => {
          const all = stems.flatMap((stem) => Array.from({ length: times }, (_, index) => `${stem}${'-x'.repeat(index)} ${stem}`));
          const read = (values: readonly string[]) => ({ get: () => values });
          const config = { withhold: [['$context', 'secrets']], redact: [] };
          const half = all.slice(0, all.length / 2);
          const mask = isLater ? maskOf([], config, read(half)).next(config, read(all)) : maskOf([], config, read(all));
          expect(mask.known.length).toBeLessThanOrEqual(200);
          const shown = [mask.hideText(all.join(' and ')), mask.hideAroundText(all.join(' and ')), JSON.stringify(mask.hide({ all }))];
          const outside = shown.flatMap((text) => text.split(/\[\[v\d+\]\]|\[removed\]/)).map((part) => part.toLowerCase());
          expect(all.filter((one) => one.length >= 3 && outside.some((part) => part.includes(one.toLowerCase())))).toEqual([]);
        },
      ),
      { numRuns: 15, examples: [[Array.from({ length: 20 }, (_, index) => `Customer ${index}`), 14, false]] },
    ));

  it.each([199, 200, 201, 202])('has marks for 200 of %d values, and removes the others', (count) => {
    const names = Array.from({ length: count }, (_, index) => `Customer ${index + 1_000}`);
    const hidden = hides(names).hideText(names.join(';')).split(';');
    expect(hidden.slice(0, 200)).toEqual(names.slice(0, 200).map((_, index) => `[[v${index + 1}]]`));
    expect(hidden.slice(200)).toEqual(names.slice(200).map(() => '[removed]'));
  });

  it.each([999, 1_000, 1_001, 40_000])('hides a value of %d signs as it is and as programs write it, and puts it back', (length) => {
    const secret = 'Größe "1" & más\\n '.repeat(3_000).slice(0, length);
    const mask = hides([secret, 'Ana']);
    const json = JSON.stringify(secret).slice(1, -1);
    const ways = [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret), secret.normalize('NFD')];
    for (const way of ways) expect(mask.hideText(`Ana: ${way}, Ana`)).toBe('[[v2]]: [[v1]], [[v2]]');
    expect(mask.showText('[[v1]]')).toBe(secret);
    expect(mask.hideAroundText(`[[v2]]${secret}`)).toBe('[[v2]][[v1]]');
  });

  it('finds many large values, of which one pattern would be too large', () => {
    const values = Array.from({ length: 250 }, (_, index) => Array.from({ length: 90 }, (_1, at) => `é${at * index} ñ${at}`).join(''));
    const hidden = hides(values).hideText(values.join(';'));
    expect(hidden.split(';').slice(0, 200)).toEqual(values.slice(0, 200).map((_, index) => `[[v${index + 1}]]`));
    expect(hidden).not.toContain('é');
  });

  it.each([
    [`${'é '.repeat(250)}!`, 'é '.repeat(20_000)],
    [`${'1'.repeat(58)}2`, '1   '.repeat(12_000)],
    [`${'ab'.repeat(30)}c`, 'ab'.repeat(24_000)],
    [`${'ab'.repeat(400)}c`, 'ab'.repeat(24_000)],
    [`${'&'.repeat(300)}!`, '&amp;'.repeat(250).concat('x ').repeat(30)],
    [`${'A'.repeat(100)}!`, 'a'.repeat(99).concat(' ').repeat(300)],
  ])('removes a text that begins like a value at each of its places', (secret, text) => {
    expect(hides([secret]).hideText(text)).toBe('[removed]');
  });

  it('marks a value that stands in a text thousands of times', () => {
    const secret = 'the customer of the fourth floor, to the left';
    expect(hides([secret]).hideText(`${secret}\n`.repeat(4_000))).toBe('[[v1]]\n'.repeat(4_000));
  });

  it('puts a value that JSON has written back as it is', () => {
    const mask = hides(['O"Hara', 'a\\b']);
    expect(mask.hideText('O\\"Hara and a\\\\b')).toBe('[[v1]] and [[v2]]');
    expect(mask.showText('[[v1]] and [[v2]]')).toBe('O"Hara and a\\b');
  });

  it('leaves none in JSON, in JSON that JSON holds, and behind the escapes of a model', () =>
    fc.assert(
      fc.property(value, fc.constantFrom('once', 'twice', 'escaped'), (secret, how) => {
        const mask = hides([secret]);
        const json = JSON.stringify([`a ${secret} b`]);
        const escaped = json.replace(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
        const given = { once: json, twice: JSON.stringify([json]), escaped }[how];
        const read = (text: string): string => z.tuple([z.string()]).parse(JSON.parse(text))[0];
        const hidden = read(mask.hideAroundJson(given));
        const note = how === 'twice' ? read(hidden) : hidden;
        const isShown = outsideOf(note).some((part) => part.toLowerCase().includes(secret.toLowerCase()));
        expect(secret.length >= 3 && isShown).toBe(false);
      }),
    ));

  it('leaves none that a tool writes in another way: ASCII alone, escaped slashes, addresses, references, accents apart', () => {
    const ascii = (text: string): string =>
      text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const ways: readonly ((text: string) => string)[] = [
      (text) => text.normalize('NFD'),
      (text) => text.normalize('NFC').toUpperCase(),
      (text) => ascii(JSON.stringify(text).slice(1, -1)),
      (text) => JSON.stringify(ascii(JSON.stringify(text))).slice(3, -3),
      (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', String.raw`\/`),
      (text) => encodeURIComponent(text.normalize('NFC')),
      (text) => new URLSearchParams({ '': text.normalize('NFC') }).toString().slice(1),
      (text) => text.normalize('NFC').replace(/[^\w ]/gu, (sign) => `&#${sign.codePointAt(0)};`),
      (text) => text.replace(/[<>&"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`),
    ];
    const words = fc.array(
      fc.constantFrom('Ana', 'Pérez', 'ñ', '東京', '😀', 'O"Hara', "d'Or", 'a/b', '\\', '\\"', '\n', '&', '<b>', ' ', 'x@y.example'),
      {
        minLength: 2,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(words, fc.nat(ways.length - 1), (parts, way) => {
        const secret = `k${parts.join('')}z`;
        const written = ways[way]?.(secret) ?? '';
        expect(hides([secret]).hideText(`of ${written}.`)).toBe('of [[v1]].');
      }),
    );
  });

  it('reads a text of many backslashes in one go', () => {
    const secret = `${'\\'.repeat(2_000)}"end`;
    expect(hides([secret]).hideText(`${'\\'.repeat(8_000)}"enc`)).toHaveLength(8_004);
    expect(hides([secret]).hideText(JSON.stringify(secret))).toBe('"[[v1]]"');
  });

  it('puts no mark back that a user typed, where a server may see its value', () => {
    const seen = [['$context', 'secrets']];
    expect(hides(['Canary Jones']).hideFrom({ a: 'of Canary Jones', b: 'of [[v1]]', c: '[[v1]]', d: '[[x]]' }, seen)).toEqual({
      a: 'of Canary Jones',
      b: 'of [ [v1]]',
      c: '[ [v1]]',
      d: '[[x]]',
    });
  });

  it('hides a number however it is written, in lists, in names and as a number', () => {
    const mask = hides(['5215512345678', 'Ana']);
    expect(mask.hideText('I am ANA, +52 1 55 1234-5678 or (521) 55-1234-5678')).toBe('I am [[v2]], [[v1]] or [[v1]]');
    expect(mask.hide({ phone: 5_215_512_345_678, list: ['x', 'ana'], Ana: true, left: 3 })).toEqual({
      phone: '[[v1]]',
      list: ['x', '[[v2]]'],
      '[[v2]]': true,
      left: 3,
    });
    expect(mask.show({ phone: '[[v1]]', text: 'Hi [[v2]], [[v9]]' })).toEqual({ phone: '5215512345678', text: 'Hi Ana, [[v9]]' });
    expect(hides([5_215_512_345_678]).show('[[v1]]')).toBe(5_215_512_345_678);
  });

  it('takes no mark that somebody types, and keeps those of a model', () => {
    const mask = hides(['secret']);
    expect(mask.hideText('say [[v1]] and [[[v1]]]')).toBe('say [ [v1]] and [ [ [v1]]]');
    expect(mask.hideAroundText('[[v1]] is secret')).toBe('[[v1]] is [[v1]]');
  });

  it('masks what is to be redacted with marks of its own, which last', () => {
    const config = { withhold: [], redact: ['email', 'phone', 'card', 'iban'] as const };
    const mask = maskOf([], { withhold: [], redact: [...config.redact] }, { get: () => undefined });
    const text = 'ana@example.com, 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, +51 987 654 321, ana@example.com, order 12345';
    const hidden = mask.hideText(text);
    expect(hidden).toBe('[[v1]], [[v3]], [[v2]], [[v4]], [[v1]], order 12345');
    expect(mask.showText(hidden)).toBe(text);
    const later = maskOf(mask.known, { withhold: [parsePath('$user.phone') ?? []], redact: [] }, { get: () => '51987654321' });
    expect(later.showText('[[v1]]')).toBe('ana@example.com');
    expect(later.describe()).toContain('[[v1]] is an e-mail address');
  });

  it('hides alike whatever it and the masks of other messages hid before', () =>
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(3), fc.oneof(value, fc.constantFrom('a@example.com', 'my mail: b@example.com', '4111 1111 1111 1111'))), {
          minLength: 1,
          maxLength: 12,
        }),
        (values, said) => {
          const config = { withhold: [['$context', 'secrets']], redact: [...(['email', 'card'] as const)] };
          const variables = { get: (path: Path) => getPath({ $context: { secrets: values } }, path) };
          const masks = [maskOf([], config, variables)];
          for (const [which, text] of said) {
            const mask = masks[which % masks.length] ?? maskOf([], config, variables);
            const fresh = maskOf(mask.known, config, variables);
            expect(mask.hideText(text)).toBe(fresh.hideText(text));
            expect(mask.hideAroundText(text)).toBe(fresh.hideAroundText(text));
            expect(mask.known).toEqual(fresh.known);
            masks.push(mask.next(config, variables));
          }
        },
      ),
    ));
});
