import { rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '@hilo/stores';
import * as restate from '@restatedev/restate-sdk';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../stores/test/free-port.ts';
import { temporaryDirectory } from '../../stores/test/temporary-directory.ts';
import { createJsonSerde } from '../src/entries.ts';
import { ask } from '../src/ask.ts';
import { createReadModel, restateRuntime, startDevServer } from '../src/index.ts';
import { restateProgram } from './restate-path.ts';
import { talk } from './talk.ts';

const waits = {
  schemaVersion: 1,
  id: 'waits',
  name: 'Waits',
  nodes: [
    { id: 'begin', type: 'webhook', data: { variableName: 'request' } },
    { id: 'pause', type: 'delay', data: { duration: 'PT10H' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'pause' },
    { source: 'pause', sourceHandle: 'elapsed', target: 'done' },
  ],
};

/** The journal of a start that waits: two steps, the state, a delayed call to itself, and the answer. */
const createBareObject = (kept: object) =>
  restate.object({
    name: 'Bare',
    options: { journalRetention: 0, idempotencyRetention: { minutes: 10 } },
    handlers: {
      async take(ctx: restate.ObjectContext, { isTimer = false }: { readonly isTimer?: boolean }): Promise<object> {
        await ctx.get<object>('lane');
        if (isTimer) return {};
        const decision = await ctx.run('decide', async () => ({ kept, commits: [kept] }));
        await ctx.run('project', async () => undefined);
        ctx.set('lane', decision.kept);
        const inputSerde = createJsonSerde<{ readonly isTimer: boolean }>();
        ctx.genericSend({ service: 'Bare', method: 'take', key: ctx.key, parameter: { isTimer: true }, inputSerde, delay: 36_000_000 });
        return { executionId: ctx.key };
      },
    },
  });

interface Cost {
  /** Of this process, a call. */
  readonly cpuUs: number;
  readonly callsPerSecond: number;
}

/** What calls cost, sixteen callers at a time. */
async function costOf(call: () => Promise<unknown>, calls: number): Promise<Cost> {
  const [before, beganMs] = [process.cpuUsage(), performance.now()];
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  const { user, system } = process.cpuUsage(before);
  return { cpuUs: (user + system) / calls, callsPerSecond: (1_000 * calls) / (performance.now() - beganMs) };
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const drawCosts = (costs: readonly Cost[]): string =>
  `${median(costs.map(({ cpuUs }) => cpuUs)).toFixed(0)} µs of this process, ${median(costs.map((cost) => cost.callsPerSecond)).toFixed(0)} a second`;

const isAsked = process.env['HILO_TEST_COST'] === '1' && restateProgram !== undefined;

describe('what a lane costs', () => {
  it('is little more than a bare object with the same journal, and a cancellation waits for no effect', {
    timeout: 600_000,
  }, async (context) => {
    if (!isAsked) return context.skip('costs are measured on an idle machine: HILO_TEST_COST=1, with a Restate server');
    const directory = await temporaryDirectory();
    const server = await startDevServer({ directory: join(directory, 'restate'), store: 'one', program: restateProgram });
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    const under = Promise.withResolvers<void>();
    const engine = createEngine({
      nodes: standardNodes,
      store: createReadModel(store),
      runtime: restateRuntime(async () => server),
      drivers: [
        drive(sendMessage, async () => {
          under.resolve();
          await new Promise((done) => setTimeout(done, 30_000).unref());
          return { kind: 'sent', messageId: 'late' };
        }),
      ],
    });
    const acme = engine.company('acme');
    await acme.publish(waits);
    await acme.publish(talk);
    await engine.start();
    const startWaiting = () => acme.start('waits', { inputs: {} });
    const { executionId } = await startWaiting();
    const kept = { executions: [await store.executions.load('acme', executionId)] };

    const endpoint = createServer(createEndpoint(kept));
    const port = await freePort();
    await new Promise<void>((done) => endpoint.listen(port, '127.0.0.1', done));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ uri: `http://127.0.0.1:${port}` });
    expect((await ask(server.admin, '/deployments', { method: 'POST', headers, body, timeoutMs: 20_000 })).ok).toBe(true);
    const callBare = async (): Promise<void> => {
      await ask(server.ingress, `/Bare/${randomUUID()}/take`, {
        method: 'POST',
        timeoutMs: 20_000,
        headers: { ...headers, 'idempotency-key': randomUUID() },
        body: JSON.stringify({ input: { type: 'start', request: { workflowId: 'waits', inputs: {} } }, atMs: 1 }),
      });
    };

    const alone = await openSqliteStore({ path: join(directory, 'alone.db') });
    const overSqlite = createEngine({ nodes: standardNodes, store: alone, drivers: [] });
    await overSqlite.company('acme').publish(waits);
    await overSqlite.start();

    const rounds: { readonly lane: Cost; readonly bare: Cost; readonly sqlite: Cost }[] = [];
    for (let round = 0; round < 8; round += 1)
      rounds.push({
        lane: await costOf(startWaiting, 120),
        bare: await costOf(callBare, 120),
        sqlite: await costOf(() => overSqlite.company('acme').start('waits', { inputs: {} }), 120),
      });
    const measured = rounds.slice(3); // all are compiled by then
    const ratio = median(measured.map(({ lane, bare }) => lane.cpuUs / bare.cpuUs));

    await acme.message({ bot: 'bot', deliveryId: 'd', user: { id: 'ana' }, message: { type: 'text', text: 'Hi' } });
    await under.promise;
    const [running] = (await store.executions.list('acme', { status: 'running', limit: 1 })).results;
    const beganAt = performance.now();
    await acme.cancel(running?.executionId ?? '');
    const cancelMs = performance.now() - beganAt;
    console.log(
      `a lane's invocation: ${ratio.toFixed(2)} times a bare one; a cancellation under an effect of 30 s: ${Math.round(cancelMs)} ms
starts over Restate: ${drawCosts(measured.map(({ lane }) => lane))}
starts over SQLite: ${drawCosts(measured.map(({ sqlite }) => sqlite))}`,
    );

    await overSqlite.stop();
    await alone.close();
    await engine.stop();
    endpoint.close();
    await server.stop();
    await store.close();
    await rm(directory, { recursive: true });
    expect(ratio).toBeLessThan(2);
    expect(cancelMs).toBeLessThan(1_000);
  });
});

const createEndpoint = (kept: object) => restate.createEndpointHandler({ services: [createBareObject(kept)], logger: () => undefined });
