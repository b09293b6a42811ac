// `hilo run`: a conversation with a canvas in the terminal.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { isHiloError } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { readTrouble } from '@hilo/server/parts';
import { type Conversation } from '@hilo/simulator';
import type { Command } from 'commander';
import { getColumns, painter, printable, toSafeJson } from '../paint.ts';
import { commandHelp } from './command.ts';
import { measureCoverage, drawCoverage } from './coverage.ts';
import { describeFailures } from './failures.ts';
import { replay, replayReporting, transcriptDiff } from './replay.ts';
import { createJsonReporter, type Reporter } from './reporter.ts';
import { openSession } from './session.ts';
import { prepareRun, type RunSetup, type SetupOptions } from './setup.ts';
import { createTerminalReporter, drawPrompt } from './terminal-reporter.ts';
import { takeInterrupts } from '../interrupt.ts';

/** How a canvas is run. */
export interface RunOptions extends SetupOptions {
  readonly script?: string;
  readonly check?: true;
  readonly realTime?: true;
  readonly json?: true;
  /** Whether to list the ports never taken at the end. */
  readonly coverage?: true;
}

/** Runs a canvas file: with a person or a pipe at standard input, or by a script. */
export async function run(command: Command, file: string, options: RunOptions): Promise<void> {
  const problem = findContradiction(options);
  if (problem !== undefined) return command.error(`error: ${problem}`);
  const leave = (): never => process.exit(0); // leaving is no failure
  const giveBack = takeInterrupts();
  process.once('SIGINT', leave);
  try {
    const setup = await prepareRun(file, options);
    if (setup === undefined) {
      process.exitCode = 1;
      // The problems are on standard error, which "--json" leaves to people.
      if (options.json === true) process.stdout.write(`${toSafeJson({ error: `${file} cannot run: hilo validate --json lists why` })}\n`);
    } else if (options.script === undefined) await runInteractively(setup, options);
    else await runScript(setup, options.script, options);
  } finally {
    process.off('SIGINT', leave);
    giveBack();
  }
}

/** Why the options contradict each other. */
function findContradiction({ check, script, realTime, json, user, channel }: RunOptions): string | undefined {
  if (check === true && script === undefined) return '--check needs a --script to compare with';
  if (check === true && json === true) return '--check compares transcripts, so it cannot go with --json';
  if (realTime === true && script !== undefined) return 'a script says itself when time passes, so --real-time cannot go with --script';
  return user === undefined ? undefined : userIdProblem(user, channel, 'strict');
}

/** Reads lines from standard input until `/quit`, Ctrl-C, Ctrl-D, or the end of piped input. */
async function runInteractively(
  setup: RunSetup,
  { realTime, json, coverage }: Pick<RunOptions, 'realTime' | 'json' | 'coverage'>,
): Promise<void> {
  const paint = painter(process.stdout);
  const isRealTime = realTime === true;
  const input = openInput(process.stdin.isTTY && process.stdout.isTTY && json !== true, drawPrompt(paint));
  const reporter: Reporter =
    json === true
      ? createJsonReporter(setup, input.print)
      : createTerminalReporter({
          setup,
          paint,
          columns: getColumns(process.stdout),
          isVirtual: !isRealTime,
          isTerminal: input.isTerminal,
          print: input.print,
        });
  const session = await openSession(setup, reporter, isRealTime ? Date.now : undefined);
  for (;;) {
    const dueMs = isRealTime ? await session.catchUp(Date.now()) : undefined;
    const line = input.next();
    if (line === undefined) {
      if (input.isClosed()) break;
      await input.waitForLine(dueMs === undefined ? undefined : Math.max(0, dueMs - Date.now()));
      continue;
    }
    reporter.input(line);
    if ((await session.take(line)) === 'quit') break;
  }
  input.close();
  if (coverage === true) await printCoverage(setup, session.conversation(), json);
}

/** Time-outs are no longer than this, because Node.js fires longer ones at once. */
const longestTimeoutMs = 60_000;

/** Standard input, line by line. On a terminal there is a prompt, and output does not mix with a partly typed line. */
function openInput(isTerminal: boolean, prompt: string) {
  const lines = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    terminal: isTerminal,
    prompt,
    completer: completeCommand,
  });
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isClosed = false;
  let isPrompting = false;
  lines.on('line', (line) => {
    waiting.push(line);
    wake?.();
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    isClosed = true;
    wake?.();
  });
  return {
    isTerminal,
    isClosed: () => isClosed,
    /** The next line; `undefined` when there is none yet. */
    next(): string | undefined {
      const line = waiting.shift();
      if (line !== undefined) isPrompting = false;
      return line;
    },
    /** Waits for a line, the end of the input, or the given time. */
    async waitForLine(timeoutMs: number | undefined): Promise<void> {
      if (isTerminal && !isPrompting) lines.prompt();
      isPrompting = true;
      await new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, Math.min(longestTimeoutMs, timeoutMs));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    },
    print(text: string): void {
      if (!isPrompting || !isTerminal) return void process.stdout.write(`${text}\n`);
      process.stdout.write(`\r\u001b[J${text}\n`); // clears the prompt and the partly typed line; both are drawn again below
      lines.prompt(true);
    },
    close(): void {
      if (isTerminal && isClosed) process.stdout.write('\n');
      lines.close();
    },
  };
}

/** Completes the names of commands. */
function completeCommand(line: string): [string[], string] {
  const names = commandHelp.map(([usage]) => usage.split(' ', 1)[0] ?? '').filter((name) => name.startsWith('/'));
  return [line.startsWith('/') ? names.filter((name) => name.startsWith(line)).map((name) => `${name} `) : [], line];
}

async function runScript(
  setup: RunSetup,
  file: string,
  { check, json, coverage }: Pick<RunOptions, 'check' | 'json' | 'coverage'>,
): Promise<void> {
  const script = file === '-' ? await textOf(process.stdin) : await readScript(file);
  try {
    if (json === true) {
      const reporter = createJsonReporter(setup, (text) => void process.stdout.write(`${text}\n`));
      const conversation = await replayReporting(setup, script, reporter);
      if (coverage === true) await printCoverage(setup, conversation, json);
      return;
    }
    const { transcript, conversation } = await replay(setup, script);
    if (coverage === true) await printCoverage(setup, conversation, json);
    if (check === true) printDifference(transcriptDiff(script, transcript, painter(process.stdout)), file);
    else process.stdout.write(transcript);
    for (const line of await describeFailures(conversation, painter(process.stderr))) process.stderr.write(`${line}\n`);
  } catch (error) {
    if (!isHiloError(error, 'INVALID_SCRIPT')) throw error;
    throw new Error(`${file === '-' ? 'standard input' : printable(file)}: ${printable(error.message)}`, { cause: error });
  }
}

async function readScript(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`The script ${printable(file)} cannot be read: ${readTrouble(error)}`, { cause: error });
  }
}

function printDifference(difference: string | undefined, file: string): void {
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

/** Lists the ports never taken: on standard error when standard output holds a transcript. */
async function printCoverage(setup: RunSetup, conversation: Conversation, json: true | undefined): Promise<void> {
  const coverages = await measureCoverage(setup, conversation);
  if (json === true) process.stdout.write(`${toSafeJson({ kind: 'coverage', workflows: coverages })}\n`);
  else process.stderr.write(`${drawCoverage(coverages, painter(process.stderr))}\n`);
}
