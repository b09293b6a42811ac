import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, derived: Buffer) => void;

/**
 * Makes this process derive each hash of scrypt once. The services of most tests import the same secrets with the same salts, since their
 * random numbers are seeded, and each hash takes 50 ms of a processor.
 */
export function deriveOnce(): void {
  const { scrypt } = crypto;
  if (scrypt.name === 'scryptOnce') return; // files share a process
  const known = new Map<string, Buffer>();
  function scryptOnce(secret: string, salt: Uint8Array, length: number, options: ScryptOptions, done: Done): void {
    const key = JSON.stringify([secret, [...salt], length, options]);
    const before = known.get(key);
    if (before !== undefined) return void setImmediate(done, null, before);
    scrypt(secret, salt, length, options, (error, derived) => {
      if (error === null) known.set(key, derived);
      done(error, derived);
    });
  }
  Object.assign(crypto, { scrypt: scryptOnce });
  syncBuiltinESMExports();
}
