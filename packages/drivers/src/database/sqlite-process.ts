import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ProcessGuard } from '../processes/process-guard.ts';
import { DatabaseFailure } from './database-failure.ts';

const Value = z.json();
const SqliteAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('own-store') }),
  z.object({ kind: z.literal('too-large') }),
  z.object({ kind: z.literal('error'), message: z.string(), code: z.int() }),
  z.object({
    kind: z.literal('outcome'),
    names: z.array(z.string()),
    rows: z.array(z.array(Value)),
    affectedRows: z.int(),
    insertId: Value.exactOptional(),
  }),
]);
export type SqliteAnswer = z.output<typeof SqliteAnswer>;

/** A process that has one file open. */
export interface SqliteProcess {
  /** @throws {DatabaseFailure} when it ends before it answers */
  say(question: object): Promise<SqliteAnswer>;
  /** Whether it lives and owes no answer. */
  isIdle(): boolean;
  end(): void;
}

const program = realpathSync(fileURLToPath(new URL(`./sqlite-runner${parse(import.meta.url).ext}`, import.meta.url)));

/** Starts a process with the right to the folder of one file and to nothing else, and without an environment. */
export function startSqliteProcess(path: string, guard: Pick<ProcessGuard, 'watch'>): SqliteProcess {
  const folder = dirname(path);
  const rights = [`--allow-fs-read=${program}`, `--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`];
  const flags = ['--permission', ...rights, '--preserve-symlinks', '--preserve-symlinks-main', '--no-warnings', '--max-old-space-size=64'];
  const child = spawn(process.execPath, [...flags, program], {
    env: {},
    cwd: parse(program).root,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const unwatch = child.pid === undefined ? undefined : guard.watch(child.pid);
  const waiting: { resolve(answer: SqliteAnswer): void; reject(error: DatabaseFailure): void }[] = [];
  let isOver = false;
  const over = (): void => {
    isOver = true;
    for (const { reject } of waiting.splice(0)) reject(gone());
  };
  child.on('error', over);
  child.on('close', () => {
    unwatch?.();
    over();
  });
  child.stdin.on('error', () => undefined); // the process has ended, which is told above
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = answerIn(line);
    if (answer !== undefined) waiting.shift()?.resolve(answer);
  });
  return {
    say(question) {
      const { promise, ...waiter } = Promise.withResolvers<SqliteAnswer>();
      if (isOver) waiter.reject(gone());
      else {
        waiting.push(waiter);
        child.stdin.write(`${JSON.stringify(question)}\n`);
      }
      return promise;
    },
    isIdle: () => !isOver && waiting.length === 0,
    end() {
      isOver = true;
      child.kill('SIGKILL');
    },
  };
}

/** What a line says; `undefined` for a part of one, which is left where the process was ended within it. */
function answerIn(line: string): SqliteAnswer | undefined {
  try {
    return SqliteAnswer.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

const gone = (): DatabaseFailure => new DatabaseFailure('unreachable', 'The file was closed before the answer was there');
