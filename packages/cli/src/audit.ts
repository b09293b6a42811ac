// `hilo audit`: the record of what operators did, as a table, or all of it as lines for another system.
import { once } from 'node:events';
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { getTableColumns, painter, printable, printJson, toSafeJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';
import { writeStreamed } from './write-result.ts';

/** The flags that both commands have. */
export interface AuditFlags extends AdminFlags {
  readonly company?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  readonly request?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The flags of `hilo audit list`. */
export interface AuditListFlags extends AuditFlags {
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

const Row = z.looseObject({
  at: z.string(),
  actor: z.string(),
  via: z.string(),
  action: z.string(),
  object: z.object({ kind: z.string(), id: z.string() }).nullable(),
  outcome: z.string(),
});
const Rows = z.object({ results: z.array(Row), nextCursor: z.string().nullable() });

/** Prints the newest rows first. */
export async function list(command: Command, { limit, cursor, json, ...flags }: AuditListFlags): Promise<void> {
  const query = createQuery({ ...readFilter(flags), limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', `/audit${query}`));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = Rows.parse(answer);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  const rows = results.map(({ at, actor, via, action, object, outcome }) =>
    [at, actor, via, action, object === null ? '' : `${object.kind}:${object.id}`, outcome].map(printable),
  );
  const drawn =
    rows.length === 0
      ? room.paint('dim', 'No operator did anything that fits.')
      : table(['at', 'actor', 'via', 'action', 'object', 'outcome'], rows, room);
  process.stdout.write(`${drawn}\n`);
  if (nextCursor !== null) process.stdout.write(room.paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

/** Writes every row that fits, one a line, page by page. */
export async function exportLines(command: Command, file: string | undefined, flags: AuditFlags): Promise<void> {
  let count = 0;
  await withAdmin(command, flags, 'look', async ({ ask }) => {
    async function* lines(): AsyncGenerator<string> {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = Rows.parse(await ask('GET', `/audit${createQuery({ ...readFilter(flags), limit: '200', cursor })}`));
        for (const row of page.results) yield `${toSafeJson(row)}\n`;
        count += page.results.length;
        cursor = page.nextCursor;
      }
    }
    if (file !== undefined) return writeStreamed(file, lines());
    for await (const line of lines()) if (!process.stdout.write(line)) await once(process.stdout, 'drain');
    return undefined;
  });
  if (file === undefined) return;
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${count.toLocaleString('en')} rows are in ${printable(file)}\n`);
}

const readFilter = ({ company, actor, action, object, request, from, to }: AuditFlags) => ({
  companyId: company,
  actor,
  action,
  object,
  requestId: request,
  from,
  to,
});
