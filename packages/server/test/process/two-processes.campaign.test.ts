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
const faultsAsked = Number(process.env['HILO_TEST_FAULTS'] ?? 5);

/** What a fault is done to. */
interface Stage {
  readonly two: Two;
  readonly db: pg.Client;
  /** Between each process and the database. */
  readonly proxies: readonly CuttingProxy[];
}

/** The numbers of the processes that are not taken for dead. */
const livingIn = async (db: pg.Client): Promise<readonly string[]> =>
  (await db.query<{ readonly id: string }>('select id from hilo.members')).rows.map(({ id }) => id);

async function untilOneIsDead(db: pg.Client, before: readonly string[]): Promise<void> {
  for (let living = before; before.every((id) => living.includes(id)); living = await livingIn(db)) await pause(askAgainMs);
}

const faults = {
  /** It is taken for dead, comes back, and knows nothing of it: what it still writes is refused (P8). */
  async pause({ two, db }: Stage, index: number) {
    const before = await livingIn(db);
    two.of(index).signal('SIGSTOP');
    await untilOneIsDead(db, before);
    two.of(index).signal('SIGCONT');
  },
  /** Its heartbeats do not arrive: the other has its lanes, while it still reaches the database and works on (P8). */
  async part({ db, proxies }: Stage, index: number) {
    const before = await livingIn(db);
    const deliver = proxies[index]?.keepHeartbeats();
    await untilOneIsDead(db, before);
    deliver?.();
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
  async cut({ proxies }: Stage, index: number) {
    const proxy = proxies[index];
    if (proxy === undefined) throw new Error('There are two');
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
    const proxies = [await startCuttingProxy(place.databaseUrl ?? ''), await startCuttingProxy(place.databaseUrl ?? '')] as const;
    using _closed = { [Symbol.dispose]: () => void proxies.map(({ close }) => close()) };
    const argsOfEach = [
      ['--database-url', proxies[0].url],
      ['--database-url', proxies[1].url],
    ] as const;
    await using two = await startTwo(place, { ledger: ledger.address, argsOfEach, environments: [{}, anHourAhead] });
    await using db = Object.assign(new pg.Client({ connectionString: place.databaseUrl }), {
      async [Symbol.asyncDispose]() {
        await db.end();
      },
    });
    await db.connect();
    const random = seededRandom(Number(process.env['HILO_SEED'] ?? 1));
    const load = startLoad(() => two.urls, 3);
    const kinds = [faults.pause, faults.part, faults.kill, faults.roll, faults.cut];
    for (let met = 0; met < faultsAsked; met += 1) {
      await untilAnswered(load, 30);
      const [byte = 0] = random.bytes(1);
      const fault = kinds[met < kinds.length ? met : byte % kinds.length] ?? faults.pause;
      await fault({ two, db, proxies }, (byte >> 4) % 2);
      await untilAnswered(load, 30);
    }
    const promised = await load.stop();
    await untilTaken(db);
    const executions = await callerOf(two.urls[0] ?? '').atRest('1');
    expect(check(promised, ledger.deeds, executions)).toEqual([]);
    expect(promised.orders.length).toBeGreaterThan(3);
  });
});
