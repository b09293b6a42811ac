import { type ComparedLine, compareTranscripts, writeComparedLine } from '@hilo/mcp/simulation';
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
export const transcriptDiff = (expected: string, actual: string, paint: Paint): string | undefined =>
  compareTranscripts(expected, actual)
    ?.map((line) => paint(formats[line.kind], writeComparedLine(line)))
    .join('\n');

const formats = { same: 'dim', gap: 'dim', expected: 'red', happens: 'green' } as const satisfies Record<ComparedLine['kind'], string>;
