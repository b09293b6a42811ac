import { styleText } from 'node:util';
import { machineText } from '../machine.ts';
import { peers } from '../peers.ts';
import type { Progress } from '../progress.ts';
import { writeResults } from '../results-file.ts';
import { type Aim, aimsInMarkdown, aimsInTerminal, aligned, markdownTable, type Table, whole } from '../tables.ts';
import { type Measured, measureServers, type Race } from './measure.ts';
import { connectionsOf, middle, times } from './race.ts';

/** Races the servers, and says what came of it. */
export async function reportServers(
  { quick, write }: { readonly quick: boolean; readonly write: boolean },
  progress: Progress,
): Promise<void> {
  const options = quick ? { rounds: 3, roundMs: 1_000, warmUpMs: 2_000 } : { rounds: 9, roundMs: 2_000, warmUpMs: 6_000 };
  const measured = await measureServers([1, 32], options, progress);
  const command = `npm run bench -- --server${quick ? ' --quick' : ''} · ${machineText} · Node-RED ${peers['node-red']}`;
  const tables = measured.races.map(tableOf);
  const missing = measured.withoutNodeRed === undefined ? [] : [`Node-RED is missing: ${measured.withoutNodeRed}`];
  const aims = aimsOf(measured);
  console.log([styleText('dim', command), ...tables.map(aligned), ...missing, aimsInTerminal(aims)].join('\n\n'));
  if (write) writeResults('The server', [command, ...tables.map(markdownTable), ...missing, aimsInMarkdown(aims)].join('\n\n'));
}

const tableOf = ({ connections, floor, hilo, nodeRed }: Race): Table => [
  [connectionsOf(connections), 'requests/s', '× floor', '× Node-RED', 'p50 ms', 'p99 ms', 'p99 ms, worst round'],
  ...[floor, hilo, nodeRed]
    .filter((raced) => raced !== undefined)
    .map((raced) => [
      raced.title,
      whole(middle(raced, 'perSecond')),
      times(raced, floor).toFixed(2),
      nodeRed === undefined ? '–' : times(raced, nodeRed).toFixed(2),
      middle(raced, 'p50Ms').toFixed(2),
      middle(raced, 'p99Ms').toFixed(1),
      Math.max(...raced.rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    ]),
];

function aimsOf({ races }: Measured): readonly Aim[] {
  const { hilo, nodeRed } = races.find(({ connections }) => connections === 32) ?? {};
  const ratio = times(hilo, nodeRed);
  const p99Ms = hilo === undefined ? Number.NaN : middle(hilo, 'p99Ms');
  const measured = nodeRed === undefined ? 'not measured' : `${ratio.toFixed(2)}×`;
  return [
    { text: `at least as many requests a second as Node-RED, over 32 connections: ${measured}`, isMet: ratio >= 1 },
    { text: `p99 under 25 ms, over 32 connections: ${p99Ms.toFixed(1)} ms`, isMet: p99Ms < 25 },
  ];
}
