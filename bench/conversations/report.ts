// Measures the REST API of conversations, and writes its part of RESULTS.md.
import { join } from 'node:path';
import { styleText } from 'node:util';
import { startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { inDirectory } from '../in-directory.ts';
import { machineText } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { writeResults } from '../results-file.ts';
import { type Aim, aimsInMarkdown, aimsInTerminal, aligned, markdownTable, type Table, whole } from '../tables.ts';
import { middle, type Raced, times } from '../server/race.ts';
import { fillStore, type Place } from './fill.ts';
import { type Asked, askConversations } from './measure.ts';
import { raceMessages } from './messages.ts';

interface Listed {
  readonly database: string;
  readonly asked: readonly Asked[];
}

interface Results {
  readonly count: number;
  readonly listed: readonly Listed[];
  readonly messages: { readonly floor: Raced; readonly hilo: Raced };
}

/** Measures the lists and the statistics of the REST API on both databases, and sending; writes the results. */
export async function reportConversations(
  { quick, write }: { readonly quick: boolean; readonly write: boolean },
  progress: Progress,
): Promise<void> {
  const [count, times] = quick ? [200_000, 100] : [1_000_000, 300];
  const race = quick ? { rounds: 3, roundMs: 1_000, warmUpMs: 2_000 } : { rounds: 9, roundMs: 2_000, warmUpMs: 6_000 };
  const messages = await inDirectory((directory) => raceMessages(directory, { ...race, connections: 32 }, progress));
  const ask = async (database: string, place: Place, directory: string): Promise<Listed> => {
    progress.say(`${database}: writing ${whole(count)} conversations`);
    await fillStore(place, count);
    return { database, asked: await askConversations(place, join(directory, 'server'), times, progress) };
  };
  const sqlite = await inDirectory((directory) => ask('SQLite', { data: join(directory, 'data') }, directory));
  const postgres = await inDirectory(async (directory) => {
    const server = await startPostgres({ outlastsPowerCuts: true });
    try {
      return await ask('PostgreSQL', { data: join(directory, 'data'), databaseUrl: server.url }, directory);
    } finally {
      await server.remove();
    }
  });
  const results: Results = { count, listed: [sqlite, postgres], messages };
  const command = `npm run bench -- --conversations${quick ? ' --quick' : ''} · ${machineText}`;
  const tables = [listTable(results), messageTable(results)];
  const plans = [sqlite, postgres].map(planText);
  console.log([styleText('dim', command), ...tables.map(aligned), ...plans, aimsInTerminal(aimsOf(results))].join('\n\n'));
  if (write)
    writeResults('Conversations and messages', [command, ...tables.map(markdownTable), aimsInMarkdown(aimsOf(results))].join('\n\n'));
}

const listTable = ({ count, listed }: Results): Table => [
  [`${whole(count)} conversations, over HTTP`, ...listed.flatMap(({ database }) => [`${database} p50 ms`, 'p99 ms']), 'answer, KB'],
  ...(listed[0]?.asked ?? []).map(({ question, bytes }, index) => [
    question.title,
    ...listed.flatMap(({ asked }) => [asked[index]?.p50Ms.toFixed(1) ?? '', asked[index]?.p99Ms.toFixed(1) ?? '']),
    whole(bytes / 1000),
  ]),
];

const messageTable = ({ messages: { floor, hilo } }: Results): Table => [
  ['POST …/messages, 32 connections', 'requests/s', '× floor', 'p50 ms', 'p99 ms'],
  ...[floor, hilo].map((raced) => [
    raced.title,
    whole(middle(raced, 'perSecond')),
    times(raced, floor).toFixed(2),
    middle(raced, 'p50Ms').toFixed(2),
    middle(raced, 'p99Ms').toFixed(1),
  ]),
];

/** Each plan once, with the questions that it answers. */
function planText({ database, asked }: Listed): string {
  const byPlan = Map.groupBy(asked, ({ plan }) => plan.join('\n'));
  const parts = [...byPlan].map(([plan, same]) => [...same.map(({ question }) => question.title), plan.replace(/^/gm, '    ')].join('\n'));
  return [styleText('bold', `What ${database} does`), ...parts].join('\n');
}

const aimMs = 50;

const aimsOf = ({ listed }: Results): readonly Aim[] =>
  listed.map(({ database, asked }) => {
    const slow = asked.filter(({ p99Ms }) => p99Ms >= aimMs).map(({ question, p99Ms }) => `${question.title} ${p99Ms.toFixed(1)} ms`);
    return {
      text: `every list and statistic has its p99 under ${aimMs} ms on ${database}${slow.length === 0 ? '' : `; not so: ${slow.join(', ')}`}`,
      isMet: slow.length === 0,
    };
  });
