import { describe, expect, it } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { startPostgres } from '../../stores/test/postgres-server.ts';
import { expectAcknowledged, startWriting } from '../../stores/test/write-and-die.ts';

/** `HILO_KILLS=2000` kills as often as a release is tried with. */
const kills = Number(process.env['HILO_KILLS'] ?? 3);
const idsOf = (process: string): readonly string[] => Array.from({ length: 8 }, (_, index) => `${process}${index}`);

describe('processes that write to one PostgreSQL, and are killed in turn with it', () => {
  it(`have lost nothing they acknowledged, and written nothing by half, in ${kills} kills (P1, P2, P3)`, {
    timeout: 60_000 + 10_000 * kills,
  }, async () => {
    const server = await startPostgres();
    const place = { url: server.url };
    const highest = new Map<string, number>();
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const processes = await Promise.all(['a', 'b'].map((name) => startWriting({ place, ids: idsOf(name) })));
        await new Promise((resolve) => setTimeout(resolve, (37 * kill) % 400));
        if (kill === kills - 1) await Promise.all(processes.map((one) => one.reachAll()));
        if (kill % 3 === 2) {
          await server.crash();
          await server.start();
        }
        await Promise.all(processes.map((one) => one.kill()));
        for (const [id, revision] of processes.flatMap(({ acknowledged }) => [...acknowledged])) {
          expect(revision).toBeGreaterThan(highest.get(id) ?? 0);
          highest.set(id, revision);
        }
        const { executions, close } = await openPostgresStore({ ...place, mustExist: true });
        for (const [id, revision] of await expectAcknowledged(executions, highest)) highest.set(id, revision);
        await close();
      }
      expect(highest.size).toBe(16);
    } finally {
      await server.remove();
    }
  });
});
