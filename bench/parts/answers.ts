/** How long texts of users hold the loop that are made to be slow: answers of each kind, and messages that starts are tried with. */
import { readAnswer, Input } from '../../packages/nodes/src/ask/input.ts';
import { start } from '../../packages/nodes/src/start.ts';
import { limits } from '../../packages/engine/src/contract/index.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import { threadWork } from '../thread-work.ts';

/** One text may hold the loop so long, in milliseconds (P20). */
const maxMs = 150;

/** Texts that one kind of pattern or another backtracks on. */
const slow = (length: number): readonly string[] => [
  `1${' '.repeat(length)}!`,
  `${'1 '.repeat(length / 2)}!`,
  `${'1.'.repeat(length / 2)}`,
  `${'a@'.repeat(length / 2)}`,
  `${'('.repeat(length)}1`,
  `${'mar '.repeat(length / 4)}5`,
];

/** The milliseconds of the slowest text: one answer of each kind, and one message with 100 keywords of each way to match. */
export function answers(quick: boolean, progress: Progress): Part {
  const rounds = quick ? 3 : 9;
  const variables = { get: (path: readonly (string | number)[]) => (path[1] === 'locale' ? 'fa' : undefined) };
  const kinds = ['number', 'date', 'time', 'phone', 'email', 'text'].map((kind) => {
    const input = Input.parse({ kind });
    return {
      name: `an answer, ${kind}`,
      texts: [300, 4_092, 40_000].flatMap(slow),
      read: (text: string) => readAnswer({ text }, input, variables, 0),
    };
  });
  const matches = ['exact', 'words', 'contains', 'pattern'].map((match) => {
    const keywords = Array.from({ length: 100 }, (_, index) => (match === 'pattern' ? '[a-z]{0,90}[0-9]i' : `${'ab'.repeat(50)}c${index}`));
    const config = start.config.parse({ keywords, match });
    const read = (text: string): unknown => {
      let left: number = limits.routingWork;
      const message = { type: 'text', text };
      return start.entry?.kind === 'message'
        ? start.entry.match(config, message, { spend: (work) => (left -= work) >= 0, once: (make) => make(message) })
        : undefined;
    };
    return { name: `100 keywords, ${match}`, texts: ['ab'.repeat(2_045), 'ab'.repeat(475_000), 'a'.repeat(4_090)], read };
  });
  const measured = [...kinds, ...matches].map(({ name, texts, read }) => {
    progress.say(`answers: ${name}`);
    const slowest = Array.from({ length: rounds }, () =>
      Math.max(
        ...texts.map((text) => {
          const workedMs = threadWork();
          read(text);
          return workedMs();
        }),
      ),
    );
    return { name, median: median(slowest) };
  });
  progress.clear();
  return {
    name: 'The slowest text of a user',
    unit: 'ms',
    contestants: measured,
    aims: measured.map(({ name, median: ms }) => atMost(`${name}, ms`, ms, maxMs)),
  };
}
