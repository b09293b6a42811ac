// `hilo migrate`: what becomes of waiting executions in another version, as a table; and with `--apply`, done.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJsonObject } from '@hilo/engine';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatCount, getTableColumns, type Paint, painter, printable, printJson } from './paint.ts';
import { AskedJob, isAllDone, progressLine, type ShownJob, undoJob, watchJob } from './jobs.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';
import { writeResult } from './write-result.ts';

/** The flags of `hilo migrate`. */
export interface MigrateFlags extends AdminFlags {
  readonly company?: string;
  readonly from?: string;
  readonly to?: number;
  readonly map?: string;
  readonly writeMap?: string | true;
  readonly apply?: true;
  readonly accept?: string;
  readonly rate?: number;
  readonly undo?: string;
  readonly json?: true;
}

const Group = z.object({
  kind: z.string(),
  nodeId: z.string(),
  message: z.string(),
  reason: z.string().optional(),
  count: z.number(),
  oldest: z.string(),
  needs: z.array(z.string()).optional(),
});
const Plan = z.object({ read: z.number(), groups: z.array(Group), nodes: z.record(z.string(), z.string()), planId: z.string() });
type Plan = z.output<typeof Plan>;
/**
 * Plans a migration, writes a mapping for it, does it, or takes it back. The exit code is 1 where an execution needs a value or cannot come
 * to the target as it stands.
 */
export async function migrate(command: Command, workflowId: string, given: MigrateFlags): Promise<void> {
  const { company, undo, json, ...flags } = given;
  const paint = painter(process.stdout);
  const query = company === undefined ? '' : `?companyId=${encodeURIComponent(company)}`;
  const address = (part: string): string => `/workflows/${encodeURIComponent(workflowId)}/migrations${part}${query}`;
  if (undo !== undefined)
    return await undoJob(
      command,
      undo,
      { ...flags, ...(company !== undefined && { company }), ...(json === true && { json }) },
      workflowId,
    );
  const migration = await readMapping(command, workflowId, given);
  const plan = await withAdmin(command, flags, 'look', ({ ask }) => ask('POST', address('/plan'), migration));
  const found = Plan.parse(plan);
  if (given.writeMap !== undefined)
    return writeMapping(given.writeMap === true ? mapFile(workflowId, Versions.parse(migration)) : given.writeMap, migration, found, paint);
  if (found.groups.some(({ kind }) => kind === 'needs' || kind === 'refused')) process.exitCode = 1;
  if (given.apply !== true) return json === true ? printJson(plan) : draw(found, paint);
  const accept = (given.accept ?? 'same').split(',').map((kind) => kind.trim());
  const rate = given.rate ?? (accept.includes('enters') ? undefined : fullRate);
  const job = await withAdmin(command, flags, 'work', async (admin) => {
    const asked = await admin.ask('POST', address(''), { migration, planId: found.planId, accept, ...(rate !== undefined && { rate }) });
    return watchJob(admin, AskedJob.parse(asked).jobId, json === true ? undefined : progressLine(found.read));
  });
  if (json === true) return printJson(job);
  drawDone(job, accept, { workflowId, paint });
}

/**
 * The rate of a migration of which nobody hears anything: the most that a job may have. Somebody waits for it before a terminal, and users go
 * before it at any rate: a job pauses while the engine is busy with them.
 */
const fullRate = 100_000;

const Versions = z.object({ from: z.coerce.string(), to: z.number() });

/** Where a workspace keeps the mapping between two versions. */
const mapFile = (workflowId: string, { from, to }: { readonly from: string; readonly to: number }): string =>
  `migrations/${workflowId}.${from}-${to}.json`;

/** The mapping of the file that is named, or that stands where a workspace keeps it; else one that maps nothing. */
async function readMapping(command: Command, workflowId: string, { map, writeMap, from, to }: MigrateFlags): Promise<JsonObject> {
  const versions = { ...(from !== undefined && { from: from === 'any' ? from : Number(from) }), ...(to !== undefined && { to }) };
  const kept = from === undefined || to === undefined ? undefined : mapFile(workflowId, { from, to });
  const file = map ?? (kept !== undefined && existsSync(kept) ? kept : undefined);
  const written: JsonObject = file === undefined ? {} : parseJsonObject(await readFile(file, 'utf8'));
  const blanks = listBlanks(written);
  if (blanks.length > 0 && writeMap === undefined)
    return command.error(
      `error: ${printable(file ?? '')} has ${formatCount(blanks.length, 'entries')} to fill in: ${printable(blanks.join(', '))}`,
    );
  const mapping = blanks.length === 0 ? written : withoutBlanks(written);
  const migration: JsonObject = { ...mapping, workflowId, ...versions };
  if (migration['from'] === undefined || migration['to'] === undefined)
    return command.error('error: name both versions: --from 7 --to 8, or a file with them: --map FILE');
  return migration;
}

/** Stands in a written mapping for what its reader is to fill in: as a value of a variable, users would read it. */
const blank = '…';

const isBlank = (value: unknown): boolean => value === blank || Object.values(objectOf(value)).includes(blank);

/** The entries that nobody has filled in. */
const listBlanks = (mapping: JsonObject): readonly string[] =>
  (['at', 'set'] as const).flatMap((field) =>
    Object.entries(objectOf(mapping[field])).flatMap(([name, value]) => (isBlank(value) ? [`"${name}" of "${field}"`] : [])),
  );

const withoutBlanks = (mapping: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([field, value]): readonly (readonly [string, Json])[] => {
      if (!isJsonObject(value) || (field !== 'at' && field !== 'set')) return [[field, value]];
      const filled = Object.entries(value).filter(([, entry]) => !isBlank(entry));
      return filled.length === 0 ? [] : [[field, Object.fromEntries(filled)]];
    }),
  );

function draw({ read, groups }: Plan, paint: Paint): void {
  if (read === 0) return void process.stdout.write('No execution is open in the versions to leave.\n');
  const rows = groups.map(({ kind, nodeId, count, oldest, message }) => [
    paint(colours[kind] ?? 'reset', kind),
    String(count),
    printable(nodeId),
    oldest.slice(0, 16).replace('T', ' '),
    printable(message),
  ]);
  const room = { paint, columns: getTableColumns(process.stdout) };
  process.stdout.write(`${table(['verdict', 'executions', 'at', 'since', 'because'], rows, room)}\n`);
  process.stdout.write(
    `${formatCount(read, 'executions')} in all; nothing was changed. Do it with --apply, and what is not "same" with --accept\n`,
  );
}

const colours: { readonly [kind: string]: Parameters<Paint>[0] } = {
  same: 'green',
  changed: 'yellow',
  enters: 'yellow',
  cancels: 'yellow',
  needs: 'red',
  refused: 'red',
};

function drawDone(
  job: ShownJob,
  accept: readonly string[],
  { workflowId, paint }: { readonly workflowId: string; readonly paint: Paint },
): void {
  const { jobId, status, counts, failure } = job;
  const told = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  const read = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const migrated = accept.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const isDone = isAllDone(job);
  const mark = isDone ? paint('green', '✔') : paint('yellow', status);
  const list = told.length === 0 ? '' : ` (${told.join(', ')})`;
  process.stdout.write(`${mark} ${migrated} of ${formatCount(read, 'executions')} migrated${list}\n`);
  if (failure !== null) process.stdout.write(`${printable(failure.message)}\n`);
  const left = ['changed', 'enters', 'cancels'].filter((kind) => !accept.includes(kind) && (counts[kind] ?? 0) > 0);
  if (isDone && left.length > 0)
    process.stdout.write(
      `What was not named stayed as it is. To migrate these too: --accept ${printable([...accept, ...left].join(','))}\n`,
    );
  if (migrated > 0) process.stdout.write(paint('dim', `Take it back with: hilo migrate ${printable(workflowId)} --undo ${jobId}\n`));
}

/** Writes a mapping with one entry to fill in for each group that needs one. */
async function writeMapping(file: string, migration: JsonObject, { groups, nodes }: Plan, paint: Paint): Promise<void> {
  const refused = groups.filter(({ kind, nodeId }) => kind === 'refused' && nodes[nodeId] === undefined);
  const needed = groups.flatMap(({ needs = [] }) => needs);
  const at = Object.fromEntries(refused.map(({ nodeId }) => [nodeId, { enter: blank }]));
  const set = Object.fromEntries(needed.map((path) => [path, blank]));
  const filled = {
    ...migration,
    ...(Object.keys(nodes).length > 0 && { nodes: { ...objectOf(migration['nodes']), ...nodes } }),
    ...(refused.length > 0 && { at: { ...objectOf(migration['at']), ...at } }),
    ...(needed.length > 0 && { set: { ...objectOf(migration['set']), ...set } }),
  };
  await mkdir(dirname(file), { recursive: true });
  await writeResult(file, `${JSON.stringify(filled, null, 2)}\n`);
  const open = refused.length + needed.length;
  const hint = open === 0 ? '' : `; fill in ${formatCount(open, 'entries')} with "${blank}"`;
  process.stdout.write(`${paint('green', '✔')} The mapping is in ${printable(file)}${hint}\n`);
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
