import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { painter, printable } from './paint.ts';

/** The project that is copied: beside `src` and beside `dist`. */
const template = fileURLToPath(new URL('../template/', import.meta.url));

/**
 * Creates a project: a canvas with its transcripts, a node of its own with a test, a workspace and `hilo.config.ts`. All of it or
 * nothing.
 *
 * @param version - the version of Hilo on which the project depends
 * @throws {Error} for a directory that is not empty
 */
export async function init(directory: string, version: string): Promise<void> {
  const target = resolve(directory);
  if ((await listFiles(target)).length > 0) throw new Error(`${printable(directory)} is not empty: nothing was written there`);
  const files = await projectFiles(basename(target), version);
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(target, name);
      await makeDirectory(dirname(path));
      await writeFile(path, text, { flag: 'wx', mode: secretFiles.has(name) ? 0o600 : 0o666 });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw new Error(`${printable(directory)} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const paint = painter(process.stdout);
  process.stdout.write(`${paint('green', '✔')} ${printable(directory)} has ${files.size} files. What comes next:\n\n`);
  const enter = relative(process.cwd(), target);
  if (enter !== '') process.stdout.write(`  cd ${shellWord(printable(enter))}\n`);
  process.stdout.write(`  ${isClone ? installOfPacked(target) : 'npm install'}\n  npm test\n  npm run dev\n`);
}

/** Whether this runs from its sources: what the project depends on is then packed from them. */
const isClone = import.meta.url.endsWith('.ts');

/** The install of the packages that were packed into `dist` of the clone, with their paths as seen from the project. */
const installOfPacked = (target: string): string =>
  `npm install ${shellWord(relative(target, fileURLToPath(new URL('../../../dist/', import.meta.url))))}/*.tgz    # packed: README.md`;

/** Files with secrets: for their owner alone, and named by `.gitignore`. */
const secretFiles: ReadonlySet<string> = new Set(['workspace.json']);

/** Makes a directory and those above it. Node's own `recursive` never returns below one that takes none, as /proc does. */
async function makeDirectory(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  await makeDirectory(dirname(directory));
  await mkdir(directory);
}

/** @throws {Error} for a path that is no directory */
async function listFiles(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new Error(`${printable(directory)} is no directory that can be read`, { cause: error });
  }
}

/** The files of a project with their texts: its own name, this version of Hilo, and secrets that no other project has. */
async function projectFiles(name: string, version: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const entries = await readdir(template, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = relative(template, join(entry.parentPath, entry.name));
    // Checks the path inside the template only: an installed command is itself below a node_modules.
    if (!entry.isFile() || path.includes('node_modules')) continue;
    const text = await readFile(join(template, path), 'utf8');
    files.set(path === 'gitignore' ? '.gitignore' : path, text); // npm publishes no .gitignore
  }
  const manifest = files.get('package.json') ?? '';
  files.set(
    'package.json',
    manifest.replace('"my-bot"', JSON.stringify(packageName(name))).replaceAll(/("@hilo\/\w+": )"[^"]*"/g, `$1"${version}"`),
  );
  const workspace = files.get('workspace.json') ?? '';
  files.set(
    'workspace.json',
    workspace.replaceAll('change-this-secret', () => randomBytes(24).toString('base64url')),
  );
  return files;
}

/** A path as one word of a shell, in quotes where it needs them. */
const shellWord = (path: string): string =>
  /^[\w./-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/** The folder as a valid package name. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'my-bot' : name.slice(0, 200);
}
