// The peers of the benchmark: their versions, and how they are installed and loaded.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = import.meta.dirname;

const versionIn = (file: string): string | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }).version : undefined;

/** The peers this benchmark names, with the versions it wants. */
export const peers = (
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> }
).dependencies;

/** Installs the peers, which have their own lock file: only the benchmark needs them. */
export function installPeers(): void {
  const isThere = ([name, version]: readonly [string, string]) => versionIn(join(folder, 'node_modules', name, 'package.json')) === version;
  if (Object.entries(peers).every(isThere)) return;
  console.error(`[bench] installing ${Object.keys(peers).join(' and ')} into bench/node_modules (once)`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...flags], { cwd: folder, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0)
    throw new Error('npm could not install what the benchmark compares with. Check the network, then run the same command again.');
}

/** A file of this folder that needs a peer: loaded when the peers are there, so that nothing else depends on them. */
export const loadPeer = async (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href);
