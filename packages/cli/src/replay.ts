// `hilo replay`: what those who have talked already would hear by the draft.
import { readFile } from 'node:fs/promises';
import { parseJsonObject } from '@hilo/engine';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatCount, getTableColumns, type Paint, painter, printable, printJson } from './paint.ts';
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
  groups: z.array(
    z.object({
      group: z.string(),
      how: z.string(),
      nodeId: z.string(),
      where: z.string().optional(),
      count: z.number(),
      first: z.string(),
      newest: z.string(),
    }),
  ),
  why: z.record(z.string(), z.number()),
  isPartial: z.boolean(),
});
type Report = z.output<typeof Report>;

/** Replays recorded conversations on the draft, a version or a canvas of a file. The exit code is 1 where one goes otherwise. */
export async function replay(command: Command, workflowId: string, given: ReplayFlags): Promise<void> {
  const { company, draft: _, canvas, against, last, since, ignore, json, ...flags } = given;
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
  const rows = groups.map((one) => [
    printable(one.group),
    String(one.count),
    printable(one.first),
    printable(one.newest),
    printable(explainGroup(one)),
  ]);
  const room = { paint, columns: getTableColumns(process.stdout) };
  return [
    head,
    ...(rows.length > 0 ? [table(['group', 'conversations', 'first', 'newest', 'what is otherwise'], rows, room)] : []),
    ...(rows.length > 0 ? [paint('dim', 'A group is left out with --ignore GROUP; hilo executions show ID shows a conversation.')] : []),
    ...(isPartial ? ['The time was over before all were replayed: ask for fewer with --last'] : []),
  ].join('\n');
}

/** What is otherwise in the conversations of a group, in a sentence. */
function explainGroup({ how, nodeId, where }: Report['groups'][number]): string {
  const node = nodeId === '' ? 'a node' : `"${nodeId}"`;
  const field = where === undefined ? '' : `: ${where}`;
  switch (how) {
    case 'request':
      return `${node} asks for something else${field}`;
    case 'missing':
      return `${node} has its turn no more${field}`;
    case 'extra':
      return `${node} has a turn that there was not${field}`;
    case 'order':
      return `another node has the turn of ${node}${field}`;
    case 'end':
      return `it ends otherwise${nodeId === '' ? '' : ` at ${node}`}${field}`;
    case 'start':
      return `the first message does not begin it, or elsewhere than at ${node}`;
    case 'drawn':
      return `the random choice of ${node} falls otherwise, which is not counted as different`;
    default:
      return `${how} at ${node}${field}`;
  }
}
