import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '@hilo/engine/contract';

/** How long a key is. */
const keyBytes = 32;

/** A key that is none, or a store whose secrets another key encrypted. Nothing was read or written. */
export class SecretKeyRefused extends Error {
  override readonly name = 'SecretKeyRefused';
  readonly code = 'SECRET_KEY_REFUSED';
}

/**
 * The key that every secret is encrypted with: the one given, else that of the file `secret.key` in the data directory,
 * which is made, for its owner alone, at the first start.
 *
 * @param given - 32 bytes in base64
 * @throws {SecretKeyRefused} when it is anything else: a short key protects nothing (T23)
 */
export async function masterKey(given: string | undefined, directory: string, random: Random): Promise<Uint8Array> {
  if (given !== undefined) return keyOf(given, 'HILO_SECRET_KEY');
  const path = join(directory, 'secret.key');
  const found = await textOf(path);
  if (found !== undefined) return keyOf(found, path);
  await writeOnce(path, `${Buffer.from(random.bytes(keyBytes)).toString('base64')}\n`, Buffer.from(random.bytes(8)).toString('hex'));
  return keyOf(await readFile(path, 'utf8'), path);
}

function keyOf(text: string, from: string): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (key.length !== keyBytes || key.toString('base64') !== trimmed)
    throw new SecretKeyRefused(`${from} must be ${keyBytes} bytes in base64: make one with \`openssl rand -base64 ${keyBytes}\``);
  return key;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a file whole or not at all; whoever is first of two processes wins. */
async function writeOnce(path: string, text: string, nonce: string): Promise<void> {
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
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
}
