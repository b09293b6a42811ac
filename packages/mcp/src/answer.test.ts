import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, describeAnswer, describeRefusal, fitAnswer, maxAnswerChars } from './answer.ts';
import { budgetLimits, createCallBudget } from './budget.ts';

describe('the size of an answer', () => {
  const large = fc.integer({ min: 0, max: 90_000 }).map((length) => 'é"\n😀'.repeat(length / 5));
  const field = fc.oneof(
    fc.jsonValue(),
    large,
    fc.array(large, { maxLength: 4 }),
    large.map((text) => ({ text })),
  );

  it('is at most 64 KB whatever a tool found, and what is left out is named', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ maxLength: 12 }).filter((name) => name !== 'truncated'),
          field,
          { maxKeys: 8 },
        ),
        (value) => {
          const fitted = fitAnswer(value);
          const text = JSON.stringify(fitted);
          expect(text.length).toBeLessThanOrEqual(maxAnswerChars);
          const { truncated: named = [] } = fitted as { readonly truncated?: readonly string[] };
          const isShort = JSON.stringify(value).length < maxAnswerChars - 1_000;
          expect(isShort && named.length > 0).toBe(false);
          const kept = Object.keys(value).filter((name) => !named.includes(name));
          expect(kept.map((name) => fitted[name])).toEqual(kept.map((name) => value[name]));
        },
      ),
    );
  });

  it.each([maxAnswerChars - 1, maxAnswerChars, maxAnswerChars + 1])('counts the picture by itself: %i characters', (length) => {
    const { content, structuredContent } = describeAnswer({
      text: 'A picture',
      value: {},
      picture: { uri: 'hilo://x', svg: 'x'.repeat(length) },
    });
    expect(content).toHaveLength(length > maxAnswerChars ? 1 : 2);
    expect(structuredContent).toEqual(length > maxAnswerChars ? { truncated: ['picture'] } : {});
  });

  it('cuts no character in two', () => {
    expect([cut('abc', 3), cut('abcd', 3), cut('a😀b', 3)]).toEqual(['abc', 'ab…', 'a…']);
  });
});

describe('what nobody sees in an answer', () => {
  const hidden = fc.constantFrom(
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u034f',
    '\u3164',
    '\u{e0041}',
    '\u{e0100}',
    '\ufe01\ufe02',
    '\u202e',
    '\u009b',
    '\u0007',
  );
  const word = fc.stringMatching(/^[a-z ]{1,60}$/);
  const text = fc.tuple(word, hidden, word).map((parts) => parts.join(''));

  it('is told with its place, and stands in no text', () => {
    fc.assert(
      fc.property(text, text, fc.nat(12), (message, name, places) => {
        const value = { list: Array.from({ length: places }, () => ({ message })), [name]: 1 };
        for (const { content, structuredContent } of [
          describeAnswer({ text: name, value }),
          describeRefusal({ code: 'NO', message: name, details: value }),
        ]) {
          expect(structuredContent).toMatchObject(value);
          const [said] = content;
          const told = said?.type === 'text' ? said.text : '';
          expect(told).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Cc}/u);
          expect(told.includes('/list/0/message (\\u')).toBe(places > 0);
          expect(told).toMatch(/nobody sees stand in .*\\u/);
          expect(/, and \d+ more/.test(told)).toBe(places + 1 > 10);
        }
      }),
    );
  });

  it('is not told of emoji and of scripts that need it', () => {
    const value = { text: '👩\u200d👩\u200d👧 ✔\ufe0f 1\ufe0f\u20e3 می\u200cخواهم\n\tשלום' };
    expect(describeAnswer({ text: 'Found.', value }).content).toEqual([{ type: 'text', text: 'Found.' }]);
  });

  it('is a reference in a picture', () => {
    const { content } = describeAnswer({ text: '', value: {}, picture: { uri: 'hilo://x', svg: '<text>a\u{e0041}\u200b</text>' } });
    expect(content[1]).toMatchObject({ resource: { text: '<text>a&#xe0041;&#x200b;</text>' } });
  });
});

describe('what a client may ask', () => {
  it('is a burst, and then five calls a second', () => {
    let nowMs = 0;
    const budget = createCallBudget(() => nowMs);
    const take = (times: number): number => Array.from({ length: times }, () => budget.takeCall()).filter(Boolean).length;
    expect(take(budgetLimits.burst + 5)).toBe(budgetLimits.burst);
    nowMs += 199;
    expect(take(3)).toBe(0);
    nowMs += 1;
    expect(take(3)).toBe(1);
    nowMs += 3_600_000;
    expect(take(100)).toBe(budgetLimits.burst);
  });

  it('is two simulations at once, and the next when one has ended', async () => {
    const budget = createCallBudget(() => 0);
    const ends = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const under = ends.map(({ promise }) => budget.simulate(() => promise));
    expect(budget.simulate(async () => 3)).toBeUndefined();
    ends[0]?.reject(new Error('It failed'));
    await expect(under[0]).rejects.toThrow('It failed');
    expect(await budget.simulate(async () => 3)).toBe(3);
  });
});
