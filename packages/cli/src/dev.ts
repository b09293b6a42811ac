// `hilo dev`: serves a workspace, and tests and imports it again after each change.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadConfig } from '@hilo/server/parts';
import type { Command } from 'commander';
import { painter } from './paint.ts';
import type { ServeFlags } from './serve.ts';
import { readServeSettings } from './serve/settings.ts';
import { watchChanges, readStates } from './watch-files.ts';
import { takeInterrupts } from './interrupt.ts';

/** How long the service has to drain before it is killed. */
const drainMs = 15_000;

/**
 * Serves a workspace during development. After each change below this folder it imports the workspace again, which checks and publishes
 * what differs, and replays the transcripts. A change of code restarts the service, since a process loads a module once. Each step runs
 * a command in a process of its own.
 *
 * @param serveArguments - the arguments after `hilo dev`
 */
export async function dev(command: Command, { config, ...flags }: ServeFlags, serveArguments: readonly string[]): Promise<void> {
  const { settings: configured } = await loadConfig(config);
  const read = readServeSettings(flags, process.env, configured);
  if (read.kind === 'refused') return command.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
  const { workspace, data } = read.settings;
  if (workspace === undefined) return command.error('error: no workspace: name it by --workspace, or as `workspace` in hilo.config.ts');

  const paint = painter(process.stdout);
  const say = (text: string): void => void process.stdout.write(`\n${paint('dim', `hilo dev: ${text}`)}\n`);
  const configFlags = config === undefined ? [] : ['--config', config];
  const stopping = new AbortController();
  takeInterrupts();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

  const isData = (path: string): boolean => resolve(path) === resolve(data);
  const files = async (): Promise<readonly string[]> => [workspace, ...(await filesBelow('.', isData))];
  let service: ChildProcess | undefined;
  let codeBefore: string | undefined;
  for await (const _ of watchChanges(files, { signal: stopping.signal })) {
    const code = await readStates((await files()).filter(isCode));
    if (service === undefined || hasEnded(service) || code !== codeBefore) {
      if (service !== undefined) say('the code changed, or the service ended: restarting');
      await stop(service);
      await waitForExit(hilo(['test', ...configFlags, '--workspace', workspace]));
      if (stopping.signal.aborted) break;
      service = hilo(['serve', '--overwrite', ...serveArguments]);
    } else {
      say('something changed');
      const imported = await waitForExit(hilo(['import', workspace, '--data', data, ...configFlags]));
      if (imported !== 0) say('the workspace was not imported: the published versions stay');
      await waitForExit(hilo(['test', ...configFlags, '--workspace', workspace]));
    }
    codeBefore = code;
  }
  await stop(service);
}

/** Runs a command of Hilo, with this terminal. */
function hilo(words: readonly string[]): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, ...words], { stdio: 'inherit' });
}

/** Whether a process has ended, by itself or by a signal, such as that of a system without memory: it has no exit code then. */
export const hasEnded = ({ exitCode, signalCode }: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean =>
  exitCode !== null || signalCode !== null;

/** @returns the exit code; `null` when a signal ended it */
async function waitForExit(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) await once(child, 'exit');
  return child.exitCode;
}

/** Lets a service drain for at most {@link drainMs}, then kills it; resolves when it has ended. */
async function stop(service: ChildProcess | undefined): Promise<void> {
  if (service === undefined) return;
  service.kill('SIGTERM');
  const late = setTimeout(() => service.kill('SIGKILL'), drainMs);
  await waitForExit(service);
  clearTimeout(late);
}

const isCode = (file: string): boolean => /\.[cm]?[jt]s$/.test(file) || file.endsWith('package.json');

/**
 * Files, listed anew at each look: a new one is a change. What tools, packages and the service keep is left out. Folders are no part of it: the
 * one around the data changes when the service makes its directory.
 */
async function filesBelow(folder: string, isLeftOut: (path: string) => boolean): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist' || isLeftOut(path)) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(path, isLeftOut)));
    else found.push(path);
  }
  return found;
}
