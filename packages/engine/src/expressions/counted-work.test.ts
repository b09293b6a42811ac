import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type SlowSubject, slowSubjects } from '../../test/slow-calls.ts';
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Path } from '../variables/path.ts';
import { beginEvaluation, maxWork } from './evaluation.ts';
import { compileExpression } from './expression.ts';
import { toJson } from './to-json.ts';
import { placesOf } from '../../../../scripts/vitest/part-of.ts';

/** What a call counts; the limit, when it ends there. */
function workOf({ run }: SlowSubject, call: SlowSubject['calls'][number]): number {
  const evaluation = beginEvaluation('', { get: () => undefined }, maxWork);
  const values = call.map((value) => value(0));
  try {
    run(evaluation, values);
  } catch (error) {
    if (!(error instanceof HiloError)) throw error;
  }
  return Math.min(evaluation.work, maxWork);
}

const recorded = new URL('../../test/recorded-work.json', import.meta.url);

/** Whose work is counted here: of all, or of every fourth, from one that the seed draws. */
const { first, step } = placesOf(4);

/**
 * Every function and operator counts units of work, so that an evaluation ends before it takes long (P20). `npm run bench -- --authors`
 * compares what is counted here with the time that it takes. After a change, look there that no call takes too long for its units, then
 * record with `npm test -- packages/engine/src/expressions/counted-work.test.ts -u`.
 */
describe('the work that an expression counts (P20)', () => {
  it('is what was compared with its time', async () => {
    const known = JSON.parse(await readFile(recorded, 'utf8')) as { readonly [name: string]: number };
    const works = slowSubjects.map((subject, at) => {
      const isTried = at % step === first;
      const work = isTried ? subject.calls.reduce((sum, call) => sum + workOf(subject, call), 0) : known[subject.name];
      return [subject.name, work] as const;
    });
    await expect(`${JSON.stringify(Object.fromEntries(works), null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(recorded));
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
