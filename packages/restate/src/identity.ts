// The identity of a Restate server of one's own: it signs its calls of handlers with a key that only this process and the server have, so
// that no other program on the machine can call them.
import { createPrivateKey, createPublicKey, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Identity {
  /** The file with the private key, in PEM. */
  readonly file: string;
  /** The public key, as Restate writes it: `publickeyv1_…`. */
  readonly publicKey: string;
  /** A key for seals, derived from the private key. */
  readonly sealKey: Uint8Array;
}

/** Reads the identity of the server in a directory; makes one where there is none. @throws {Error} when the file is damaged */
export async function readIdentity(directory: string): Promise<Identity> {
  const file = join(directory, 'identity.pem');
  const pem = (await readIfThere(file)) ?? (await makeKey(file));
  try {
    const { x = '' } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' });
    return {
      file,
      publicKey: `publickeyv1_${base58(Buffer.from(x, 'base64url'))}`,
      sealKey: new Uint8Array(hkdfSync('sha256', pem, '', 'hilo entries of lanes', 32)),
    };
  } catch (cause) {
    throw new Error(`${file} is damaged: restore it from a backup, together with the folder it is in`, { cause });
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeKey(file: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFile(`${file}.new`, pem, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return pem;
}

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Bytes in base 58, as Bitcoin and Restate write keys. */
function base58(bytes: Uint8Array): string {
  let text = '';
  for (let left = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); left > 0n; left /= 58n) text = `${digits[Number(left % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}
