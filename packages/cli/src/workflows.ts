// `hilo workflows`: lists workflows, stops what would start, lets it start again, and goes back to an earlier version.
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { getTableColumns, painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags that all commands of `hilo workflows` have. */
export interface WorkflowFlags extends AdminFlags {
  readonly company?: string;
  readonly json?: true;
}

/** The flags of `hilo workflows list`. */
export interface WorkflowListFlags extends WorkflowFlags {
  readonly query?: string;
  readonly archived?: true;
  readonly limit: number;
  readonly cursor?: string;
}

/** The flags of `hilo workflows pause`. */
export interface PauseFlags extends WorkflowFlags {
  readonly says?: string;
  readonly until?: string;
  readonly children?: string;
}

const Gated = z.object({ gate: z.object({ state: z.string(), until: z.string().nullable() }).nullable() });
const Published = z.object({ version: z.number() });
const Listed = z.object({
  workflowId: z.string(),
  name: z.string(),
  publishedVersion: z.number().nullable(),
  isPublished: z.boolean(),
  gate: z.object({ state: z.string() }).nullish(),
  errors: z.number(),
  waiting: z.number(),
  failed24h: z.number(),
});
const List = z.object({ results: z.array(Listed), nextCursor: z.string().nullable() });

/** Lists the workflows of a company by their ids. */
export async function list(
  command: Command,
  { company, json, query: q, archived, limit, cursor, ...flags }: WorkflowListFlags,
): Promise<void> {
  const isArchived = archived === true ? 'true' : undefined;
  const asked = createQuery({ companyId: company, q, archived: isArchived, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', `/workflows${asked}`));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = List.parse(answer);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  const head = ['id', 'published', 'draft', 'waiting', 'failed in 24 h', 'name'];
  const rows = results.map((one) =>
    [one.workflowId, describePublished(one), describeDraft(one), String(one.waiting), String(one.failed24h), one.name].map(printable),
  );
  process.stdout.write(`${rows.length === 0 ? room.paint('dim', 'No workflow matches.') : table(head, rows, room)}\n`);
  if (nextCursor !== null) process.stdout.write(room.paint('dim', `There are more: --cursor ${printable(nextCursor)}\n`));
}

/** The latest version, and what keeps it from being started. */
const describePublished = ({ publishedVersion, gate }: z.output<typeof Listed>): string =>
  publishedVersion === null ? 'never' : `version ${publishedVersion}${gate ? `, ${gate.state}` : ''}`;

/** How the draft stands to the latest version. */
const describeDraft = ({ isPublished, errors }: z.output<typeof Listed>): string =>
  errors > 0 ? `${errors} ${errors === 1 ? 'error' : 'errors'}` : isPublished ? 'published' : 'changed';

/** Pauses a workflow. */
export const pause = (command: Command, workflowId: string, { says, until, children, ...flags }: PauseFlags): Promise<void> =>
  change(command, workflowId, 'pause', flags, { says, until, children });

/** Lets a paused workflow start again. */
export const unpause = (command: Command, workflowId: string, flags: WorkflowFlags): Promise<void> =>
  change(command, workflowId, 'unpause', flags);

/** Takes a workflow out of publication. */
export const unpublish = (command: Command, workflowId: string, flags: WorkflowFlags): Promise<void> =>
  change(command, workflowId, 'unpublish', flags);

/** Publishes an earlier version as the next one. */
export async function rollBack(
  command: Command,
  workflowId: string,
  version: number,
  { note, ...flags }: WorkflowFlags & { readonly note?: string },
): Promise<void> {
  const answer = await ask(command, `${encodeURIComponent(workflowId)}/versions/${version}/publish`, flags, { note });
  if (flags.json === true) return printJson(answer);
  print(`${printable(workflowId)} runs version ${Published.parse(answer).version}, the content of version ${version}`);
}

async function change(
  command: Command,
  workflowId: string,
  verb: 'pause' | 'unpause' | 'unpublish',
  flags: WorkflowFlags,
  body?: { readonly [field: string]: string | undefined },
): Promise<void> {
  const answer = await ask(command, `${encodeURIComponent(workflowId)}/${verb}`, flags, body);
  if (flags.json === true) return printJson(answer);
  const { gate } = Gated.parse(answer);
  const until = typeof gate?.until === 'string' ? ` until ${gate.until}` : '';
  print(
    `${printable(workflowId)} is ${gate === null ? 'open: messages, requests and calls start it' : `${gate.state}${until}: nothing starts it`}`,
  );
}

function ask(
  command: Command,
  path: string,
  { company, json: _json, ...flags }: WorkflowFlags,
  body: { readonly [field: string]: string | undefined } | undefined,
): Promise<unknown> {
  const given = body === undefined ? undefined : Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return withAdmin(command, flags, 'work', (admin) => admin.ask('POST', `/workflows/${path}${createQuery({ companyId: company })}`, given));
}

const print = (text: string): void => void process.stdout.write(`${painter(process.stdout)('green', '✔')} ${text}\n`);
