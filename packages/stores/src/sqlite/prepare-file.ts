import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../store-error.ts';

/** Not a place on a disk. */
export const inMemory = ':memory:';

/**
 * Creates a missing directory and a missing file. An existing file is left to SQLite: if other code of this process opened and closed
 * it, SQLite's locks on it would end.
 *
 * @returns whether the file is small enough to be checked page by page
 */
export async function prepareFile(path: string, mustExist: boolean, checkedUpToBytes: number): Promise<boolean> {
  if (path === inMemory) return false;
  try {
    const { size } = await stat(path);
    // SQLite makes an empty file before it writes the first page.
    if (size === 0 && mustExist) throw new StoreError('STORE_MISSING', { place: path });
    return size <= checkedUpToBytes;
  } catch (error) {
    if (!isMissing(error)) throw error instanceof StoreError ? error : refusal(path, error);
  }
  if (mustExist) throw new StoreError('STORE_MISSING', { place: path });
  try {
    await mkdir(dirname(path), { recursive: true });
    await (await open(path, 'a', 0o600)).close(); // what users write is in it: it is for its owner alone
  } catch (error) {
    throw refusal(path, error);
  }
  return true;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const refusal = (place: string, error: unknown): StoreError =>
  new StoreError('STORE_UNREACHABLE', { place, reason: error instanceof Error ? error.message : String(error) }, { cause: error });
