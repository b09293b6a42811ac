// Builds the studio when its sources have changed since the last build: `npm start` calls it each time, and it takes a fifth of a second
// when nothing changed. A failed build is reported, and does not prevent the start of the service, which shows it on its own page; with
// `--required`, as for publishing, the exit code reports it too. `--tests` builds into a folder for these exact sources, which all
// browser tests share, and prints its path.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const studio = join(import.meta.dirname, '..');
const root = join(studio, '..', '..');

/** A hash of every file in the bundle. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = globSync(
    [
      'packages/{studio,engine,nodes,simulator,sandbox}/src/**/*.{ts,tsx,css}',
      'packages/studio/{index.html,vite.config.ts}',
      'pnpm-lock.yaml',
    ],
    { cwd: root },
  );
  for (const file of sources.toSorted()) if (!/\.test\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** @returns whether the build succeeded. A test's own NODE_ENV would select React's development build. */
function build(outDir: string): boolean {
  console.error('[setup] building the studio (once, some seconds)');
  const vite = join(studio, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', outDir], {
    cwd: studio,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return status === 0;
}

/** Test files run concurrently: each builds in a temporary folder, and the first to finish moves it into place. */
function buildForTests(): string | undefined {
  const all = join(studio, 'dist', 'tests');
  const folder = join(all, wanted);
  if (existsSync(folder)) return folder;
  mkdirSync(all, { recursive: true });
  const others = readdirSync(all).filter((name) => name.length === wanted.length);
  const made = mkdtempSync(join(all, 'new-'));
  if (!build(made)) return undefined;
  if (existsSync(folder)) rmSync(made, { recursive: true });
  else renameSync(made, folder);
  for (const name of others) rmSync(join(all, name), { recursive: true, force: true });
  return folder;
}

const wanted = fingerprint();
if (process.argv.includes('--tests')) {
  const folder = buildForTests();
  if (folder === undefined) process.exitCode = 1;
  else console.log(folder);
} else {
  const outDir = join(studio, 'dist', 'app');
  const stamp = join(outDir, '.built-from');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    const isBuilt = build(outDir);
    if (isBuilt) writeFileSync(stamp, wanted);
    else console.error('[setup] the studio could not be built: the reason is above. The service starts without it');
    if (!isBuilt && process.argv.includes('--required')) process.exitCode = 1;
  }
}
