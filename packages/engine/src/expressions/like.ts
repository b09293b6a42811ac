import { RE2JS } from 're2js';

/**
 * What one evaluation may spend on patterns, and those that stand in its expression. The costs are counted and not timed, so
 * that a replay ends where the first run did (P19).
 */
export interface PatternWork {
  left: number;
  written: WrittenPatterns;
}

/** The patterns that stand in an expression, compiled when they are first needed. */
export type WrittenPatterns = Map<string, RE2JS | undefined>;

const longestPattern = 300;
const mostInstructions = 10_000;
/** A pattern out of a variable is compiled each time: for each of its characters that is up to 0.2 ms. */
const compileWork = 8_000;

/** Whether a pattern is found in a text. RE2 takes time linear in the text, times the instructions of the pattern. */
export const createLike =
  (work: PatternWork) =>
  (text: string, pattern: string): boolean => {
    const { written } = work;
    if (!written.has(pattern)) spend(work, compileWork * pattern.length);
    const compiled = written.get(pattern) ?? compile(pattern);
    if (written.has(pattern)) written.set(pattern, compiled);
    spend(work, compiled.programSize() * text.length);
    return compiled.matcher(text).find();
  };

function compile(pattern: string): RE2JS {
  if (pattern.length > longestPattern) throw new RangeError(`a pattern of like() has at most ${longestPattern} characters`);
  const compiled = RE2JS.compile(pattern);
  if (compiled.programSize() > mostInstructions) throw new RangeError('a pattern of like() repeats too much');
  return compiled;
}

function spend(work: PatternWork, amount: number): void {
  work.left -= amount;
  if (work.left < 0) throw new RangeError('like() has too much to do; make the text or the pattern shorter, or use a code node');
}
