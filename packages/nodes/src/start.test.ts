import type { Json, JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { start } from './start.ts';

function match(config: { keywords?: string[]; fallback?: boolean; match?: string }, text?: Json) {
  if (start.entry?.kind !== 'message') throw new Error('a start is entered by a message');
  return start.entry.match(start.config.parse(config), { id: 'm', type: 'text', ...(text !== undefined && { text }) });
}

describe('start, matching a message', () => {
  it.each([
    'pedido',
    'PEDIDO',
    '  Pedido\n',
    'pédido',
    'PE\u0301DIDO',
    'pedido!',
    '“Pedido”.',
    '¿Pedido?',
    '*pedido*',
    '📦 pedido 📦',
    '(pedido)',
    'ｐｅｄｉｄｏ',
    '\u202apedido\u202c',
    'pe\u200bdido',
    'pe\u00addido',
    '\u00a0pedido…',
  ])('matches %j with the keyword "Pedido"', (text) => {
    expect(match({ keywords: ['order', 'Pedido'] }, text)).toBe('keyword');
  });

  it.each(['pedidos', 'mi pedido', '#pedido', 'pe dido', '', ' ', '!', '📦'])('does not take %j for it: the whole text counts', (text) => {
    expect(match({ keywords: ['order', 'Pedido'] }, text)).toBeUndefined();
    expect(match({ keywords: ['order', 'Pedido'], fallback: true }, text)).toBe('fallback');
  });

  it('distinguishes words that differ in more than case and accents, in any script', () => {
    expect(match({ keywords: ['straße'] }, 'STRASSE')).toBe('keyword');
    expect(match({ keywords: ['दिन'] }, 'दान')).toBeUndefined();
    expect(match({ keywords: ['はい'] }, 'ばい')).toBeUndefined();
  });

  it('always matches a keyword with itself, in any case', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), (keyword) => {
        fc.pre(start.config.safeParse({ keywords: [keyword] }).success);
        expect(match({ keywords: [keyword] }, ` ${keyword.toLowerCase()} `)).toBe('keyword');
        expect(match({ keywords: [`${keyword}x`] }, keyword)).toBeUndefined();
      }),
    ));

  it.each<[Json | undefined]>([[undefined], [null], [7], [['order']]])('matches %j with no keyword, but with the fallback', (text) => {
    expect(match({ keywords: ['order', '7'] }, text)).toBeUndefined();
    expect(match({ keywords: ['order', '7'], fallback: true }, text)).toBe('fallback');
  });

  it('begins with no message at all by default', () => {
    expect(match({}, 'hello')).toBeUndefined();
  });

  it.each(['', ' ', '\u0301', '\u200b', '\u2800'])('refuses the invisible keyword %j', (keyword) => {
    expect(start.config.safeParse({ keywords: ['a', keyword] }).error?.issues).toMatchObject([{ path: ['keywords', 1] }]);
  });
});

describe('start, interrupting', () => {
  it('interrupts by keyword alone: without one it is refused, at the field', () => {
    expect(start.config.safeParse({ interrupts: true, fallback: true }).error?.issues).toMatchObject([{ path: ['interrupts'] }]);
    if (start.entry?.kind !== 'message') throw new Error('a start is entered by a message');
    expect(start.entry.interrupts?.(start.config.parse({ keywords: ['stop'], interrupts: true }))).toBe(true);
    expect(start.entry.interrupts?.(start.config.parse({ keywords: ['stop'] }))).toBe(false);
  });
});

describe('start, visited', () => {
  it('only leads on: what began the execution is written by the engine', () => {
    expect(visit(start, { trigger: { kind: 'message', message: { type: 'text', text: 'order' } } })).toMatchObject({
      by: 'next',
      writes: {},
    });
  });
});

describe('start, by what a message holds', () => {
  it.each<[match: string, keyword: string, text: string, takes: boolean]>([
    ['contains', 'cancel', 'Please CANCÉL it', true],
    ['contains', 'cancel', 'cancelled', true],
    ['words', 'cancel', 'Please cancel, it!', true],
    ['words', 'cancel', 'cancelled', false],
    ['words', 'my order', 'where is MY  order?', true],
    ['words', 'my order', 'order my', false],
    ['words', 'da', 'день да', false],
    ['words', '👍', 'Great 👍!', true],
    ['words', '👍', '???', false],
    ['words', '?', 'hello', false],
    ['pattern', '^order +[0-9]+$', 'Order  42', true],
    ['pattern', 'código', 'mi CÓDIGO', true],
    ['pattern', '^order', 'my order', false],
    ['exact', 'cancel', 'please cancel', false],
    ['exact', 'don’t stop', 'DON\u00b4T  stop!', true],
    ['exact', '👍', '👍🏽!', true],
    ['exact', '?', '??', false],
    ['contains', '?', 'really?', true],
    ['words', "it's me", 'yes, it’s me.', true],
    ['verbatim', 'Ab-1', 'Ab-1', true],
    ['verbatim', 'Ab-1', 'ab-1', false],
    ['verbatim', 'Ab-1', 'Ab-1.', false],
    ['verbatim', 'Ab-1', ' Ab-1', false],
  ])('%s %j matches %j: %s', (how, keyword, text, takes) => {
    expect(match({ keywords: [keyword], match: how }, text)).toBe(takes ? 'keyword' : undefined);
  });

  it('refuses a malformed pattern, at its place, and matches in linear time', () => {
    expect(start.config.safeParse({ keywords: ['a', '('], match: 'pattern' }).error?.issues).toMatchObject([{ path: ['keywords', 1] }]);
    expect(start.config.safeParse({ keywords: ['a'.repeat(10_000)], match: 'pattern' }).success).toBe(false);
    expect(match({ keywords: ['^(a+)+$'], match: 'pattern' }, `${'a'.repeat(50_000)}!`)).toBeUndefined();
  });

  it('matches by words whatever it matches exactly, and by parts whatever it matches by words', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,6}$/), fc.stringMatching(/^[a-z .,]{0,30}$/), (keyword, text) => {
        const [exact, words, contains] = ['exact', 'words', 'contains'].map(
          (how) => match({ keywords: [keyword], match: how }, text) === 'keyword',
        );
        expect(!exact || words).toBe(true);
        expect(!words || contains).toBe(true);
        expect(match({ keywords: [keyword], match: 'words' }, `${text} ${keyword} ${text}`)).toBe('keyword');
      }),
    ));
});

describe('start, by an identifier', () => {
  const given = (config: object, message: JsonObject) => {
    if (start.entry?.kind !== 'message') throw new Error('a start is entered by a message');
    return start.entry.match(start.config.parse(config), { id: 'm', ...message });
  };
  const button = { type: 'button', text: 'Empezar', payload: 'GET_STARTED' };

  it.each<[string, object, JsonObject, string | undefined]>([
    ['a payload under a translated title', { payloads: ['GET_STARTED'] }, button, 'payload'],
    ['a payload that is a keyword', { keywords: ['get_started'], match: 'words' }, button, 'payload'],
    ['a payload of which a keyword is a part', { keywords: ['started', 'get'], match: 'contains' }, button, undefined],
    ['a payload in another case', { payloads: ['get_started'] }, button, undefined],
    ['a text that is like a payload', { payloads: ['GET_STARTED'] }, { type: 'text', text: 'GET_STARTED' }, undefined],
    ['the title, as before', { keywords: ['empezar'] }, button, 'keyword'],
    ['a payload before the fallback', { payloads: ['GET_STARTED'], fallback: true }, button, 'payload'],
    ['the reference of a link', { refs: ['sale'] }, { type: 'referral', referral: { ref: 'sale', source: 'SHORTLINK' } }, 'payload'],
    ['an advertisement', { refs: ['120'] }, { type: 'text', text: 'Hi', referral: { source_id: '120', source_type: 'ad' } }, 'payload'],
    ['another reference', { refs: ['sale'] }, { type: 'text', text: 'sale', referral: { ref: 'sales' } }, undefined],
    ['a reference that is no text', { refs: ['7'] }, { type: 'text', text: 'Hi', referral: { ref: 7 } }, undefined],
    ['a referral that is no object', { refs: ['sale'] }, { type: 'text', text: 'Hi', referral: 'sale' }, undefined],
  ])('takes %s as such', (_what, config, message, by) => {
    expect(given(config, message)).toBe(by);
  });

  it('interrupts by each of them', () => {
    for (const config of [{ payloads: ['A'] }, { refs: ['a'] }])
      expect(start.config.safeParse({ ...config, interrupts: true }).success).toBe(true);
  });
});

describe('start, tried with long messages', () => {
  /** What all keywords spend on a message, and how often they ask for more than there is. */
  function spent(config: object, text: string, budget = Number.POSITIVE_INFINITY) {
    let [work, refusals] = [0, 0];
    const spend = (more: number): boolean => {
      work += more;
      if (work > budget) refusals += 1;
      return work <= budget;
    };
    if (start.entry?.kind !== 'message') throw new Error('a start is entered by a message');
    const message = { type: 'text', text };
    let made = 0;
    const once = <Made>(make: (message: JsonObject) => Made): Made => ((made += 1), make(message));
    const matched = start.entry.match(start.config.parse(config), message, { spend, once });
    return { work, refusals, made, matched };
  }
  const keywords = Array.from({ length: 100 }, (_, index) => `${'ab'.repeat(50)}c${index}`);

  it.each(['exact', 'contains', 'words', 'verbatim'])('looks at the first 4,096 characters only, and folds them once (%s)', (match) => {
    const [one, many] = [5_000, 1_000_000].map((length) => spent({ keywords, match }, 'ab'.repeat(length / 2)));
    expect(many).toEqual(one);
    expect(many?.made).toBe(1);
    expect(spent({ keywords: ['stop'], match: 'contains' }, `${' x'.repeat(2_040)} stop`).matched).toBe('keyword');
    expect(spent({ keywords: ['stop'], match: 'contains' }, `${' x'.repeat(2_048)} stop`).matched).toBeUndefined();
  });

  it('matches no pattern that would go over the budget, and still begins as the fallback', () => {
    const patterns = Array.from({ length: 100 }, () => '[a-z]{0,90}[0-9]i');
    const { work, refusals, matched } = spent({ keywords: patterns, match: 'pattern', fallback: true }, 'i'.repeat(4_090), 10_000_000);
    expect(matched).toBe('fallback');
    expect(refusals).toBeGreaterThan(0);
    expect(work).toBeLessThan(10_000_000 + 11_000_000); // what one pattern may spend, once
  });

  it('tries no pattern on a message without the letters that it needs', () => {
    const config = { keywords: ['^[a-z]{0,90} order [0-9]i$'], match: 'pattern' };
    expect(spent(config, 'a'.repeat(4_000)).work).toBeLessThan(10_000);
    expect(spent(config, 'aa ORDER 7I').matched).toBe('keyword');
  });
});
