// Work that takes as long as it may: expressions, code and functions that try to hold up a process.
import type { JsonObject } from '@hilo/engine/contract';
import { api, ask, condition, message, set } from '@hilo/nodes';
import { visit } from '@hilo/testing';

const list = Array.from({ length: 1_000 }, (_, n) => n);
const text = `${'a'.repeat(60_000)}!`;
const $context: JsonObject = {
  list,
  text,
  objects: list.map((id) => ({ id, name: `n${id}` })),
  patterns: list.map((n) => `((a{0,10}){0,10}){0,${(n % 10) + 1}}c$`),
};

/** Patterns, lists and texts that take as long as the language lets them. */
const hostileExpressions = [
  'like($context.text, "^(a+)+$")',
  'like($context.text, "((a{0,10}){0,10}){0,10}$")',
  'like($context.text, "(.*)(.*)(.*)(.*)(.*)(.*)[^a!]")',
  '$context.patterns.all(p, !like("b", p))',
  '$context.list.exists(n, like($context.text, "^(a+)+$"))',
  '$context.list.all(n, size($context.text) > n)',
  '$context.text.split("").map(c, c + "b")',
  'size($context.objects.filter(o, o.id in $context.list))',
  `size(${Array.from({ length: 10 }, () => '$context.text').join(' + ')})`,
];
const variables = { $context, $message: { text, type: 'text' } };
/** Visits of nodes with hostile expressions, and with a long answer; one that is refused throws. */
export const hostileVisits: readonly (() => unknown)[] = [
  ...hostileExpressions.flatMap((source) => [
    () => visit(set, { config: { assignments: [{ path: '$context.out', value: `{{${source}}}` }] }, variables }),
    () =>
      visit(condition, {
        config: { branches: [{ name: 'a', rule: { op: 'expression', expression: `{{dyn(${source}) == true}}` } }] },
        variables,
      }),
    () => visit(message, { config: { message: { type: 'text', text: `${'{{$context.text}}'.repeat(20)}{{${source}}}` } }, variables }),
    () => visit(api, { config: { url: 'https://api.test/', method: 'POST', body: { a: `{{${source}}}`, b: '{{$context}}' } }, variables }),
  ]),
  ...['email', 'phone', 'number', 'date'].map(
    (kind) => () =>
      visit(ask, {
        config: { message: { type: 'text', text: 'Say' }, input: { kind } },
        variables,
        results: [
          { kind: 'sent', messageId: 'm' },
          { kind: 'reply', message: { type: 'text', text } },
        ],
      }),
  ),
];

/** Functions that loop, fill their memory, answer much, log much, and fetch much. */
export const hostileFunctions: readonly string[] = [
  'export default () => { for (;;); };',
  'export default () => /^(a+)+$/.test("a".repeat(40) + "!");',
  'export default () => { const all = []; for (;;) all.push({ all }); };',
  'export default () => "x".repeat(999_000);',
  'export default () => Array.from({ length: 300_000 }, (_, n) => n % 10);',
  'export default () => { let deep = 1; for (let n = 0; n < 5_000; n += 1) deep = [deep]; return deep; };',
  'export default () => { for (let n = 0; n < 100_000; n += 1) console.log("x".repeat(900)); };',
  'export default async () => { await Promise.all(Array.from({ length: 60 }, (_, n) => fetch("https://api.test/" + n))); };',
];
