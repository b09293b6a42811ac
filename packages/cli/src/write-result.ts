import { writeFile } from 'node:fs/promises';
import { writeTrouble } from '@hilo/server/parts';
import { printable } from './paint.ts';

/**
 * Writes what a command has made into the file that its caller names.
 *
 * @throws {Error} that says in words why the file cannot be written
 */
export async function writeResult(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch((error: unknown) => {
    throw new Error(`${printable(file)} cannot be written: ${writeTrouble(error)}`, { cause: error });
  });
}
