import { writeFile } from 'node:fs/promises';
import { writeTrouble } from '@hilo/server/project';
import type { Command } from 'commander';
import { painter, printable } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** Writes all that is configured as a workspace file. */
export async function exportWorkspace(
  command: Command,
  file: string | undefined,
  { json, ...flags }: AdminFlags & { readonly json?: true },
): Promise<void> {
  const workspace = await withAdmin(command, flags, 'look', (admin) => admin.ask('GET', '/workspace'));
  const text = `${JSON.stringify(workspace, null, 2)}\n`;
  if (file === undefined) return void process.stdout.write(text);
  await writeFile(file, text).catch((error: unknown) => {
    throw new Error(`${printable(file)} cannot be written: ${writeTrouble(error)}`, { cause: error });
  });
  if (json !== true) process.stderr.write(`${painter(process.stderr)('green', '✔')} ${printable(file)}\n`);
}
