import { styleText } from 'node:util';
import { machineText } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { writeResults } from '../results-file.ts';
import { type Aim, aimsInMarkdown, aimsInTerminal, aligned, markdownTable, type Table, whole } from '../tables.ts';
import { callers, type Load, postgresLoad, sqliteLoad } from './loads.ts';
import { type Waiting, waitingCost } from './waiting.ts';

interface Results {
  readonly loads: readonly Load[];
  readonly waiting: Waiting;
  readonly bytesPerWaiting: number;
  readonly bytesPerEnded: number;
}

/** Measures both stores, next to the databases without Hilo, and says what came of it. */
export async function measureStores(
  { quick, write }: { readonly quick: boolean; readonly write: boolean },
  progress: Progress,
): Promise<void> {
  const count = quick ? 2_048 : 8_192;
  const sqlite = await sqliteLoad(count, progress);
  const postgres = await postgresLoad(quick ? 1_024 : 4_096, progress);
  const waiting = await waitingCost(quick ? 100_000 : 1_000_000, progress);
  const { bytesPerWaiting, bytesPerEnded } = sqlite;
  const results: Results = { loads: [sqlite, postgres], waiting, bytesPerWaiting, bytesPerEnded };
  const command = `npm run bench -- --stores${quick ? ' --quick' : ''} · ${machineText}`;
  const tables = [loadTable(results), boundsTable(results), waitingTable(results)];
  console.log([styleText('dim', command), ...tables.map(aligned), aimsInTerminal(aimsOf(results))].join('\n\n'));
  if (write) writeResults('The stores', [command, ...tables.map(markdownTable), aimsInMarkdown(aimsOf(results))].join('\n\n'));
}

const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

const loadTable = ({ loads }: Results): Table => [
  [
    `durable, ${callers} callers`,
    'floor: rows/s in batches of 64',
    'starts/s',
    'of the floor',
    'p99 ms',
    'resumes/s',
    'of the floor',
    'p99 ms',
  ],
  ...loads.map(({ database, floor, starts, resumes, startP99Ms, resumeP99Ms }) => [
    database,
    whole(floor),
    whole(starts),
    percent(starts / floor),
    startP99Ms.toFixed(1),
    whole(resumes),
    percent(resumes / floor),
    resumeP99Ms.toFixed(1),
  ]),
];

/** What bounds a start from two sides, of all that it does. */
const boundsTable = ({ loads: [sqlite] }: Results): Table => {
  const { floor = 1, byHand = 0, inMemory = 0 } = sqlite ?? {};
  return [
    ['a half of a start alone, SQLite', 'a second', 'of the floor'],
    ['keeping: the same bytes, found in the same ways, by hand', whole(byHand), percent(byHand / floor)],
    ['executing: the same engine, which keeps nothing but in memory', whole(inMemory), percent(inMemory / floor)],
  ];
};

const waitingTable = ({ waiting, bytesPerWaiting, bytesPerEnded }: Results): Table => [
  ['waiting executions, SQLite', ''],
  [`resident memory that ${whole(waiting.count)} add`, `${(waiting.extraBytes / 1e6).toFixed(1)} MB`],
  [`start-up with ${whole(waiting.count)} (with none)`, `${whole(waiting.startMs)} ms (${whole(waiting.startMsEmpty)} ms)`],
  [
    `a resume, p50, with ${whole(waiting.count)} (with 1,000)`,
    `${waiting.resumeP50Ms.toFixed(2)} ms (${waiting.resumeP50MsFew.toFixed(2)} ms)`,
  ],
  ['1,000 paused, all resumed after a kill, start-up included', `${whole(waiting.thousandMs)} ms`],
  ['stored for one that waits', `${whole(bytesPerWaiting)} bytes`],
  ['stored for one that was resumed and has ended, history included', `${whole(bytesPerEnded)} bytes`],
];

function aimsOf({ loads, waiting }: Results): readonly Aim[] {
  const [sqlite] = loads;
  const starts = (sqlite?.starts ?? 0) / (sqlite?.floor ?? 1);
  const resumes = (sqlite?.resumes ?? 0) / (sqlite?.floor ?? 1);
  return [
    {
      text: `starts are at least a third of raw SQLite in batches of 64: ${percent(starts)}`,
      isMet: starts >= 1 / 3,
    },
    { text: `resumes likewise: ${percent(resumes)}`, isMet: resumes >= 1 / 3 },
    {
      text: `${whole(waiting.count)} waiting executions add at most 64 MB: ${(waiting.extraBytes / 1e6).toFixed(1)} MB`,
      isMet: waiting.extraBytes <= 64e6,
    },
    { text: `start-up stays under 3 s: ${whole(waiting.startMs)} ms`, isMet: waiting.startMs < 3_000 },
    {
      text: `1,000 paused executions are resumed within 1 s of a restart after a kill: ${whole(waiting.thousandMs)} ms`,
      isMet: waiting.thousandMs < 1_000,
    },
    {
      text: `a resume takes the same however many wait: ${(waiting.resumeP50Ms / waiting.resumeP50MsFew).toFixed(2)}×`,
      isMet: waiting.resumeP50Ms / waiting.resumeP50MsFew < 1.5,
    },
  ];
}
