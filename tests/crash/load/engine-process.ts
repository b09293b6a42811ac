import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command, CommandLine, ProcessOptions, Report } from '../protocol.ts';

/** How a process ended. */
export type Death =
  /** Killed at its crash point. */
  | { readonly kind: 'killed' }
  /** Closed the file, with no request left. */
  | { readonly kind: 'closed' }
  /** Any other end is a bug. */
  | { readonly kind: 'failed'; readonly output: string };

/** The answer; `lost` when the process died before it answered. */
export type Answer =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'lost' };

/** A process from its start to its death. */
export interface EngineProcess {
  readonly startedAtMs: number;
  send(command: Command): Promise<Answer>;
  readonly death: Promise<Death>;
  /** Faults that the engine reported. */
  readonly faults: readonly string[];
  /** Messages that it took out of their lanes without an execution, since they may be what kills processes. */
  readonly dropped: readonly string[];
  /** Sends no more requests: the process closes the file and exits. */
  close(): void;
  /** Kills the process in any state. */
  kill(): void;
}

const main = join(import.meta.dirname, '..', 'child', 'main.ts');

/** A second process starts in half the time. */
const compileCache = join(tmpdir(), 'hilo-crash-compiled');

export function startProcess(options: ProcessOptions): EngineProcess {
  const child = spawn(process.execPath, [main, JSON.stringify(options)], {
    stdio: 'pipe',
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  const open = new Map<number, (answer: Answer) => void>();
  const faults: string[] = [];
  const dropped: string[] = [];
  let output = '';
  let wasKilled = false;
  let isDead = false;
  let lastId = 0;

  const receive = (report: Report): void => {
    if (report.kind === 'fault') faults.push(report.message);
    else if (report.kind === 'dropped') dropped.push(report.eventId);
    else if (report.kind === 'died') wasKilled = true;
    else if (report.kind !== 'ready') {
      open.get(report.id)?.(report);
      open.delete(report.id);
    }
  };
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => receive(JSON.parse(line) as Report));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on('error', () => {}); // it died while it read

  const ended = Promise.all([once(child, 'exit'), once(lines, 'close'), once(child.stderr, 'close')]);
  const death = ended.then(([[code, signal]]): Death => {
    isDead = true;
    for (const answer of open.values()) answer({ kind: 'lost' });
    open.clear();
    if (wasKilled && signal === 'SIGKILL') return { kind: 'killed' };
    return code === 0 && output === '' ? { kind: 'closed' } : { kind: 'failed', output: `exit code ${code}, signal ${signal}: ${output}` };
  });

  return {
    startedAtMs: Date.now(),
    send: (command) =>
      new Promise((resolve) => {
        if (isDead) {
          resolve({ kind: 'lost' });
          return;
        }
        lastId += 1;
        open.set(lastId, resolve);
        child.stdin.write(`${JSON.stringify({ id: lastId, command } satisfies CommandLine)}\n`);
      }),
    death,
    faults,
    dropped,
    close: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
  };
}
