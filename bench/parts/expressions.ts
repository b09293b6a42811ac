import type { JsonObject } from '../../packages/engine/src/contract/index.ts';
import { compileExpression } from '../../packages/engine/src/expressions/expression.ts';
import { VariableView } from '../../packages/engine/src/variables/view.ts';
import { collectGarbage } from '../garbage.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import { threadWork } from '../thread-work.ts';

/** A measurement, and the nanoseconds that it may take. */
const subjects: readonly { readonly source: string; readonly maxNs?: number }[] = [
  { source: '$context.a', maxNs: 150 },
  { source: '$context.a > 100 && $context.b == "gold"', maxNs: 150 },
  { source: '$context.missing ?? "none"', maxNs: 50 },
  { source: '$webhook.order.body.items[0].qty + 1', maxNs: 150 },
  { source: 'has($context.missing.deeper)', maxNs: 50 },
  { source: '$context.total * 1.19 - $context.a' },
  { source: '"Order " + $webhook.order.body.id' },
  { source: '$context.b.contains("old")' },
  { source: '$context.list.filter(x, x > 2).size()' },
  { source: 'format(timestamp(1600000000), "yyyy-LL-dd HH:mm", "America/Lima")' },
];

const root: JsonObject = {
  $context: { a: 120, b: 'gold', total: 99.5, list: [1, 2, 3, 4] },
  $webhook: { order: { body: { id: 'A-17', items: [{ qty: 2 }] } } },
};

/** The time of one evaluation, compared with reading a property by hand. */
export function expressions(quick: boolean, progress: Progress): Part {
  const rounds = quick ? 5 : 15;
  const times = quick ? 50_000 : 200_000;
  let variables = new VariableView(root, 0);
  let kept: unknown; // so that no work can be left out
  const measured = [
    { source: 'root.$context', maxNs: undefined, run: () => root['$context'] },
    ...subjects.map(({ source, maxNs }) => {
      const expression = compileExpression(source);
      return { source, maxNs, run: () => expression(variables) };
    }),
  ].map((subject) => ({ ...subject, ns: [] as number[] }));
  for (let round = -2; round < rounds; round += 1) {
    progress.say(`expressions: ${round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`}`);
    for (const { run, ns } of measured) {
      collectGarbage();
      const workedMs = threadWork();
      for (let index = 0; index < times; index += 1) {
        if (index % 1_000 === 0) variables = new VariableView(root, 0); // what one advance may spend has a bound
        kept = run();
      }
      if (round >= 0) ns.push((workedMs() * 1e6) / times);
    }
  }
  progress.clear();
  if (kept === undefined) throw new Error('an expression came to nothing');
  return {
    name: 'One evaluation of an expression',
    unit: 'ns',
    contestants: measured.map(({ source, ns }) => ({ name: `\`${source}\``, median: median(ns) })),
    aims: measured.flatMap(({ source, maxNs, ns }) => (maxNs === undefined ? [] : [atMost(`\`${source}\`, ns`, median(ns), maxNs)])),
  };
}
