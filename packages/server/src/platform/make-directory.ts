import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory for its owner alone, and those above it, where there are none. Node's own `recursive` never returns where a file
 * system makes nothing and says ENOENT below a directory that exists, as /proc does.
 *
 * @throws {Error} of the file system, when there can be none
 */
export async function makeDirectory(directory: string): Promise<void> {
  const above = dirname(directory);
  if (above !== directory && !(await exists(above))) await makeDirectory(above);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (!(await isDirectory(directory))) throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
