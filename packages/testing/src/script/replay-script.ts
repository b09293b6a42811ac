import { type Simulation, simulate } from '../simulation/simulate.ts';
import { parseScript } from './script.ts';

/**
 * Plays a script, or the inputs of a transcript, and writes the whole transcript anew. A transcript that is still right
 * comes back as it was, byte for byte.
 *
 * @throws {ScriptError} for a line that is no input, before anything is played
 */
export async function replayScript(
  canvases: readonly object[],
  script: string,
  options: Omit<Simulation, 'canvases'> = {},
): Promise<string> {
  const lines = parseScript(script);
  const talk = await simulate({ ...options, canvases });
  for (const line of lines) {
    if (line.kind === 'input') await talk.plays(line.input, line.line);
    else talk.notes(line.line);
  }
  return talk.transcript();
}
