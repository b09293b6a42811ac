// `hilo executions bulk`: what would be done to many executions, as a plan; and with `--apply`, done.
import { readFile } from 'node:fs/promises';
import { parseJsonObject } from '@hilo/engine';
import type { Json, JsonObject } from '@hilo/engine/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery, readSet, refuseUselessKeys, type SetFlag } from './executions.ts';
import { AskedJob, drawJob, type JobFlags, progressLine, watchJob } from './jobs.ts';
import { formatCount, painter, printable, printJson } from './paint.ts';
import { withAdmin } from './service/with-admin.ts';

/** What may be done to many. */
export type BulkVerb = 'cancel' | 'release' | 'retry' | 'migrate' | 'signal';

/** Flags that say how one of the acts is done. */
const ofVerb = {
  reason: 'cancel',
  version: 'retry',
  set: 'retry',
  effect: 'retry',
  keys: 'retry',
  skip: 'retry',
  map: 'migrate',
  accept: 'migrate',
  name: 'signal',
  payload: 'signal',
} as const satisfies { readonly [Flag in keyof BulkFlags]?: BulkVerb };

/** The flags of `hilo executions bulk`. */
export interface BulkFlags extends JobFlags {
  readonly workflow?: string;
  readonly ofVersion?: string;
  readonly status?: string;
  readonly cause?: string;
  readonly node?: string;
  readonly failedNode?: string;
  readonly from?: string;
  readonly to?: string;
  readonly channel?: string;
  readonly bot?: string;
  readonly user?: string;
  readonly olderThan?: string;
  readonly reason?: string;
  readonly version?: string;
  readonly set?: SetFlag;
  readonly effect?: string;
  readonly keys?: string;
  readonly skip?: string;
  readonly name?: string;
  readonly payload?: string;
  readonly map?: string;
  readonly accept?: string;
  readonly rate?: number;
  readonly apply?: true;
}

const Plan = z.object({
  total: z.number(),
  byStatus: z.record(z.string(), z.number()),
  byVersion: z.record(z.string(), z.number()),
  byCause: z.record(z.string(), z.number()),
  continued: z.number().optional(),
  talking: z.number().optional(),
  windowClosed: z.number().optional(),
});

/** Plans an act on many executions, or does it. The exit code is 1 where one was refused. */
export async function bulk(command: Command, verb: BulkVerb, flags: BulkFlags): Promise<void> {
  const { company, json, apply, rate, ...given } = flags;
  refuseOthers(command, verb, given);
  refuseUselessKeys(command, given.effect, given.keys);
  const query = createQuery({ companyId: company });
  const filter = readFilter(given);
  const action = await readAction(command, verb, given);
  const body = { filter, action };
  const found = await withAdmin(command, given, 'look', ({ ask }) => ask('POST', `/executions/bulk/plan${query}`, body));
  const plan = Plan.parse(found);
  if (apply !== true || plan.total === 0)
    return json === true
      ? printJson(found)
      : draw(plan, new Set(given.skip === undefined ? ['talking', 'windowClosed'] : listWords(given.skip)));
  const job = await withAdmin(command, given, 'work', async (admin) => {
    const asked = await admin.ask('POST', `/executions/bulk${query}`, { ...body, atMost: plan.total, ...(rate !== undefined && { rate }) });
    return watchJob(admin, AskedJob.parse(asked).jobId, json === true ? undefined : progressLine(plan.total));
  });
  if (json === true) printJson(job);
  else drawJob(job);
  if ((job.counts['refused'] ?? 0) > 0) process.exitCode = 1;
}

/** A flag of another act would be left out without a word, and more be acted on than was meant. */
function refuseOthers(command: Command, verb: BulkVerb, flags: BulkFlags): void {
  for (const [flag, owner] of Object.entries(ofVerb))
    if (owner !== verb && flag in flags) {
      const meant = flag === 'version' ? '; executions of a version are named by --of-version' : '';
      command.error(`error: --${flag} is of ${owner}, and not of ${verb}${meant}`);
    }
}

function readFilter(flags: BulkFlags): JsonObject {
  const { workflow, ofVersion, status, cause, node, failedNode, from, to, channel, bot, user, olderThan } = flags;
  const version = ofVersion === undefined || ofVersion === 'draft' ? ofVersion : Number(ofVersion);
  return keepGiven({
    workflowId: workflow,
    version,
    status,
    cause,
    nodeId: node,
    failedNodeId: failedNode,
    from,
    to,
    channel,
    botId: bot,
    userId: user,
    olderThan,
  });
}

async function readAction(command: Command, verb: BulkVerb, flags: BulkFlags): Promise<JsonObject> {
  const { reason, version, set, effect, keys, skip, name, payload, map, accept } = flags;
  switch (verb) {
    case 'cancel':
      return keepGiven({ type: verb, reason });
    case 'release':
      return { type: verb };
    case 'retry': {
      const wanted = version === undefined || version === 'same' || version === 'latest' ? version : Number(version);
      return keepGiven({
        type: verb,
        version: wanted,
        set: readSet(set),
        effect,
        keys,
        skip: skip === undefined ? undefined : listWords(skip),
      });
    }
    case 'migrate':
      if (map === undefined) return command.error('error: name the mapping with both versions: --map FILE');
      return keepGiven({
        type: verb,
        migration: parseJsonObject(await readFile(map, 'utf8')),
        accept: accept === undefined ? undefined : listWords(accept),
      });
    default:
      if (name === undefined) return command.error('error: name the event: --name EVENT');
      return keepGiven({ type: verb, name, payload: payload === undefined ? undefined : parseJsonObject(payload) });
  }
}

const listWords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const keepGiven = (fields: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** @param skipped - whom a retry leaves out */
function draw({ total, byStatus, byVersion, byCause, ...retried }: z.output<typeof Plan>, skipped: ReadonlySet<string>): void {
  const paint = painter(process.stdout);
  if (total === 0) return void process.stdout.write('No execution fits.\n');
  const lines = [
    ['by status', byStatus, ''],
    ['by version', byVersion, 'in version '],
    ['by cause', byCause, 'by '],
  ] as const;
  for (const [title, counts, word] of lines) {
    const told = Object.entries(counts).map(([key, count]) => `${count} ${word}${printable(key)}`);
    if (told.length > 0) process.stdout.write(`${title}: ${told.join(', ')}\n`);
  }
  const { continued, talking, windowClosed } = retried;
  const skip = (what: string): string => (skipped.has(what) ? ', which are skipped' : '');
  if (continued !== undefined) process.stdout.write(`${continued} continued before, to which nothing is done again\n`);
  if (talking !== undefined) process.stdout.write(`${talking} of users who have begun another since${skip('talking')}\n`);
  if (windowClosed !== undefined) process.stdout.write(`${windowClosed} of users to whom nothing may be said now${skip('windowClosed')}\n`);
  process.stdout.write(`${formatCount(total, 'executions')} in all; nothing was changed. ${paint('dim', 'Do it with --apply')}\n`);
}
