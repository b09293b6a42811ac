// OpenWorkflow on SQLite or PostgreSQL in a process of its own: a workflow that accepts an order and waits for a signal.
import { setTimeout } from 'node:timers/promises';
import { OpenWorkflow } from 'openworkflow';
import { answerParent } from '../processes.ts';
import { together } from '../together.ts';

const [kind, place] = process.argv.slice(2);
const workers = 64;
const pageSize = 100;

/** Who waits for the end of a workflow, by its signal. */
const ended = new Map();

const beganMs = performance.now();
const backend = await connect();
const client = new OpenWorkflow({ backend });
const parking = client.defineWorkflow({ name: 'parking' }, async ({ input, step, run }) => {
  const signal = `go-${run.id}`;
  const go = await step.waitForSignal({ name: 'go', signal, timeout: '21d' });
  ended.get(signal)?.(`${input.id} ${go?.data?.id}`);
  return input.id;
});
process.send({ startMs: performance.now() - beganMs, residentBytes: process.memoryUsage().rss });
answerParent(async (work) => {
  // Its workers ask the database all the time, also while others are measured: they are there for their own work alone.
  const worker = client.newWorker({ concurrency: workers });
  await worker.start();
  try {
    return await (work.do === 'start' ? start(work) : resume(work));
  } finally {
    await worker.stop();
  }
});

async function connect() {
  if (kind === 'sqlite') return (await import('openworkflow/sqlite')).BackendSqlite.connect(place);
  return (await import('openworkflow/postgres')).BackendPostgres.connect(place);
}

async function start({ first, count, callers }) {
  const ids = [];
  const workMs = performance.now();
  const latenciesMs = await together(count, callers, async (index) => {
    const order = { id: `A-${first + index}`, user: String(51_900_000_000 + first + index) };
    const { workflowRun } = await parking.run(order, { idempotencyKey: `start-${first + index}` });
    ids[index] = workflowRun.id;
  });
  const allMs = performance.now() - workMs;
  // A signal that comes before its workflow waits is lost: all of them wait before the first one is sent.
  for (const id of ids) {
    while (!isWaiting(await backend.getWorkflowRun({ workflowRunId: id }))) await setTimeout(1);
  }
  return { allMs, latenciesMs, ids };
}

const isWaiting = (run) => run.status === 'completed' || (run.status === 'running' && run.workerId === null);

async function resume({ ids, callers }) {
  const workMs = performance.now();
  const latenciesMs = await together(ids.length, callers, async (index) => {
    const signal = `go-${ids[index]}`;
    const end = new Promise((resolve) => ended.set(signal, resolve));
    const { workflowRunIds } = await client.sendSignal({ signal, data: { id: 'B' }, idempotencyKey: `resume-${ids[index]}` });
    if (workflowRunIds.length !== 1) throw new Error(`No workflow waits for ${signal}`);
    const said = await end;
    ended.delete(signal);
    if (!/^A-\d+ B$/.test(said)) throw new Error(`Workflow ${ids[index]} went wrong: ${said}`);
  });
  for (const id of ids.slice(-pageSize)) {
    while ((await backend.getWorkflowRun({ workflowRunId: id })).status !== 'completed') await setTimeout(1); // their results are kept as well
  }
  return { allMs: performance.now() - workMs, latenciesMs, ids: [] };
}
