/** The forms that CEL calls macros: what they refuse, how deep an expression may be, and which of their reads may be missing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, reason } from '../../test/evaluated.ts';
import { compileExpression } from './expression.ts';

const refusal = (source: string): string => reason(() => compileExpression(source));

describe('has', () => {
  const values = fc.constantFrom(
    '$context.n > 5',
    '!$context.n',
    '-$context.n',
    '1',
    '"a"',
    '[$context.n]',
    '{"n": $context.n}',
    'size($context.n)',
    '$context.n.size()',
    '$context.n ?? 0',
    '$context.n ? 1 : 2',
    'has($context.n)',
    '$now',
    '$context.list.map(n, n)',
    '$context.n.?a.orValue(1)',
    '($context.n && true)',
    '$context.n in [1]',
  );

  it('takes a path or a step into a result, and refuses whatever has a value or fails', () =>
    fc.assert(
      fc.property(values, (value) => {
        expect(refusal(`has(${value})`)).toContain('has() takes a place');
      }),
    ));

  it.each(['$context.n', '$error', '$context["n"]', '$context[$context.n]', '$context.?n', 'first([]).a', '{"a": 1}.b', '[[1]][0][4]'])(
    'asks for %s',
    (place) => expect(evaluate(`has(${place})`)).toBe(false),
  );

  it('refuses the item itself, and asks for what stands in it', () => {
    expect(refusal('[1].exists(x, has(x))')).toContain('has() takes a place');
    expect(evaluate('[{"a": 1}, {}].map(x, has(x.a))')).toEqual([true, false]);
  });
});

describe('a macro', () => {
  it.each([
    ['[1].exists($context, $context > 0)', 'no "$"'],
    ['[1].map($user, 1)', 'no "$"'],
    ['[1].all($webhook, true)', 'no "$"'],
    ['[1].filter($now, true)', 'no "$"'],
    ['[1].exists_one($item, true)', 'no "$"'],
    ['map([1], x, x)', 'list.map('],
    ['orValue(1)', '".?"'],
    ['isThere($context.n)', 'has()'],
    ['coalesce($context.n, 1)', '"??"'],
  ])('is refused where it is spelled wrongly: %s', (source, words) => expect(refusal(source)).toContain(words));

  it.each([
    ['$context.a.?b', [['$context', 'a', 'b'], true], [['$context', 'a'], false]],
    ['$context.?a', [['$context', 'a'], true]],
    ['has($context.a.?b)', [['$context', 'a', 'b'], true]],
    ['$context.a.?b ?? 1', [['$context', 'a', 'b'], true]],
    ['$context.a.b', [['$context', 'a', 'b'], false]],
  ])('lets only that be missing which it handles: %s', (source, ...reads) =>
    expect(compileExpression(source).reads.map(({ path, isOptional }) => [path, isOptional])).toEqual(reads),
  );
});

describe('sortBy', () => {
  const part = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(0.5));
  const word = fc.string({ unit: fc.constantFrom('a', 'B', 'ñ', '🚀'), maxLength: 3 });

  it('keeps every item, in the order of its part, and equal ones as they were', () =>
    fc.assert(
      fc.property(fc.oneof(fc.array(part, { maxLength: 12 }), fc.array(word, { maxLength: 12 })), (parts) => {
        const list = [...parts.entries()].map(([at, n]) => ({ n, at }));
        const expected = list.toSorted((left, right) => (left.n < right.n ? -1 : left.n > right.n ? 1 : left.at - right.at));
        expect(evaluate('$context.list.sortBy(i, i.n)', { $context: { list } })).toEqual(expected);
        expect(evaluate('$context.list.map(i, i.n).sort()', { $context: { list } })).toEqual(expected.map(({ n }) => n));
      }),
    ));

  it.each([
    ['[{"n": 1}, {"n": "a"}].sortBy(i, i.n)', 'sortBy() takes keys of one kind, not number and text'],
    ['[{"n": 1}].sortBy(i, i)', 'list.sortBy(item, item.price)'],
    ['[{"n": null}].sortBy(i, i.n)', 'not null'],
    ['[{}].sortBy(i, i.n)', '"n" is missing'],
    ['[1].sortBy(i, i, i)', 'a name for its item'],
    ['[[2], [1]].sortBy(i, i.sortBy(j, j))', 'another list operation'],
    ['(1).sortBy(i, i)', 'goes through a list'],
  ])('refuses %s', (source, words) => expect(reason(() => evaluate(source))).toContain(words));
});

describe('a condition that gives the place a default', () => {
  /** Whether a read of the place in the branch may be missing. */
  const mayBeMissing = (source: string): boolean => compileExpression(source).reads.some(({ isOptional }) => !isOptional);

  it.each([
    '($context.s ?? "") == "" ? "none" : $context.s',
    '($context.s ?? "") != "" ? $context.s : "none"',
    '"" != ($context.s ?? "") ? $context.s : "none"',
    '!(($context.s ?? "") == "") ? $context.s : "none"',
    'trim($context.s ?? "") == "" ? "none" : $context.s',
    '($context.s ?? "").trim().size() > 2 ? $context.s : "none"',
    '($context.s ?? "no") == "yes" ? $context.s : "none"',
    '($context.n ?? 0) > 0 ? $context.n : 1',
    '0 < ($context.n ?? 0) ? $context.n : 1',
    '($context.n ?? 0) >= 1 && $context.n < 5',
    'size($context.l ?? []) == 0 ? "none" : first($context.l)',
    'size($context.l ?? []) > 0 ? $context.l : [1]',
    '($context.l ?? []) == [] || size($context.l) == 3',
    '($context.b ?? false) == true ? $context.b : false',
  ])('finds it in the other branch: %s', (source) => expect(mayBeMissing(source)).toBe(false));

  it.each([
    '($context.s ?? "") == "" ? $context.s : "none"',
    '($context.s ?? "") != "a" ? $context.s : "none"',
    '($context.s ?? "x") != "" ? $context.s : "none"',
    '($context.s ?? "") == "" ? "none" : $context.t',
    '($context.n ?? 1) > 0 ? $context.n : 1',
    '($context.n ?? 0) >= 0 ? $context.n : 1',
    'size($context.l ?? [1]) > 0 ? $context.l : [1]',
    '($context.s ?? $context.t) == "" ? "none" : $context.s',
    '($context.s ?? "") == ($context.t ?? "") ? $context.s : "none"',
  ])('does not where it may be missing all the same: %s', (source) => expect(mayBeMissing(source)).toBe(true));
});

describe('an expression that is too deep', () => {
  const forms: readonly (readonly [string, (n: number) => string])[] = [
    ['!', (n) => `${'!'.repeat(n)}true`],
    ['-', (n) => `${'-'.repeat(n)}1`],
    ['- with blanks', (n) => `${'- '.repeat(n)}1`],
    ['! and -', (n) => `${'!-'.repeat(n)}1`],
    ['! in a comparison', (n) => `1 == ${'!'.repeat(n)}1`],
    ['brackets', (n) => `${'('.repeat(n)}1${')'.repeat(n)}`],
    ['lists', (n) => `${'['.repeat(n)}${']'.repeat(n)}`],
    ['objects', (n) => `${'{1:'.repeat(n)}1${'}'.repeat(n)}`],
    ['calls', (n) => `${'trim('.repeat(n)}1${')'.repeat(n)}`],
    ['methods', (n) => `"a"${'.trim()'.repeat(n)}`],
    ['choices', (n) => `${'true?1:'.repeat(n)}1`],
    ['choices in choices', (n) => `${'true?'.repeat(n)}1${':1'.repeat(n)}`],
    ['defaults', (n) => `${'1??'.repeat(n)}1`],
    ['indexes', (n) => `$context${'[-$context'.repeat(n)}${']'.repeat(n)}`],
    ['optional steps', (n) => `$context${'.?a'.repeat(n)}`],
    ['has', (n) => `${'has('.repeat(n)}$context.a${')'.repeat(n)}`],
  ];

  it.each(forms)('is refused with a sentence: %s', (_, form) =>
    fc.assert(
      fc.property(fc.constantFrom(45, 501, 5_000, 60_000), (n) => {
        expect(refusal(form(n))).toMatch(/levels deep|more than 500 names|more than 65536 characters/);
      }),
      { numRuns: 8 },
    ),
  );
});

describe('encodeURIComponent', () => {
  it('encodes as JavaScript does', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const encoded = evaluate('encodeURIComponent($context.text)', { $context: { text } });
        expect(encoded).toBe(encodeURIComponent(text));
      }),
    ));

  it.each(['\ud800', 'a\udc00b', '\udc00\ud800'])('refuses half a surrogate pair', (text) =>
    expect(reason(() => evaluate('encodeURIComponent($context.text)', { $context: { text } }))).toContain('half a surrogate pair'),
  );
});

describe('what CEL has beside', () => {
  it.each([
    ['["a", "b"].exists(i, v, i == 1 && v == "b")', true],
    ['{"a": 1}.all(k, v, k == "a" && v == 1)', true],
    ['[1, 2, 2].existsOne(v, v == 2)', false],
    ['[3, 3].exists_one(i, v, i == 1 && v == 3)', true],
    ['["a", "b"].transformList(i, v, i > 0, [i, v])', [[1, 'b']]],
    ['{"a": 1, "b": [2]}.transformMap(k, v, k == "b", v[0])', { b: 2 }],
    ['$context.?none.optMap(x, x + 1).orValue(9)', 9],
    ['$context.?n.optMap(x, x + 1).orValue(9)', 8],
    ['$context.?n.optFlatMap(x, optional.none()).hasValue()', false],
    ['optional.of(null).hasValue()', true],
    ['math.greatest([1, 5, 3]) - math.least(4, 2)', 3],
    ['math.round(2.5) + math.trunc(-1.5) + math.sign(-0.5)', 1],
    ['{"math": {"abs": 1}}.math.abs', 1],
    ['"abcabc".matches("^(abc)+$")', true],
    ['reverse("a👍b")', 'b👍a'],
    ['charAt("👍b", 1) + charAt("b", 1)', 'b'],
  ])('%s', (source, value) => expect(evaluate(source, { $context: { n: 7 } })).toEqual(value));

  it.each([
    ['[1].transformList(i, i)', 'two names'],
    ['[1].transformMap(x, 1)', 'two names'],
    ['[1].all(i, i, true)', 'differ'],
    ['[1].exists($context, x, true)', 'no "$"'],
    ['[1].optMap(x, x)', 'what ".?" gives'],
    ['charAt("a", 2)', 'outside'],
    ['math.sqrt(-1)', 'finite'],
    ['format($now, $context.p ?? "YYYY")', 'yyyy'],
    ['format($now, $context.b ? "yyyy" : "DD")', 'dd'],
    ['date($now, $context.b ? "UTC" : "Nowhere/None")', 'no time zone'],
    ['formatNumber(1, 2, $context.l ?? "zz")', 'no locale'],
  ])('refuses %s', (source, words) => expect(refusal(source)).toContain(words));

  it('names the patterns of a choice and of a default, for the check', () => {
    const { patterns } = compileExpression('like($context.t, $context.b ? "(a" : $context.p ?? "[b") || $context.t.matches("c)")');
    expect(patterns.map(({ pattern }) => pattern)).toEqual(['(a', '[b', 'c)']);
  });
});
