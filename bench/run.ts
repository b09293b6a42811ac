// `npm run bench`: Hilo against a bare loop and against its peers, in one run. `--help` says the rest.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Compiled, compileSpeed } from './compile-speed.ts';
import { reportConversations } from './conversations/report.ts';
import { contestants } from './contestants/index.ts';
import { machine } from './machine.ts';
import { installPeers, peers } from './peers.ts';
import { profile, type ProfileTarget } from './profile.ts';
import { createProgress } from './progress.ts';
import { race } from './race.ts';
import { inMarkdown, inTerminal, profileInTerminal, type Results } from './report.ts';
import { writeResults } from './results-file.ts';
import { reportServers } from './server/report.ts';
import { measureStores } from './stores/report.ts';
import { waitingHeap } from './waiting-heap.ts';

const usage = `Usage: npm run bench -- [--quick] [--json FILE] [--write]
       npm run bench -- --stores [--quick] [--write]
       npm run bench -- --server [--quick] [--write]
       npm run bench -- --conversations [--quick] [--write]
       npm run bench -- --profile [engine | core | actor | xstate | compile | …]

  --quick         a fifth of the time; good for a glance, not for a claim
  --json FILE     writes the figures as JSON
  --write         writes its part of bench/RESULTS.md
  --stores        measures SQLite and PostgreSQL instead, next to the same databases without Hilo
  --server        measures the webhooks of hilo serve instead, next to a bare server and to Node-RED
  --conversations measures lists and statistics of conversations, and sending, instead, on SQLite and PostgreSQL
  --profile WHAT  says where the time goes instead: the whole engine, when nothing else is named
`;

const options = readOptions();
const progress = createProgress();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else if (options.help) {
  console.log(usage);
} else if (options.stores) {
  await measureStores(options, progress);
} else if (options.server) {
  await reportServers(options, progress);
} else if (options.conversations) {
  await reportConversations(options, progress);
} else {
  installPeers();
  if (options.target === undefined) await measure(options);
  else console.log(profileInTerminal(await profile(options.target, { warmUpMs: 3_000, runMs: 5_000 }, progress)));
}

async function measure({
  quick,
  json,
  write,
}: {
  readonly quick: boolean;
  readonly json: string | undefined;
  readonly write: boolean;
}): Promise<void> {
  const rounds = quick ? { rounds: 5, warmUpRounds: 4, roundMs: 150 } : { rounds: 15, warmUpRounds: 8, roundMs: 250 };
  const visits = await race(['async-loop', 'sync-loop', 'core', 'actor', 'engine', 'xstate', 'robot3'], rounds, progress);
  const bySize = [
    { what: 'core' as const, raced: await race(['core', 'core-wide'], rounds, progress) },
    { what: 'engine' as const, raced: await race(['engine', 'engine-wide'], rounds, progress) },
  ];
  const compiled: readonly Compiled[] = compileSpeed([100, 1_000, 5_000, 10_000, 20_000], quick ? 3 : 9, progress);
  const results: Results = {
    machine,
    peers: Object.fromEntries(Object.entries(peers).filter(([name]) => Object.hasOwn(contestants, name))),
    command: `npm run bench${quick ? ' -- --quick' : ''}`,
    visits,
    bySize: bySize.map(({ what, raced }) => ({
      what,
      ratio: raced[1]?.timesFirst ?? Number.NaN,
      us: raced.map(({ usPerExecution }) => usPerExecution),
    })),
    compiled,
    bytesPerWaiting: await waitingHeap(quick ? 2_000 : 10_000, progress),
  };
  console.log(inTerminal(results));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
  if (write) writeResults('The engine', inMarkdown(results));
}

/** @returns `undefined` for anything that is not understood */
function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        write: { type: 'boolean', default: false },
        stores: { type: 'boolean', default: false },
        server: { type: 'boolean', default: false },
        conversations: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const [named = 'engine', ...more] = positionals;
    if (more.length > 0 || (positionals.length > 0 && !(values.profile && isTarget(named)))) return undefined;
    return { ...values, json: values.json, target: values.profile && isTarget(named) ? named : undefined };
  } catch {
    return undefined;
  }
}

function isTarget(name: string): name is ProfileTarget {
  return name === 'compile' || name === 'check' || Object.hasOwn(contestants, name);
}
