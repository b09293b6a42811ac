import { HiloError } from '../../packages/engine/src/contract/errors.ts';
import { beginEvaluation, maxWork } from '../../packages/engine/src/expressions/evaluation.ts';
import { type SlowSubject, slowSubjects } from '../../packages/engine/test/slow-calls.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';

/** What a call costs beside what it counts: the limits count operators on their own. */
const callWork = 100;
/** Most loop characters for one unit of work; the 5 ns of a unit are 5 to 10 of them. */
const maxCharacters = 40;
/** A call that takes less than this for a unit is not tried again. */
const quickNs = 5;
/** How many subjects the table shows: those that take longest for a unit. */
const shown = 12;

/**
 * The time that functions and operators take for one unit of the work that they count, in characters of a loop over a text: one that
 * counts too little would hold up the process for longer than its limit says (P20).
 */
export function expressionWork(quick: boolean, progress: Progress): Part {
  const characterNs = timeCharacter();
  const measured = slowSubjects.map((subject, index) => {
    progress.say(`work of expressions: ${subject.name}, ${index + 1} of ${slowSubjects.length}`);
    return {
      name: `\`${subject.name}\``,
      median: Math.max(...subject.calls.map((call) => timeUnit(subject, call, quick ? 10 : 100) / characterNs)),
    };
  });
  progress.clear();
  const slowest = measured.toSorted((one, other) => other.median - one.median).slice(0, shown);
  return {
    name: `The slowest of ${slowSubjects.length} functions and operators`,
    unit: 'characters a unit of work',
    contestants: slowest,
    aims: [atMost('characters of a loop in the time of one unit of work', slowest[0]?.median ?? 0, maxCharacters)],
  };
}

/** Nanoseconds per character in a loop over a text, in this process. */
function timeCharacter(): number {
  const text = 'ab'.repeat(500_000);
  const loop = () => {
    let sum = 0;
    for (let index = 0; index < text.length; index += 1) sum = (sum * 31 + text.charCodeAt(index)) | 0;
    return sum;
  };
  return (Math.min(...Array.from({ length: 5 }, () => timeMs(loop))) / text.length) * 1e6;
}

/** The least nanoseconds that a call takes for one unit of its work; one that takes long is tried again, since a machine may be busy. */
function timeUnit({ run }: SlowSubject, call: SlowSubject['calls'][number], tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && !(least < quickNs); attempt += 1) {
    const evaluation = beginEvaluation('', { get: () => undefined }, maxWork);
    const values = call.map((value) => value(attempt)); // new values, so that no cache helps
    const ms = timeMs(() => {
      try {
        run(evaluation, values);
      } catch (error) {
        if (!(error instanceof HiloError)) throw error; // at the limit of its work: its time until there counts
      }
    });
    least = Math.min(least, (ms * 1e6) / (evaluation.work + callWork));
  }
  return least;
}

function timeMs(run: () => unknown): number {
  const beganAtMs = performance.now();
  run();
  return performance.now() - beganAtMs;
}
