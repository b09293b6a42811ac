import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import type { Commit } from '@hilo/engine/runtime-kit';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { type DurableStore, openSqliteStore } from '@hilo/stores';
import { openPostgresStore } from '@hilo/postgres';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../stores/test/free-port.ts';
import { createDatabase } from '../../stores/test/shared-postgres.ts';
import { temporaryDirectory } from '../../stores/test/temporary-directory.ts';
import { createReadModel, restateRuntime, startDevServer } from '../src/index.ts';
import { createProjection } from '../src/projection.ts';
import { describeWithRestate } from './restate-program.ts';
import { talk } from './talk.ts';

let databaseUrl = '';
let databases = 0;
beforeAll(async () => {
  databaseUrl = await createDatabase();
});

/** Handles on one new database, as several processes have them. */
async function openShared(count: number): Promise<readonly DurableStore[]> {
  const [first] = [await openPostgresStore({ url: databaseUrl, schema: `shared_${(databases += 1)}` })];
  const others = Array.from({ length: count - 1 }, () => openPostgresStore({ url: databaseUrl, schema: `shared_${databases}` }));
  return [first, ...(await Promise.all(others))];
}

const say = (engine: ReturnType<typeof createEngine>, userId: string, said: string) =>
  engine
    .company('acme')
    .message({ bot: 'bot', deliveryId: `${userId}:${said}`, user: { id: userId }, message: { type: 'text', text: said } });

/** Sends, each with the key and the node that it is of. */
const sendsTo = (sends: string[]) => [
  drive(sendMessage, async (_request, { userId = '', nodeId, idempotencyKey }) => {
    sends.push(`${userId} ${nodeId} ${idempotencyKey}`);
    return { kind: 'sent', messageId: idempotencyKey };
  }),
];

/** Everything that a conversation of two commits to its store, in order. */
async function commitsOfTalk(): Promise<readonly Commit[]> {
  const store = await openSqliteStore({ path: ':memory:' });
  const commits: Commit[] = [];
  const executions = {
    ...store.executions,
    commit(commit: Commit) {
      commits.push(commit);
      return store.executions.commit(commit);
    },
  };
  const engine = createEngine({ nodes: standardNodes, drivers: sendsTo([]), store: { ...store, executions } });
  await engine.company('acme').publish(talk);
  await engine.start();
  for (const said of ['Hi', 'Well'])
    for (const userId of ['ana', 'eva']) {
      await say(engine, userId, said);
      await engine.whenIdle();
    }
  await engine.stop();
  await store.close();
  return commits;
}

/** What readers see. */
async function contentOf({ executions }: DurableStore): Promise<unknown> {
  const { results } = await executions.list('acme', { limit: 100 });
  const histories = await Promise.all(results.map(({ executionId }) => executions.history('acme', executionId)));
  return {
    results,
    histories,
    users: [await executions.contact('acme', 'bot', ['ana']), await executions.contact('acme', 'bot', ['eva'])],
  };
}

describe('a read model that processes share', () => {
  it('is the same after any repeated writes, by any process, after a death anywhere', async () => {
    const commits = await commitsOfTalk();
    const [once] = await openShared(1);
    if (once === undefined) throw new Error('It was opened');
    await createProjection({ store: createReadModel(once).executions }).write(commits);
    const expected = await contentOf(once);
    await once.close();
    // Each attempt begins at or before the end of the one before it, as in the journal of a lane.
    const attempts = fc.array(fc.record({ back: fc.nat(4), forward: fc.nat(6), by: fc.nat(1) }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(attempts, async (lives) => {
        const stores = await openShared(2);
        const projections = stores.map((store) => createProjection({ store: createReadModel(store).executions }));
        let done = 0;
        for (const { back, forward, by } of [...lives, { back: 4, forward: commits.length, by: 0 }]) {
          const from = Math.max(0, done - back);
          done = Math.max(done, Math.min(commits.length, done + forward));
          await projections[by]?.write(commits.slice(from, done));
        }
        for (const store of stores) expect(await contentOf(store)).toEqual(expected);
        await Promise.all(stores.map((store) => store.close()));
      }),
      { numRuns: 8 },
    );
  });
});

describeWithRestate('two processes over one Restate and one PostgreSQL', (program) => {
  it('continue without one that leaves: all conversations end, and no message has two keys', async () => {
    const directory = await temporaryDirectory();
    const restate = await startDevServer({ directory: join(directory, 'restate'), store: 'shared', program });
    const balancer = await openBalancer(restate.service.port);
    const stores = await openShared(2);
    const sends: string[] = [];
    const engines: ReturnType<typeof createEngine>[] = [];
    for (const store of stores) {
      const service = { host: '127.0.0.1', port: await freePort() };
      const address = `http://127.0.0.1:${restate.service.port}`;
      const runtime = restateRuntime(async () => ({ ...restate, service, address, stop: async () => undefined }));
      balancer.ports.push(service.port);
      engines.push(createEngine({ nodes: standardNodes, drivers: sendsTo(sends), store: createReadModel(store), runtime }));
    }
    const [one, two] = engines;
    if (one === undefined || two === undefined) throw new Error('There are two');
    await one.company('acme').publish(talk);
    for (const engine of engines) await engine.start();
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const nodesOf = (userId: string) => new Set(sends.filter((send) => send.startsWith(`${userId} `)).map((send) => send.split(' ')[1]));

    await Promise.all(users.map((userId, index) => say(index % 2 === 0 ? one : two, userId, 'Hi')));
    balancer.remove(0);
    await one.stop();
    await expect.poll(() => users.filter((userId) => nodesOf(userId).has('ask')).length, { timeout: 60_000 }).toBe(users.length);
    await Promise.all(users.map((userId) => say(two, userId, 'Well')));
    await expect.poll(() => users.filter((userId) => nodesOf(userId).has('bye')).length, { timeout: 60_000 }).toBe(users.length);
    const completed = async () => (await stores[1]?.executions.list('acme', { status: 'completed', limit: 100 }))?.results.length;
    await expect.poll(completed, { timeout: 60_000 }).toBe(users.length);
    expect(new Set(sends).size).toBe(4 * users.length);

    await two.stop();
    balancer.close();
    await restate.stop();
    await Promise.all(stores.map((store) => store.close()));
    await rm(directory, { recursive: true });
  });
});

/** A load balancer of connections. */
async function openBalancer(port: number) {
  const ports: number[] = [];
  const open = new Map<Socket, number>();
  let next = 0;
  const listening = createServer((client) => {
    const to = ports[(next += 1) % ports.length] ?? 0;
    const upstream = connect(to, '127.0.0.1');
    open.set(client, to);
    for (const [from, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => other.destroy());
      from.on('close', () => other.destroy());
      from.pipe(other);
    }
  });
  listening.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return {
    ports,
    /** Sends no new connections there, and closes the open ones. */
    remove(index: number): void {
      const [gone] = ports.splice(index, 1);
      for (const [client, to] of open) if (to === gone) client.destroy();
    },
    close(): void {
      for (const client of open.keys()) client.destroy();
      listening.close();
    },
  };
}
