import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { RestateServer } from './restate-runtime.ts';

/** Where a Restate server keeps its data, and which program runs it. */
export interface DevServerOptions {
  /** The directory of the server's data. Created when missing; it belongs to one store permanently. */
  readonly directory: string;
  /** Names the store that executions are read from: the data of another is refused. */
  readonly store: string;
  /** Whether that store has open executions: new data is not begun beside them. None, when left out. */
  readonly hasOpenWork?: () => Promise<boolean>;
  /** The `restate-server` program; that of `@restatedev/restate-server`, when left out. */
  readonly program?: string | undefined;
}

/** The release line that the handlers are made for. */
const release = '1.7';
const installation = 'npm install @hilo/restate @restatedev/restate-server@1.7.12';

/** Until when the server must answer. */
const startMs = 60_000;
const stopMs = 8_000;
/** How long the server of a process that was killed may take to let go of its data. */
const lettingGoMs = 4_000;
/** How long until a server that ended by itself is started again. */
const againMs = 200;

const Marker = z.object({
  store: z.string(),
  cluster: z.string(),
  ports: z.object({ node: z.int(), ingress: z.int(), admin: z.int(), service: z.int() }),
});
type Marker = z.output<typeof Marker>;

/**
 * Starts a Restate server for this process on loopback, with its data in a directory, and waits until it answers. It is restarted when
 * it exits by itself, and ends with this process in any case.
 *
 * @throws {Error} one sentence that says what to do: it is not installed, has another release, its data is another store's, or a port
 *   is in use
 */
export async function startDevServer({
  directory,
  store,
  hasOpenWork = async () => false,
  program,
}: DevServerOptions): Promise<RestateServer> {
  const binary = program ?? findProgram();
  await checkRelease(binary);
  const marker = await readMarker(directory, store, hasOpenWork);
  const { ports } = marker;
  for (const [name, port] of Object.entries(ports)) await whenFree(name, port, directory);
  const logFile = join(directory, 'restate.log');
  const [ingress, admin] = [`http://127.0.0.1:${ports.ingress}`, `http://127.0.0.1:${ports.admin}`];

  let isStopping = false;
  let running = spawnServer(binary, directory, marker, logFile);
  const stop = async (): Promise<void> => {
    isStopping = true;
    await running.stop();
  };
  try {
    await whenUp(
      [`${ingress}/restate/health`, `${admin}/health`],
      () => running,
      () => (running = spawnServer(binary, directory, marker, logFile)),
      logFile,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const supervise = async (): Promise<void> => {
    for (;;) {
      await running.ended;
      if (isStopping) return;
      await pause(againMs);
      if (!isStopping) running = spawnServer(binary, directory, marker, logFile);
    }
  };
  void supervise();
  return { ingress, admin, service: { host: '127.0.0.1', port: ports.service }, stop };
}

/** @throws {Error} when the server is not installed, cannot be run, or is of another release */
export const checkProgram = (program: string | undefined): Promise<void> => checkRelease(program ?? findProgram());

interface Running {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  isOver(): boolean;
  stop(): Promise<void>;
}

/**
 * Starts the server and stops it with this process, however that ends: a process between the two is its parent, and the end of
 * that one's input is the end of this one.
 */
const keeper = `
const { spawn } = require('node:child_process');
let server;
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.on('SIGTERM', () => server.kill('SIGTERM'));
server = spawn(process.argv[1], ['--bind-ip', '127.0.0.1', '--no-logo'], { stdio: ['ignore', 'inherit', 'inherit'] });
server.on('error', () => process.exit(127)).on('exit', (code) => process.exit(code ?? 1));
process.stdin.resume().on('close', () => server.kill('SIGKILL'));`;

function spawnServer(program: string, directory: string, { cluster, ports }: Marker, logFile: string): Running {
  const log = openSync(logFile, 'a', 0o600);
  const keeping = spawn(process.execPath, ['-e', keeper, program], {
    stdio: ['pipe', log, log],
    env: {
      ...process.env,
      DO_NOT_TRACK: '1',
      RUST_LOG: process.env['RUST_LOG'] ?? 'warn',
      RESTATE_BASE_DIR: resolve(directory, 'data'),
      RESTATE_NODE_NAME: 'hilo',
      RESTATE_CLUSTER_NAME: cluster,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_PORT: String(ports.node),
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${ports.node}`,
      RESTATE_ADMIN__BIND_PORT: String(ports.admin),
      RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
    },
  });
  closeSync(log);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isOver = false;
  for (const event of ['exit', 'error'] as const)
    keeping.once(event, () => {
      isOver = true;
      end();
    });
  return {
    ended,
    isOver: () => isOver,
    async stop() {
      keeping.kill('SIGTERM');
      const timer = setTimeout(() => keeping.stdin?.destroy(), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** npm installs the package of this platform only, beside its dependent. */
function findProgram(): string {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const server = createRequire(from).resolve('@restatedev/restate-server/package.json');
      return createRequire(server).resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);
    } catch {
      // Not installed here.
    }
  }
  throw new Error(`The Restate server is not installed: ${installation}`);
}

async function checkRelease(program: string): Promise<void> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 10_000 }).catch((cause: unknown) => {
    throw new Error(`The Restate server ${program} cannot be run: ${installation}`, { cause });
  });
  const [, version] = /^restate-server (\d+\.\d+\.\d+\S*)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error(`${program} is no Restate server: ${installation}`);
  if (!version.startsWith(`${release}.`))
    throw new Error(`The Restate server ${program} is release ${version}, and ${release} is needed: ${installation}`);
}

/** Reads the store and the ports of the directory; initialises a new one. */
async function readMarker(directory: string, store: string, hasOpenWork: () => Promise<boolean>): Promise<Marker> {
  const path = join(directory, 'hilo.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) {
    if (await isThere(join(directory, 'data')))
      throw new Error(`${directory} holds data of Restate that Hilo did not begin: name another data directory`);
    if (await hasOpenWork())
      throw new Error(
        `There is no Restate data in ${directory}, though the store beside it has open executions that Restate keeps: restore the two together or, where a cluster keeps them, name it with --restate-url`,
      );
    const [node = 0, ingress = 0, admin = 0, service = 0] = await freePorts(4);
    const marker: Marker = { store, cluster: `hilo-${randomBytes(6).toString('hex')}`, ports: { node, ingress, admin, service } };
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, `${JSON.stringify(marker, undefined, 2)}\n`, { flush: true });
    await rename(`${path}.new`, path);
    return marker;
  }
  const marker = Marker.safeParse(parseJson(text)).data;
  if (marker === undefined) throw new Error(`${path} is damaged: restore it from a backup, together with the folder it is in`);
  if (marker.store !== store)
    throw new Error(
      `The Restate data in ${directory} is of another store (${marker.store}) than the one beside it (${store}): restore the two together`,
    );
  return marker;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Free ports below the range that systems use for outgoing connections: such a connection could take one while the server is down.
 */
async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count && attempt < 1_000; attempt += 1) {
    const port = randomInt(10_240, 32_768);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/** A server that was killed with its process may need a moment to go. */
async function whenFree(name: string, port: number, directory: string): Promise<void> {
  for (const untilMs = performance.now() + 5_000; ; await pause(100)) {
    if (await isFree(port)) return;
    if (performance.now() > untilMs)
      throw new Error(
        `Port ${port} of 127.0.0.1, which the Restate data in ${directory} has for ${name}, is in use: stop what listens there`,
      );
  }
}

/** One that ends at once is tried again for a while: that of a process that was killed may still let go of the data. */
async function whenUp(addresses: readonly string[], server: () => Running, spawnAgain: () => void, logFile: string): Promise<void> {
  const isUp = (address: string): Promise<boolean> =>
    fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const [untilMs, againUntilMs] = [performance.now() + startMs, performance.now() + lettingGoMs];
  for (; ; await pause(againMs)) {
    if ((await Promise.all(addresses.map(isUp))).every(Boolean)) return;
    const isOver = server().isOver();
    if (isOver && performance.now() < againUntilMs) spawnAgain();
    else if (isOver || performance.now() > untilMs)
      throw new Error(
        `The Restate server ${isOver ? 'ended' : `did not answer within ${startMs / 1_000} s`} as it started: see ${logFile}`,
      );
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
