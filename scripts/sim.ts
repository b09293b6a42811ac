// `npm run sim -- --seeds N --from S`: simulates a number of clusters. A failure prints the command that repeats it, and the smallest run
// that still fails; `HILO_SIM_SEED=… HILO_SIM_MODE=… npm run -s sim` repeats that one seed with a full trace.
import { parseArgs, styleText } from 'node:util';
import { runCampaign } from '../tests/cluster/campaign.ts';
import { modeOf, replayLine, type SeedRun, type SeedTask } from '../tests/cluster/seed-run.ts';
import { type ClusterMode, clusterModes } from '../tests/cluster/plan.ts';
import { shrinkCluster } from '../tests/cluster/shrink-cluster.ts';
import { type ClusterReport, simulateCluster } from '../tests/cluster/simulate-cluster.ts';

const usage = `Usage: npm run sim -- [--seeds 2000] [--from 0] [--mode ${clusterModes.join('|')}] [--json]
Runs simulated clusters and looks for broken promises. Exit code 1: there is one.
HILO_SIM_SEED=17 HILO_SIM_MODE=normal npm run -s sim: one run, with its trace and the smallest that fails alike.`;

/** How many failures are shrunk: each takes some seconds. */
const shrunkAtMost = 3;

const values = readOptions();

if (values.help) console.log(usage);
else if (process.env['HILO_SIM_SEED'] !== undefined) {
  await replay({
    seed: wholeNumber('HILO_SIM_SEED', process.env['HILO_SIM_SEED']),
    mode: modeNamed(process.env['HILO_SIM_MODE'] ?? 'normal'),
  });
} else await campaign(wholeNumber('--seeds', values.seeds, 1), wholeNumber('--from', values.from));

async function campaign(count: number, from: number): Promise<void> {
  const mode = values.mode === undefined ? undefined : modeNamed(values.mode);
  const tasks = Array.from({ length: count }, (_, index): SeedTask => ({ seed: from + index, mode: mode ?? modeOf(from + index) }));
  const startedAt = performance.now();
  let [done, failures] = [0, 0];
  const showProgress = (run: SeedRun): void => {
    done += 1;
    if (run.findings.length > 0 || !run.isReproducible) failures += 1;
    if (!process.stderr.isTTY || (done % 20 > 0 && done < count)) return;
    const perSecond = Math.round((done * 1_000) / (performance.now() - startedAt));
    process.stderr.write(`\r${done} of ${count} seeds, ${perSecond} a second, ${failures} failed `);
    if (done === count) process.stderr.write('\n');
  };

  const result = await runCampaign(tasks, showProgress);
  if (values.json) {
    console.log(JSON.stringify({ ...result, rare: Object.fromEntries(result.rare) }));
  } else {
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const [state, runs] of result.rare) console.log(`${String(runs).padStart(8)}  ${runs === 0 ? styleText('yellow', state) : state}`);
    const hours = Math.round(result.simulatedMs / 3_600_000);
    console.log(`${result.runs} runs, ${result.steps} steps, ${hours} simulated hours in ${seconds.toFixed(1)} s`);
    for (const run of result.failed) printFailure(run);
    for (const run of result.failed.slice(0, shrunkAtMost)) await printSmallest(await simulateCluster({ seed: run.seed, mode: run.mode }));
    console.log(
      result.failed.length === 0 ? styleText('green', 'every promise kept') : styleText('red', `${result.failed.length} runs failed`),
    );
  }
  if (result.failed.length > 0) process.exitCode = 1;
}

async function replay(task: SeedTask): Promise<void> {
  const report = await simulateCluster({ ...task, keepsTrace: true });
  if (values.json) console.log(JSON.stringify({ ...task, traceHash: report.traceHash, findings: report.findings, plan: report.plan }));
  else {
    for (const line of report.trace) console.log(line);
    console.log(`trace hash ${report.traceHash}, ${report.steps} steps`);
    for (const { oracle, problem } of report.findings) console.log(styleText('red', `${oracle}: ${problem}`));
    await printSmallest(report);
  }
  if (report.findings.length > 0) process.exitCode = 1;
}

function printFailure(run: SeedRun): void {
  console.log(styleText('red', replayLine(run)));
  for (const { oracle, problem } of run.findings.slice(0, 5)) console.log(`    ${oracle}: ${problem}`);
  if (!run.isReproducible) console.log('    two runs were not the same: the simulation reads something that the seed does not decide');
}

async function printSmallest(report: ClusterReport): Promise<void> {
  if (report.findings.length === 0) return;
  const { plan, findings, steps } = await shrinkCluster(report);
  console.log(`the smallest run that fails alike (${steps} steps): ${JSON.stringify(plan)}`);
  for (const { oracle, problem } of findings.slice(0, 3)) console.log(`    ${oracle}: ${problem}`);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        seeds: { type: 'string', default: '2000' },
        from: { type: 'string', default: '0' },
        mode: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, text: string, least = 0): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  return refuse(`${name} is "${text}": give a whole number from ${least} on`);
}

function modeNamed(name: string): ClusterMode {
  return clusterModes.find((mode) => mode === name) ?? refuse(`There is no mode "${name}": there are ${clusterModes.join(', ')}`);
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}
