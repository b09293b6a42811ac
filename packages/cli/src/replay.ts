// `hilo replay`: what those who have talked already would hear by the draft; and `hilo upgrade --check`: whether the histories of a store
// lead to the same with the release that is installed here.
import { readFile } from 'node:fs/promises';
import { parseJsonObject, type StoreReplay } from '@hilo/engine';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatCount, getColumns, type Paint, painter, printable, printJson } from './paint.ts';
import { openIdle } from './service/open-idle.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags of `hilo replay`. */
export interface ReplayFlags extends AdminFlags {
  readonly company?: string;
  readonly draft?: true;
  readonly canvas?: string;
  readonly against?: number;
  readonly last?: number;
  readonly since?: string;
  readonly ignore?: readonly string[];
  readonly json?: true;
}

const Report = z.object({
  read: z.number(),
  counts: z.object({ equal: z.number(), differs: z.number(), drawn: z.number(), unknown: z.number(), unreadable: z.number() }),
  version: z.number().nullable(),
  groups: z.array(z.object({ group: z.string(), count: z.number(), first: z.string(), newest: z.string() })),
  why: z.record(z.string(), z.number()),
  isPartial: z.boolean(),
});
type Report = z.output<typeof Report>;

/** Replays recorded conversations on the draft, a version or a canvas of a file. The exit code is 1 where one goes otherwise. */
export async function replay(command: Command, workflowId: string, given: ReplayFlags): Promise<void> {
  const { company, draft, canvas, against, last, since, ignore, json, ...flags } = given;
  if ([draft, canvas, against].filter((one) => one !== undefined).length > 1)
    return command.error('error: name one of --draft, --canvas and --against');
  const target = canvas === undefined ? (against ?? 'draft') : parseJsonObject(await readFile(canvas, 'utf8'));
  const query = company === undefined ? '' : `?companyId=${encodeURIComponent(company)}`;
  const body = {
    against: target,
    ...(last !== undefined && { last }),
    ...(since !== undefined && { since }),
    ...(ignore && { ignore: [...ignore] }),
  };
  const answer = await withAdmin(command, flags, 'look', ({ ask }) =>
    ask('POST', `/workflows/${encodeURIComponent(workflowId)}/replays${query}`, body),
  );
  const report = Report.parse(answer);
  if (report.counts.differs > 0) process.exitCode = 1;
  if (json === true) printJson(answer);
  else process.stdout.write(`${drawReport(report, painter(process.stdout))}\n`);
}

function drawReport({ read, counts, version, groups, why, isPartial }: Report, paint: Paint): string {
  const { equal, differs, drawn } = counts;
  const parts = [
    `${equal} as before`,
    ...(differs > 0 ? [paint('red', `${differs} otherwise`)] : []),
    ...(drawn > 0 ? [`${drawn} by another draw`] : []),
    ...Object.entries(why).map(([reason, count]) => `${count} not compared (${printable(reason)})`),
  ];
  const of = version === null ? '' : ` of version ${version}`;
  const head = `${differs > 0 ? paint('red', '✖') : paint('green', '✔')} ${formatCount(read, 'conversations')}${of}: ${parts.join(', ')}`;
  const rows = groups.map(({ group, count, first, newest }) => [printable(group), String(count), printable(first), printable(newest)]);
  const room = { paint, columns: getColumns(process.stdout) };
  return [
    head,
    ...(rows.length > 0 ? [table(['group', 'conversations', 'first', 'newest'], rows, room)] : []),
    ...(isPartial ? ['The time was over before all were replayed: ask for fewer with --last'] : []),
  ].join('\n');
}

/** The flags of `hilo upgrade`. */
export interface UpgradeFlags extends Omit<AdminFlags, 'url'> {
  readonly check?: true;
  readonly json?: true;
}

/**
 * Replays every history of a store with the release and the nodes that are installed here. The exit code is 1 where one leads elsewhere.
 *
 * @throws {StoreError} `STORE_LOCKED` while a service runs over the data directory
 */
export async function checkUpgrade(command: Command, { check, json, ...flags }: UpgradeFlags): Promise<void> {
  if (check !== true) return command.error('error: an upgrade is checked with --check; the release itself is installed with npm');
  const service = await openIdle(command, flags);
  if (service === undefined) return;
  try {
    const found = await service.engine.replayStore();
    if (found.differs > 0) process.exitCode = 1;
    if (json === true) printJson(found);
    else process.stdout.write(`${drawStore(found, painter(process.stdout))}\n`);
  } finally {
    await service.close();
  }
}

function drawStore({ read, equal, differs, unreadable, different }: StoreReplay, paint: Paint): string {
  const others = unreadable === 0 ? '' : `; ${unreadable} cannot be compared (masked values, or a canvas or nodes that are not there)`;
  if (differs === 0)
    return `${paint('green', '✔')} ${equal} of ${formatCount(read, 'histories')} lead to the same with this release${others}`;
  const head = `${paint('red', '✖')} ${differs} of ${formatCount(read, 'histories')} lead elsewhere with this release${others}. Keep the earlier one, and report it`;
  const lines = different.map(
    ({ companyId, executionId, workflowId, version, status }) =>
      `    ${printable(executionId)} ${printable(workflowId)} version ${version} of company ${printable(companyId)}, ${status}`,
  );
  return [head, ...lines].join('\n');
}
