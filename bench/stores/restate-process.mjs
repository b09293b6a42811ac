// A Restate workflow that accepts an order and waits for a promise, and its callers. Started with the port of the workflow, the address of
// the Restate server's ingress and that of its admin interface.
import * as restate from '@restatedev/restate-sdk';
import { HttpClient } from '../clients.ts';
import { answerParent } from '../processes.ts';
import { together } from '../together.ts';

const [port, ingress] = process.argv.slice(2);
const parking = restate.workflow({
  name: 'parking',
  handlers: {
    run: async (context, order) => {
      const go = await context.promise('go');
      return `${order.id} ${go.id}`;
    },
    resume: async (context, body) => {
      await context.promise('go').resolve(body);
      return true;
    },
  },
});
const beganMs = performance.now();
await restate.serve({ services: [parking], port: Number(port) });
process.send({ startMs: performance.now() - beganMs, residentBytes: process.memoryUsage().rss });

/** One connection per caller; a free one is reused. */
const free = [];
async function request(method, path, key, body) {
  const client = free.pop() ?? new HttpClient(ingress);
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) };
  const answer = await client.request({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await answer.body.text();
  free.push(client);
  if (answer.statusCode >= 300) throw new Error(`Restate answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}

answerParent((work) => (work.do === 'start' ? start(work) : resume(work)));

async function start({ first, count, callers }) {
  const ids = Array.from({ length: count }, (_, index) => `start-${first + index}`);
  const workMs = performance.now();
  const latenciesMs = await together(count, callers, async (index) => {
    const order = { id: `A-${first + index}`, user: String(51_900_000_000 + first + index) };
    const { status } = await request('POST', `/parking/${ids[index]}/run/send`, undefined, order);
    if (status !== 'Accepted' && status !== 'PreviouslyAccepted') throw new Error(`Restate says of a start: ${status}`);
  });
  return { allMs: performance.now() - workMs, latenciesMs, ids };
}

async function resume({ ids, callers }) {
  const workMs = performance.now();
  const latenciesMs = await together(ids.length, callers, async (index) => {
    await request('POST', `/parking/${ids[index]}/resume`, `resume-${ids[index]}`, { id: 'B' });
    const said = await request('GET', `/restate/workflow/parking/${ids[index]}/attach`);
    if (!/^A-\d+ B$/.test(said)) throw new Error(`Workflow ${ids[index]} went wrong: ${said}`);
  });
  return { allMs: performance.now() - workMs, latenciesMs, ids: [] };
}
