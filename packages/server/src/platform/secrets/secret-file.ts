import { link, open, readFile, unlink } from 'node:fs/promises';
import type { Random } from '@hilo/engine/contract';

/** What a secret file holds. */
export interface SecretFile {
  readonly text: string;
  /** Whether this call made the file. */
  readonly isNew: boolean;
}

/**
 * Reads a file that holds one secret. Where there is none it is made, readable and writable by its owner alone (0600). Of
 * two processes that make it at the same time the first wins, and both get the same text.
 *
 * @param makeText - called only when there is no file
 */
export async function readOrMakeSecretFile(path: string, makeText: () => string, random: Random): Promise<SecretFile> {
  const found = await readIfThere(path);
  if (found !== undefined) return { text: found, isNew: false };
  const isNew = await writeOnce(path, `${makeText()}\n`, Buffer.from(random.bytes(8)).toString('hex'));
  return { text: (await readFile(path, 'utf8')).trim(), isNew };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a file whole or not at all. @returns false when another process made it first */
async function writeOnce(path: string, text: string, nonce: string): Promise<boolean> {
  const draft = `${path}.${nonce}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return false;
  } finally {
    await unlink(draft);
  }
}
