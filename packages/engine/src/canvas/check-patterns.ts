import type { Problem } from '../contract/problem.ts';
import { patternsIn } from '../expressions/compiled-reads.ts';
import { compilePattern } from '../expressions/like.ts';
import { problem, shortened } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';

/** What all patterns of a canvas may take to be compiled, in instructions and their like: some 0.1 s. */
const mostWork = 100_000;
/** What one character of a pattern takes. */
const characterWork = 20;

/**
 * Patterns of `like` that stand in expressions and cannot be compiled. Each is looked at once, and only as many as take little
 * time: a canvas may have thousands that take 20 ms each, and the rest is checked when it is first used (P20).
 */
export function checkPatterns(nodes: readonly LoneNode[]): readonly Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, string | undefined>();
  let work = 0;
  for (const { id, index, templates } of nodes) {
    for (const { pattern, at } of patternsIn(templates)) {
      if (!known.has(pattern)) {
        if (work > mostWork) continue;
        const compiled = compilePattern(pattern);
        work += pattern.length * characterWork + (typeof compiled === 'string' ? 0 : compiled.programSize());
        known.set(pattern, typeof compiled === 'string' ? compiled : undefined);
      }
      const reason = known.get(pattern);
      if (reason === undefined) continue;
      const message = `The pattern ${shortened(JSON.stringify(pattern), 100)} of like() cannot be used: ${reason}`;
      problems.push(problem('INVALID_EXPRESSION', ['nodes', index, 'data', ...at], message, id));
    }
  }
  return problems;
}
