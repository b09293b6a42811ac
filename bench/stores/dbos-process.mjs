// DBOS on PostgreSQL in a process of its own: a workflow that accepts an order and waits for a message.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { answerParent } from '../processes.ts';
import { together } from '../together.ts';

const waitSeconds = 21 * 86_400;

/** Who waits for the end of a workflow, by its id. */
const ended = new Map();

const parking = DBOS.registerWorkflow(
  async (order) => {
    const go = await DBOS.recv('go', waitSeconds);
    ended.get(DBOS.workflowID)?.(`${order.id} ${go?.id}`);
    return order.id;
  },
  { name: 'parking' },
);

const beganMs = performance.now();
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: process.argv[2], runAdminServer: false, logLevel: 'error', enableOTLP: false });
await DBOS.launch();
process.send({ startMs: performance.now() - beganMs, residentBytes: process.memoryUsage().rss });
answerParent((work) => (work.do === 'start' ? start(work) : resume(work)));

async function start({ first, count, callers }) {
  const ids = Array.from({ length: count }, (_, index) => `start-${first + index}`);
  const workMs = performance.now();
  const latenciesMs = await together(count, callers, (index) =>
    DBOS.startWorkflow(parking, { workflowID: ids[index] })({ id: `A-${first + index}`, user: String(51_900_000_000 + first + index) }),
  );
  return { allMs: performance.now() - workMs, latenciesMs, ids };
}

async function resume({ ids, callers }) {
  const workMs = performance.now();
  const latenciesMs = await together(ids.length, callers, async (index) => {
    const id = ids[index];
    const end = new Promise((resolve) => ended.set(id, resolve));
    await DBOS.send(id, { id: 'B' }, 'go', `resume-${id}`);
    const said = await end;
    if (!/^A-\d+ B$/.test(said)) throw new Error(`Workflow ${id} went wrong: ${said}`);
  });
  while ((await DBOS.listWorkflows({ status: 'PENDING', limit: 1 })).length > 0) continue; // their results are kept as well
  return { allMs: performance.now() - workMs, latenciesMs, ids: [] };
}
