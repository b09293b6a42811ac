import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { parse } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Ensures that no watched process outlives this one, even when that loops and this one is killed (P13, P25). */
export interface ProcessGuard {
  /** @returns what to call when the process has ended */
  watch(pid: number): () => void;
  /** What it still watches stays watched while another guard of this process is open, and is killed with the last. */
  close(): void;
}

/** Shared by all guards of this process: one guard process, started with the first watched process and ended with the last guard. */
const open = new Set<ProcessGuard>();
const watched = new Set<number>();
let shared: ChildProcessByStdio<Writable, null, null> | undefined;

export function createProcessGuard(): ProcessGuard {
  const guard: ProcessGuard = {
    watch(pid) {
      open.add(guard);
      watched.add(pid);
      if (shared === undefined) shared = startGuard();
      else shared.stdin.write(`+${pid}\n`);
      return () => {
        if (watched.delete(pid)) shared?.stdin.write(`-${pid}\n`);
      };
    },
    close() {
      if (!open.delete(guard) || open.size > 0) return;
      shared?.stdin.end();
      shared = undefined;
    },
  };
  return guard;
}

function startGuard(): ChildProcessByStdio<Writable, null, null> {
  const { file, flags } = ownProgram('processes/guard-program');
  const started = spawn(process.execPath, [...flags, file], { env: {}, stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true });
  const gone = (): void => {
    if (shared === started) shared = undefined; // the next watched process starts another, for the present ones too
  };
  started.on('error', gone).on('close', (_code, signal) => {
    gone();
    const isKilled = signal !== null; // one that cannot be started must not be restarted for ever
    if (isKilled && open.size > 0 && shared === undefined && watched.size > 0) shared = startGuard();
  });
  started.stdin.on('error', gone);
  started.unref();
  for (const pid of watched) started.stdin.write(`+${pid}\n`);
  return started;
}

/**
 * A program of this package, as TypeScript or built, and the flags that give it access to its own files only.
 *
 * @param name - below `src`, without its extension; then the modules of this package that it imports
 */
export function ownProgram(name: string, ...imports: readonly string[]): { readonly file: string; readonly flags: readonly string[] } {
  const extension = parse(import.meta.url).ext;
  const [file = '', ...others] = [name, ...imports].map((part) =>
    realpathSync(fileURLToPath(new URL(`../${part}${extension}`, import.meta.url))),
  );
  const readable = [file, ...others].map((path) => `--allow-fs-read=${path}`);
  // Links are resolved above: to do so again, the process would have to look at every folder on the way.
  return { file, flags: ['--permission', ...readable, '--preserve-symlinks', '--preserve-symlinks-main', '--no-warnings'] };
}
