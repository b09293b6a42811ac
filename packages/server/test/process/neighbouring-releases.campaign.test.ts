import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it } from 'vitest';
import { firstSchema, migrations } from '../../../stores/src/schema/migrations.ts';
import { callerOf } from './caller.ts';
import { check } from './faults/check.ts';
import { startTwo, stop, untilAnswered, untilTaken } from './faults/two.ts';
import { faultsWorkspace, openLedger, startLoad } from './faults/world.ts';
import { describeOverPostgres } from './place.ts';

const nextRelease = fileURLToPath(new URL('./faults/next-release.ts', import.meta.url));
const ofNextRelease = { HILO_TEST_SOURCES: '1', NODE_OPTIONS: `--import=${nextRelease}` };
const schemaOfThis = firstSchema + migrations.length - 1;

describeOverPostgres('two processes of neighbouring releases', (open) => {
  it('serve side by side, each what the other hands it; then the earlier is replaced, and cannot come back (P36)', {
    timeout: 300_000,
  }, async () => {
    await using ledger = await openLedger();
    using place = await open(faultsWorkspace(ledger.address));
    await using two = await startTwo(place, { ledger: ledger.address });
    await using db = Object.assign(new pg.Client({ connectionString: place.databaseUrl }), {
      async [Symbol.asyncDispose]() {
        await db.end();
      },
    });
    await db.connect();
    const schema = async (): Promise<number> => {
      const { rows } = await db.query<{ readonly value: string }>("select value from hilo.meta where name = 'schema'");
      return Number(rows[0]?.value);
    };
    const load = startLoad(() => two.urls, 3);
    await untilAnswered(load, 30);
    expect(await schema()).toBe(schemaOfThis);

    // The first is replaced while the second, which is of this release, serves on.
    await stop(two, 0);
    await two.restart(0, ofNextRelease);
    expect(await schema()).toBe(schemaOfThis + 1);
    await untilAnswered(load, 60);

    // The second cannot come back once it is gone: it would not know what the tables mean.
    await two.of(1).end('SIGKILL');
    await expect(two.restart(1)).rejects.toThrow(/ended with 1: .*was written by a newer Hilo/s);
    await untilAnswered(load, 30);
    await two.restart(1, ofNextRelease);
    await untilAnswered(load, 30);

    const promised = await load.stop();
    await untilTaken(db);
    expect(check(promised, ledger.deeds, await callerOf(two.urls[0] ?? '').atRest('1'))).toEqual([]);
  });
});
