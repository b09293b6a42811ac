import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ExecutionStore } from '@hilo/engine/contract';
import { expect } from 'vitest';
import type { SqliteOptions } from '../src/index.ts';
import type { PostgresOptions } from '../../postgres/src/index.ts';

/** What `writing-process.ts` is told: where, and which executions it advances side by side. */
export interface Writing {
  readonly place: SqliteOptions | Extract<PostgresOptions, { readonly url: string }>;
  readonly ids: readonly string[];
}

/** A process that advances executions until it is killed. */
export interface WritingProcess {
  /** The last revision that it said was durable, by execution. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** @returns once it has said of each of its executions that one of its revisions is durable */
  reachAll(): Promise<void>;
  /** @returns once it is dead, and all that it said was heard */
  kill(): Promise<void>;
}

/** @returns once it has written something */
export async function startWriting(writing: Writing): Promise<WritingProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writing-process.ts'), JSON.stringify(writing)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged = new Map<string, number>();
  const lines = createInterface({ input: child.stdout });
  const firstLine = once(lines, 'line');
  const over = Promise.all([once(child, 'exit'), once(lines, 'close')]);
  lines.on('line', (line) => {
    const [id = '', revision] = line.split(' ');
    acknowledged.set(id, Number(revision));
  });
  await firstLine;
  return {
    acknowledged,
    async reachAll() {
      while (acknowledged.size < writing.ids.length) await once(lines, 'line');
    },
    async kill() {
      child.kill('SIGKILL');
      await over;
      expect(child.signalCode).toBe('SIGKILL'); // it did not fail by itself
    },
  };
}

/**
 * Expects of each execution what was acknowledged, or one more that was durable before it could be said, and never half of it.
 *
 * @returns the revisions there are
 */
export async function expectAcknowledged(
  executions: ExecutionStore,
  acknowledged: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [id, revision] of acknowledged) {
    const record = await executions.load('c1', id);
    expect([revision, revision + 1]).toContain(record?.revision);
    expect((await executions.history('c1', id)).map((line) => line.revision)).toEqual(
      Array.from({ length: record?.revision ?? 0 }, (_, index) => index + 1),
    );
    expect((await executions.unfinishedIn(id)).queued).toBe(1);
    found.set(id, record?.revision ?? 0);
  }
  return found;
}
