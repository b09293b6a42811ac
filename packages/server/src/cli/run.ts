import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { channels } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { ScriptError } from '@hilo/testing';
import { Command, InvalidArgumentError, Option } from 'commander';
import { plans } from './talk/company.ts';
import { columnsOf, painter } from './paint.ts';
import { printable } from './printable.ts';
import { converse } from './talk/converse.ts';
import { createJsonReporter } from './talk/json-reporter.ts';
import { replay, replayTelling, transcriptDiff } from './talk/replay.ts';
import { setStage, type StageOptions } from './talk/set-stage.ts';
import type { Stage } from './talk/stage.ts';
import { createTerminalReporter, promptIn } from './talk/terminal-reporter.ts';

export interface RunOptions extends StageOptions {
  readonly script?: string;
  readonly check?: true;
  readonly realTime?: true;
  readonly json?: true;
}

export const runCommand = (): Command =>
  new Command('run')
    .summary('talk to a canvas in the terminal')
    .description(
      'Runs a canvas in memory and talks to it: in the terminal, from a pipe, or from a script. Nothing reaches the world: messages are drawn, calls are answered by you.',
    )
    .argument('<canvas>', 'canvas file')
    .option('-w, --with <canvas...>', 'further canvases that it may call; those it names are found in its folder anyway')
    .option('-s, --script <file>', 'play a script, or a transcript, without a person; - for standard input')
    .option('--check', 'with --script: fail, and show what differs, when the file is not what happens')
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('-u, --user <id>', 'the user who talks: a phone number, or a business-scoped id')
    .addOption(new Option('-p, --plan <name>', "the company's plan; without it the workspace's, else enterprise").choices(plans))
    .option('--workspace <file>', 'whose first company the canvas runs for; a workspace.json beside it, or one folder up, is found')
    .option('--seed <number>', 'what ids and draws derive from', wholeNumber, 1)
    .option('--real-time', 'let the clock run; without it, time stands until /time moves it')
    .option('--json', 'print one JSON object for everything that happens')
    .addHelpText(
      'after',
      '\nExit code: 0 when you leave or the script has been played, 1 for a canvas that cannot run or a transcript that differs, 2 for wrong use.',
    )
    .action(async (file: string, options: RunOptions, command: Command) => {
      const problem = contradiction(options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      await run(file, options);
    });

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** What is wrong with the options together. */
function contradiction({ check, script, realTime, json, user, channel }: RunOptions): string | undefined {
  if (check === true && script === undefined) return '--check needs a --script to compare with';
  if (check === true && json === true) return '--check compares transcripts, so it cannot go with --json';
  if (realTime === true && script !== undefined) return 'a script says itself when time passes, so --real-time cannot go with --script';
  return user === undefined ? undefined : userIdProblem(user, channel, 'strict');
}

/** Runs a canvas file as the options say. */
export async function run(file: string, options: RunOptions): Promise<void> {
  process.once('SIGINT', () => process.exit(0)); // leaving is no failure
  const stage = await setStage(file, options);
  if (stage === undefined) {
    process.exitCode = 1;
    return;
  }
  if (options.script === undefined) await talk(stage, options);
  else await play(stage, options.script, options);
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
