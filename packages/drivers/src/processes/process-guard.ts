import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { parse } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Ensures that no watched process outlives this one, even when that loops and this one is killed (P13, P25). */
export interface ProcessGuard {
  /** @returns what to call when the process has ended */
  watch(pid: number): () => void;
  close(): void;
}

/** A separate guard process, started with the first watched process. */
export function createProcessGuard(): ProcessGuard {
  const watched = new Set<number>();
  let guard: ChildProcessByStdio<Writable, null, null> | undefined;
  let isClosed = false;

  const startGuard = (): ChildProcessByStdio<Writable, null, null> => {
    const { file, flags } = ownProgram('processes/guard-program');
    const started = spawn(process.execPath, [...flags, file], { env: {}, stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true });
    const gone = (): void => {
      if (guard === started) guard = undefined; // the next watched process starts another, for the present ones too
    };
    started.on('error', gone).on('close', (_code, signal) => {
      gone();
      const isKilled = signal !== null; // one that cannot be started must not be restarted for ever
      if (isKilled && !isClosed && guard === undefined && watched.size > 0) guard = startGuard();
    });
    started.stdin.on('error', gone);
    started.unref();
    for (const pid of watched) started.stdin.write(`+${pid}\n`);
    return started;
  };

  return {
    watch(pid) {
      watched.add(pid);
      if (guard === undefined) guard = startGuard();
      else guard.stdin.write(`+${pid}\n`);
      return () => {
        if (watched.delete(pid)) guard?.stdin.write(`-${pid}\n`);
      };
    },
    close() {
      isClosed = true;
      guard?.stdin.end();
    },
  };
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
