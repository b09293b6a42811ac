// A real PostgreSQL for a test, which it may end and start.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { postgresBinaries } from './postgres-binaries.ts';

/** A real server with a new, empty database. Its role has another name than the schema: no table is found by luck. */
export interface PostgresServer {
  readonly url: string;
  /** Ends it at once, without a word to its clients; `start` brings it back with what it had made durable. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Ends it, and begins it again as a standby that waits for a server it follows: it only reads. */
  becomeStandby(): Promise<void>;
  /** Ends it and removes all of it. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /**
   * Whether commits wait for the disk, as those of servers in use do: for measurements, and for what a store says of it. A test ends
   * programs and never the machine, and loses nothing without it.
   */
  readonly outlastsPowerCuts?: boolean;
  /** How many connections there may be at once; 100 when left out. */
  readonly connections?: number;
  /** The port that is tried first; without it, a random one. */
  readonly port?: number;
}

/** @throws {Error} with what the server said, when none can be had: a suite that needs one must fail */
export async function startPostgres({
  outlastsPowerCuts = false,
  connections = 100,
  ...wanted
}: PostgresOptions = {}): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'hilo-postgres-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const { initdb, postgres } = postgresBinaries(directory);
  const data = join(directory, 'data');
  createCluster(initdb, data, user);
  const fsync = outlastsPowerCuts ? 'on' : 'off';
  let stop: (signal: NodeJS.Signals) => Promise<void> = async () => undefined;

  /** @returns whether it listens there; otherwise another program took the port first */
  const listenOn = async (port: number): Promise<boolean> => {
    const options = [
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      `fsync=${fsync}`,
      '-c',
      `max_connections=${connections}`,
    ];
    const server = spawn(postgres, ['-D', data, ...options], { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
    let [said, hasEnded] = ['', false];
    server.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const end = once(server, 'close').finally(() => (hasEnded = true));
    const kill = (): void => void server.kill('SIGQUIT');
    process.once('exit', kill);
    stop = async (signal) => {
      process.off('exit', kill);
      server.kill(signal);
      await end;
    };
    for (let attempt = 0; attempt < 1_200; attempt += 1) {
      // The answer may be another server's, and this one ends soon.
      if ((await folderOf(urlOf(port))) === data) return true;
      if (hasEnded) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await stop('SIGQUIT');
    if (said.includes('Address already in use')) return false;
    throw new Error(`PostgreSQL did not start:\n${said}`);
  };

  let port = wanted.port ?? (await freePort());
  while (!(await listenOn(port))) port = await freePort();
  const url = urlOf(port);
  const start = async (): Promise<void> => {
    if (!(await listenOn(port))) throw new Error(`PostgreSQL did not start again: another program took port ${port} while it was stopped`);
  };
  return {
    url,
    crash: () => stop('SIGQUIT'),
    start,
    async becomeStandby() {
      await stop('SIGINT');
      const signal = join(data, 'standby.signal');
      writeFileSync(signal, '');
      if (user !== undefined) chownSync(signal, user.uid, user.gid);
      await start();
    },
    async remove() {
      await stop('SIGINT');
      rmSync(directory, { recursive: true });
    },
  };
}

/** Connections for a test's own questions; one that the server ends, as it does when it stops, is no error. */
export function directPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => undefined);
  return pool;
}

const clusterOptions = ['-U', 'app', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];

/**
 * Makes the data folder of a new server: by `initdb` once for each version on a machine, and then by a copy of what that made, which
 * takes less than half the processor time.
 */
function createCluster(initdb: string, data: string, user: User | undefined): void {
  const run = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, { ...user, cwd: dirname(data), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const copy = (from: string, to: string): void => {
    if (user === undefined) cpSync(from, to, { recursive: true });
    else run('cp', ['-R', from, to]); // so that the copy is the user's
  };
  const key = [run(initdb, ['--version']), String(user?.uid), ...clusterOptions].join(' ');
  const made = join(tmpdir(), `hilo-initdb-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
  if (existsSync(made)) {
    copy(made, data);
    return;
  }
  run(initdb, ['-D', data, ...clusterOptions]);
  copy(data, `${data}-kept`);
  try {
    renameSync(`${data}-kept`, made);
  } catch (error) {
    if (!existsSync(made)) throw error; // otherwise another process was first
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There is no such user: the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody"');
}

const urlOf = (port: number): string => `postgres://app@127.0.0.1:${port}/postgres`;

/** @returns where the server keeps its data; nothing, when none answers */
async function folderOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ readonly data_directory: string }>('show data_directory');
    return rows[0]?.data_directory;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
