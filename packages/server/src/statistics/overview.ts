// What a company's home shows: what waits, what its bots do and answer to, and how the week went, each from one query.
import type { Canvas, Channel } from '@hilo/engine/contract';
import { type Runner, integer, optional, plain, sum, text } from '@hilo/stores';
import { sql } from 'kysely';
import { companyQuery } from '../platform/database/schema.ts';

const dayMs = 86_400_000;
/** Counts of one status, messages of one bot and answers of people stop here: a row is read for each (P20). */
export const maxCounted = 10_000;

const count = { number: sum() };

const countOf = (status: 'running' | 'waiting') =>
  companyQuery({}, count, (company, _given, db) =>
    db
      .selectFrom(company.selectFrom('executions').select('id').where('status', '=', status).limit(maxCounted).as('some'))
      .select(({ fn }) => fn.countAll<number>().as('number')),
  );
const counts = { running: countOf('running'), waiting: countOf('waiting') };

const countFailed = companyQuery({ fromMs: integer() }, count, (company, { fromMs }, db) =>
  db
    .selectFrom(
      company
        .selectFrom('executions')
        .select('id')
        .where('status', '=', 'failed')
        .where('ended_at_ms', '>=', fromMs)
        .limit(maxCounted)
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('number')),
);

/** How many executions are running, wait, and failed since an instant: at most {@link maxCounted} each. */
export async function countExecutions(runner: Pick<Runner, 'readOne'>, companyId: string, failedSinceMs: number) {
  const [running, waiting, failed] = await Promise.all([
    runner.readOne(counts.running({ companyId })),
    runner.readOne(counts.waiting({ companyId })),
    runner.readOne(countFailed({ companyId, fromMs: failedSinceMs })),
  ]);
  return { running: running?.number ?? 0, waiting: waiting?.number ?? 0, failed24h: failed?.number ?? 0 };
}

const selectConversations = companyQuery({}, { open: sum(), waiting: sum(), oldest: optional(sum()) }, (company) =>
  company
    .selectFrom('conversations')
    .select(({ fn }) => [
      fn.countAll<number>().as('open'),
      fn.count<number>('waiting_since_ms').as('waiting'),
      fn.min<number | null>('waiting_since_ms').as('oldest'),
    ])
    .where('state', '=', 'active'),
);

/** How many conversations are open, in how many of them the user waits for an answer, and since when the first of these. */
export async function countConversations(runner: Pick<Runner, 'readOne'>, companyId: string) {
  const row = await runner.readOne(selectConversations({ companyId }));
  return { open: row?.open ?? 0, waiting: row?.waiting ?? 0, oldestWaitingSinceMs: row?.oldest };
}

const selectMessages = companyQuery(
  { botId: text(), fromMs: integer() },
  { direction: plain(), day: sum(), ...count },
  (company, { botId, fromMs }, db) =>
    db
      .selectFrom(
        company
          .selectFrom('messages')
          .select(['direction', 'created_at_ms'])
          .where('bot_id', '=', botId)
          .orderBy('id', 'desc')
          .limit(maxCounted)
          .as('newest'),
      )
      .select(({ fn }) => ['direction', sql<number>`created_at_ms / 86400000`.as('day'), fn.countAll<number>().as('number')])
      .where('created_at_ms', '>=', fromMs)
      .groupBy(['direction', sql`created_at_ms / 86400000`]),
);

/** The messages of a bot by the day, the last one today; `isPartial` where it has more than are counted. */
export async function readMessageDays(
  runner: Pick<Runner, 'read'>,
  { companyId, botId }: { readonly companyId: string; readonly botId: string },
  { nowMs, days: length }: { readonly nowMs: number; readonly days: number },
) {
  const first = Math.floor(nowMs / dayMs) - length + 1;
  const rows = await runner.read(selectMessages({ companyId, botId, fromMs: first * dayMs }));
  const on = (day: number, direction: string): number =>
    rows.reduce((total, row) => (row.day === day && row.direction === direction ? total + row.number : total), 0);
  const days = Array.from({ length }, (_, index) => ({
    date: new Date((first + index) * dayMs).toISOString().slice(0, 10),
    received: on(first + index, 'inbound'),
    sent: on(first + index, 'outbound'),
  }));
  const total = (of: 'received' | 'sent'): number => days.reduce((sum, day) => sum + day[of], 0);
  return { received: total('received'), sent: total('sent'), isPartial: total('received') + total('sent') >= maxCounted, days };
}

const selectReplies = companyQuery({ fromMs: integer(), toMs: integer() }, { took: sum() }, (company, { fromMs, toMs }) =>
  company
    .selectFrom('conversations')
    .select(sql<number>`first_replied_at_ms - start_at_ms`.as('took'))
    .where('start_at_ms', '>=', fromMs)
    .where('start_at_ms', '<', toMs)
    .where('first_replied_at_ms', 'is not', null)
    .orderBy('start_at_ms', 'desc')
    .limit(maxCounted),
);

/** Half of the conversations of a stretch of time that a person answered were answered within so many milliseconds. */
export async function readMedianReply(runner: Pick<Runner, 'read'>, given: Parameters<typeof selectReplies>[0]): Promise<number | null> {
  const times = (await runner.read(selectReplies(given))).map(({ took }) => Math.max(0, took)).toSorted((a, b) => a - b);
  return times[Math.ceil(times.length / 2) - 1] ?? null;
}

/** A workflow that messages can start. */
interface Published {
  readonly workflowId: string;
  readonly canvas: Pick<Canvas, 'kind' | 'name' | 'settings'> & {
    readonly nodes: readonly Pick<Canvas['nodes'][number], 'type' | 'data'>[];
  };
}

/** So many words of a bot are told. */
const maxKeywords = 100;

/** Which workflows a bot's messages start: the first of a word, and the first fallback, in the order in which they are tried. */
export function listAnswers(published: readonly Published[], channel: Channel) {
  const keywords = new Map<string, { readonly keyword: string; readonly workflowId: string; readonly name: string }>();
  let fallback: { readonly workflowId: string; readonly name: string } | null = null;
  for (const { workflowId, canvas } of published) {
    const { kind, name, settings } = canvas;
    if (kind !== 'skill' || settings.channels?.includes(channel) === false) continue;
    for (const { type, data } of canvas.nodes) {
      if (type !== 'start') continue;
      if (data['fallback'] === true) fallback ??= { workflowId, name };
      const words = data['keywords'];
      for (const keyword of Array.isArray(words) ? words : [])
        if (typeof keyword === 'string' && !keywords.has(keyword)) keywords.set(keyword, { keyword, workflowId, name });
    }
  }
  return { fallback, keywords: [...keywords.values()].slice(0, maxKeywords) };
}
