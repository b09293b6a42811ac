import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { withDirectory } from './temporary-directory.ts';

const kills = 10;
/** Executions that the dying process advances side by side. */
const writers = 16;

/** Lets a process advance executions until it is killed. @returns the last revision it said was durable, by execution */
async function writeAndDie(path: string, afterMs: number): Promise<ReadonlyMap<string, number>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writing-process.ts'), path, String(writers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged = new Map<string, number>();
  const lines = createInterface({ input: child.stdout });
  const firstLine = once(lines, 'line');
  const closed = once(lines, 'close');
  lines.on('line', (line) => {
    const [id = '', revision] = line.split(' ');
    acknowledged.set(id, Number(revision));
  });
  await firstLine;
  setTimeout(() => child.kill('SIGKILL'), afterMs);
  await once(child, 'exit');
  await closed;
  return acknowledged;
}

describe('a process that writes to a SQLite store and is killed', () => {
  it(
    `has lost nothing it acknowledged, ${kills} times on one file`,
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const highest = new Map<string, number>();
      for (let kill = 0; kill < kills; kill += 1) {
        const acknowledged = await writeAndDie(path, 20 + 37 * kill);
        for (const [id, revision] of acknowledged) {
          expect(revision).toBeGreaterThan(highest.get(id) ?? 0);
          highest.set(id, revision);
        }
        const { executions, close } = await openSqliteStore({ path, mustExist: true });
        for (const [id, revision] of highest) {
          const record = await executions.load('c1', id);
          // One more may have been durable before it could be said, and never half of it.
          expect([revision, revision + 1]).toContain(record?.revision);
          expect((await executions.history('c1', id)).map((line) => line.revision)).toEqual(
            Array.from({ length: record?.revision ?? 0 }, (_, index) => index + 1),
          );
          highest.set(id, record?.revision ?? 0);
        }
        expect((await executions.unfinished('', 100)).map(({ queued }) => queued)).toEqual(Array.from({ length: writers }, () => 1));
        await close();
      }
      expect(highest.size).toBe(writers);
    }),
    60_000,
  );
});
