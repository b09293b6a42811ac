// A value that does not fit is refused with what to write: whatever is named there compiles.
import { describe, expect, it } from 'vitest';
import { evaluate, reason } from '../../test/evaluated.ts';
import { compileExpression } from './expression.ts';
import { languageFunctions } from './functions/index.ts';
import { binaryOperators } from './operators.ts';
import { describeCall, describeOverload } from './remedies.ts';
import type { Kind } from './value.ts';

const root = {
  $context: {
    qty: '3',
    price: 19.9,
    none: null,
    flag: true,
    day: '2026-12-01',
    local: '2026-12-01 15:30',
    list: ['a'],
    order: { Id: 7, first_name: 'Ana' },
    json: '{"a":1}',
    took: '90m',
    ms: 1_796_137_800_000,
    comma: '1.234,56',
  },
  $user: { timeZone: 'America/Lima' },
};
const refusal = (source: string): string => reason(() => evaluate(source, root));

describe('values that do not fit', () => {
  it.each([
    ['$context.price * $context.qty', 'number(…) makes a number of a text'],
    ['$context.qty > 2', 'number(…)'],
    ['$context.price * $context.none', 'gets a default with "??"'],
    ['"Hola " + $context.none', 'gets a default with "??"'],
    ['"Hola " + $context.flag', 'string(…)'],
    ['$context.list + "b"', '$context.list + [7]'],
    ['contains($context.list, "a")', '"a" in $context.list'],
    ['$context.qty in $context.day', 'contains(…) looks into a text'],
    ['"Hola {}".format($context.day)', '"%s".format([$context.name])'],
    ['timestamp(0) + "P1D"', 'duration("PT1H")'],
    ['timestamp(0) - 3600', 'duration("PT1H")'],
    ['timestamp(0) < $context.day', 'instant($context.date, "09:00")'],
    ['$context.took > duration("1h")', 'duration(…) makes a duration of a text'],
    ['duration("1h") > 30', 'getMinutes(…)'],
    ['json($context.json).a', 'json(bytes($context.text))'],
    ['"%.2f".format($context.price)', '"%.2f".format([$context.n])'],
    ['format($context.price, "0.00")', 'formatNumber($context.n, 2)'],
    ['formatNumber($context.qty)', 'number(…)'],
    ['string($context.order)', 'name a part of the object'],
    ['upper($context.list)', 'join($context.list, ", ")'],
    ['plus($context.day, "P1D")', 'instant($context.date, "09:00")'],
    ['timestamp($context.day)', 'instant($context.date, "00:00")'],
    ['timestamp($context.local)', '"Z" or an offset such as "-05:00"'],
    ['timestamp($context.ms)', 'divide milliseconds by 1000'],
    ['number($context.comma)', '"1.234,56" is no number'],
    ['int("12.7")', '"12.7" is no whole number'],
    ['duration("3 days")', 'write "P3D"'],
    ['duration("2 HRS")', 'write "PT2H"'],
    ['instant($context.day, "9:05")', 'write "09:05"'],
    ['time(timestamp(0), "UTC-5")', 'write "-05:00"'],
    ['time(timestamp(0), "GMT+5:30")', 'write "+05:30"'],
    ['time(timestamp(0), "America/Bogotá")', 'write "America/Bogota"'],
    ['time(timestamp(0), "sao paulo")', 'write "America/Sao_Paulo"'],
    ['time(timestamp(0), "nowhere")', 'a name such as "America/Lima"'],
    ['formatNumber(1, 2, "pt_BR")', 'write "pt-BR"'],
  ])('%s', (source, part) => {
    expect(refusal(source)).toContain(part);
  });

  it.each([
    ['$context.order.id', 'there is "Id"'],
    ['$context.order.firstName', 'there is "first_name"'],
    ['$context.order.last_name', '$context.order.last_name is missing; give a default'],
    ['$context.none.deep', '$context.none is null'],
    ['$context.list.length', 'size($context.list)'],
    ['$context.list.name', '.map(item, item.name)'],
    ['$context.list[1]', 'the list has 1 items'],
    ['$context.json.a', 'json(bytes(…))'],
    ['$context.qty.a', 'a text has no parts'],
    ['$context.price.a', 'a value of the kind number has no parts'],
    ['(timestamp(60) - timestamp(0)).days', 'getHours()'],
    ['first($context.list).x', 'a text has no parts'],
    ['[$context.order].map(o, o.ID)', '"ID" is missing: there is "Id"'],
    ['[$context.order].all(o, o.ID == 7) && true', 'there is "Id"'],
  ])('%s is missing, and why', (source, part) => {
    expect(refusal(source)).toContain(part);
  });

  it('formats a day as the same day in every zone', () => {
    for (const zone of ['America/Lima', 'Pacific/Kiritimati', 'UTC', 'Africa/Cairo', 'America/Santiago'])
      expect(evaluate(`format($context.day, "cccc d LLL yyyy", "${zone}", "en")`, root)).toBe('Tuesday 1 Dec 2026');
    // A day whose midnight the clocks skip.
    expect(evaluate('format("2026-09-06", "d LLL", "America/Santiago", "en")')).toBe('6 Sep');
    expect(refusal('format("2026-02-30", "d")')).toContain('not "2026-02-30"');
  });

  it('names only what compiles', () => {
    const kinds: readonly Kind[] = [
      'null',
      'bool',
      'number',
      'text',
      'list',
      'object',
      'timestamp',
      'duration',
      'bytes',
      'optional',
      'type',
    ];
    const pairs = kinds.flatMap((left) => kinds.map((right) => [left, right] as const));
    const told = new Set(
      [
        ...pairs.flatMap(([left, right]) =>
          [...binaryOperators.keys()].map((symbol) => describeOverload(symbol, left, right).split('; ').slice(1)),
        ),
        ...pairs.flatMap((pair) => languageFunctions.map((definition) => describeCall(definition, pair).split('; ').slice(2))),
      ].flat(),
    );
    const named = [
      'instant($context.date, "09:00")',
      'date($now)',
      '$now + duration("PT1H")',
      '$context.list + [7]',
      '$context.n in ["a", "b"]',
      '"a" in $context.list',
      'json(bytes($context.text))',
      '"%.2f".format([$context.n])',
      'formatNumber($context.n, 2)',
      'split($context.text, ",")',
      'join($context.list, ", ")',
    ];
    for (const source of named) {
      expect([...told].join('; ')).toContain(source);
      expect(reason(() => compileExpression(source))).toBe('');
    }
  });
});
