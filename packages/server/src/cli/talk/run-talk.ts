import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { ScriptError } from '@hilo/testing';
import { columnsOf, painter } from '../paint.ts';
import { printable } from '../printable.ts';
import { converse } from './converse.ts';
import { createJsonReporter } from './json-reporter.ts';
import { replay, replayTelling, transcriptDiff } from './replay.ts';
import { setStage, type StageOptions } from './set-stage.ts';
import type { Stage } from './stage.ts';
import { createTerminalReporter, promptIn } from './terminal-reporter.ts';

/** How a canvas is run. */
export interface RunOptions extends StageOptions {
  readonly script?: string;
  readonly check?: true;
  readonly realTime?: true;
  /** The directory a talk is kept in. */
  readonly data?: string;
  readonly json?: true;
}

/** Runs a canvas file as the options say. */
export async function run(file: string, options: RunOptions): Promise<void> {
  process.once('SIGINT', () => process.exit(0)); // leaving is no failure
  const stage = await setStage(file, options);
  if (stage === undefined) {
    process.exitCode = 1;
    return;
  }
  if (options.script !== undefined) await play(stage, options.script, options);
  else if (options.data === undefined) await talk(stage, options);
  else await talkKept(stage, options.data, options);
}

async function talk(stage: Stage, { realTime, json }: Pick<RunOptions, 'realTime' | 'json'>): Promise<void> {
  const paint = painter(process.stdout);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && json !== true;
  const isRealTime = realTime === true;
  await converse({
    stage,
    isTerminal,
    prompt: promptIn(paint),
    isRealTime,
    reporterFor: (print) =>
      json === true
        ? createJsonReporter(stage, print)
        : createTerminalReporter({ stage, paint, columns: columnsOf(process.stdout), isVirtual: !isRealTime, isTerminal, print }),
  });
}

/** Talks, and keeps everything in a directory as it happens. */
async function talkKept(stage: Stage, directory: string, options: Pick<RunOptions, 'realTime' | 'json'>): Promise<void> {
  const { openKeptTalk } = await import('./kept-talk.ts'); // a database is for those who keep something
  const kept = await openKeptTalk(directory);
  try {
    if (options.realTime === true && (kept.stoodAtMs ?? 0) > Date.now())
      throw new Error(`The talk in ${printable(directory)} stands in the future, for its time was virtual: leave --real-time out`);
    await talk({ ...stage, kept }, options);
  } finally {
    await kept.close();
  }
}

async function play(stage: Stage, file: string, { check, json }: Pick<RunOptions, 'check' | 'json'>): Promise<void> {
  const script = file === '-' ? await textOf(process.stdin) : await scriptIn(file);
  try {
    if (json === true) {
      await replayTelling(
        stage,
        script,
        createJsonReporter(stage, (text) => void process.stdout.write(`${text}\n`)),
      );
      return;
    }
    const transcript = await replay(stage, script);
    if (check !== true) {
      process.stdout.write(transcript);
      return;
    }
    tellDifference(transcriptDiff(script, transcript, painter(process.stdout)), file);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    throw new Error(`${file === '-' ? 'standard input' : printable(file)}: ${printable(error.message)}`, { cause: error });
  }
}

async function scriptIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`The script ${printable(file)} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function tellDifference(difference: string | undefined, file: string): void {
  const paint = painter(process.stdout);
  if (difference === undefined) {
    process.stdout.write(`${paint('green', '✔')} ${printable(file)} is what happens\n`);
    return;
  }
  process.stdout.write(
    `${difference}\n\n${paint('red', `✖ ${printable(file)} differs`)}: ${paint('red', '-')} is what it says, ${paint('green', '+')} what happens\n`,
  );
  process.exitCode = 1;
}
