// What a system that stores executions has to do to be measured: start, resume, and open its data again after a kill.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../packages/stores/test/free-port.ts';
import { startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { postmasterOf } from '../clients.ts';
import { answerOf, forkModule } from '../processes.ts';
import { restatePorts, startRestate } from '../restate-server.ts';
import type { Started, Work, Worked } from './durable-process.ts';

/** A system that stores executions: reopened on its data after each kill. */
export interface Durable {
  readonly title: string;
  open(): Promise<Opened>;
  /** Removes what it created besides its directory. */
  remove(): Promise<void>;
}

export interface Opened extends Started {
  /** Its processes, without their children. */
  readonly pids: readonly number[];
  /** @throws {Error} when it fails, or does something else */
  work(work: Work): Promise<Worked>;
  /** Kills it in any state. */
  kill(): Promise<void>;
}

const fileOf = (name: string): string => join(import.meta.dirname, name);

export const hiloOnSqlite = (path: string): Durable => ({
  title: 'Hilo',
  open: () => openChild('Hilo', forkModule(fileOf('hilo-process.ts'), ['sqlite', path])),
  remove: () => Promise.resolve(),
});

export async function hiloOnPostgres(): Promise<Durable & { readonly url: string }> {
  const { url, remove } = await startPostgres({ outlastsPowerCuts: true });
  const postmaster = await postmasterOf(url);
  const open = async (): Promise<Opened> => {
    const opened = await openChild('Hilo', forkModule(fileOf('hilo-process.ts'), ['postgres', url]));
    return { ...opened, pids: [...opened.pids, postmaster] };
  };
  return { title: 'Hilo', url, open, remove };
}

export async function dbos(): Promise<Durable> {
  const { url, remove } = await startPostgres({ outlastsPowerCuts: true });
  const postmaster = await postmasterOf(url);
  const open = async (): Promise<Opened> => {
    const opened = await openChild('DBOS', forkModule(fileOf('dbos-process.mjs'), [url]));
    return { ...opened, pids: [...opened.pids, postmaster] };
  };
  return { title: 'DBOS', open, remove };
}

export const openWorkflowOnSqlite = (path: string): Durable => ({
  title: 'OpenWorkflow',
  open: () => openChild('OpenWorkflow', forkModule(fileOf('openworkflow-process.mjs'), ['sqlite', path])),
  remove: () => Promise.resolve(),
});

/** On a database that has others in it too. */
export async function openWorkflowOnPostgres(url: string): Promise<Durable> {
  const postmaster = await postmasterOf(url);
  const open = async (): Promise<Opened> => {
    const opened = await openChild('OpenWorkflow', forkModule(fileOf('openworkflow-process.mjs'), ['postgres', url]));
    return { ...opened, pids: [...opened.pids, postmaster] };
  };
  return { title: 'OpenWorkflow', open, remove: () => Promise.resolve() };
}

/** Server and service are one contestant: both are killed, and both start again. */
export async function restate(directory: string): Promise<Durable> {
  const ports = await restatePorts();
  const port = await freePort();
  let isKnown = false;
  const open = async (): Promise<Opened> => {
    const beganMs = performance.now();
    const server = await startRestate(join(directory, 'server'), ports);
    const serverMs = performance.now() - beganMs;
    try {
      const service = await openChild('Restate', forkModule(fileOf('restate-process.mjs'), [String(port), server.ingress]));
      if (!isKnown) await server.register(`http://127.0.0.1:${port}`);
      isKnown = true;
      const kill = async (): Promise<void> => void (await Promise.all([server.kill(), service.kill()]));
      return { ...service, startMs: serverMs + service.startMs, pids: [...service.pids, ...server.pids], kill };
    } catch (error) {
      await server.kill();
      throw error;
    }
  };
  return { title: 'Restate', open, remove: () => Promise.resolve() };
}

export async function openChild(name: string, child: ChildProcess): Promise<Opened> {
  const started = await answerOf<Started>(child, name);
  return {
    ...started,
    pids: child.pid === undefined ? [] : [child.pid],
    work: (work) => answerOf<Worked>(child, name, work),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
