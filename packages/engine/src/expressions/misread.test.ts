// What compiles and is likely meant otherwise is told, with what to write; what looks like it and is right is not.
import { describe, expect, it } from 'vitest';
import { inferKind } from './expression.ts';

const misread = (source: string): readonly string[] => {
  const inferred = inferKind(source, () => 'any');
  return 'reason' in inferred ? [`refused: ${inferred.reason}`] : inferred.misread;
};

describe('expressions that are likely meant otherwise', () => {
  it.each([
    ['$context.count ?? 0 + 1', '($context.n ?? 0) + …'],
    ['$context.count ?? 0 > 3', '($context.n ?? 0) > …'],
    ['$context.answer ?? "" == "sí"', '($context.n ?? 0) == …'],
    ['$context.answer ?? "none" != "sí"', 'brackets'],
    ['$context.answer ?? "" in ["sí"]', 'brackets'],
    ['$context.list ?? [] + [1]', 'brackets'],
    ['$context.ok ?? false && $context.paid', 'brackets'],
    ['$context.total ?? 0 + $context.price * 2 > 100', 'brackets'],
    ['lower($message.text) == "Sí"', 'lower() gives small letters, and never "Sí"'],
    ['"SI" == lower($message.text)', 'small letters'],
    ['trim(lower($message.text)) in ["si", "Sí"]', 'small letters'],
    ['lower(trim($message.text)) == "si "', 'trim() leaves no blanks'],
    ['$message.text.upper().startsWith("Hola")', 'capital letters'],
    ['contains(lower($message.text), "QUIERO")', 'small letters'],
    ['upperAscii($context.code) != "abc"', 'capital letters'],
    ['time($now) >= "9:00"', 'time() gives a text such as "09:00", and never "9:00"'],
    ['time($now) == "09:00:00"', 'time() gives'],
    ['time($now, "America/Lima") < "6 pm"', 'time() gives'],
    ['date($now) == "29/11/2026"', 'date() gives a text such as "2026-12-01"'],
    ['date($now) == "2026-12"', 'date() gives'],
    ['getMonth($now) == 12', 'from 0 for January'],
    ['getDayOfWeek($now) in [6, 7]', 'from 0 for Sunday'],
    ['getDate($now) == 0', 'from 1'],
    ['format($now, "dd/mm/yyyy")', 'the month is "MM"'],
    ['$now.format("yyyy-mm-dd")', 'the month is "MM"'],
    ['format($now, "d.m.yy")', 'the month is "MM"'],
    ['format($now, "mm/dd/yyyy HH:mm")', 'the month is "MM"'],
    ['format($now, "dd/MM/yyyy HH:MM")', 'the minutes are "mm"'],
    ['format($now, "hh:mm tt")', '"a" is AM or PM'],
    ['format($now, "hh:mm")', 'counts to 12'],
    ['like($message.text, "/quiero/i")', '(?i)'],
    ['matches($message.text, "/^[0-9]+$/")', 'a pattern stands alone'],
    ['like($message.text, "%quiero%")', 'no wildcard'],
    ['replace($context.phone, "[^0-9]", "")', 'replace() takes "[^0-9]" as it stands'],
    ['$context.phone.replace("\\\\s", "")', 'as it stands'],
    ['split($context.text, "\\\\s+")', 'as it stands'],
    ['"Hola {{$user.names}}" + $context.name', 'join texts by "+"'],
    ['upper("$user.names") + $context.name', 'a variable has no quotes'],
    ['$context.list[-1]', 'last(list)'],
    ['split($user.names, " ")[-1] ?? ""', 'last(list)'],
    ['$context.n // 2', 'int($context.n / 2)'],
    ['$context.total // $context.people', 'begins a comment'],
    ['"Hola ${$user.names}"', 'join texts by "+"'],
    ['"Hola {$user.names}" + $context.name', 'join texts by "+"'],
  ])('%s', (source, part) => {
    expect(misread(source).join('; ')).toContain(part);
  });

  it.each([
    'format($now, "dd/MM/yyyy HH:mm")',
    'format($now, "mm")',
    'format($now, "HH:mm:ss")',
    'format($now, "h:mm a")',
    'format($now, "hh:mm:ss a, d MMMM")',
    'format($now, "t")',
    'format($now, "d MMM, t")',
    "format($now, \"d 'de' MMMM, HH'h'mm\")",
    'format($now, "DDD")',
    '"%s/mm/%d".format(["d", 1])',
    '($context.count ?? 0) + 1',
    '$context.price ?? $context.base + 1',
    '$context.greeting ?? "Hola " + $user.names',
    '$context.ok ?? false ? "a" : "b"',
    '$context.rest ?? 100 - $context.done',
    'lower($message.text) == "sí"',
    'lower($message.text) == lower("Sí")',
    'upper($context.code) in ["AB-1", "ÑANDÚ"]',
    'contains(upper($context.code), "7")',
    'startsWith(date($now), "2026-12")',
    'date($now) >= "2026"',
    'time($now) >= "09"',
    'time($now) >= "09:00" && time($now) < "24:00"',
    'getMonth($now) == 11',
    'getDayOfWeek($now) in [0, 6]',
    'getHours($context.took) > 48',
    'like($context.url, "/orders/")',
    'contains($context.url, "/orders/")',
    'like($context.text, "[0-9]+%")',
    'like($context.text, "10%")',
    'replace($context.text, "[name]", $user.names)',
    'replace($context.price, "$", "")',
    '"$" + $context.price',
    '"$5.00 {{" + $context.name',
    '$context.list[0]',
    '$context.n - 1 > -1',
    '$context.n // how many there are',
    '"https://example.com/" + $context.name',
    "'http://2.example' + $context.name",
    '$context.price + " $/kg {net}"',
  ])('%s is as it is meant', (source) => {
    expect(misread(source)).toEqual([]);
  });
});
