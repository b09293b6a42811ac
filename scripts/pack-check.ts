// Tries the packages as their users get them: packed, installed by npm in an empty project, imported from plain
// JavaScript, run as a command, and type-checked. Expects dist to be built.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

interface Manifest {
  readonly name: string;
  readonly publishConfig: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const execute = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'hilo-pack-'));
const smallProject = mkdtempSync(join(tmpdir(), 'hilo-pack-small-'));
const tsc = resolve('node_modules/tsc7/bin/tsc');
const packages = globSync('packages/*').map((folder) => ({
  folder,
  manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest,
}));
const entryPoints = packages.flatMap(({ manifest }) =>
  Object.keys(manifest.publishConfig.exports ?? {}).flatMap((path) => (/\.css$|\*/.test(path) ? [] : [manifest.name + path.slice(1)])),
);
/** Peers of the packages for some of their entry points, such as vitest for the contract suites. Our own are packed. */
const peers = packages.flatMap(({ manifest }) =>
  Object.entries(manifest.peerDependencies ?? {}).flatMap(([name, range]) => (range.startsWith('workspace:') ? [] : [`${name}@${range}`])),
);
/** Types that users have: of Node.js with the server, and of React with the studio. */
const platformTypes = ['@types/node@26', '@types/react@19'];
const typesOfPackage = ['--profile', 'esm-only', '--format', 'ascii', '--exclude-entrypoints', './style.css', '--'];
/** What a host needs who executes canvases and keeps them: so much may be installed for it, and everything that their types name is. */
const smallest = { names: ['@hilo/engine', '@hilo/nodes', '@hilo/stores'], maxPackages: 14, maxBytes: 40_000_000 };
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
const problems: string[] = [];

try {
  const tarballs = await Promise.all(packages.map(({ folder }) => pack(folder)));
  for (const [index, tarball] of tarballs.entries()) {
    await Promise.all([
      attempt(`publint ${basename(tarball)}`, 'publint', ['--strict', tarball]),
      attempt(`npm publish --dry-run ${basename(tarball)}`, 'npm', ['publish', '--dry-run', '--access', 'public', tarball], project),
      packages[index]?.manifest.publishConfig.exports !== undefined && // a command alone has no types
        attempt(`attw ${basename(tarball)}`, 'attw', [...typesOfPackage, tarball]),
    ]);
  }
  await Promise.all([checkSmallest(tarballs, smallProject), checkAll(tarballs)]);
} finally {
  for (const folder of [project, smallProject]) rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @returns the path of the tarball */
async function pack(folder: string): Promise<string> {
  const { stdout } = await execute('pnpm', ['pack', '--json', '--pack-destination', project], { cwd: folder });
  const { filename } = JSON.parse(stdout) as { readonly filename: string };
  return resolve(project, basename(filename));
}

function makeProject(folder: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
}

async function checkAll(tarballs: readonly string[]): Promise<void> {
  makeProject(project);
  if (await attempt('npm install of the packed packages', 'npm', ['install', ...quiet, ...tarballs, ...peers, ...platformTypes], project))
    await Promise.all([checkImports(project, entryPoints).then(checkCommands), checkTypes(project, entryPoints), checkContainer()]);
}

/** Installs the smallest set alone, where nothing else brings what one of its manifests forgot. */
async function checkSmallest(tarballs: readonly string[], folder: string): Promise<void> {
  makeProject(folder);
  const chosen = tarballs.filter((_, index) => smallest.names.includes(packages[index]?.manifest.name ?? ''));
  const what = `npm install ${smallest.names.join(' ')}`;
  if (!(await attempt(what, 'npm', ['install', ...quiet, ...chosen], folder))) return;
  const { packages: installed } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, object>>;
  };
  const count = Object.keys(installed).length;
  if (count > smallest.maxPackages) problems.push(`${what} installs ${count} packages, and may install ${smallest.maxPackages}`);
  const files = globSync('node_modules/**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  if (bytes > smallest.maxBytes) problems.push(`${what} installs ${bytes} bytes, and may install ${smallest.maxBytes}`);
  const theirs = entryPoints.filter((entryPoint) =>
    smallest.names.some((name) => entryPoint === name || entryPoint.startsWith(`${name}/`)),
  );
  await checkImports(folder, theirs);
  await attempt('npm install of the types of Node.js', 'npm', ['install', ...quiet, '@types/node@26'], folder);
  await checkTypes(folder, theirs);
}

/** Plain JavaScript, outside of this workspace: each entry point, one after the other. */
async function checkImports(folder: string, specifiers: readonly string[]): Promise<void> {
  const imports = specifiers.map((entryPoint) => {
    const attributes = entryPoint.endsWith('.json') ? ', { with: { type: "json" } }' : '';
    return `await import(${JSON.stringify(entryPoint)}${attributes}).catch((error) => failed.push(${JSON.stringify(entryPoint)}, error));`;
  });
  const script = ['const failed = [];', ...imports, 'if (failed.length > 0) console.error(...failed);', 'process.exit(failed.length);'];
  await attempt('import of each entry point', process.execPath, ['--input-type=module', '--eval', script.join('\n')], folder);
}

async function checkCommands(): Promise<void> {
  await attempt('npm create hilo', join(project, 'node_modules/.bin/create-hilo'), [join(project, 'made')], project);
  await attempt('hilo test in a project that was made', join(project, 'node_modules/.bin/hilo'), ['test'], join(project, 'made'));
  await attempt('hilo --help', join(project, 'node_modules/.bin/hilo'), ['--help'], project);
}

/** A user's TypeScript, as strict as it gets: without skipLibCheck, so that the declarations themselves are checked. */
async function checkTypes(folder: string, specifiers: readonly string[]): Promise<void> {
  const imports = specifiers.map((entryPoint, index) => {
    const attributes = entryPoint.endsWith('.json') ? " with { type: 'json' }" : '';
    const binding = entryPoint.endsWith('.json') ? `entry${index}` : `* as entry${index}`;
    return `import ${binding} from '${entryPoint}'${attributes};\nexport const use${index}: object = entry${index};`;
  });
  writeFileSync(join(folder, 'main.ts'), `${imports.join('\n')}\n`);
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--resolveJsonModule', '--types', 'node'];
  await attempt('type check against the published declarations', process.execPath, [tsc, ...flags, 'main.ts'], folder);
}

/** The commands of the Dockerfile, with the installed packages in place of the image: the service starts, is ready, and stops. */
async function checkContainer(): Promise<void> {
  const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('/app/', `${project}/`);
  const readCommand = (pattern: RegExp): readonly string[] => JSON.parse(pattern.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
  const [program = '', ...args] = readCommand(/^CMD (\[.*\])$/m);
  const [probe = '', ...probeArgs] = readCommand(/^ +CMD (\[.*\])$/m);
  const env = { ...process.env, HILO_DATA: join(project, 'data'), HILO_LOG: 'json', HILO_HOST: '127.0.0.1', HILO_PORT: '39871' };
  const service = spawn(program, args, { cwd: project, env, stdio: 'ignore' });
  const ended = once(service, 'exit');
  const isReady = async (): Promise<boolean> =>
    execute(probe, probeArgs, { env }).then(
      () => true,
      () => false,
    );
  const until = Date.now() + 60_000;
  let ready = false;
  while (!ready && Date.now() < until && service.exitCode === null) ready = await isReady();
  if (!ready) problems.push('The command of the Dockerfile does not become ready by its own health check');
  service.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  if (code !== 0) problems.push(`The command of the Dockerfile ends with ${code} after SIGTERM`);
}

/** Notes a failure under `what` instead of throwing, so that one run reports everything. */
async function attempt(what: string, command: string, args: readonly string[], cwd = process.cwd()): Promise<boolean> {
  try {
    await execute(command, args, { cwd });
    return true;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { readonly stdout?: string; readonly stderr?: string };
    problems.push(`${what} failed:
${(stdout + stderr).trim() || message}
`);
    return false;
  }
}
