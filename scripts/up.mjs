// The one step between an npm script and the tools: `node scripts/up.mjs [--restate] COMMAND ARGS…`.
// It provides the right Node.js, the right pnpm and the node_modules of the lock file, and with --restate the Restate server of the tests
// where npm has one for this platform: all through npm and only what is missing. Then it runs the command. Its downloads are listed in
// toolchain.json with their sha512, and npm refuses anything else. `node scripts/up.mjs --update` alone changes the lock file. Plain
// JavaScript without dependencies, since an old Node.js must be able to start it. Its output goes to stderr: stdout belongs to the command.
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

/** The download for this platform; `undefined` when npm has none. */
const toolsOf = JSON.parse(readFileSync(join(root, 'scripts', 'toolchain.json'), 'utf8'));
const platform = `${process.platform}-${process.arch}`;
const [nodeTool, pnpmTool, restateTool] = [toolsOf.node[platform], toolsOf.pnpm[platform], toolsOf.restate?.[platform]];

/** Same as `engines` of what needs most: 26.1 keeps functions from the network, and older ones have other faults of their own. */
function suffices(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 26 || (major === 26 && minor >= 1);
}

const folderOf = ({ package: name, version }) => join(toolchain, `${name.replace('/', '-')}-${version}`);
const installed = (tool) => join(folderOf(tool), 'node_modules', tool.package);
const usesSystemNode = suffices(process.versions.node);
const nodeBin = usesSystemNode || nodeTool === undefined ? dirname(process.execPath) : join(installed(nodeTool), 'bin');
const pnpmBin = pnpmTool === undefined ? root : installed(pnpmTool);

const hasNode = () => usesSystemNode || (nodeTool !== undefined && existsSync(join(nodeBin, executable('node'))));
const hasPnpm = () => pnpmTool !== undefined && existsSync(join(pnpmBin, executable('pnpm')));
const hasRestate = () => restateTool === undefined || existsSync(join(installed(restateTool), 'bin', 'restate-server'));
const hasModules = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();

/** Changes whenever node_modules must: with a manifest, the lock, or the Node that runs. */
function fingerprint() {
  const hash = createHash('sha256').update(nodeBin);
  const folders = [
    '.',
    'examples',
    'tests',
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

/** Fetches one package in its exact version, and nothing that has another sha512. */
function fetchTool(tool, name, reason) {
  if (tool === undefined) fail(`npm has no ${name} for ${platform}. Install Node 26.1 or newer on another platform, or a container.`);
  const { package: packageName, version, integrity } = tool;
  const directory = folderOf(tool);
  console.error(`[setup] ${reason}fetching ${name} ${version} (once, a minute at most)`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const wanted = { dependencies: { [packageName]: version } };
  const packages = { '': wanted, [`node_modules/${packageName}`]: { version, integrity } };
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, ...wanted }));
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  // npm treats a wrong sha512 as a broken download, and by default retries for minutes.
  const retries = ['--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'];
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...retries];
  const options = { cwd: directory, env, stdio: ['ignore', 2, 2], shell: isWindows };
  if (spawnSync('npm', ['ci', ...flags], options).status === 0) return;
  rmSync(directory, { recursive: true, force: true });
  fail(
    `npm could not install ${packageName}@${version}. Check the network and npm's registry setting, then run the same command again. ` +
      'After EINTEGRITY do not: the registry has something else than what scripts/toolchain.json names.',
  );
}

function installNode() {
  fetchTool(nodeTool, 'Node', `Node ${process.versions.node} does not suffice: `);
  const { stdout } = spawnSync(join(nodeBin, executable('node')), ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (suffices(stdout?.trim() || '0.0')) return;
  rmSync(folderOf(nodeTool), { recursive: true, force: true });
  fail(`The Node of npm does not run on this machine (${platform}). Install Node 26.1 or newer, then run the same command again.`);
}

/** The lock file defines what is installed; only an update may change it. Never prompts. */
function installModules() {
  const flags = [isUpdate ? '--no-frozen-lockfile' : '--frozen-lockfile', '--config.confirm-modules-purge=false', '--reporter=append-only'];
  const options = { cwd: root, env, stdio: ['ignore', 2, 2], shell: isWindows };
  if (spawnSync('pnpm', ['install', ...flags], options).status !== 0)
    fail(
      'pnpm install failed: the reason is above. Where a package.json was changed on purpose, `npm run setup -- --update` updates the lock file.',
    );
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
  // The `sh -c` under npm dies of SIGTERM without passing it on: detects that we were orphaned.
  setInterval(() => process.ppid !== parentPid && child.kill('SIGTERM'), 500).unref();
  child.on('error', (error) => fail(`${command}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

const wantsRestate = process.argv[2] === '--restate';
const [command, ...args] = process.argv.slice(wantsRestate ? 3 : 2);
const isUpdate = command === '--update';
const isMissingRestate = () => wantsRestate && !hasRestate();
if (!hasNode() || !hasPnpm() || !hasModules() || isMissingRestate() || isUpdate) {
  locked(() => {
    if (!hasNode()) installNode();
    if (!hasPnpm()) fetchTool(pnpmTool, 'pnpm', '');
    if (isMissingRestate()) fetchTool(restateTool, 'the Restate server of the tests', '');
    if (!hasModules() || isUpdate) installModules();
  });
}
if (command === undefined || isUpdate) console.error('[setup] ready');
else run(command, args);
