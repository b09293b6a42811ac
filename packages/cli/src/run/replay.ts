import { diff } from 'node:util';
import { type Conversation, parseScript, replayTalk, atLine } from '@hilo/simulator';
import type { Paint } from '../paint.ts';
import type { Reporter } from './reporter.ts';
import { openSession } from './session.ts';
import { type RunSetup, createSimulationOptions } from './setup.ts';

/**
 * Replays a script without a user.
 *
 * @param isChecked - whether these canvases were checked together before, so that they need not be checked again
 * @returns the transcript, which ends in a line break, and the conversation at its end
 * @throws {HiloError} `INVALID_SCRIPT` for an invalid line, or one that fails
 */
export async function replay(
  setup: RunSetup,
  script: string,
  { isChecked = false }: { readonly isChecked?: boolean } = {},
): Promise<{ readonly transcript: string; readonly conversation: Conversation }> {
  const conversation = await replayTalk(setup.canvases, script, {
    ...createSimulationOptions(setup),
    runsUnchecked: isChecked || setup.runsUnchecked,
  });
  const transcript = conversation.transcript();
  return { transcript: transcript.endsWith('\n') ? transcript : `${transcript}\n`, conversation };
}

/** Plays a script, and reports everything as it happens. */
export async function replayReporting(setup: RunSetup, script: string, reporter: Reporter): Promise<Conversation> {
  const lines = parseScript(script);
  const session = await openSession(setup, reporter);
  for (const line of lines) {
    if (line.kind === 'remark') continue;
    reporter.input(line.line);
    await session.play(line.input).catch((error: unknown) => {
      throw atLine(error, line.number);
    });
  }
  return session.conversation();
}

/** What differs between two transcripts, with some lines around it; `undefined` when nothing does. */
export function transcriptDiff(expected: string, actual: string, paint: Paint): string | undefined {
  const [before, after] = [splitLines(expected), splitLines(actual)];
  if (before.length === after.length && before.every((line, index) => line === after[index])) return undefined;
  const changes = diff(after, before); // util.diff takes the actual value first
  const isNear = (at: number): boolean => changes.slice(Math.max(0, at - context), at + context + 1).some(([kind]) => kind !== 0);
  const drawn = changes.map(([kind, line], index) => {
    if (kind === 0) return isNear(index) ? paint('dim', `  ${line}`) : undefined;
    return kind === 1 ? paint('green', `+ ${line}`) : paint('red', `- ${line}`);
  });
  // Lines left out in a row are drawn as one "…".
  return drawn
    .flatMap((line, index) => (line !== undefined ? [line] : drawn[index - 1] === undefined && index > 0 ? [] : [paint('dim', '  …')]))
    .join('\n');
}

const context = 3;

const splitLines = (text: string): readonly string[] =>
  text
    .replace(/^\ufeff/, '')
    .replace(/\r\n/g, '\n')
    .replace(/\n$/, '')
    .split('\n');
