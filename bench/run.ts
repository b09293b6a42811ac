// `npm run bench`: Hilo against floors and against its peers, side by side in one run. See `--help`.
import { parseArgs, styleText } from 'node:util';
import { drawCharts } from './chart.ts';
import { contestants, needsPeers } from './contestants/index.ts';
import { reportConversations } from './conversations/report.ts';
import { loadText, machineText } from './machine.ts';
import { failedPart, type Part, partInMarkdown, partInTerminal } from './part.ts';
import { agents } from './parts/agents.ts';
import { answers } from './parts/answers.ts';
import { coldStart } from './parts/cold-start.ts';
import { commands } from './parts/commands.ts';
import { conversationsFound } from './parts/conversations-found.ts';
import { erasure } from './parts/erasure.ts';
import { eventLoop } from './parts/event-loop.ts';
import { expressionWork } from './parts/expression-work.ts';
import { expressions } from './parts/expressions.ts';
import { firstWord } from './parts/first-word.ts';
import { growth } from './parts/growth.ts';
import { hostileCanvases } from './parts/hostile-canvases.ts';
import { inProcess } from './parts/in-process.ts';
import { people } from './parts/people.ts';
import { studio } from './parts/studio.ts';
import { installPeers, peers } from './peers.ts';
import { profile, profileInTerminal, type ProfileTarget } from './profile.ts';
import { reasonOf } from './processes.ts';
import { createProgress, type Progress } from './progress.ts';
import { writeReadme } from './readme-section.ts';
import { writeResults } from './results-file.ts';
import { channels } from './server/channels.ts';
import { webhooks } from './server/part.ts';
import { durable } from './stores/part.ts';
import { scale } from './stores/scale.ts';

const usage = `Usage: npm run bench -- [--quick] [--engine] [--agents] [--server] [--channels] [--stores] [--scale] [--people] [--growth] [--cold] [--authors] [--studio] [--json] [--write]
       npm run bench -- --conversations [--quick] [--write]
       npm run bench -- --profile [engine | core | actor | xstate | compile | …]

  --engine        ten nodes in memory, next to a bare loop and seven peers
  --agents        conversations of an agent on SQLite, beside a model that answers at once, and replies while they are written
  --server        webhook to answer over HTTP, next to bare servers, Node-RED, Restate and DBOS
  --channels      a delivery of WhatsApp next to a gateway webhook; a message to WhatsApp next to a bare call
  --stores        durable starts and resumes, next to raw rows, Restate and DBOS; all of them killed
  --scale         1,000,000 executions that wait, and planned for another version; 100,000 timers due at once, 100,000 migrated; 1,000 conversations replayed; people erased
  --people        fields and subscribers beside a message; a CSV and a segment of 1,000,000 contacts; 100,000 starts by the clock; STOP within a campaign of 100,000
  --growth        canvases of 10 to 20,000 nodes, histories of many visits
  --cold          from the start of a process to its first execution, and what an install takes
  --authors       single expressions, in nanoseconds, and the work they count; the slowest texts of users; work on hostile canvases; hilo test, hilo validate and the docs site, in seconds; conversations that are found
  --studio        canvases of 300 and 1,000 nodes in Chromium: the main thread a frame, an edit to its problem, opening; the page /docs
                  (all of these, when none is named)
  --quick         within three minutes; good for a glance, not for a claim
  --json          prints { parts: [{ name, unit, contestants, aims }] } instead of tables
  --write         writes its parts of bench/RESULTS.md, the charts in docs/ and the table of the README
  --conversations measures lists and statistics of conversations, and sending, instead, on SQLite and PostgreSQL
  --profile WHAT  says where the time goes instead: the whole engine, when nothing else is named
`;

/** What can be measured, by its flag: the title in RESULTS.md, and how. */
const measures = {
  engine: { title: 'The engine', run: async (quick, progress) => [await inProcess(quick, progress)] },
  agents: { title: 'Agents', run: async (quick, progress) => [await agents(progress), await firstWord(quick, progress)] },
  server: { title: 'The server', run: webhooks },
  channels: { title: 'Channels', run: channels },
  stores: { title: 'The stores', run: durable },
  scale: { title: 'Scale', run: async (quick, progress) => [...(await scale(quick, progress)), ...(await erasure(quick, progress))] },
  people: { title: 'People', run: people },
  growth: { title: 'Growth', run: growth },
  cold: { title: 'Cold start', run: async (quick, progress) => coldStart(quick, progress) },
  authors: {
    title: 'Authors',
    run: async (quick, progress) => [
      expressions(quick, progress),
      expressionWork(quick, progress),
      answers(quick, progress),
      await eventLoop(quick, progress),
      await hostileCanvases(quick, progress),
      await commands(quick, progress),
      await conversationsFound(quick, progress),
    ],
  },
  studio: { title: 'The studio', run: studio },
} satisfies { readonly [flag: string]: { readonly title: string; run(quick: boolean, progress: Progress): Promise<readonly Part[]> } };
const flags = Object.keys(measures) as (keyof typeof measures)[];

const options = readOptions();
const progress = createProgress();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else if (options.help) {
  console.log(usage);
} else if (options.conversations) {
  await reportConversations(options, progress);
} else if (options.target !== undefined) {
  if (needsPeers(options.target)) installPeers();
  console.log(profileInTerminal(await profile(options.target, { warmUpMs: 3_000, runMs: 5_000 }, progress)));
} else {
  try {
    installPeers();
  } catch (error) {
    console.error(`[bench] ${reasonOf(error)} What needs no peer is measured all the same.`);
  }
  await measure(options);
}

async function measure({ quick, json, write, chosen }: NonNullable<typeof options>): Promise<void> {
  const load = loadText();
  const all: Part[] = [];
  for (const flag of chosen) {
    const { title, run } = measures[flag];
    const command = `npm run bench -- --${flag}${quick ? ' --quick' : ''} · ${machineText} · ${loadText()}`;
    let parts: readonly Part[];
    try {
      parts = await run(quick, progress);
    } catch (error) {
      parts = [failedPart(title, reasonOf(error))]; // the other parts are measured all the same
      process.exitCode = 1;
    }
    all.push(...parts);
    if (!json) console.log([styleText('dim', command), ...parts.map(partInTerminal)].join('\n\n'), '\n');
    if (write) writeResults(title, [command, ...parts.map(partInMarkdown)].join('\n\n'));
  }
  if (json) console.log(JSON.stringify({ machine: machineText, load, peers, parts: all }, null, 2));
  if (!write) return;
  drawCharts(all);
  writeReadme(all);
}

/** @returns `undefined` for anything that is not understood */
function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        engine: flag,
        agents: flag,
        server: flag,
        channels: flag,
        stores: flag,
        scale: flag,
        people: flag,
        growth: flag,
        cold: flag,
        quick: flag,
        json: flag,
        write: flag,
        conversations: flag,
        authors: flag,
        studio: flag,
        profile: flag,
        help: flag,
      },
    });
    const [named = 'engine', ...more] = positionals;
    if (more.length > 0 || (positionals.length > 0 && !values.profile) || (values.profile && !isTarget(named))) return undefined;
    const some = flags.filter((name) => values[name]);
    return { ...values, chosen: some.length > 0 ? some : flags, target: values.profile && isTarget(named) ? named : undefined };
  } catch {
    return undefined;
  }
}

function isTarget(name: string): name is ProfileTarget {
  return name === 'compile' || name === 'check' || Object.hasOwn(contestants, name);
}
