import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEngine } from '@hilo/engine';
import { drive } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { createDatabase } from '../../packages/stores/test/shared-postgres.ts';
import { type LeaseDeath, leaseMs } from './lease-deaths.ts';
import { startVisit, systemClock } from './visiting.ts';

/** The output of a process until it was killed. */
async function lastWords(death: LeaseDeath): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'leasing-process.ts'), JSON.stringify(death)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => said.push(line));
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  expect(child.signalCode).toBe('SIGKILL');
  return said;
}

const deaths = (['before', 'after'] as const).flatMap((side) => [
  { point: 'join', side, passed: 0 } as const,
  ...[0, 1, 2].map((passed) => ({ point: 'commit', side, passed }) as const),
]);

describe('a process that shares a PostgreSQL and is killed', { timeout: 300_000 }, () => {
  let databaseUrl = '';
  beforeAll(async () => {
    databaseUrl = await createDatabase();
  });

  it.for(deaths)(
    '$side it has its $point, passed $passed times: another one ends all it began, with its keys (P1, P4, P7, P8)',
    async ({ point, side, passed }) => {
      const schema = `${side}_${point}_${passed}`;
      const said = await lastWords({ url: databaseUrl, schema, point, side, passed });
      const sent = said.flatMap((line) => (line.startsWith('sent ') ? [line.slice('sent '.length)] : []));
      const accepted = new Map(
        said.flatMap((line) => (line.startsWith('accepted ') ? [line.split(' ').slice(1) as [string, string]] : [])),
      );

      const store = await openPostgresStore({ url: databaseUrl, schema, leaseMs });
      const engine = createEngine({
        nodes: standardNodes,
        drivers: [
          drive(sendMessage, async (_request, { idempotencyKey }) => {
            sent.push(idempotencyKey);
            return { kind: 'sent', messageId: idempotencyKey };
          }),
        ],
        clock: store.clock(systemClock),
        random: { bytes: (length) => randomBytes(length) },
        store: { executions: store.executions, canvases: store.canvases },
      });
      const listStatuses = async (): Promise<readonly string[]> => {
        const { results } = await store.executions.list('1', { limit: 100 });
        return results.map(({ state }) => state.status);
      };
      await engine.start();

      const users = Array.from({ length: passed + 1 }, (_, user) => `${schema}-${user}`);
      for (const user of users) {
        const { executionId } = await startVisit(engine, user);
        expect(executionId).toBe(accepted.get(user) ?? executionId);
      }
      const completed = users.map(() => 'completed');
      await vi.waitFor(async () => expect(await listStatuses()).toEqual(completed), { timeout: 60_000 });
      expect(new Set(sent).size).toBe(users.length);
      await engine.stop();
      await store.close();
    },
  );
});
