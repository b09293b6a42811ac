import { RE2JS } from 're2js';
import { type Evaluation, spend, wrong } from './evaluation.ts';

const longestPattern = 300;
const mostInstructions = 10_000;
/** A pattern out of a variable is compiled each time: for each of its characters that is up to 0.2 ms. */
const compileWork = 40_000;
/** What an instruction of a pattern costs for each character of the text. */
const instructionWork = 5;

/** What it costs to begin. */
const matchWork = 500;

/** A pattern ready to be looked for. */
export type Pattern = Pick<RE2JS, 'matcher' | 'programSize'>;

/**
 * Compiles a pattern of `like`, in the syntax of RE2.
 *
 * @returns the reason, when it is malformed
 */
export function compilePattern(pattern: string): Pattern | string {
  if (pattern.length > longestPattern) return `a pattern of like() has at most ${longestPattern} characters`;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > mostInstructions ? 'a pattern of like() repeats too much' : compiled;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a pattern matches inside a text. RE2's time is linear in the text, times the instructions of the pattern. */
export function like(evaluation: Evaluation, text: string, pattern: string | Pattern): boolean | undefined {
  if (typeof pattern !== 'string') {
    spend(evaluation, matchWork + instructionWork * pattern.programSize() * (text.length + 1));
    return pattern.matcher(text).find();
  }
  spend(evaluation, compileWork * (Math.min(pattern.length, longestPattern) + 1));
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? wrong(evaluation, compiled) : like(evaluation, text, compiled);
}
