import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** A run of tests ends before. */
const longestRunMs = 3 * 3_600_000;
let made: string | undefined;

/**
 * The `hilo` command, joined from the current sources in files for Node.js. All test files share one bundle, which is made for the first
 * that asks, and again when sources have changed.
 *
 * @returns the file to start
 * @throws {Error} with the reason, when it cannot be made
 */
export function bundledCommand(): string {
  made ??= join(makeOnce(join(root, 'node_modules/.cache/hilo-command')), 'main.js');
  return made;
}

/** Test files run concurrently: each bundles into a temporary folder, and the first to finish moves it into place. */
function makeOnce(all: string): string {
  const wanted = fingerprint();
  const folder = join(all, wanted);
  if (existsSync(folder)) return folder;
  mkdirSync(all, { recursive: true });
  // Another run may still start what it bundled before the sources changed.
  const isOld = (name: string): boolean => (statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - longestRunMs;
  const others = readdirSync(all).filter((name) => name.length === wanted.length && isOld(name));
  const temporary = mkdtempSync(join(all, 'new-'));
  const program = join(root, 'scripts/bundle-command.ts');
  const { status, stderr } = spawnSync(process.execPath, [program, temporary], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The command cannot be bundled:\n${stderr}`);
  try {
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(temporary, { recursive: true });
  }
  for (const name of others) rmSync(join(all, name), { recursive: true, force: true });
  return folder;
}

/** A hash of all that can change the bundle, in which the place of the repository stands. */
function fingerprint(): string {
  const hash = createHash('sha256').update(root);
  const sources = globSync(['packages/*/src/**/*.ts', 'packages/*/package.json', 'scripts/bundle-command.ts', 'pnpm-lock.yaml'], {
    cwd: root,
  });
  for (const file of sources.toSorted()) if (!file.endsWith('.test.ts')) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
