import { describe, expect, it } from 'vitest';
import { slowCallsOf, slowValues } from '../../test/slow-calls.ts';
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Path } from '../variables/path.ts';
import { beginEvaluation, type Evaluation, maxWork } from './evaluation.ts';
import { compileExpression } from './expression.ts';
import { fitValue, getParameter } from './functions/define.ts';
import { languageFunctions } from './functions/index.ts';
import { binaryOperators, isEqual } from './operators.ts';
import { toJson } from './to-json.ts';

/** What a call counts; the limit, when it ends there. */
function workOf(run: (evaluation: Evaluation) => unknown): number {
  const evaluation = beginEvaluation('', { get: () => undefined }, maxWork);
  try {
    run(evaluation);
  } catch (error) {
    if (!(error instanceof HiloError)) throw error;
  }
  return Math.min(evaluation.work, maxWork);
}

const slow = slowValues.map((value) => value(0));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * Every function and operator counts units of work, so that an evaluation ends before it takes long (P20). `npm run bench -- --authors`
 * compares what is counted here with the time that it takes. After a change, look there that no call takes too long for its units, then
 * record with `npm test -- packages/engine/src/expressions/counted-work.test.ts -u`.
 */
describe('the work that an expression counts (P20)', () => {
  it('is what was compared with its time', async () => {
    const functions = languageFunctions.map((definition) => {
      const works = slowCallsOf(definition).map((call) =>
        workOf((evaluation) => {
          const values = call.map((value, index) => fitValue(evaluation, getParameter(definition, index), value(0)));
          if (values.every((value) => value !== undefined)) definition.call(evaluation, values);
        }),
      );
      return [definition.name, sum(works)] as const;
    });
    const operators = [...binaryOperators].map(([symbol, operator]) => {
      const works = slow.flatMap((left) => slow.map((right) => workOf((evaluation) => operator.run(evaluation, left, right))));
      return [symbol, sum(works)] as const;
    });
    const results: readonly (readonly [string, number])[] = [
      ['result as JSON', sum(slow.map((value) => workOf((evaluation) => toJson(evaluation, value))))],
      ['result compared', sum(slow.map((value) => workOf((evaluation) => isEqual(evaluation, value, value))))],
    ];
    const counted: { readonly [name: string]: number } = Object.fromEntries([...functions, ...operators, ...results]);
    await expect(`${JSON.stringify(counted, null, 2)}\n`).toMatchFileSnapshot('../../test/recorded-work.json');
  });

  it.each(['format(timestamp(0), "HH:mm", $context.zone)', 'formatNumber(1, 2, $context.locale)'])(
    'is the same whether the process has seen the zone or the locale before: %s (P19)',
    (source) => {
      const expression = compileExpression(source);
      const [first, again] = [0, 1].map(() => {
        let work = 0;
        const values: { readonly [name: string]: Json } = { zone: 'Asia/Kathmandu', locale: 'ne-NP' };
        const get = ([, name]: Path): Json | undefined => values[String(name)];
        expression({ get, spend: (more) => Number.isFinite((work += more)) });
        return work;
      });
      expect(first).toBeGreaterThan(20_000);
      expect(again).toBe(first);
    },
  );

  it('is refused at its bound, and does nothing after it', () => {
    const evaluation = beginEvaluation('', { get: () => undefined }, 1_000);
    expect(() =>
      toJson(
        evaluation,
        Array.from({ length: 500 }, (_, index) => index),
      ),
    ).toThrow('it looks at too much data');
  });
});
