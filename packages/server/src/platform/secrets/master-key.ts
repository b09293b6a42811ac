import { join } from 'node:path';
import type { Random } from '@hilo/engine/contract';
import { readOrMakeSecretFile } from './secret-file.ts';

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
  const { text } = await readOrMakeSecretFile(path, () => Buffer.from(random.bytes(keyBytes)).toString('base64'), random);
  return keyOf(text, path);
}

function keyOf(text: string, from: string): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (key.length !== keyBytes || key.toString('base64') !== trimmed)
    throw new SecretKeyRefused(`${from} must be ${keyBytes} bytes in base64: make one with \`openssl rand -base64 ${keyBytes}\``);
  return key;
}
