// `hilo templates`: what providers say of the templates of a company, and templates made and deleted there.
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags that all of these commands have. */
export interface TemplateFlags extends AdminFlags {
  readonly json?: true;
}

/** The flags of commands about one company. */
export interface CompanyTemplateFlags extends TemplateFlags {
  readonly company: string;
}

/** The flags of `hilo templates list`. */
export interface TemplateListFlags extends CompanyTemplateFlags {
  readonly bot?: string;
  readonly status?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** The flags of `hilo templates delete`. */
export interface DeleteFlags extends CompanyTemplateFlags {
  readonly keep?: true;
}

const Shown = z.looseObject({
  id: z.string(),
  botId: z.string(),
  elementName: z.string(),
  language: z.string(),
  category: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  quality: z.string().nullable(),
  notice: z.string().nullable(),
  categoryToCome: z.string().nullable(),
});
const Synced = z.object({
  botId: z.string(),
  listed: z.number(),
  added: z.array(z.string()),
  changed: z.array(z.string()),
  missing: z.array(z.string()),
  leftOut: z.number(),
});
const Removed = z.object({ id: z.string(), isDeletedAtProvider: z.boolean().default(false) });

const pathOf = (company: string, rest = ''): string => `/companies/${encodeURIComponent(company)}/templates${rest}`;
const pathTo = (company: string, id: string, rest = ''): string => pathOf(company, `/${encodeURIComponent(id)}${rest}`);

/** Prints the templates of a company. */
export async function list(command: Command, { company, bot, status, limit, cursor, json, ...flags }: TemplateListFlags): Promise<void> {
  const query = createQuery({ botId: bot, status, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(company, query)));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = z.object({ results: z.array(Shown), nextCursor: z.string().nullable() }).parse(answer);
  if (results.length === 0) return void process.stdout.write('There is no such template.\n');
  const paint = painter(process.stdout);
  const rows = results.map(({ id, botId, elementName, language, category, status: state, reason, quality, notice, categoryToCome }) => [
    printable(id),
    printable(botId),
    printable(elementName),
    printable(language),
    printable(categoryToCome === null ? category : `${category}, soon ${categoryToCome}`),
    printable(state),
    printable(quality ?? ''),
    printable([reason, notice].filter((text) => text !== null).join('; ')),
  ]);
  const columns = getTableColumns(process.stdout);
  const heads = ['template', 'bot', 'name', 'language', 'category', 'status', 'quality', 'why'];
  process.stdout.write(`${table(heads, rows, { paint, columns })}\n`);
  if (nextCursor !== null) process.stdout.write(paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

/** Brings the templates of a bot up to date with its provider. */
export async function sync(command: Command, botId: string, { json, ...flags }: TemplateFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', `/bots/${encodeURIComponent(botId)}/templates/sync`));
  if (json === true) return printJson(answer);
  const { listed, added, changed, missing, leftOut } = Synced.parse(answer);
  const paint = painter(process.stdout);
  const name = (ids: readonly string[]): string => ids.slice(0, maxNamed).map(printable).join(', ') + (ids.length > maxNamed ? ' …' : '');
  const lines = [
    `${paint('green', '✔')} ${printable(botId)}: ${listed} template${listed === 1 ? '' : 's'} at the provider`,
    ...(added.length === 0 ? [] : [`  added: ${name(added)}`]),
    ...(changed.length === 0 ? [] : [`  changed: ${name(changed)}`]),
    ...(missing.length === 0 ? [] : [`  ${paint('yellow', 'not at the provider')}: ${name(missing)}`]),
    ...(leftOut === 0 ? [] : [`  ${paint('yellow', `${leftOut} left out`)}: a workspace cannot hold them`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Ids that are named in one line. */
const maxNamed = 20;

/** Submits a template to the provider of its bot. */
export async function submit(command: Command, id: string, { company, json, ...flags }: CompanyTemplateFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', pathTo(company, id, '/submit')));
  if (json === true) return printJson(answer);
  const { status } = Shown.parse(answer);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(id)} is submitted: ${printable(status)}\n`);
}

/** Removes a template, and deletes it at the provider of its bot. */
export async function remove(command: Command, id: string, { company, keep, json, ...flags }: DeleteFlags): Promise<void> {
  const query = keep === true ? '?atProvider=keep' : '';
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('DELETE', pathTo(company, id, query)));
  if (json === true) return printJson(answer);
  const { isDeletedAtProvider } = Removed.parse(answer);
  const where = isDeletedAtProvider ? 'here and at the provider' : 'here alone';
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(id)} is deleted ${where}\n`);
}
