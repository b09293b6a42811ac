// Keeps files for their owner alone: one that was copied back from a backup has the mode that the copying program gave it.
import { chmod, stat } from 'node:fs/promises';

/** The bits of the group and of everybody else. */
const ofOthers = 0o077;

/**
 * Takes the rights of the group and of everybody else away from files, where they are files, and this process's own. On a file system
 * without rights it changes nothing.
 */
export async function keepForOwner(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() === true && (found.mode & ofOthers) !== 0) await chmod(path, found.mode & 0o700).catch(() => undefined);
  }
}
