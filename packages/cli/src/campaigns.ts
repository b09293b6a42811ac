// `hilo campaigns`: makes a campaign of a file, tries it out, pauses it, adds to it, and tells what became of its recipients.
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseJsonObject } from '@hilo/engine';
import { parseJsonText } from '@hilo/engine/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatCount, getTableColumns, painter, printable, printJson } from './paint.ts';
import { type Admin, readAnswer } from './service/admin.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { writeStreamed } from './write-result.ts';
import { table } from './table.ts';

/** The flags of each command. */
export interface CampaignFlags extends AdminFlags {
  readonly company: string;
  readonly json?: true;
}

/** The flags of `hilo campaigns make`. */
export interface MakeFlags extends CampaignFlags {
  readonly dryRun?: true;
}

const Campaign = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  totalMessages: z.number(),
  deliveredMessages: z.number(),
  failedMessages: z.number(),
  skipped: z.object({ consent: z.number() }).optional(),
  paused: z.object({ at: z.string(), reason: z.string() }).optional(),
});
const Campaigns = z.object({ results: z.array(Campaign), nextCursor: z.string().nullable() });
const DryRun = z.object({
  recipients: z.number(),
  duplicates: z.number(),
  noConsent: z.number(),
  missingParameters: z.array(z.object({ user: z.string(), parameter: z.string() })),
});
const Added = z.object({ added: z.number(), duplicates: z.number() });

const pathOf = (company: string, id?: string, what = ''): string =>
  `/companies/${encodeURIComponent(company)}/campaigns${id === undefined ? '' : `/${encodeURIComponent(id)}`}${what}`;

/** Makes a campaign of what a file of JSON says; with `--dry-run` it only counts. */
export async function make(command: Command, file: string, { company, json, dryRun, ...flags }: MakeFlags): Promise<void> {
  const body = parseJsonObject(await readFile(file, 'utf8'));
  if (dryRun === true) {
    const tried = await withAdmin(command, flags, 'look', ({ ask }) => ask('POST', `${pathOf(company)}?dryRun=true`, body));
    return json === true ? printJson(tried) : drawDryRun(DryRun.parse(tried));
  }
  // Not asked with 200: a campaign that is made is answered with 201.
  const made = await withAdmin(command, flags, 'work', async (admin) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await admin.request(pathOf(company), init);
    return answer.status === 201 ? parseJsonText(await answer.text()) : readAnswer(answer);
  });
  if (json === true) return printJson(made);
  const { id, totalMessages, status } = Campaign.parse(made);
  say(`Campaign ${printable(id)} is ${status}, for ${formatCount(totalMessages, 'recipients')}`);
}

/** Lists the newest campaigns. */
export async function list(command: Command, { company, json, ...flags }: CampaignFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(company)));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = Campaigns.parse(answer);
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  const rows = results.map(({ id, name, status, totalMessages, deliveredMessages, failedMessages, skipped, paused }) =>
    [
      id,
      name,
      paused === undefined ? status : `${status}, paused`,
      `${deliveredMessages}/${totalMessages}`,
      String(failedMessages),
      String(skipped?.consent ?? 0),
    ].map(printable),
  );
  const drawn =
    rows.length === 0
      ? room.paint('dim', 'There is no campaign: hilo campaigns make FILE makes one.')
      : table(['id', 'name', 'status', 'delivered', 'failed', 'skipped'], rows, room);
  process.stdout.write(`${drawn}\n`);
  if (nextCursor !== null) process.stdout.write(room.paint('dim', 'There are older ones: they are in GET …/campaigns\n'));
}

/** Pauses a campaign, goes on with it, or cancels it. */
export async function step(
  command: Command,
  id: string,
  verb: 'pause' | 'resume' | 'cancel',
  { company, json, ...flags }: CampaignFlags,
): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', pathOf(company, id, `/${verb}`)));
  if (json === true) return printJson(answer);
  const { status, paused } = Campaign.parse(answer);
  if (verb === 'cancel') return say(`Campaign ${printable(id)} is cancelled, and reaches nobody`);
  say(
    paused === undefined
      ? `Campaign ${printable(id)} goes on: it is ${status}`
      : `Campaign ${printable(id)} is ${printable(paused.reason)}`,
  );
}

/** Adds the recipients that a file of JSON names to a campaign that is SCHEDULED. */
export async function add(command: Command, id: string, file: string, { company, json, ...flags }: CampaignFlags): Promise<void> {
  const body = parseJsonObject(await readFile(file, 'utf8'));
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', pathOf(company, id, '/recipients'), body));
  if (json === true) return printJson(answer);
  const { added, duplicates } = Added.parse(answer);
  say(`${formatCount(added, 'recipients')} added${duplicates === 0 ? '' : `; ${duplicates} were there already`}`);
}

/** Prints what became of the recipients, counted. */
export async function report(command: Command, id: string, { company, ...flags }: CampaignFlags): Promise<void> {
  printJson(await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(company, id, '/report'))));
}

/** Writes what became of each recipient as CSV. */
export async function results(command: Command, id: string, file: string | undefined, { company, ...flags }: CampaignFlags): Promise<void> {
  await withAdmin(command, flags, 'look', async (admin: Admin) => {
    const answer = await admin.request(pathOf(company, id, '/results'), { method: 'GET', headers: {} });
    if (answer.status !== 200 || answer.body === null) return readAnswer(answer);
    if (file !== undefined) await writeStreamed(file, answer.body);
    else await pipeline(Readable.from(answer.body), process.stdout, { end: false });
    return undefined;
  });
}

function drawDryRun({ recipients, duplicates, noConsent, missingParameters }: z.output<typeof DryRun>): void {
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  out(`${formatCount(recipients, 'recipients')}, of whom ${noConsent} have stopped such messages`);
  if (duplicates > 0) out(`${duplicates} of the audience are duplicates`);
  for (const { user, parameter } of missingParameters.slice(0, 20))
    out(`${printable(user)}: nothing is known for parameter ${printable(parameter)}`);
  if (missingParameters.length > 20) out(`… and ${missingParameters.length - 20} more without a value`);
  out(painter(process.stdout)('dim', 'Nothing was written.'));
}

const say = (text: string): void => void process.stdout.write(`${painter(process.stdout)('green', '✔')} ${text}\n`);
