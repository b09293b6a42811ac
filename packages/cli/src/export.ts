import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { painter } from './paint.ts';
import { printable } from './printable.ts';
import { type AdminFlags, withAdmin, withAdminFlags } from './service/with-admin.ts';

export const exportCommand = (): Command =>
  withAdminFlags(
    new Command('export')
      .summary('write all that is configured as a workspace file')
      .description(
        'Writes all that is configured as a workspace file, canvases inside and secrets left out: imported again, it keeps the secrets that are known.',
      )
      .argument('[file]', 'where it goes; without it, to standard output'),
  )
    .option('--json', 'print JSON and nothing else, as it does anyway without a file')
    .action(async function (this: Command, file: string | undefined, { json, ...flags }: AdminFlags & { readonly json?: true }) {
      const workspace = await withAdmin(this, flags, 'look', (admin) => admin.ask('GET', '/workspace'));
      const text = `${JSON.stringify(workspace, null, 2)}\n`;
      if (file === undefined) return void process.stdout.write(text);
      await writeFile(file, text).catch((error: unknown) => {
        throw new Error(`${printable(file)} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      });
      if (json !== true) process.stderr.write(`${painter(process.stderr)('green', '✔')} ${printable(file)}\n`);
    });
