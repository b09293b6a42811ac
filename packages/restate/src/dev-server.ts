// Starts a server of Restate for one process, and keeps it running.
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ask } from './ask.ts';
import { type Identity, readIdentity } from './identity.ts';
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
  /** What entries of lanes are sealed with; a key derived from the server's own identity, when left out. */
  readonly sealKey?: Uint8Array | undefined;
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
  /** Where Restate finds the handlers. The server itself has no port. */
  ports: z.object({ service: z.int() }),
});
type Marker = z.output<typeof Marker>;

/**
 * Starts a Restate server for this process, with its data in a directory, and waits until it answers. It listens on Unix sockets in that
 * directory, which only its owner can enter, and signs its calls of handlers. It is restarted when it exits by itself, and ends with
 * this process in any case.
 *
 * @throws {Error} one sentence that says what to do: it is not installed, has another release, its data is another store's, or a port
 *   is in use
 */
export async function startDevServer({
  directory,
  store,
  hasOpenWork = async () => false,
  program,
  sealKey,
}: DevServerOptions): Promise<RestateServer> {
  const binary = program ?? findProgram();
  await checkRelease(binary);
  const marker = await readMarker(directory, store, hasOpenWork);
  await chmod(directory, 0o700);
  const identity = await readIdentity(directory);
  const { ports } = marker;
  await whenFree(ports.service, directory);
  const logFile = join(directory, 'restate.log');
  const data = await shortPath(resolve(directory, 'data'));
  const [ingress, admin] = ['ingress', 'admin'].map((name) => `unix:${join(data, nodeName, `${name}.sock`)}`) as [string, string];
  const spawnAgain = (): Running => spawnServer(binary, { data, identity, cluster: marker.cluster }, logFile);

  let isStopping = false;
  let running = spawnAgain();
  const stop = async (): Promise<void> => {
    isStopping = true;
    await running.stop();
  };
  try {
    await whenUp(
      [
        [ingress, '/restate/health'],
        [admin, '/health'],
      ],
      () => running,
      () => (running = spawnAgain()),
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
      if (!isStopping) running = spawnAgain();
    }
  };
  void supervise();
  const service = { host: '127.0.0.1', port: ports.service };
  return { ingress, admin, service, sealKey: sealKey ?? identity.sealKey, identityKeys: [identity.publicKey], stop };
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
server = spawn(process.argv[1], ['--no-logo'], { stdio: ['ignore', 'inherit', 'inherit'] });
server.on('error', () => process.exit(127)).on('exit', (code) => process.exit(code ?? 1));
process.stdin.resume().on('close', () => server.kill('SIGKILL'));`;

/** The folder of the server's sockets below its data. */
const nodeName = 'hilo';

interface Spawning {
  /** The directory of its data, by a path that is short enough for sockets. */
  readonly data: string;
  readonly identity: Identity;
  readonly cluster: string;
}

/** What the server takes from this process's environment: nothing of Hilo's own, such as its admin token. */
const isForServer = (name: string): boolean => /^(?:PATH|HOME|USER|TMPDIR|TZ|LANG|LC_.*|SSL_CERT_.*|RUST_.*|RESTATE_.*)$/.test(name);

function spawnServer(program: string, { data, identity, cluster }: Spawning, logFile: string): Running {
  const log = openSync(logFile, 'a', 0o600);
  const keeping = spawn(process.execPath, ['-e', keeper, program], {
    stdio: ['pipe', log, log],
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isForServer(name))),
      DO_NOT_TRACK: '1',
      RUST_LOG: process.env['RUST_LOG'] ?? 'warn',
      RESTATE_BASE_DIR: data,
      RESTATE_NODE_NAME: nodeName,
      RESTATE_CLUSTER_NAME: cluster,
      RESTATE_LISTEN_MODE: 'unix',
      RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: resolve(identity.file),
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
    const marker: Marker = { store, cluster: `hilo-${randomBytes(6).toString('hex')}`, ports: { service: await freePort() } };
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, `${JSON.stringify(marker, undefined, 2)}\n`, { flush: true, mode: 0o600 });
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
 * A free port below the range that systems use for outgoing connections: such a connection could take it while this process is down.
 */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const port = randomInt(10_240, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error('No port between 10240 and 32767 of 127.0.0.1 is free');
}

/** The longest path of a socket on the systems that Restate runs on, less what a server adds to the path of its data. */
const longestData = 103 - `/${nodeName}/ingress.sock`.length;

/** The path of a directory, or that of a link to it where it is too long for sockets. */
async function shortPath(directory: string): Promise<string> {
  if (Buffer.byteLength(directory) <= longestData) return directory;
  const link = join(await mkdtemp(join(tmpdir(), 'hilo-')), 'd'); // only its owner can enter
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await symlink(directory, link);
  return link;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/** A process that was killed may need a moment to go. */
async function whenFree(port: number, directory: string): Promise<void> {
  for (const untilMs = performance.now() + 5_000; ; await pause(100)) {
    if (await isFree(port)) return;
    if (performance.now() > untilMs)
      throw new Error(
        `Port ${port} of 127.0.0.1, where the Restate data in ${directory} has its handlers, is in use: stop what listens there`,
      );
  }
}

/** One that ends at once is tried again for a while: that of a process that was killed may still let go of the data. */
async function whenUp(
  addresses: readonly (readonly [string, string])[],
  server: () => Running,
  spawnAgain: () => void,
  logFile: string,
): Promise<void> {
  const isUp = ([base, path]: readonly [string, string]): Promise<boolean> =>
    ask(base, path, { timeoutMs: 2_000 }).then(
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
