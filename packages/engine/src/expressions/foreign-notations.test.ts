// What authors of other products write is refused with what to write here: each remedy that names an expression is one that compiles.
import { describe, expect, it } from 'vitest';
import { reason } from '../../test/evaluated.ts';
import { compileExpression } from './expression.ts';

const refusal = (source: string): string => reason(() => compileExpression(source));

describe('notations of other languages', () => {
  it.each([
    ['$context.s | upper', 'upper($context.s)'],
    ['$context.s|upcase|strip', 'upper($context.s)'],
    ['$context.d | date: "dd/MM"', 'format($context.d, "dd/MM")'],
    ["$context.d | format('dd/MM')", "format($context.d, 'dd/MM')"],
    ['$context.s | default: "x"', '$context.s ?? "x"'],
    ['($context.s + "a") | 7', 'upper($context.name)'],
    ['$context.s ?: "x"', '"?:" is written "??"'],
    ['$context.s || "friend"', '"||" takes true and false on both sides, not text; a default is given with "??"'],
    ['$context.n <> 1', '"<>" is written "!="'],
    ['$context.n is null', '"is" is written "=="'],
    ['$context.n between 1 and 2', '$context.n >= 1 && $context.n <= 9'],
    ['$context.n in (1, 2)', '$context.n in [1, 2]'],
    ['$context.n++', 'an expression assigns nothing: a set node counts, with {{$context.count + 1}}'],
    ['$context.n += 1', 'an expression assigns nothing'],
    ['$context.n ** 2', '$context.side * $context.side'],
    ['$context.n ^ 2', '$context.side * $context.side'],
    ['$context.n * 1,16', 'a decimal number has a point, as in 1.16'],
    ['1,5 + 2', 'a decimal number has a point, as in 1.16'],
    ['"Hello " & $context.s', '"&" is written "&&" between conditions, and "+" between texts'],
    ['"Hello " . $context.s', 'texts are joined by "+", not by "."'],
    ['$context.s . $context.t', 'texts are joined by "+", not by "."'],
    ['$context.s like "a%"', 'like($context.name, "^A")'],
    ['$context.s == sí', 'a text is in quotes'],
    ['replace($context.s, /a/g, "")', 'a pattern is a text in quotes'],
    ['$context.l.reduce((sum, item) => sum + item, 0)', 'sum, min, max and join take a whole list'],
    ['$context.l[0:2]', 'slice($context.list, 0, 2)'],
    ['#each $context.l', 'list.map(item, item.name)'],
    ['#if $context.b', '$context.n > 1 ? "many" : "one"'],
    ['default($context.s, "x")', '$context.name ?? "none"'],
    ['plural($context.n, "a", "b")', '$context.n == 1 ? "item" : "items"'],
    ['$context.s.replaceAll("a", "b")', 'did you mean replace?'],
    ['year($now)', 'did you mean getFullYear?'],
    ['$now.toISOString()', 'did you mean string?'],
    ['toLocaleString($context.n)', 'did you mean formatNumber?'],
    ['endOf($now, "day")', 'startOf($now + duration("P1D"), "day")'],
    ['padStart($context.n, 3)', 'slice("00" + $context.n, -3)'],
    ['$context.l.sortBy(x, x.n)', 'a code node'],
    ['uuid()', 'a code node'],
    ['$context.s contains "a"', 'contains($context.name, "an")'],
    ['$context.s starts with "a"', 'startsWith($context.name, "An")'],
    ['$context.s ends with "a"', 'endsWith($context.name, "na")'],
    ['$context.l.0', '$context.list[0]'],
    ['$context.first name', '$context["first name"]'],
    ['$context.first-name', '$context["first-name"]'],
    ['${context.s}', 'a variable has no braces, as in $context.name'],
    ['@context.s', 'variables start with "$"'],
    ['typeof $context.s', 'type($context.name) == string'],
    ['new Date()', '"$now" is the instant'],
    ['today()', 'format($now, "yyyy-MM-dd")'],
    ['$today', 'did you mean $now?'],
    ['$ctx.n', 'did you mean $context?'],
    ['user.name', '"user" is written "$user"'],
    ['contact.name', '"contact" is written "$user"'],
    ['True', '"True" is written "true"'],
    ['None', '"None" is written "null"'],
    ['Math.round($context.n)', '"Math" is not needed: a function stands alone, as in round($context.n)'],
    ['if($context.n > 1, "a", "b")', '$context.n > 1 ? "many" : "one"'],
    ['iif($context.n > 1, "a", "b")', '$context.n > 1 ? "many" : "one"'],
    ['isEmpty($context.s)', '($context.name ?? "") == ""'],
    ['isset($context.s)', 'has($context.name)'],
    ['addDays($now, 1)', '$now + duration("P1D")'],
    ['dateDiff($now, $now)', 'timestamp("2031-04-03T09:00:00Z") - $now'],
    ['$context.l.push(1)', '$context.list + [7]'],
    ['random()', 'a random node'],
    ['JSON.parse($context.s)', 'json(bytes($context.text))'],
    ['formatDate($context.d, "dd")', 'did you mean format?'],
  ])('%s', (source, part) => {
    expect(refusal(source)).toContain(part);
  });

  it.each([
    'format($context.d, "dd/MM")',
    '$context.s ?? "x"',
    '$context.n >= 1 && $context.n <= 9',
    '$context.n in [1, 2]',
    '$context.count + 1',
    '$context.side * $context.side',
    'like($context.name, "^A")',
    'like($context.name, "(?i)an")',
    'slice($context.list, 0, 2)',
    '$context.name ?? "none"',
    '$context.n == 1 ? "item" : "items"',
    'startOf($now + duration("P1D"), "day")',
    'slice("00" + $context.n, -3)',
    'contains($context.name, "an") || startsWith($context.name, "An") || endsWith($context.name, "na")',
    '$context.list[0]',
    '$context["first name"]',
    'type($context.name) == string',
    'format($now, "yyyy-MM-dd")',
    '$context.n > 1 ? "many" : "one"',
    '($context.name ?? "") == ""',
    '$now + duration("P1D")',
    'timestamp("2031-04-03T09:00:00Z") - $now',
    '$context.list + [7]',
    '$context.list.filter(item, item > 0).first()',
    'json(bytes($context.text))',
  ])('%s is what is written here', (source) => {
    expect(() => compileExpression(source)).not.toThrow();
  });

  it.each(['$context.a - $context.b', '$context.list.map(item, $context.n - item)', '$context.schema.$ref', '$context.a .b'])(
    '%s stays as it was',
    (source) => {
      expect(() => compileExpression(source)).not.toThrow();
    },
  );
});
