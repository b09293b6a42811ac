// Runs the given seeds one after the other, and posts the result of each.
import { parentPort } from 'node:worker_threads';
import { simulateCluster } from './simulate-cluster.ts';
import { type SeedRun, type SeedTask, repeatedEvery } from './seed-run.ts';

parentPort?.on('message', (task: SeedTask) => void run(task));

async function run(task: SeedTask): Promise<void> {
  parentPort?.postMessage(await runOf(task));
}

async function runOf({ seed, mode }: SeedTask): Promise<SeedRun> {
  const { findings, rareStates, traceHash, steps, simulatedMs } = await simulateCluster({ seed, mode });
  const again = seed % repeatedEvery === 0 ? (await simulateCluster({ seed, mode })).traceHash : traceHash;
  return { seed, mode, findings, rareStates, traceHash, steps, simulatedMs, isReproducible: again === traceHash };
}
