import type { Conversation } from '../simulation/conversation.ts';
import { type Simulation, simulate } from '../simulation/simulate.ts';
import { parseScript, ScriptError } from './script.ts';
import { InputError } from './script-input.ts';

/**
 * Plays a script, or the inputs of a transcript, and writes the whole transcript again. A transcript that is still right
 * comes back as it was, byte for byte.
 *
 * @throws {ScriptError} for a line that is no input, before anything is played, and for an answer that is none of its effect
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
        throw error instanceof InputError ? new ScriptError(line.number, error.message) : error;
      });
  }
  return conversation;
}
