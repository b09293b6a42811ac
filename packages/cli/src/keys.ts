// `hilo keys rotate`: another key for the secrets of a store, while its service runs.
import type { Command } from 'commander';
import { z } from 'zod';
import { painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** The flags of `hilo keys rotate`. */
export interface KeyFlags extends AdminFlags {
  readonly json?: true;
}

const Rotated = z.object({ keyId: z.string(), reencrypted: z.number() });

/** Encrypts every secret with another key. */
export async function rotate(command: Command, { json, ...flags }: KeyFlags): Promise<void> {
  const rotated = Rotated.parse(await withAdmin(command, flags, 'look', ({ ask }) => ask('POST', '/keys/rotate')));
  if (json === true) return printJson(rotated);
  const { keyId, reencrypted } = rotated;
  process.stdout.write(
    `${painter(process.stdout)('green', '✔')} Every secret is encrypted with the key ${printable(keyId)}: ${reencrypted.toLocaleString('en')} ${reencrypted === 1 ? 'was' : 'were'} not. What was encrypted before is in older backups alone\n`,
  );
}
