import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { seededRandom } from '@hilo/testing';
import { freePort } from '../../../stores/test/free-port.ts';
import type { ServiceProcess } from '../service-process.ts';
import { askAgainMs, callerOf } from './caller.ts';
import { check } from './faults/check.ts';
import { faultsWorkspace, type Load, openLedger, startLoad } from './faults/world.ts';
import { describeOverPostgres, type Place } from './place.ts';

/** How many faults are met: each once where nothing else is said. */
const faultsAsked = Number(process.env['HILO_TEST_FAULTS'] ?? 3);

/** Makes a process take every instant for one an hour later. */
const anHourAhead = `--import=data:text/javascript,${encodeURIComponent(
  'const Real = Date, ahead = 3_600_000; globalThis.Date = class extends Real { constructor(...args) { args.length === 0 ? super(Real.now() + ahead) : super(...args); } static now() { return Real.now() + ahead; } };',
)}`;

/** Two processes at addresses of their own, of which the second has the wrong time. */
async function startTwo(place: Place, ledger: string) {
  const ports = [await freePort(), await freePort()];
  const start = async (index: number): Promise<ServiceProcess> => {
    const port = String(ports[index]);
    const args = ['--port', port, '--advertise-url', `http://127.0.0.1:${port}`];
    return place.start(args, { HILO_EGRESS_ALLOW: ledger, ...(index === 1 && { NODE_OPTIONS: anHourAhead }) });
  };
  const processes = [await start(0), await start(1)];
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    of(index: number): ServiceProcess {
      const process = processes[index];
      if (process === undefined) throw new Error('There are two');
      return process;
    },
    async restart(index: number) {
      processes[index] = await start(index);
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(processes.map((one) => one.end('SIGKILL')))),
  };
}

type Two = Awaited<ReturnType<typeof startTwo>>;

/** Lets callers be answered this often meanwhile, so that no fault comes while nothing happens. */
async function untilAnswered(load: Load, more: number): Promise<void> {
  for (const goal = load.answered() + more; load.answered() < goal; ) await pause(askAgainMs);
}

/** Until all that was accepted has had its turn. */
async function untilTaken(db: pg.Client): Promise<void> {
  while ((await db.query('select from hilo.queue limit 1')).rowCount !== 0) await pause(askAgainMs);
}

const faults = {
  /** It is taken for dead, comes back, and knows nothing of it: what it still writes is refused (P8). */
  async pause(two: Two, index: number, db: pg.Client) {
    const living = async (): Promise<readonly string[]> =>
      (await db.query<{ readonly id: string }>('select id from hilo.members')).rows.map(({ id }) => id);
    const before = await living();
    two.of(index).signal('SIGSTOP');
    while ((await living()).every((id, position) => id === before[position])) await pause(askAgainMs);
    two.of(index).signal('SIGCONT');
  },
  async kill(two: Two, index: number) {
    await two.of(index).end('SIGKILL');
    await two.restart(index);
  },
  /** One after the other is replaced, as by a new release. */
  async roll(two: Two, index: number) {
    for (const one of [index, 1 - index]) {
      expect(await two.of(one).end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
      await two.restart(one);
    }
  },
};

describeOverPostgres('two processes under load', (open) => {
  it(`lose nothing, do nothing twice and keep the order, through ${faultsAsked} faults and with a clock an hour off (P2, P4, P7 to P10, P12)`, {
    timeout: 120_000 + 60_000 * faultsAsked,
  }, async () => {
    await using ledger = await openLedger();
    using place = await open(faultsWorkspace(ledger.address));
    await using two = await startTwo(place, ledger.address);
    await using db = Object.assign(new pg.Client({ connectionString: place.databaseUrl }), {
      async [Symbol.asyncDispose]() {
        await db.end();
      },
    });
    await db.connect();
    const random = seededRandom(Number(process.env['HILO_SEED'] ?? 1));
    const load = startLoad(() => two.urls, 3);
    const kinds = [faults.pause, faults.kill, faults.roll];
    for (let met = 0; met < faultsAsked; met += 1) {
      await untilAnswered(load, 30);
      const [byte = 0] = random.bytes(1);
      const fault = kinds[met < kinds.length ? met : byte % kinds.length] ?? faults.pause;
      await fault(two, (byte >> 4) % 2, db);
      await untilAnswered(load, 30);
    }
    const promised = await load.stop();
    await untilTaken(db);
    const executions = await callerOf(two.urls[0] ?? '').atRest('1');
    expect(check(promised, ledger.deeds, executions)).toEqual([]);
    expect(promised.orders.length).toBeGreaterThan(3);
  });
});
