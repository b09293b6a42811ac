import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { withDirectory } from './temporary-directory.ts';
import { expectAcknowledged, startWriting } from './write-and-die.ts';

const kills = Number(process.env['HILO_KILLS'] ?? 4);
const ids = Array.from({ length: 16 }, (_, index) => `e${index}`);

describe('a process that writes to a SQLite store and is killed', () => {
  it(
    `has lost nothing it acknowledged, ${kills} times on one file`,
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      let highest: ReadonlyMap<string, number> = new Map();
      for (let kill = 0; kill < kills; kill += 1) {
        const { acknowledged, reachAll, kill: end } = await startWriting({ place: { path }, ids });
        await new Promise((resolve) => setTimeout(resolve, 20 + 37 * kill));
        if (kill === kills - 1) await reachAll();
        await end();
        for (const [id, revision] of acknowledged) expect(revision).toBeGreaterThan(highest.get(id) ?? 0);
        const { executions, close } = await openSqliteStore({ path, mustExist: true });
        highest = await expectAcknowledged(executions, new Map([...highest, ...acknowledged]));
        await close();
      }
      expect(highest.size).toBe(ids.length);
    }),
    180_000,
  );
});
