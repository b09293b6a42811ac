import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quietPeers } from '../processes.ts';
import type { CallsName } from './calls.ts';

/** A server to be started as a program, by default one of Node.js. */
export interface Program {
  readonly title: string;
  readonly command?: string;
  readonly environment?: { readonly [name: string]: string };
  /** What it finds in its directory, as JSON. */
  readonly files: { readonly [name: string]: object };
  readonly args: (directory: string) => readonly string[];
  /** What it prints when it can be called; its first group is where. */
  readonly isUp: RegExp;
  /** Where it is called. */
  readonly path: string;
  readonly calls: CallsName;
}

/** A running server, in a process of its own. */
export interface Server {
  readonly title: string;
  readonly origin: string;
  readonly path: string;
  readonly calls: CallsName;
  /** Its processes, without their children. */
  readonly pids: readonly number[];
  /** Kills it in any state. */
  kill(): Promise<void>;
}

const upWithinMs = 60_000;

/** Settings in the environment would be another server's than the one measured. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HILO|NODE_RED)_/.test(name)));

/**
 * Starts a server in a directory of its own and waits until it is up. Its output goes to a file.
 *
 * @throws {Error} with its output, when it does not come up
 */
export async function startServer(program: Program, directory: string): Promise<Server> {
  const { title, command = process.execPath, files, args, isUp, path, calls } = program;
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), JSON.stringify(content));
  const log = join(directory, 'output.log');
  const output = openSync(log, 'w');
  const env = { ...environment, ...quietPeers, ...program.environment };
  const child = spawn(command, args(directory), { cwd: directory, env, stdio: ['ignore', output, output] });
  closeSync(output);
  let refusal = ''; // of the system, to start such a program
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', ({ message }) => {
      refusal = message;
      resolve();
    });
  });
  const kill = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };
  process.prependOnceListener('exit', () => void kill()); // also when a failure ends this process
  const origin = await printed(child, log, isUp);
  if (origin !== undefined) return { title, origin, path, calls, kill, pids: child.pid === undefined ? [] : [child.pid] };
  await kill();
  throw new Error(`"${title}" did not start: ${refusal || readFileSync(log, 'utf8').trim()}`);
}

async function printed(child: ChildProcess, log: string, pattern: RegExp): Promise<string | undefined> {
  const untilMs = performance.now() + upWithinMs;
  while (performance.now() < untilMs) {
    const found = pattern.exec(readFileSync(log, 'utf8'))?.[1];
    if (found !== undefined || child.exitCode !== null || child.signalCode !== null) return found;
    await wait(20);
  }
  return undefined;
}
