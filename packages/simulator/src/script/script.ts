import { HiloError, isHiloError } from '@hilo/engine/contract';
import type { Conversation } from '../simulation/conversation.ts';
import { simulate, type Simulation } from '../simulation/simulate.ts';
import { readInput } from './read-input.ts';
import { type ScriptInput } from './script-input.ts';

/** A line of a script: an input, or a remark that is kept unchanged. */
export type ScriptLine = { readonly line: string /** Counted from 1. */; readonly number: number } & (
  | { readonly kind: 'input'; readonly input: ScriptInput }
  | { readonly kind: 'remark' }
);

/**
 * Parses a script, or a whole transcript, whose indented lines are results and are skipped.
 *
 * @throws {HiloError} `INVALID_SCRIPT` for the first invalid line
 */
export function parseScript(text: string): readonly ScriptLine[] {
  const content = text.replace(/^\ufeff/, ''); // editors of Windows begin a file with a byte order mark
  return content.split(/\r?\n/).flatMap((line, index): readonly ScriptLine[] => {
    if (line.trim() === '' || line.startsWith('#')) return [{ kind: 'remark', line, number: index + 1 }];
    if (/^\s/.test(line)) return [];
    try {
      return [{ kind: 'input', line, number: index + 1, input: readInput(line) }];
    } catch (error) {
      throw error instanceof SyntaxError ? new HiloError('INVALID_SCRIPT', { reason: error.message, line: index + 1 }) : error;
    }
  });
}

/**
 * Replays a script, or the inputs of a transcript, and writes the whole transcript. A transcript that is still correct is returned
 * unchanged, byte for byte.
 *
 * @throws {HiloError} `INVALID_SCRIPT` for an invalid line, before anything runs, and for an answer that does not fit its effect
 */
export const replayScript = async (
  canvases: readonly (object | string)[],
  script: string,
  options: Omit<Simulation, 'canvases'> = {},
): Promise<string> => (await replayTalk(canvases, script, options)).transcript();

/**
 * Replays a script like {@link replayScript}.
 *
 * @returns the conversation at the end of the script
 */
export async function replayTalk(
  canvases: readonly (object | string)[],
  script: string,
  options: Omit<Simulation, 'canvases'> = {},
): Promise<Conversation> {
  const lines = parseScript(script);
  const conversation = await simulate({ ...options, canvases });
  for (const line of lines) {
    if (line.kind === 'remark') conversation.notes(line.line);
    else
      await conversation.plays(line.input, line.line).catch((error: unknown) => {
        throw atLine(error, line.number);
      });
  }
  return conversation;
}

/** Adds the script line to the failure of an input; other errors are unchanged. */
export const atLine = (error: unknown, line: number): unknown =>
  isHiloError(error, 'INVALID_SCRIPT') ? new HiloError('INVALID_SCRIPT', { reason: error.details.reason, line }) : error;
