// `hilo events`: who is told of what happens in a company, and what is on its way to them.
import { parseJsonText } from '@hilo/engine/contract';
import type { Command } from 'commander';
import { z } from 'zod';
import { createQuery } from './executions.ts';
import { getTableColumns, type Paint, painter, printable, printJson } from './paint.ts';
import { readAnswer } from './service/admin.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { table } from './table.ts';

/** The flags that all commands of `hilo events` have. */
export interface EventFlags extends AdminFlags {
  readonly company: string;
  readonly json?: true;
}

export interface AddFlags extends EventFlags {
  readonly events: readonly string[];
}

export interface DeliveryFlags extends EventFlags {
  readonly state?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface ReplayFlags extends EventFlags {
  readonly from: string;
}

/** A subscription as management answers it, as far as it is shown. */
const Shown = z.looseObject({ id: z.string(), url: z.string(), events: z.array(z.string()), paused: z.boolean() });
type Shown = z.output<typeof Shown>;

const Delivery = z.looseObject({
  id: z.string(),
  type: z.string(),
  timestamp: z.string(),
  state: z.string(),
  attempts: z.number(),
  lastAnswer: z.object({ status: z.number().nullable(), code: z.string().nullable(), text: z.string() }).nullable(),
});

const pathOf = (company: string, part = ''): string => `/companies/${encodeURIComponent(company)}/event-subscriptions${part}`;
const pathTo = (company: string, id: string, part = ''): string => pathOf(company, `/${encodeURIComponent(id)}${part}`);

const colours: { readonly [state: string]: Parameters<Paint>[0] } = { delivered: 'green', pending: 'yellow', parked: 'red' };

/** Prints the subscriptions of a company. */
export async function list(command: Command, { company, json, ...flags }: EventFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', pathOf(company)));
  if (json === true) return printJson(answer);
  const { results } = z.object({ results: z.array(Shown) }).parse(answer);
  if (results.length === 0) return void process.stdout.write('Nobody is told of events.\n');
  drawTable(results);
}

function drawTable(subscriptions: readonly Shown[]): void {
  const paint = painter(process.stdout);
  const rows = subscriptions.map(({ id, url, events, paused }) => [
    id,
    printable(url),
    printable(events.join(', ')),
    paused ? paint('red', 'paused') : paint('green', 'on'),
  ]);
  process.stdout.write(`${table(['subscription', 'url', 'events', 'state'], rows, { paint, columns: getTableColumns(process.stdout) })}\n`);
}

/** Subscribes an address, and prints the secret that was drawn. */
export async function add(command: Command, url: string, { company, events, json, ...flags }: AddFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', async ({ request }) => {
    // Not asked with 200: a subscription that is made is answered with 201.
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ url, events }) };
    const made = await request(pathOf(company), init);
    return made.status === 201 ? parseJsonText(await made.text()) : readAnswer(made);
  });
  if (json === true) return printJson(answer);
  const { id, secret } = Shown.extend({ secret: z.string() }).parse(answer);
  process.stdout.write(`${id} is told of ${printable(events.join(', '))}.\nIts secret, shown here alone: ${secret}\n`);
}

/** Prints what was to be told, the newest first. */
export async function deliveries(command: Command, id: string, given: DeliveryFlags): Promise<void> {
  const { company, state, limit, cursor, json, ...flags } = given;
  const query = createQuery({ state, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', `${pathTo(company, id, '/deliveries')}${query}`));
  if (json === true) return printJson(answer);
  const { results, nextCursor } = z.object({ results: z.array(Delivery), nextCursor: z.string().nullable() }).parse(answer);
  if (results.length === 0) return void process.stdout.write('There is no delivery.\n');
  const paint = painter(process.stdout);
  const rows = results.map((one) => [
    one.timestamp.slice(0, 19).replace('T', ' '),
    printable(one.type),
    paint(colours[one.state] ?? 'reset', one.state),
    String(one.attempts),
    one.lastAnswer === null ? '' : printable(`${one.lastAnswer.status ?? one.lastAnswer.code ?? ''} ${one.lastAnswer.text}`.slice(0, 60)),
  ]);
  const head = ['at', 'event', 'state', 'tries', 'last answer'];
  process.stdout.write(`${table(head, rows, { paint, columns: getTableColumns(process.stdout) })}\n`);
  if (nextCursor !== null) process.stdout.write(paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

/** Pauses or resumes a subscription. */
export async function step(command: Command, id: string, verb: 'pause' | 'resume', { company, json, ...flags }: EventFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', pathTo(company, id, `/${verb}`), {}));
  if (json === true) return printJson(answer);
  drawTable([Shown.parse(answer)]);
}

/** Sends what happened since an instant once more. */
export async function replay(command: Command, id: string, { company, from, json, ...flags }: ReplayFlags): Promise<void> {
  const path = `${pathTo(company, id, '/replay')}${createQuery({ from })}`;
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', path, {}));
  if (json === true) return printJson(answer);
  const { replayed } = z.object({ replayed: z.number() }).parse(answer);
  process.stdout.write(`${replayed} ${replayed === 1 ? 'event goes' : 'events go'} again.\n`);
}

/** Removes a subscription with all that is on its way to it. */
export async function remove(command: Command, id: string, { company, json, ...flags }: EventFlags): Promise<void> {
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('DELETE', pathTo(company, id)));
  if (json === true) return printJson(answer);
  process.stdout.write(`${printable(id)} is told of nothing any more.\n`);
}
