import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { evaluate, reason, variables } from '../../test/evaluated.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { compileExpression } from './expression.ts';
import { compileJson, compileText, isExpression, isTemplate } from './template.ts';

const order: JsonObject = {
  $input: { in: { true: 2 } },
  $webhook: { order: { body: { id: 'A-17', items: [{ qty: 2 }], note: null } } },
  $context: { n: 7, s: 'x', list: [1, 2, 3], 'dash-ed': 1 },
};

describe('expression', () => {
  it.each<[string, Json]>([
    ['$webhook.order.body.id', 'A-17'],
    ['$webhook.order.body.items[0].qty', 2],
    ['$webhook.order.body.items[0].qty + 1', 3],
    ['$context["dash-ed"]', 1],
    ['1 + 1', 2],
    ['7 / 2', 3.5],
    ['12 / 5', 2.4],
    ['12 == 12.0', true],
    ['$context.s + 1', 'x1'],
    ['1 + $context.s', '1x'],
    ['"a" + 12.0', 'a12'],
    ['$input.in.true + 1', 3],
    ['"." in ["."]', true],
    ['$context.n / 2', 3.5],
    ['$context.n % 2 == 1', true],
    ['$context.n > 6 && $context.s == "x"', true],
    ['size($context.list)', 3],
    ['$context.list.map(x, x * 2)', [2, 4, 6]],
    ['$context.list.exists(x, x == $context.n)', false],
    ['$context.none ?? "d"', 'd'],
    ['$context.none.deeper ?? $nothing ?? $context.s'.replace('$nothing', '$item'), 'x'],
    ['$webhook.order.body.note ?? "no note"', 'no note'],
    ['($context.none ?? "a ?? b") + "!"', 'a ?? b!'],
    ['$context.?none ?? "d"', 'd'],
    ['$webhook.order.body.?note ?? "no note"', 'no note'],
    ['$context.?n ?? 1', 7],
    ['$context.list[?9] ?? 0', 0],
    ['has($context.?none) || !has($context.?n)', false],
    ['$context.list.map(v_n, v_n + 1)', [2, 3, 4]],
    ['$context.hilo_n ?? "a field of that name"', 'a field of that name'],
    ['$context.n > 5 ? $context.none ?? "t" : "f"', 't'],
    ['has($context.none)', false],
    ['has($context.none.deeper.still)', false],
    ['has($item.x) || has($item)', false],
    ['has($webhook.order.body.note) && !has($context.s.x)', true],
    ['$context.list.exists(has, has == 2)', true],
    ['$context.has ?? "a field of that name"', 'a field of that name'],
    ['size(split("año 🚀", ""))', 5],
    ['split("🚀x", "", 1)', ['🚀x']],
    ['[-.25, 1 + .5e1, true?.5:.7, "a.5 .5" + .5, round(1e308, 2)]', [-0.25, 6, 0.5, 'a.5 .50.5', 1e308]],
    ['$context.s.like("^[xyz]$")', true],
    ['like("aaaa", "b")', false],
    ['[{true: 1}[true], true in {true: 1}, {1: 2}[1], [1][?false].hasValue()]', [1, true, 2, false]],
    ['{"k": $context.n, "l": [1, "two"]}', { k: 7, l: [1, 'two'] }],
    ['"{{not}} a template"', '{{not}} a template'],
  ])('%s', (source, value) => {
    expect(evaluate(source, order)).toEqual(value);
  });

  it.each([
    ['$context.none', '$context.none is missing'],
    ['$context.none + 1', 'none'],
    ['$context.s - 1', 'overload'],
    ['like($context.s, "[")', 'missing closing ]'],
    ['$context.s.like("(a")', 'missing closing )'],
    ['$context.s + true', 'overload'],
    ['$context.s + sum([1e308, 1e308])', 'not a finite number'],
    ['$context.v_none + 1', 'v_none'],
  ])('fails at run time: %s', (source, part) => {
    expect(reason(() => evaluate(source, order))).toContain(part);
  });

  it.each([
    ['', 'empty'],
    ['$context.', ''],
    ['$nope.x', 'no scope "$nope"'],
    ['context.x', '"context" is written "$context": variables start with "$"'],
    ['Contact.x', '"Contact" is written "$user"'],
    ['v_context.x', 'variables start with "$"'],
    ['hilo_context.x', 'variables are written with "$"'],
    ['$context.constructor', 'no path leads to "constructor"; a key of that name is read by get(object, "constructor")'],
    ['$context.s.__proto__ + 1', 'no path leads to "__proto__"'],
    ['$user["prototype"].x', 'no path leads to "prototype"'],
    ['$context.list.map(x, $context.list.map(y, x * y))', 'nested'],
    ['$context.a = 1', ''],
    ['$context.a ??', 'needs a value on its left and one on its right'],
    ['?? $context.a', 'needs a value on its left and one on its right'],
    ['($context.a ?? ) + 1', 'needs a value on its left and one on its right'],
    ['uper($context.s)', 'there is no function "uper"; did you mean upper?'],
    ['$context.s.uper()', 'did you mean upper?'],
    ['$context.s.toUpperCase()', 'did you mean upper?'],
    ['$context.list.fitler(x, x > 1)', 'did you mean filter?'],
    ['xyzzy(1)', 'the page on expressions lists'],
    ['$now()', '"$now" is a variable and takes no brackets'],
    ['$contxt.s', 'did you mean $context?'],
    ['$order.s', 'there are $webhook, $context,'],
    ['$context.n === 7', 'compared by "==" and "!="; an expression assigns nothing (at "= 7")'],
    ['$context.n > 1 and true', '"and" is written "&&" (at "and true")'],
    ['$context.n > 1 or true', '"or" is written "||"'],
    ['not true', '"not" is written "!"'],
    ['“x”', 'straight quotes'],
    ['$context.list.map(x => x)', 'list.map(item, item.name)'],
    ['$context?.n', '"?." is written ".?" (at ".n")'],
    ['upper $context.s', 'a function has brackets, as in upper($context.name)'],
    ['(1 + 2', '")" is missing at its end'],
    ['1 .5', 'is missing at "5"'],
    ['true ? 1', '":" is missing at its end'],
    ['1 +', 'a value is missing at its end'],
    [`${'['.repeat(41)}${']'.repeat(41)}`, 'more than 40 levels deep'],
    [`${'['.repeat(60_000)}`, 'more than 40 levels deep'],
    [Array.from({ length: 300 }, () => '1').join(' + '), 'more than 500 names, values and operators'],
    ['has x '.repeat(10_000), 'an operator or a bracket is missing at "x has x'],
    ['startOf($now, "decade")', 'one of year, quarter'],
    ['format($now, $context.s, "UTC", "klingon")', 'there is no locale "klingon"'],
    [`format($now, "${'y'.repeat(101)}")`, 'at most 100 characters'],
    ['$now + duration("1 hour")', 'duration() takes a text such as 1h30m'],
    ['$now > timestamp("2026-02-30T00:00:00Z")', 'timestamp() takes ISO 8601'],
    ['$context.n > 1 ? formatNumber($context.n, 2, "xx") : "few"', 'there is no locale "xx"'],
    ['$now.hour', 'has no parts'],
    ['size($context.s, 1)', 'size'],
    ['"a" - 1', 'overload'],
    ['1 == "1"', 'overload'],
    ['1 / 0', 'zero'],
    ['int("x")', 'int()'],
    ['type(1)', 'no JSON value'],
    ['1 ? 2 : 3', 'must be bool'],
    ['() => 1', ''],
    ['$context.list.map(x, x', ''],
  ])('is refused when compiled: %s', (source, part) => {
    const message = reason(() => compileExpression(source));
    expect(message).toContain('Expression {{');
    expect(message).toContain(part);
  });

  it('has at most 65,536 characters, of which its error tells the first', () => {
    const text = 'x'.repeat(65_534);
    expect(evaluate(`"${text}"`)).toBe(text);
    const message = reason(() => compileExpression(`"${text}x"`));
    expect(message).toBe(`Expression {{"${'x'.repeat(199)}…}}: it has more than 65536 characters; keep long texts in variables`);
  });

  it('reads names with letters beyond ASCII, as set writes them', () => {
    const root: JsonObject = { $context: { año: { naïve: [1] }, 名前: 'x', n: 2 } };
    for (const [source, value] of [
      ['$context.año.naïve[0]', 1],
      ['$context.año.?naïve.orValue([])', [1]],
      ['$context.名前 + "y"', 'xy'],
      ['$context.edad ?? $context.n', 2],
      ['[$context.año].map(x, x.naïve)', [[1]]],
    ] as const)
      expect(evaluate(source, root)).toEqual(value);
    expect(compileExpression('$context.año + 1').reads).toEqual([{ path: ['$context', 'año'], isOptional: false }]);
    expect(reason(() => compileExpression('año'))).toContain('in quotes, as in "sí" (at "ño")');
  });

  it('asks for a place alone by "??" and has() as it does inside of more', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('$context.s', '$context.none', '$context.n', '$context.list', '$context.s.x', '$webhook.order.body.note', '$item'),
        fc.constantFrom('"d"', '1', '2.5', '-0.0', 'true', 'null', '3u'),
        (place, literal) => {
          const value = evaluate(`${place} ?? ${literal}`, order);
          expect(value).toEqual(evaluate(`[${place} ?? ${literal}][0]`, order));
          expect(evaluate(`has(${place})`, order)).toBe(evaluate(`!!has(${place})`, order));
          expect(compileExpression(`${place} ?? ${literal}`).reads).toMatchObject([{ isOptional: true }]);
        },
      ),
    ));

  it('bounds the list of a comprehension', () => {
    const list = (length: number): JsonObject => ({ $context: { list: Array.from({ length }, () => 1) } });
    expect(evaluate('size($context.list.filter(x, x == 1))', list(limits.comprehensionItems))).toBe(limits.comprehensionItems);
    expect(reason(() => evaluate('$context.list.all(x, x == 1)', list(limits.comprehensionItems + 1)))).toContain('at most');
  });

  it('answers a hostile pattern in linear time', () => {
    expect(evaluate('like($context.s, "(a+)+$")', { $context: { s: `${'a'.repeat(5_000)}!` } })).toBe(false);
  });

  it('lists its reads, and which of them are optional (VAR-02)', () => {
    expect(compileExpression('$webhook.a.body[0].x + ($context.b ?? $memory["c d"])').reads).toEqual([
      { path: ['$webhook', 'a', 'body', 0, 'x'], isOptional: false },
      { path: ['$context', 'b'], isOptional: true },
      { path: ['$memory', 'c d'], isOptional: false },
    ]);
    for (const path of ['$context.has', '$context. has', '$context  .  has'])
      expect(compileExpression(path).reads).toEqual([{ path: ['$context', 'has'], isOptional: false }]);
    expect(() => compileExpression('has()')).toThrow(/has/);
    expect(() => compileExpression('has')).toThrow('"has" is not a variable');
    expect(compileExpression('has($context.a) && $item.?b.orValue(1) == 1').reads.every(({ isOptional }) => isOptional)).toBe(true);
  });

  it('never reads a prototype, by any path (T8)', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('toString', 'valueOf', 'hasOwnProperty', 'constructor', '__proto__', 'prototype', 'length', 'map'),
        fc.jsonValue(),
        (name, json) => {
          const root = { $context: { value: json as Json } };
          if (json !== null && typeof json === 'object' && Object.hasOwn(json, name)) return;
          expect(reason(() => evaluate(`$context.value.${name}`, root))).not.toBe('');
          expect(evaluate(`$context.value.${name} ?? "none"`, root)).toBe('none');
        },
      ),
    ));
});

describe('template', () => {
  it('puts values into text', () => {
    expect(compileText('Order {{ $webhook.order.body.id }}: {{$context.list}} {{$webhook.order.body.note}}.')(variables(order))).toBe(
      'Order A-17: [1,2,3] .',
    );
  });

  it('keeps the type of a single expression', () => {
    expect(compileJson('{{$context.list}}')(variables(order))).toEqual([1, 2, 3]);
    expect(compileJson({ a: ['{{$context.n}}', ' {{$context.n}}'] })(variables(order))).toEqual({ a: [7, ' 7'] });
  });

  it.each(['{{', '}}', 'a {{ b', '{"a":{"b":1}}', '{ {x} }'])('leaves braces that are no expression: %s', (text) => {
    expect(compileText(text)(variables({}))).toBe(text);
  });

  it.each([
    'Hi {{$user.names',
    'Hi {{ $user.names }',
    '{{$context.s}} {{$context.s + "x}}',
    '{{upper("ana)}}',
    "{{ don't }}",
    '{{ {"a": 1 }}',
  ])('refuses an expression without its end: %s', (text) => {
    expect(reason(() => compileText(text))).toContain('"}}" at its end is missing');
    expect(isTemplate(text)).toBe(true);
  });

  it('detects whether a text contains an expression, and whether it is one as a whole', () => {
    const texts = ['{{', 'a {{ b', '{"a":{"b":1}}', 'a {{$context.s}}', '{{$context.s}} ', '{{$context.s}}{{$context.n}}', '{{ "}}" }}'];
    expect(texts.filter(isTemplate)).toEqual(texts.slice(3));
    expect(texts.filter(isExpression)).toEqual(['{{ "}}" }}']);
  });

  it('reads an expression that contains braces and quotes', () => {
    expect(compileText('{{ {"a": {"b": "}}"}}.a.b }}!')(variables({}))).toBe('}}!');
    expect(compileText(`{{ """a "b }} c" d""" + '''it's }}''' + "" }}!`)(variables({}))).toBe(`a "b }} c" dit's }}!`);
  });

  it.each([
    ["{{ 1 // it's one {\n + 1 }}!", '2!'],
    ["{{ 2 // it's two }} and {{ 3 }}", '2 and 3'],
    ['{{ "//" + "a" }}!', '//a!'],
    ['{{ $context.a ?? 1 // a default }}', '1'],
    ['{{ ($context.a // it may be missing ??\n ?? 2) + 1 // "(" ?? }}', '3'],
    ['{{ $context.a // who ? one : (two], three\n ?? [1, // the first }\n 2] }}', '[1,2]'],
    ['{{ 1 + // a half\n .5 // " }}', '1.5'],
    ['{{ $context.a // $none.is_read has(\n ?? "// b" }}', '// b'],
  ])('reads an expression with a comment, whatever is in it: %s', (source, result) => {
    expect(compileText(source)(variables({}))).toBe(result);
  });

  it.each([`{{${'//\n'.repeat(1_000)}`, '{{ 1 // one }} '.repeat(1_000)])('looks at each comment of a text once: %#', (text) => {
    const indexOf = vi.spyOn(String.prototype, 'indexOf');
    let searched = 0;
    try {
      isTemplate(text);
      for (const [index, { value }] of indexOf.mock.results.entries()) {
        const [within, from = 0] = [String(indexOf.mock.contexts[index]), indexOf.mock.calls[index]?.[1]];
        const found = Number(value);
        searched += (found < 0 ? within.length : found) - from;
      }
    } finally {
      indexOf.mockRestore();
    }
    expect(searched).toBeLessThan(20_000);
  });

  it('never evaluates inserted values (P29)', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `{{${text}}}`),
          fc.constant('{{$context.secret}}'),
        ),
        (text) => {
          const root = { $context: { text, secret: 'SECRET' } };
          expect(compileText('<{{$context.text}}>')(variables(root))).toBe(`<${text}>`);
          expect(compileJson('{{$context.text}}')(variables(root))).toBe(text);
        },
      ),
    ));

  it('accepts any text: it compiles, or reports why not', () =>
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('{', '}', '$', 'context', '.', '?', '??', '"', "'", '(', ')', '[', ']', ',', ' ', '1', 'x', '\\', '+', ':'),
          maxLength: 30,
        }),
        (text) => {
          const message = reason(() => compileText(text)(variables(order)));
          expect(message === '' || message.includes('Expression {{')).toBe(true);
        },
      ),
    ));
});
