import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { userIdProblem } from '@hilo/nodes';
import { type Conversation, ScriptError } from '@hilo/simulator';
import type { Command } from 'commander';
import { columnsOf, painter } from '../paint.ts';
import { printable } from '../printable.ts';
import { converse } from './converse.ts';
import { coverageOf, drawCoverage } from './coverage.ts';
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
  /** Whether it is told at the end which ports were never taken. */
  readonly coverage?: true;
}

/** Runs a canvas file as the options say. */
export async function run(command: Command, file: string, options: RunOptions): Promise<void> {
  const problem = contradiction(options);
  if (problem !== undefined) return command.error(`error: ${problem}`);
  const leave = (): never => process.exit(0); // leaving is no failure
  process.once('SIGINT', leave);
  try {
    const stage = await setStage(file, options);
    if (stage === undefined) process.exitCode = 1;
    else if (options.script !== undefined) await play(stage, options.script, options);
    else if (options.data === undefined) await talk(stage, options);
    else await talkKept(stage, options.data, options);
  } finally {
    process.off('SIGINT', leave);
  }
}

/** What is wrong with the options together. */
function contradiction({ check, script, realTime, data, json, user, channel }: RunOptions): string | undefined {
  if (check === true && script === undefined) return '--check needs a --script to compare with';
  if (check === true && json === true) return '--check compares transcripts, so it cannot go with --json';
  if (realTime === true && script !== undefined) return 'a script says itself when time passes, so --real-time cannot go with --script';
  if (data !== undefined && script !== undefined) return 'a script plays a talk from its beginning, so --data cannot go with --script';
  return user === undefined ? undefined : userIdProblem(user, channel, 'strict');
}

async function talk(stage: Stage, { realTime, json, coverage }: TalkOptions): Promise<void> {
  const paint = painter(process.stdout);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && json !== true;
  const isRealTime = realTime === true;
  const ended = await converse({
    stage,
    isTerminal,
    prompt: promptIn(paint),
    isRealTime,
    reporterFor: (print) =>
      json === true
        ? createJsonReporter(stage, print)
        : createTerminalReporter({ stage, paint, columns: columnsOf(process.stdout), isVirtual: !isRealTime, isTerminal, print }),
  });
  if (coverage === true) await tellCoverage(stage, ended, json);
}

type TalkOptions = Pick<RunOptions, 'realTime' | 'json' | 'coverage'>;

/** What nobody has tried: on standard error beside a transcript, which is alone on standard output. */
async function tellCoverage(stage: Stage, ended: Conversation, json: true | undefined): Promise<void> {
  const coverages = await coverageOf(stage, ended);
  if (json === true) process.stdout.write(`${JSON.stringify({ kind: 'coverage', workflows: coverages })}\n`);
  else process.stderr.write(`${drawCoverage(coverages, painter(process.stderr))}\n`);
}

/** Talks, and keeps everything in a directory as it happens. */
async function talkKept(stage: Stage, directory: string, options: TalkOptions): Promise<void> {
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

async function play(stage: Stage, file: string, { check, json, coverage }: Pick<RunOptions, 'check' | 'json' | 'coverage'>): Promise<void> {
  const script = file === '-' ? await textOf(process.stdin) : await scriptIn(file);
  try {
    if (json === true) {
      const reporter = createJsonReporter(stage, (text) => void process.stdout.write(`${text}\n`));
      const ended = await replayTelling(stage, script, reporter);
      if (coverage === true) await tellCoverage(stage, ended, json);
      return;
    }
    const { transcript, talk: ended } = await replay(stage, script);
    if (coverage === true) await tellCoverage(stage, ended, json);
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
