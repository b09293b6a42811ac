import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, reason, variables } from '../../test/evaluated.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { VariableView } from '../variables/view.ts';
import { compileExpression } from './expression.ts';
import { compileJson, compileText } from './template.ts';

describe('an expression', () => {
  describe('is refused before it takes long (P20)', () => {
    const list = Array.from({ length: 1_000 }, (_, n) => n);
    const text = `${'a'.repeat(60_000)}!`;
    const patterns = list.map((n) => `((a{0,10}){0,10}){0,${(n % 10) + 1}}c$`);
    const entries = list.map((n) => [`k${n}`, n] as const);
    const values: JsonObject = {
      $context: {
        list,
        text,
        patterns,
        big: Object.fromEntries(entries),
        other: Object.fromEntries([...entries.slice(0, -1), ['k999', 0]]),
      },
    };

    it.each([
      ['a pattern with many instructions on a long text', 'like($context.text, "((a{0,10}){0,10}){0,10}$")'],
      ['patterns out of a variable', '$context.patterns.exists(p, like("b", p))'],
      ['a pattern out of a long text', 'like("a", $context.text)'],
      ['a pattern that repeats too much', `like("a", "${'a{900}'.repeat(20)}")`],
      ['a linear pattern for each item', '$context.list.exists(n, like($context.text, "^(a+)+$"))'],
      ['all of a text for each item', '$context.list.all(n, size($context.text) > n)'],
      ['all of an object for each item', '$context.list.exists(n, $context.big == $context.other)'],
      ['lists made of a text again and again', `$context.text.split("")${'.map(c, c + "b" + "c" + string(c == "a"))'.repeat(6)}`],
      ['every part of a text searched for', '$context.list.exists(n, $context.text.contains("aaaaaaaaaaaaaaaaaaaaaaaab"))'],
      ['a sorted list for each item', '$context.list.exists(n, sort($context.list)[0] > 0)'],
      [
        'a zone for each item',
        '$context.list.map(n, timestamp(n).getHours("America/New_York") + timestamp(n).getDate("Asia/Tokyo") + timestamp(n).getMonth("Europe/Paris"))',
      ],
      ['texts that grow with each round', `"aaaaaaaaaa"${'.split("").join("aaaaaaaaaa")'.repeat(9)}`],
      ['items that double with each round', `["aaaa"]${'.map(x, x + x)'.repeat(30)}`],
      ['lists that double with each round', `[[1, 2]]${'.map(x, x + x)'.repeat(30)}`],
      ['items that stand twice in each round', `["a"]${'.map(x, [x, x])'.repeat(30)}`],
      ['a text between the items of a list', '$context.patterns.join($context.text)'],
      ['bytes as text as bytes', `${'bytes('.repeat(18)}$context.text${').hex()'.repeat(18)}`],
      ['a list made of lists', `(${Array.from({ length: 60 }, () => '$context.list').join(' + ')}).map(n, n + 1 + 2 + 3)`],
      ['lists made of lists', '$context.list.map(n, $context.text).map(t, size(t))'],
      ['one text many times over', `size((${Array.from({ length: 40 }, () => '$context.text').join(' + ')}).split(""))`],
    ])('%s', (_, source) => {
      expect(reason(() => compileExpression(source)(variables(values)))).toMatch(/too much|at most/);
    });

    it('or costs no more than it was charged, for any combination', () => {
      const rounds = fc.constantFrom(
        '.split("")',
        '.split("a")',
        '.join("")',
        '.join("abc")',
        '.join($context.text)',
        '.map(x, x + x)',
        '.map(x, [x, x])',
        '.map(x, {"a": x, "b": [x]})',
        '.map(x, x.a)',
        '.map(x, string(x))',
        '.map(x, x + $context.text)',
        '.filter(x, x != "")',
        '[0]',
      );
      const beginnings = fc.constantFrom('$context.text', '$context.list', '["a", $context.text]', '($context.list + $context.list)');
      const small: JsonObject = { $context: { list: ['a', 'bab', 'c'], text: 'abracadabra' } };
      fc.assert(
        fc.property(beginnings, fc.array(rounds, { maxLength: 14 }), (beginning, all) => {
          let result: unknown;
          const refusal = reason(() => (result = evaluate(beginning + all.join(''), small)));
          fc.pre(refusal === '' || refusal.includes('too much'));
          expect(JSON.stringify(result)?.length ?? 0).toBeLessThanOrEqual(limits.expressionWork);
        }),
      );
    });

    it('and what stays within bounds is not', () => {
      expect(evaluate('$context.list.all(n, $context.big == {"a": n})', values)).toBe(false);
      expect(evaluate('size($context.text.split("").map(c, c + "b" + "c"))', values)).toBe(60_001);
      const around: JsonObject = { $context: { list, other: list, csv: 'a,b,,c', objects: list.map((id) => ({ id, name: `n${id}` })) } };
      expect(evaluate('size($context.objects.filter(o, o.id in $context.other))', around)).toBe(1_000);
      expect(evaluate('$context.csv.split(",").filter(part, part != "").map(part, part + "!")', around)).toEqual(['a!', 'b!', 'c!']);
      expect(evaluate('$context.objects.map(o, string(o.id)).join("-").split("-").map(t, int(t))', around)).toEqual(list);
      expect(evaluate('size($context.objects.map(o, {"id": o.id, "all": [o, o]}).filter(o, o.id < 10))', around)).toBe(10);
      expect(evaluate('size($context.objects.filter(o, like(o.name, "^n[0-9]+7$")))', around)).toBe(99);
    });
  });
});

describe('what expressions come to', () => {
  const text = 'x'.repeat(64 * 1024);
  const values = variables({ $context: { text } });
  const most = limits.renderedBytes / text.length;

  it('is bounded in a text, before it is made (P16, P20)', () => {
    expect(compileText('{{$context.text}}'.repeat(most))(values)).toHaveLength(limits.renderedBytes);
    expect(reason(() => compileText(`{{$context.text}}`.repeat(most) + '.')(values))).toContain('more than 2097152 bytes');
    expect(reason(() => compileText('{{$context.text}}'.repeat(20_000))(values))).toContain('more than 2097152 bytes');
  });

  it('is bounded in a value with texts, before it is written (P16, P20)', () => {
    const list = (length: number) => compileJson(Array.from({ length }, () => '{{$context.text}}'));
    expect(list(most - 1)(values)).toHaveLength(most - 1);
    expect(reason(() => list(most)(values))).toContain('more than 2097152 bytes');
    expect(reason(() => list(10_000)(values))).toContain('more than 2097152 bytes');
  });

  it.each([
    ['lists', '$context.list.map(n, $context.list).size()'],
    ['patterns', 'like($context.text, "^(a+)+$")'],
    ['texts', undefined],
  ])('is bounded in all that one advance makes of %s (P20)', (_what, source) => {
    const list = Array.from({ length: 900 }, (_, n) => n);
    const view = new VariableView({ $context: { list, text: text.slice(0, 20_000) } }, 0);
    const render = source === undefined ? compileText('{{$context.text}}'.repeat(50)) : compileExpression(source);
    let times = 0;
    const refusal = reason(() => {
      for (; times < 1_000; times += 1) render(view);
    });
    expect(refusal).toContain('all expressions since the last wait');
    expect(times).toBeGreaterThan(10);
    expect(reason(() => render(new VariableView({ $context: { list, text: 'aaa' } }, 0)))).toBe('');
  });
});
