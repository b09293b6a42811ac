// The function `like` of the language: whether a text matches a pattern, in bounded work.
import { RE2JS } from 're2js';
import { type Evaluation, spend, wrong } from './evaluation.ts';

const maxPatternChars = 300;
const maxInstructions = 10_000;
/** The work of compiling one character of a pattern that comes from a variable: up to 0.2 ms, at each evaluation. */
const compileWork = 40_000;
/** The work of one instruction of a pattern for one character of the text. */
const instructionWork = 5;
/** The work of starting a match. */
const matchWork = 500;

/** A compiled pattern. */
export type Pattern = Pick<RE2JS, 'matcher' | 'programSize'>;

/**
 * Compiles a pattern of `like`, in the syntax of RE2.
 *
 * @returns why it cannot be used, when it is malformed or too large
 */
export function compilePattern(pattern: string): Pattern | string {
  if (pattern.length > maxPatternChars) return `a pattern of like() has at most ${maxPatternChars} characters`;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > maxInstructions ? 'a pattern of like() repeats too much' : compiled;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a pattern matches somewhere in a text, in time proportional to the text and to the instructions of the pattern. */
export function like(evaluation: Evaluation, text: string, pattern: string | Pattern): boolean | undefined {
  if (typeof pattern !== 'string') {
    spend(evaluation, matchWork + instructionWork * pattern.programSize() * (text.length + 1));
    return pattern.matcher(text).find();
  }
  spend(evaluation, compileWork * (Math.min(pattern.length, maxPatternChars) + 1));
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? wrong(evaluation, compiled) : like(evaluation, text, compiled);
}
