// How long the compilation of a canvas takes, by its size.
import { limits } from '../packages/engine/src/contract/index.ts';
import { checkCanvas, parseCanvas } from '../packages/engine/src/index.ts';
import { compileCanvas } from '../packages/engine/src/debug.ts';
import { standardNodes } from '../packages/nodes/src/index.ts';
import { expectNone, longCanvas, read, types } from './canvases.ts';
import { collectGarbage } from './garbage.ts';
import type { Progress } from './progress.ts';
import { median } from './statistics.ts';
import { threadWork } from './thread-work.ts';

/** Milliseconds of the thread's work for a canvas of this many nodes, medians of the rounds. */
export interface Compiled {
  readonly nodes: number;
  readonly textBytes: number;
  readonly compileMs: number;
  /** `compileCanvas` is part of it. */
  readonly checkMs: number;
  /** `JSON.parse` of its text alone. */
  readonly jsonMs: number;
  /** From text; `null` where the text is longer than a canvas may be. */
  readonly parseMs: number | null;
}

/** Compiles, checks and reads canvases of several sizes, one after the other in each round. */
export function compileSpeed(sizes: readonly number[], rounds: number, progress: Progress): readonly Compiled[] {
  const subjects = sizes.map((size) => {
    const text = JSON.stringify(longCanvas(size));
    return {
      size,
      text,
      canvas: read(longCanvas(size)),
      compile: [] as number[],
      check: [] as number[],
      json: [] as number[],
      parse: [] as number[],
    };
  });
  for (let round = -1; round < rounds; round += 1) {
    for (const { size, text, canvas, compile, check, json, parse } of subjects) {
      progress.say(`canvases: ${size} nodes, ${round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`}`);
      // Small ones many times over, so that a clock's tick does not count.
      const repeats = Math.max(1, Math.round(2_000 / size));
      const compileMs = timeOf(repeats, () => expectNone(compileCanvas(canvas, '', types).problems));
      const checkMs = timeOf(repeats, () => expectNone(checkCanvas(canvas, { nodes: standardNodes })));
      const jsonMs = timeOf(repeats, () => void JSON.parse(text));
      const parseMs = isReadable(text) ? timeOf(repeats, () => expectNone(parseCanvas(text).problems)) : 0;
      if (round < 0) continue;
      compile.push(compileMs);
      check.push(checkMs);
      json.push(jsonMs);
      parse.push(parseMs);
    }
  }
  progress.clear();
  return subjects.map(({ size, text, compile, check, json, parse }) => ({
    nodes: size,
    textBytes: text.length,
    compileMs: median(compile),
    checkMs: median(check),
    jsonMs: median(json),
    parseMs: isReadable(text) ? median(parse) : null,
  }));
}

const isReadable = (text: string): boolean => text.length <= limits.bodyBytes;

function timeOf(repeats: number, run: () => void): number {
  collectGarbage();
  const workedMs = threadWork();
  for (let index = 0; index < repeats; index += 1) run();
  return workedMs() / repeats;
}
