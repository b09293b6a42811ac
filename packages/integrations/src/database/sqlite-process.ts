// The process that has one file of SQLite open.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@hilo/engine/contract';
import { z } from 'zod';
import { DriverError } from '@hilo/drivers';
import { type DatabaseError, lowerPriority, type ProcessGuard, type ProcessUsage, readUsage } from '@hilo/drivers/kit';
import type { SqliteLimits } from './database-credential.ts';
import { bytesOf } from './sqlite-file.ts';

const Value = z.json();
const SqliteAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('own-store') }),
  z.object({ kind: z.literal('too-large') }),
  z.object({ kind: z.literal('places'), places: z.int(), hasNames: z.boolean() }),
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

/** What processes of SQLite files are held to. */
export interface SqliteBounds {
  readonly guard: Pick<ProcessGuard, 'watch'>;
  readonly clock: Clock;
  readonly limits: SqliteLimits;
}

/** A process that has one file open. It is killed when a call exceeds its limits. */
export interface SqliteProcess {
  /** @throws {DriverError} when it ends before it answers */
  say(question: object): Promise<SqliteAnswer>;
  /** Whether it is alive and idle. */
  isIdle(): boolean;
  end(): void;
}

/** A pending call, its start, and the process's CPU time when it was first measured. */
interface Question {
  resolve(answer: SqliteAnswer): void;
  reject(error: DatabaseError): void;
  readonly sinceMs: number;
  workedMs: number | undefined;
}

const program = realpathSync(fileURLToPath(new URL(`./sqlite-runner${parse(import.meta.url).ext}`, import.meta.url)));

/** Starts a process with access to the folder of one file only, and without an environment. */
export function startSqliteProcess(path: string, { guard, clock, limits }: SqliteBounds): SqliteProcess {
  const folder = dirname(path);
  const rights = [`--allow-fs-read=${program}`, `--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`];
  const flags = ['--permission', ...rights, '--preserve-symlinks', '--preserve-symlinks-main', '--no-warnings', '--max-old-space-size=64'];
  const child = spawn(process.execPath, [...flags, program], {
    env: {},
    cwd: parse(program).root,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  lowerPriority(child, 'host');
  const unwatch = child.pid === undefined ? undefined : guard.watch(child.pid);
  const waiting: Question[] = [];
  let isOver = false;
  let looking: unknown;
  const over = (why: DatabaseError = gone()): void => {
    isOver = true;
    clock.clearTimeout(looking);
    child.kill('SIGKILL');
    for (const { reject } of waiting.splice(0)) reject(why);
  };
  child.stdin.on('error', () => undefined); // the process has ended, which its close event reports
  child.on('error', () => over());
  child.on('close', () => {
    unwatch?.();
    over();
  });

  /** SQLite is synchronous and reports nothing meanwhile: the use of a call is measured from here until it is answered. */
  const lookAfter = (question: Question): void => {
    clock.clearTimeout(looking);
    looking = clock.setTimeout(() => void look(question), limits.lookMs);
  };
  const look = async (question: Question): Promise<void> => {
    const usage = child.pid === undefined ? undefined : await readUsage(child.pid);
    question.workedMs ??= usage?.processorMs;
    const excess = await excessOf(usage, question);
    if (waiting[0] !== question) return; // answered meanwhile
    if (excess !== undefined) over(excess);
    else lookAfter(question);
  };
  const excessOf = async (usage: ProcessUsage | undefined, { sinceMs, workedMs = 0 }: Question): Promise<DatabaseError | undefined> => {
    const tookMs = usage === undefined ? clock.now() - sinceMs : usage.processorMs - workedMs;
    if (tookMs > limits.processorMs)
      return new DriverError('timeout', `The statement took more than ${limits.processorMs} ms of a processor: let it look at fewer rows`);
    if (usage !== undefined && usage.residentMb > limits.residentMb)
      return new DriverError('too-large', `The statement took more than ${limits.residentMb} MB of memory: let it gather fewer rows`);
    const besideBytes = await Promise.all(['-wal', '-journal'].map((ending) => bytesOf(path + ending)));
    return Math.max(...besideBytes) > limits.folderBytes ? folderFull(limits) : undefined;
  };

  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = readAnswer(line);
    if (answer !== undefined) waiting.shift()?.resolve(answer);
  });
  return {
    say(question) {
      const { promise, ...waiter } = Promise.withResolvers<SqliteAnswer>();
      if (isOver) waiter.reject(gone());
      else {
        const asked: Question = { ...waiter, sinceMs: clock.now(), workedMs: undefined };
        waiting.push(asked);
        lookAfter(asked);
        child.stdin.write(`${JSON.stringify(question)}\n`);
      }
      return promise;
    },
    isIdle: () => !isOver && waiting.length === 0,
    end: () => over(),
  };
}

/** The content of a line; `undefined` for a partial one, left by a killed process. */
function readAnswer(line: string): SqliteAnswer | undefined {
  try {
    return SqliteAnswer.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** The failure where the company's files have all of the disk that they may have. */
export const folderFull = ({ folderBytes }: Pick<SqliteLimits, 'folderBytes'>): DatabaseError =>
  new DriverError('too-large', `The databases of the company are full: they may have ${Math.floor(folderBytes / 1_000_000)} MB together`, {
    isAnswer: true,
  });

const gone = (): DatabaseError => new DriverError('unreachable', 'The file was closed before the answer was there');
