import { createInterface } from 'node:readline';
import type { Conversation } from '@hilo/simulator';
import { commandHelp } from './command.ts';
import type { Reporter } from './reporter.ts';
import { openSession } from './session.ts';
import type { Stage } from './stage.ts';

export interface ConverseOptions {
  readonly stage: Stage;
  /** Whether a person types at a terminal. */
  readonly isTerminal: boolean;
  readonly prompt: string;
  /** Whether time runs by itself. */
  readonly isRealTime: boolean;
  readonly reporterFor: (print: (text: string) => void) => Reporter;
}

/** Time-outs are no longer than this, lest they overflow. */
const longestTimeoutMs = 60_000;

/**
 * Talks with whoever is at standard input, until they leave: by `/quit`, Ctrl-C, Ctrl-D, or the end of what is piped in.
 *
 * @returns the talk as it stands then
 */
export async function converse({ stage, isTerminal, prompt, isRealTime, reporterFor }: ConverseOptions): Promise<Conversation> {
  const lines = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    terminal: isTerminal,
    prompt,
    completer,
  });
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isClosed = false;
  lines.on('line', (line) => {
    waiting.push(line);
    wake?.();
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    isClosed = true;
    wake?.();
  });

  let isAsking = false;
  /** Something may be on the line of the prompt already: it is taken away, and comes again below. */
  const print = (text: string): void => {
    if (isAsking && isTerminal) {
      process.stdout.write('\r\u001b[J');
      process.stdout.write(`${text}\n`);
      lines.prompt(true);
    } else process.stdout.write(`${text}\n`);
  };

  const reporter = reporterFor(print);
  const session = await openSession(stage, reporter, isRealTime ? Date.now : undefined);
  for (;;) {
    const dueMs = isRealTime ? await session.catchUp(Date.now()) : undefined;
    const line = waiting.shift();
    if (line !== undefined) {
      isAsking = false;
      reporter.heard(line);
      if ((await session.take(line)) === 'over') break;
      continue;
    }
    if (isClosed) break;
    if (isTerminal && !isAsking) lines.prompt();
    isAsking = true;
    await new Promise<void>((resolve) => {
      const timer = dueMs === undefined ? undefined : setTimeout(resolve, Math.min(longestTimeoutMs, Math.max(0, dueMs - Date.now())));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wake = undefined;
  }
  if (isTerminal && isClosed) process.stdout.write('\n');
  lines.close();
  return session.talk();
}

/** Completes the names of commands. */
function completer(line: string): [string[], string] {
  const names = commandHelp.map(([usage]) => usage.split(' ', 1)[0] ?? '').filter((name) => name.startsWith('/'));
  return [line.startsWith('/') ? names.filter((name) => name.startsWith(line)).map((name) => `${name} `) : [], line];
}
