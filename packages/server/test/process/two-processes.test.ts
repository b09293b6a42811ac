import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { seededRandom } from '@hilo/testing';
import { type CuttingProxy, startCuttingProxy } from '../../../stores/test/cutting-proxy.ts';
import { askAgainMs, callerOf } from './caller.ts';
import { check } from './faults/check.ts';
import { anHourAhead, startTwo, stop, type Two, untilAnswered, untilTaken } from './faults/two.ts';
import { faultsWorkspace, openLedger, startLoad } from './faults/world.ts';
import { describeOverPostgres } from './place.ts';

/** How many faults are met: each kind once where nothing else is said. */
const faultsAsked = Number(process.env['HILO_TEST_FAULTS'] ?? 4);

/** What a fault is done to. */
interface Stage {
  readonly two: Two;
  readonly db: pg.Client;
  /** Between the processes and the database. */
  readonly proxy: CuttingProxy;
}

const faults = {
  /** It is taken for dead, comes back, and knows nothing of it: what it still writes is refused (P8). */
  async pause({ two, db }: Stage, index: number) {
    const living = async (): Promise<readonly string[]> =>
      (await db.query<{ readonly id: string }>('select id from hilo.members')).rows.map(({ id }) => id);
    const before = await living();
    two.of(index).signal('SIGSTOP');
    while ((await living()).every((id, position) => id === before[position])) await pause(askAgainMs);
    two.of(index).signal('SIGCONT');
  },
  async kill({ two }: Stage, index: number) {
    await two.of(index).end('SIGKILL');
    await two.restart(index);
  },
  /** One after the other is replaced, as by a new release. */
  async roll({ two }: Stage, index: number) {
    for (const one of [index, 1 - index]) {
      await stop(two, one);
      await two.restart(one);
    }
  },
  /** The answers to some commits do not come, and what the database never got comes when it was given up (P2). */
  async cut({ proxy }: Stage) {
    for (const lose of [proxy.loseNextAnswer, proxy.keepNextStatement, proxy.loseNextAnswer]) {
      const before = proxy.lost();
      lose();
      while (proxy.lost() === before) await pause(askAgainMs);
    }
    await proxy.deliverKept();
  },
};

describeOverPostgres('two processes under load', (open) => {
  it(`lose nothing, do nothing twice and keep the order, through ${faultsAsked} faults and with a clock an hour off (P2, P4, P7 to P10, P12)`, {
    timeout: 120_000 + 60_000 * faultsAsked,
  }, async () => {
    await using ledger = await openLedger();
    using place = await open(faultsWorkspace(ledger.address));
    const proxy = await startCuttingProxy(place.databaseUrl ?? '');
    using _closed = { [Symbol.dispose]: proxy.close };
    const args = ['--database-url', proxy.url];
    await using two = await startTwo(place, { ledger: ledger.address, args, environments: [{}, anHourAhead] });
    await using db = Object.assign(new pg.Client({ connectionString: place.databaseUrl }), {
      async [Symbol.asyncDispose]() {
        await db.end();
      },
    });
    await db.connect();
    const random = seededRandom(Number(process.env['HILO_SEED'] ?? 1));
    const load = startLoad(() => two.urls, 3);
    const kinds = [faults.pause, faults.kill, faults.roll, faults.cut];
    for (let met = 0; met < faultsAsked; met += 1) {
      await untilAnswered(load, 30);
      const [byte = 0] = random.bytes(1);
      const fault = kinds[met < kinds.length ? met : byte % kinds.length] ?? faults.pause;
      await fault({ two, db, proxy }, (byte >> 4) % 2);
      await untilAnswered(load, 30);
    }
    const promised = await load.stop();
    await untilTaken(db);
    const executions = await callerOf(two.urls[0] ?? '').atRest('1');
    expect(check(promised, ledger.deeds, executions)).toEqual([]);
    expect(promised.orders.length).toBeGreaterThan(3);
  });
});
