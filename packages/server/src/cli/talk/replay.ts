import { diff } from 'node:util';
import { parseScript, replayScript } from '@hilo/testing';
import type { Paint } from '../paint.ts';
import type { Reporter } from './reporter.ts';
import { openSession } from './session.ts';
import { circumstances, type Stage } from './stage.ts';

/**
 * Plays a script without a person.
 *
 * @returns the transcript, which ends in a line break
 * @throws {ScriptError} for a line that is no input
 */
export async function replay(stage: Stage, script: string): Promise<string> {
  const transcript = await replayScript(stage.canvases, script, circumstances(stage));
  return transcript.endsWith('\n') ? transcript : `${transcript}\n`;
}

/** Plays a script and tells of everything as it happens. */
export async function replayTelling(stage: Stage, script: string, reporter: Reporter): Promise<void> {
  const lines = parseScript(script);
  const session = await openSession(stage, reporter);
  for (const line of lines) {
    if (line.kind === 'remark') continue;
    reporter.heard(line.line);
    await session.play(line.input);
  }
}

/** What differs between two transcripts, with some lines around it; `undefined` when nothing does. */
export function transcriptDiff(expected: string, actual: string, paint: Paint): string | undefined {
  const [before, after] = [linesOf(expected), linesOf(actual)];
  if (before.length === after.length && before.every((line, index) => line === after[index])) return undefined;
  const changes = diff(after, before); // util.diff takes the actual value first
  const isNear = (at: number): boolean => changes.slice(Math.max(0, at - context), at + context + 1).some(([kind]) => kind !== 0);
  const drawn = changes.map(([kind, line], index) => {
    if (kind === 0) return isNear(index) ? paint('dim', `  ${line}`) : undefined;
    return kind === 1 ? paint('green', `+ ${line}`) : paint('red', `- ${line}`);
  });
  // A row of lines left out is one sign.
  return drawn
    .flatMap((line, index) => (line !== undefined ? [line] : drawn[index - 1] === undefined && index > 0 ? [] : [paint('dim', '  …')]))
    .join('\n');
}

const context = 3;

const linesOf = (text: string): readonly string[] => text.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n');
