import { HiloError, isHiloError } from '@hilo/engine/contract';
import type { Conversation } from '../simulation/conversation.ts';
import { simulate, type Simulation } from '../simulation/simulate.ts';
import { readInput } from './read-input.ts';
import { type ScriptInput } from './script-input.ts';

/** A line of a script: something that happens, or a remark that is kept as it stands. */
export type ScriptLine = { readonly line: string /** Counted from 1. */; readonly number: number } & (
  | { readonly kind: 'input'; readonly input: ScriptInput }
  | { readonly kind: 'remark' }
);

/**
 * Reads a script, or a whole transcript: its indented lines are what came of it, and are left out.
 *
 * @throws {HiloError} `INVALID_SCRIPT` for the first line that is none
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
 * Plays a script, or the inputs of a transcript, and writes the whole transcript again. A transcript that is still right
 * comes back as it was, byte for byte.
 *
 * @throws {HiloError} `INVALID_SCRIPT` for a line that is no input, before anything is played, and for an answer that is none of its effect
 */
export const replayScript = async (
  canvases: readonly object[],
  script: string,
  options: Omit<Simulation, 'canvases'> = {},
): Promise<string> => (await replayTalk(canvases, script, options)).transcript();

/**
 * Plays a script as {@link replayScript} does.
 *
 * @returns the conversation as it stands at the end of the script
 */
export async function replayTalk(
  canvases: readonly object[],
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

/** A failure of an input, with the line of the script that says it; any other error as it is. */
export const atLine = (error: unknown, line: number): unknown =>
  isHiloError(error, 'INVALID_SCRIPT') ? new HiloError('INVALID_SCRIPT', { reason: error.details.reason, line }) : error;
