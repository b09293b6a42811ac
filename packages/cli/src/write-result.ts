// Writes what a command has made into the file that its caller names: whole, or not at all.
import { unlinkSync } from 'node:fs';
import { chmod, open, rename, stat, writeFile } from 'node:fs/promises';
import { writeTrouble } from '@hilo/server/parts';
import { undoAtExit } from './interrupt.ts';
import { printable } from './paint.ts';

/**
 * Writes a small result.
 *
 * @throws {Error} that says in words why the file cannot be written
 */
export async function writeResult(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch((error: unknown) => refuse(file, error));
}

/**
 * Writes a text that takes the place of a file: beside it first, so that whoever reads it has the one or the other. Who may read the file
 * stays as it was: a workspace has secrets.
 *
 * @throws {Error} that says in words why the file cannot be written
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}.new`;
  const before = await stat(file).catch(() => undefined);
  await writeFile(beside, text, before === undefined ? {} : { mode: before.mode & 0o777 })
    .then(() => (before === undefined ? undefined : chmod(beside, before.mode & 0o777)))
    .then(() => rename(beside, file))
    .catch((error: unknown) => refuse(file, error));
}

/**
 * Writes a result as it comes, for its owner's eyes alone: beside the file, which it becomes once it is whole. A pipe or a device is written
 * directly.
 *
 * @throws {Error} that says in words why the file cannot be written
 */
export async function writeStreamed(file: string, parts: AsyncIterable<string | Uint8Array> | Iterable<string>): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const isPlain = found === undefined || found.isFile();
  const part = isPlain ? `${file}.part` : file;
  const handle = await open(part, 'w', 0o600).catch((error: unknown) => refuse(file, error));
  const isOver = isPlain ? undoAtExit(() => unlinkSync(part)) : undefined;
  try {
    for await (const one of parts) await handle.appendFile(one).catch((error: unknown) => refuse(file, error));
    await handle.close();
    if (isPlain) await rename(part, file).catch((error: unknown) => refuse(file, error));
    isOver?.();
  } catch (error) {
    await handle.close().catch(() => undefined);
    isOver?.();
    if (isPlain) unlinkSync(part);
    throw error;
  }
}

function refuse(file: string, error: unknown): never {
  throw new Error(`${printable(file)} cannot be written: ${writeTrouble(error)}`, { cause: error });
}
