// Two processes of a service that share a store, for tests of faults.
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { expect } from 'vitest';
import { freePort } from '../../../../stores/test/free-port.ts';
import type { ServiceProcess } from '../../service-process.ts';
import { askAgainMs } from '../caller.ts';
import type { Place } from '../place.ts';
import type { Load } from './world.ts';

type Environment = { readonly [name: string]: string };

/** Makes a process take every instant for one an hour later. */
export const anHourAhead: Environment = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    'const Real = Date, ahead = 3_600_000; globalThis.Date = class extends Real { constructor(...args) { args.length === 0 ? super(Real.now() + ahead) : super(...args); } static now() { return Real.now() + ahead; } };',
  )}`,
};

interface TwoOptions {
  /** Where the workflows do what they do: both may reach it. */
  readonly ledger: string;
  /** The environments of the first and the second, in each of their lives. */
  readonly environments?: readonly [Environment, Environment];
  /** Further arguments of the first and of the second. */
  readonly argsOfEach?: readonly [readonly string[], readonly string[]];
}

/** Two processes at addresses of their own, which they tell each other. */
export interface Two extends AsyncDisposable {
  readonly urls: readonly string[];
  of(index: number): ServiceProcess;
  /** Starts one again that has ended. @param environment - its own, when left out */
  restart(index: number, environment?: Environment): Promise<void>;
}

export async function startTwo(place: Place, { ledger, environments = [{}, {}], argsOfEach = [[], []] }: TwoOptions): Promise<Two> {
  const ports = [await freePort(), await freePort()];
  const start = async (index: number, environment = environments[index]): Promise<ServiceProcess> => {
    const port = String(ports[index]);
    const own = ['--port', port, '--advertise-url', `http://127.0.0.1:${port}`];
    return place.start([...own, ...(argsOfEach[index] ?? [])], { HILO_EGRESS_ALLOW: ledger, ...environment });
  };
  /** As a supervisor does it: on a machine that is busy, the database may not answer in time. */
  const startAgain = async (index: number, environment?: Environment, attempts = 5): Promise<ServiceProcess> => {
    try {
      return await start(index, environment);
    } catch (error) {
      if (attempts === 1 || !/cannot be opened: |trying to connect/.test(String(error))) throw error;
      return startAgain(index, environment, attempts - 1);
    }
  };
  const processes = [await startAgain(0), await startAgain(1)];
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    of(index) {
      const process = processes[index];
      if (process === undefined) throw new Error('There are two');
      return process;
    },
    async restart(index, environment) {
      processes[index] = await startAgain(index, environment);
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(processes.map((one) => one.end('SIGKILL')))),
  };
}

/** Lets callers be answered this often meanwhile, so that no fault comes while nothing happens. */
export async function untilAnswered(load: Load, more: number): Promise<void> {
  for (const goal = load.answered() + more; load.answered() < goal; ) await pause(askAgainMs);
}

/** Until all that was accepted has had its turn. */
export async function untilTaken(db: pg.Client): Promise<void> {
  while ((await db.query('select from hilo.queue limit 1')).rowCount !== 0) await pause(askAgainMs);
}

/** Ends one as a deployment does. */
export async function stop(two: Two, index: number): Promise<void> {
  expect(await two.of(index).end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
}
