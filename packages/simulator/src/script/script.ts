import { readInput } from './read-input.ts';
import type { ScriptInput } from './script-input.ts';

/** A line of a script: something that happens, or a remark that is kept as it stands. */
export type ScriptLine = { readonly line: string /** Counted from 1. */; readonly number: number } & (
  | { readonly kind: 'input'; readonly input: ScriptInput }
  | { readonly kind: 'remark' }
);

/** A script that cannot be read. The message names the line and says what is expected. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`);
    this.line = line;
  }
}

/**
 * Reads a script, or a whole transcript: its indented lines are what came of it, and are left out.
 *
 * @throws {ScriptError} for the first line that is none
 */
export function parseScript(text: string): readonly ScriptLine[] {
  return text.split(/\r?\n/).flatMap((line, index): readonly ScriptLine[] => {
    if (line.trim() === '' || line.startsWith('#')) return [{ kind: 'remark', line, number: index + 1 }];
    if (/^\s/.test(line)) return [];
    try {
      return [{ kind: 'input', line, number: index + 1, input: readInput(line) }];
    } catch (error) {
      throw error instanceof SyntaxError ? new ScriptError(index + 1, error.message) : error;
    }
  });
}
