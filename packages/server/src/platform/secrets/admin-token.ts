import { join, resolve } from 'node:path';
import type { Random } from '@hilo/engine/contract';
import { readOrMakeSecretFile } from './secret-file.ts';

/** What an admin token looks like, and what is said of one that does not: short ones can be guessed (T23). */
export const adminTokenRule = {
  pattern: /^[\x21-\x7e]{16,1000}$/,
  sentence: 'has at least 16 visible characters of ASCII and no blank: make one with `openssl rand -hex 32`',
} as const;

/** The token that management asks everybody for, and where it came from. */
export interface AdminToken {
  readonly token: string;
  /** The file that keeps a token nobody gave; `undefined` for one that the settings gave. */
  readonly file: AdminTokenFile | undefined;
}

export interface AdminTokenFile {
  /** Absolute. */
  readonly path: string;
  /** Whether this start made it: the token is shown then, and never again. */
  readonly isNew: boolean;
}

/**
 * The admin token: the one given, else that of the file `admin.token` in the data directory, which is made, for its owner
 * alone, at the first start. There is always one, so that no request is trusted for where it seems to come from (P27, T25).
 *
 * @throws {Error} when the token breaks `adminTokenRule`
 */
export async function readAdminToken(given: string | undefined, directory: string, random: Random): Promise<AdminToken> {
  if (given !== undefined) return { token: checked(given, 'HILO_ADMIN_TOKEN'), file: undefined };
  const path = resolve(join(directory, 'admin.token'));
  const { text, isNew } = await readOrMakeSecretFile(path, () => Buffer.from(random.bytes(24)).toString('hex'), random);
  return { token: checked(text, path), file: { path, isNew } };
}

function checked(token: string, from: string): string {
  if (!adminTokenRule.pattern.test(token)) throw new Error(`${from} ${adminTokenRule.sentence}`);
  return token;
}
