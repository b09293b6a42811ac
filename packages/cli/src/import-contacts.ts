// `hilo contacts import`: brings contacts in from a CSV, which is sent as it is read.
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { sayWhatIsKept } from './interrupt.ts';
import { formatCount, painter, printable, printJson } from './paint.ts';
import { withProgress } from './progress.ts';
import { readAnswer } from './service/admin.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** The flags of `hilo contacts import`. */
export interface ImportFlags extends AdminFlags {
  readonly company: string;
  readonly map?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const Imported = z.object({
  isDryRun: z.boolean(),
  rows: z.number(),
  created: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  duplicates: z.number(),
  refused: z.number(),
  problems: z.array(z.object({ line: z.number(), problem: z.string() })),
  ignored: z.array(z.string()).optional(),
});

/** Problems that are printed. */
const maxShown = 20;

/** Imports a file, and prints the counts and what was left out. */
export async function importFile(command: Command, file: string, { company, map, dryRun, json, ...flags }: ImportFlags): Promise<void> {
  const query = createQuery({ map, dryRun: dryRun === true ? 'true' : undefined });
  if (dryRun !== true) sayWhatIsKept('The rows that were read until now are in: import the file again, which leaves them as they are');
  const path = `/companies/${encodeURIComponent(company)}/contacts/import${query}`;
  const answer = await withAdmin(command, flags, dryRun === true ? 'look' : 'work', async ({ request }) => {
    const handle = await open(file);
    try {
      const sending = request(path, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: handle.readableWebStream() });
      return await readAnswer(await withProgress(`Importing ${printable(file)}`, sending));
    } finally {
      await handle.close();
    }
  });
  const { isDryRun, rows, created, changed, unchanged, duplicates, refused, problems, ignored = [] } = Imported.parse(answer);
  if (duplicates + refused > 0) process.exitCode = 1;
  if (json === true) return printJson(answer);
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  out(
    `${formatCount(rows, 'rows')}: ${created} new, ${changed} changed, ${unchanged} as they were, ${duplicates} twice, ${refused} left out`,
  );
  for (const { line, problem } of problems.slice(0, maxShown)) out(`line ${line}: ${printable(problem)}`);
  if (problems.length > maxShown) out(`… and ${problems.length - maxShown} more: --json has them`);
  if (ignored.length > 0)
    out(
      `Nothing was read of the columns ${ignored.map(printable).join(', ')}: --map says what they mean, such as city=${printable(ignored[0] ?? '')}`,
    );
  if (isDryRun) out(painter(process.stdout)('dim', 'Nothing was written.'));
}
