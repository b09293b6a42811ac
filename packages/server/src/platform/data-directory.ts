import { mkdir } from 'node:fs/promises';

/**
 * Makes the data directory where there is none, for its owner alone: what users write is in it.
 *
 * @throws {Error} when there can be none
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data directory ${directory} cannot be made (${reason}): name another one with --data`, { cause: error });
  }
}
