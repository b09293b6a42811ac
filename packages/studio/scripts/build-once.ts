// Builds the studio where its sources are not those that it was built from: `npm start` calls it each time, and it takes a fifth of a
// second when nothing changed. A build that fails is told, and keeps nobody from starting the service, which says so on its own page;
// with `--required`, as for publishing, the exit code says it too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const studio = join(import.meta.dirname, '..');
const root = join(studio, '..', '..');
const stamp = join(studio, 'dist', 'app', '.built-from');

/** Changes with every file that the bundle is made of. */
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

const wanted = fingerprint();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('[setup] building the studio (once, some seconds)');
  const vite = join(studio, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: studio, stdio: ['ignore', 2, 2] });
  if (status === 0) writeFileSync(stamp, wanted);
  else console.error('[setup] the studio could not be built: the reason is above. The service starts without it');
  if (status !== 0 && process.argv.includes('--required')) process.exitCode = 1;
}
