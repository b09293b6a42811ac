import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { DriverError } from '@hilo/drivers';
import { isDatabaseError } from '@hilo/drivers/kit';

/**
 * Finds a file below a folder, links followed.
 *
 * @throws {DriverError} when it is not there, or anywhere else; with no path in the message
 */
export async function fileBelow(directory: string | undefined, file: string): Promise<string> {
  if (directory === undefined) throw new DriverError('refused', 'SQLite files are not served here');
  const refused = new DriverError('refused', `"${file}" is no file below the folder of the company’s databases`);
  if (isAbsolute(file) || file.includes('\0')) throw refused;
  try {
    const folder = await realpath(directory);
    const path = await realpath(join(folder, file));
    const way = relative(folder, path);
    if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || !(await stat(path)).isFile()) throw refused;
    return path;
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    throw new DriverError('unreachable', `There is no file "${file}" in the folder of the company’s databases`, { cause: error });
  }
}

/** What the files below a folder take, in bytes; links are not followed. */
export async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => bytesOf(join(parentPath, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The size of a file in bytes; 0 for a missing one. */
export const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
