import { link, open, readFile, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Random, HiloError } from '@hilo/engine/contract';
import { readTrouble, writeTrouble } from '../file-trouble.ts';

/** What a secret file holds. */
export interface SecretFile {
  readonly text: string;
  /** Whether this call made the file. */
  readonly isNew: boolean;
}

/**
 * Reads a file with one secret, created when missing, accessible to its owner alone (0600). Of two processes that create it
 * concurrently the first wins, and both get the same text.
 *
 * @param makeText - called only when there is no file
 */
async function readOrMakeSecretFile(path: string, makeText: () => string, random: Random): Promise<SecretFile> {
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
    throw new Error(`${path} cannot be read (${readTrouble(error)}): ${remedy}`, { cause: error });
  }
}

const remedy = 'mend that, or name another data directory with --data';

/** Makes a file whole or not at all. @returns false when another process made it first */
async function writeOnce(path: string, text: string, nonce: string): Promise<boolean> {
  const draft = `${path}.${nonce}`;
  const refuse = (cause: unknown): never => {
    throw new Error(`${path} cannot be written (${writeTrouble(cause)}): ${remedy}`, { cause });
  };
  const file = await open(draft, 'wx', 0o600).catch(refuse);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    return refuse(error);
  } finally {
    await unlink(draft);
  }
}

/** The rule for admin tokens, and the message for one that breaks it: short ones can be guessed (T23). */
export const adminTokenRule = {
  pattern: /^[\x21-\x7e]{16,1000}$/,
  sentence: 'has at least 16 visible characters of ASCII and no blank: make one with `openssl rand -hex 32`',
} as const;

/** The token that management requires, and its source. */
export interface AdminToken {
  readonly token: string;
  /** The file that keeps a generated token; `undefined` for one from the settings. */
  readonly file: AdminTokenFile | undefined;
}

/** The file with a generated admin token. */
export interface AdminTokenFile {
  /** Absolute. */
  readonly path: string;
  /** Whether this start made it: the token is shown then, and never again. */
  readonly isNew: boolean;
}

/**
 * The admin token: the given one, else that of the file `admin.token` in the data directory, created for its owner alone at the first
 * start. There always is one, so that no request is trusted for its address (P27, T25).
 *
 * @throws {Error} when the token breaks `adminTokenRule`
 */
export async function readAdminToken(given: string | undefined, directory: string, random: Random): Promise<AdminToken> {
  if (given !== undefined) return { token: checkToken(given, 'HILO_ADMIN_TOKEN'), file: undefined };
  const path = resolve(join(directory, 'admin.token'));
  const { text, isNew } = await readOrMakeSecretFile(path, () => Buffer.from(random.bytes(24)).toString('hex'), random);
  return { token: checkToken(text, path), file: { path, isNew } };
}

function checkToken(token: string, from: string): string {
  if (!adminTokenRule.pattern.test(token)) throw new Error(`${from} ${adminTokenRule.sentence}`);
  return token;
}

/** How long a key is. */
const keyBytes = 32;

/** The refusal of a master key: malformed, or not the one of the store. */
export const secretKeyRefused = (reason: string, options?: ErrorOptions): HiloError<'SECRET_KEY_REFUSED'> =>
  new HiloError('SECRET_KEY_REFUSED', { reason }, options);

/**
 * The key that encrypts every secret: the given one, else that of the file `secret.key` in the data directory, created for its owner
 * alone at the first start.
 *
 * @param given - 32 bytes in base64
 * @throws {HiloError} `SECRET_KEY_REFUSED` when it is anything else: a short key protects nothing (T23)
 */
export async function readMasterKey(given: string | undefined, directory: string, random: Random): Promise<Uint8Array> {
  if (given !== undefined) return parseKey(given, 'HILO_SECRET_KEY');
  const path = join(directory, 'secret.key');
  const { text } = await readOrMakeSecretFile(path, () => makeKeyText(random), random);
  const [first = ''] = text.split('\n');
  return parseKey(first, path);
}

/**
 * The keys that were used before: while they are replaced, the file has them in the lines below, and the settings beside the new one.
 *
 * @throws {HiloError} `SECRET_KEY_REFUSED` as for the key itself
 */
export async function readKeysBefore(
  { secretKey, secretKeyBefore }: { readonly secretKey?: string | undefined; readonly secretKeyBefore?: string | undefined },
  directory: string,
): Promise<readonly Uint8Array[]> {
  if (secretKeyBefore !== undefined) return [parseKey(secretKeyBefore, 'HILO_SECRET_KEY_BEFORE')];
  if (secretKey !== undefined) return [];
  const path = join(directory, 'secret.key');
  const lines = (await readIfThere(path))?.split('\n').slice(1) ?? [];
  return lines.filter((line) => line.trim() !== '').map((line) => parseKey(line, path));
}

/** A new key, as it is written. */
export const makeKeyText = (random: Random): string => Buffer.from(random.bytes(keyBytes)).toString('base64');

/** Reads a key. @param from - where it was found @throws {HiloError} `SECRET_KEY_REFUSED` for anything but a key */
export function parseKey(text: string, from: string): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  if (key.length !== keyBytes || key.toString('base64') !== trimmed)
    throw secretKeyRefused(`${from} must be ${keyBytes} bytes in base64: make one with \`openssl rand -base64 ${keyBytes}\``);
  return key;
}
