// What a company may take of the service: `limits` beside its name. What is above is refused with 429, and counted. A company without limits
// costs a look-up in a map; starts and messages are counted by each process on its own.
import { setImmediate as turn } from 'node:timers/promises';
import type { OnLimit } from '@hilo/drivers';
import { type Clock, isWithin } from '@hilo/engine/contract';
import { type DurableStore, integer, sum, text } from '@hilo/stores';
import { sql } from 'kysely';
import { companyQuery } from '../platform/database/schema.ts';
import { unended } from '../platform/database/unended.ts';
import { HttpError } from '../platform/http/errors.ts';
import type { LimitName } from '../platform/tables/companies.ts';
import type { Companies } from './companies.ts';

/** Counts what companies take. */
export interface Shares {
  /**
   * Takes a start of an execution by a call.
   *
   * @returns gives it back, where nothing was started; undefined where the company has no limits
   * @throws {HttpError} 429 with `Retry-After`
   */
  takeStart(companyId: string): Promise<() => void> | undefined;
  /** Takes a message that a system sends. @returns as `takeStart` @throws {HttpError} as `takeStart` */
  takeMessage(companyId: string): Promise<() => void> | undefined;
}

interface SharesParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly companies: Pick<Companies, 'company'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onLimit: OnLimit;
}

const minuteMs = 60_000;
/** How long a count of open executions is used; those that are started meanwhile are added to it. */
const openMs = 1_000;
/** How long a measurement of what is stored is used. It goes on beside other work, and nothing waits for it. */
const storageMs = 600_000;
/** Rows that are measured at once. */
const pageRows = 200;
const mb = 1_000_000;

interface Taken {
  readonly starts: Minute;
  readonly messages: Minute;
  /** Open executions when they were counted, and those started since. */
  open: { readonly atMs: number; readonly counted: Promise<number>; since: number } | undefined;
  storage: { readonly atMs: number; bytes: number; isUnderWay: boolean } | undefined;
}

/** A minute that begins with the first of what is counted in it. */
interface Minute {
  sinceMs: number;
  count: number;
}

/** Shares of companies, in the memory of this process. */
export function createShares(parts: SharesParts): Shares {
  const { companies } = parts;
  const taken = new Map<string, Taken>();
  const find = (companyId: string): Taken => {
    const known = taken.get(companyId) ?? { starts: newMinute(), messages: newMinute(), open: undefined, storage: undefined };
    taken.set(companyId, known);
    return known;
  };

  return {
    takeStart(companyId) {
      const limits = companies.company(companyId)?.limits;
      if (limits === undefined) return undefined;
      return (async () => {
        const of = find(companyId);
        checkStorage(parts, companyId, limits.storageMb, of);
        const giveBack = takeOfMinute(parts, companyId, 'startsPerMinute', limits.startsPerMinute, of.starts);
        try {
          const leave = await takeOpen(parts, companyId, limits.openExecutions, of);
          return () => {
            giveBack();
            leave();
          };
        } catch (error) {
          giveBack();
          throw error;
        }
      })();
    },
    takeMessage(companyId) {
      const limits = companies.company(companyId)?.limits;
      if (limits === undefined) return undefined;
      return (async () => {
        const of = find(companyId);
        checkStorage(parts, companyId, limits.storageMb, of);
        return takeOfMinute(parts, companyId, 'messagesPerMinute', limits.messagesPerMinute, of.messages);
      })();
    },
  };
}

/** What a company without a limit takes: it has nothing to give back. */
const nothing = (): void => undefined;

/** Counts one in a minute. @returns takes it back out of the same minute */
function takeOfMinute(parts: SharesParts, companyId: string, name: LimitName, limit: number | undefined, minute: Minute): () => void {
  if (limit === undefined) return nothing;
  const nowMs = parts.clock.now();
  if (!isWithin(minute.sinceMs, minuteMs, nowMs)) [minute.sinceMs, minute.count] = [nowMs, 0];
  if (minute.count >= limit) throw refuse(parts, companyId, name, limit, minute.sinceMs + minuteMs - nowMs);
  minute.count += 1;
  const { sinceMs } = minute;
  return once(() => {
    if (minute.sinceMs === sinceMs) minute.count -= 1;
  });
}

/** Counts one among the open executions. @returns takes it back */
async function takeOpen(parts: SharesParts, companyId: string, limit: number | undefined, of: Taken): Promise<() => void> {
  if (limit === undefined) return nothing;
  const nowMs = parts.clock.now();
  if (of.open === undefined || !isWithin(of.open.atMs, openMs, nowMs))
    of.open = { atMs: nowMs, counted: countOpen(parts.store.runner, companyId), since: 0 };
  const { open } = of;
  open.since += 1;
  const leave = once(() => (open.since -= 1));
  const counted = await open.counted.catch((error: unknown) => {
    of.open = undefined;
    leave();
    throw error;
  });
  if (counted + open.since <= limit) return leave;
  leave();
  throw refuse(parts, companyId, 'openExecutions', limit, openMs);
}

/** Compares the last measurement with the limit, and begins another where it is old. */
function checkStorage(parts: SharesParts, companyId: string, limit: number | undefined, of: Taken): void {
  if (limit === undefined) return;
  const nowMs = parts.clock.now();
  const known = of.storage;
  if (known === undefined || (!known.isUnderWay && nowMs - known.atMs >= storageMs)) {
    const next = { atMs: nowMs, bytes: known?.bytes ?? 0, isUnderWay: true };
    of.storage = next;
    measureStorage(parts.store.runner, companyId)
      .then((bytes) => (next.bytes = bytes))
      .catch(() => undefined) // the next measurement may succeed; until then the last one counts
      .finally(() => (next.isUnderWay = false));
  }
  if ((of.storage?.bytes ?? 0) > limit * mb)
    throw refuse(parts, companyId, 'storageMb', limit, (of.storage?.atMs ?? nowMs) + storageMs - nowMs);
}

/** The answer to a company that is above a limit, which is counted. */
function refuse({ onLimit }: SharesParts, companyId: string, name: LimitName, limit: number, retryAfterMs: number): HttpError {
  onLimit({
    limit: `company-${name}`,
    holder: companyId,
    message: `A company has reached its limit ${name} of ${limit}: it is refused with 429`,
  });
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new HttpError(429, 'LIMIT_REACHED', `The company has reached its limit ${name} of ${limit}; send this again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Takes something for the time of some work, and gives it back where the work fails or did not need it. */
export async function withShare<Answer>(
  taking: Promise<(() => void) | undefined> | undefined,
  work: () => Promise<Answer>,
  isUsed: (answer: Answer) => boolean = () => true,
): Promise<Answer> {
  const giveBack = await taking;
  try {
    const answer = await work();
    if (!isUsed(answer)) giveBack?.();
    return answer;
  } catch (error) {
    giveBack?.();
    throw error;
  }
}

const newMinute = (): Minute => ({ sinceMs: Number.NEGATIVE_INFINITY, count: 0 });

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

const selectOpen = companyQuery({}, { count: sum() }, (company) =>
  company
    .selectFrom('executions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', 'in', unended),
);

async function countOpen(runner: SharesRunner, companyId: string): Promise<number> {
  return (await runner.readOne(selectOpen({ companyId })))?.count ?? 0;
}

type SharesRunner = Pick<DurableStore['runner'], 'read' | 'readOne'>;
const page = { after: integer(), limit: integer() };
const sizes = { id: integer(), bytes: sum() };

/** The size of a text is beside it in both databases: the text itself is not read. */
const selectExecutionSizes = companyQuery(page, sizes, (company, { after, limit }) =>
  company
    .selectFrom('executions')
    .select([
      'id',
      sql<number>`octet_length(state) + coalesce((select sum(octet_length(body)) from histories where histories.execution = executions.id), 0)`.as(
        'bytes',
      ),
    ])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

const selectMessageSizes = companyQuery({ ...page, botId: text() }, sizes, (company, { botId, after, limit }) =>
  company
    .selectFrom('messages')
    .select(['id', sql<number>`octet_length(message)`.as('bytes')])
    .where('bot_id', '=', botId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

const selectBots = companyQuery({}, { botId: text() }, (company) => company.selectFrom('bots').select('bot_id'));

/** The bytes of files, wherever they are. */
const sumFiles = companyQuery({}, { bytes: sum() }, (company) =>
  company.selectFrom('files').select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes')),
);

/** The bytes of the executions, histories, messages and files of a company, page by page: others have their turn between two pages. */
async function measureStorage(runner: SharesRunner, companyId: string): Promise<number> {
  const company = { companyId, limit: pageRows };
  let bytes = (await runner.readOne(sumFiles({ companyId })))?.bytes ?? 0;
  bytes += await sumPages((after) => runner.read(selectExecutionSizes({ ...company, after })));
  for (const { botId } of await runner.read(selectBots({ companyId })))
    bytes += await sumPages((after) => runner.read(selectMessageSizes({ ...company, botId, after })));
  return bytes;
}

async function sumPages(read: (after: number) => Promise<readonly { readonly id: number; readonly bytes: number }[]>): Promise<number> {
  let bytes = 0;
  for (let after = 0; ; ) {
    const rows = await read(after);
    for (const row of rows) bytes += Number(row.bytes);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return bytes;
    after = last.id;
    await turn();
  }
}
