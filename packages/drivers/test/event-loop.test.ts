import { setImmediate as turn } from 'node:timers/promises';
import { isHiloError, type JsonObject } from '@hilo/engine/contract';
import { api, ask, condition, message, set } from '@hilo/nodes';
import { visit } from '@hilo/testing';
import { afterAll, expect, it } from 'vitest';
import { createFunctionWorkers } from '../src/index.ts';

const limits = { fetchBytes: 1_000_000 };
const workers = createFunctionWorkers({
  limits: { calls: 100 },
  dialer: {
    request: ({ url }) =>
      Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(limits.fetchBytes, 'a'), url, retryAfterMs: undefined }),
  },
});
afterAll(() => workers.close());

const list = Array.from({ length: 1_000 }, (_, n) => n);
const text = `${'a'.repeat(60_000)}!`;
const $context: JsonObject = {
  list,
  text,
  objects: list.map((id) => ({ id, name: `n${id}` })),
  patterns: list.map((n) => `((a{0,10}){0,10}){0,${(n % 10) + 1}}c$`),
};

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
const visits: readonly (() => unknown)[] = [
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

const hostileFunctions = [
  'export default () => { for (;;); };',
  'export default () => /^(a+)+$/.test("a".repeat(40) + "!");',
  'export default () => { const all = []; for (;;) all.push({ all }); };',
  'export default () => "x".repeat(999_000);',
  'export default () => Array.from({ length: 300_000 }, (_, n) => n % 10);',
  'export default () => { let deep = 1; for (let n = 0; n < 5_000; n += 1) deep = [deep]; return deep; };',
  'export default () => { for (let n = 0; n < 100_000; n += 1) console.log("x".repeat(900)); };',
  'export default async () => { await Promise.all(Array.from({ length: 60 }, (_, n) => fetch("https://api.test/" + n))); };',
];

/** Work that takes 2 ms where the promise was measured: what is held is how many times that a turn takes, on any machine. */
const rows = JSON.stringify(Array.from({ length: 4_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b', String(id)] })));
const reference = (): unknown => JSON.stringify(JSON.parse(rows));
const promised = { often: 50 / 2, ever: 200 / 2 };

/** What the processor gave to this thread for some work, in microseconds: what others take of it does not count. */
async function processorUs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

it('leaves the event loop free while hostile patterns, templates and functions run (P20)', { timeout: 300_000 }, async () => {
  for (const work of visits) attempt(work); // compiled, as in a process that has run for a while
  const underWay = hostileFunctions.map((source, index) =>
    workers.call({ companyId: '1', functionId: `fn-${index}`, source, deployment: 0 }, { body: null, timeoutMs: 3_000 }),
  );
  let areOver = false;
  void Promise.all(underWay).then(() => {
    areOver = true;
  });
  const turns: number[] = [];
  const references: number[] = [];
  for (let next = 0; !areOver || turns.length < 2_000; next += 1) {
    // One visit in four turns: in between there is what the functions send.
    const work = next % 4 === 0 ? visits[(next / 4) % visits.length] : undefined;
    turns.push(
      await processorUs(() => {
        if (work !== undefined) attempt(work);
        return turn();
      }),
    );
    if (next % 50 === 0) references.push(await processorUs(reference));
  }
  const unit = sorted(references)[Math.floor(references.length / 2)] ?? 0;
  const at = (share: number): number => (sorted(turns)[Math.ceil((turns.length - 1) * share)] ?? Number.POSITIVE_INFINITY) / unit;
  expect(at(0.999)).toBeLessThan(promised.often);
  expect(at(1)).toBeLessThan(promised.ever);
});

/** An expression that is refused counts with what that took. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!isHiloError(error, 'EXPRESSION')) throw error;
  }
}
