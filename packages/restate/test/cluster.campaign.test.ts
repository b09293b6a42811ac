import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { drive, sendMessage, standardNodes } from '@hilo/nodes';
import { openSqliteStore } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../stores/test/free-port.ts';
import { temporaryDirectory } from '../../stores/test/temporary-directory.ts';
import { createReadModel, restateRuntime } from '../src/index.ts';
import { restateProgram } from './restate-path.ts';
import { talk } from './talk.ts';

interface Node {
  readonly ports: { readonly node: number; readonly admin: number; readonly ingress: number };
  readonly process: ChildProcess;
}

/** Three nodes on this machine: replication 2, so that one may be lost. Without snapshots, which go to S3 alone, nodes keep the whole log. */
async function startCluster(directory: string, program: string): Promise<readonly Node[]> {
  const ports = [];
  for (let node = 0; node < 3; node += 1) ports.push({ node: await freePort(), admin: await freePort(), ingress: await freePort() });
  const addresses = ports.map(({ node }) => `http://127.0.0.1:${node}`);
  const nodes = ports.map((own, index): Node => {
    const base = join(directory, `n${index}`);
    mkdirSync(base);
    const log = openSync(join(directory, `n${index}.log`), 'a');
    const running = spawn(program, ['--bind-ip', '127.0.0.1', '--no-logo'], {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        DO_NOT_TRACK: '1',
        RUST_LOG: 'warn',
        RESTATE_BASE_DIR: base,
        RESTATE_NODE_NAME: `n${index}`,
        RESTATE_CLUSTER_NAME: 'three',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_PORT: String(own.node),
        RESTATE_ADVERTISED_ADDRESS: addresses[index],
        RESTATE_ADMIN__BIND_PORT: String(own.admin),
        RESTATE_INGRESS__BIND_PORT: String(own.ingress),
        RESTATE_AUTO_PROVISION: String(index === 0),
        RESTATE_DEFAULT_REPLICATION: '2',
        RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(addresses),
        RESTATE_BIFROST__DEFAULT_PROVIDER: 'replicated',
        RESTATE_DEFAULT_NUM_PARTITIONS: '8',
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '512MB',
      },
    });
    closeSync(log);
    return { ports: own, process: running };
  });
  const isUp = (address: string): Promise<boolean> =>
    fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const { ports: own } of nodes) {
    await expect.poll(() => isUp(`http://127.0.0.1:${own.ingress}/restate/health`), { timeout: 180_000, interval: 250 }).toBe(true);
    await expect.poll(() => isUp(`http://127.0.0.1:${own.admin}/health`), { timeout: 180_000, interval: 250 }).toBe(true);
  }
  return nodes;
}

const isAsked = process.env['HILO_TEST_CLUSTER'] === '1' && restateProgram !== undefined;

describe('three Restate nodes', () => {
  it('lose one under load: every conversation ends, no caller notices, and no message has two keys', {
    timeout: 900_000,
  }, async (context) => {
    if (!isAsked) return context.skip('three Restate nodes take minutes: HILO_TEST_CLUSTER=1, with a server');
    const directory = await temporaryDirectory();
    const nodes = await startCluster(directory, restateProgram ?? '');
    const [lost, asked] = nodes;
    if (lost === undefined || asked === undefined) throw new Error('There are three');
    const sends: { readonly userId: string; readonly nodeId: string; readonly key: string }[] = [];
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    const { ingress, admin } = asked.ports;
    const service = { host: '127.0.0.1', port: await freePort() };
    const stop = async (): Promise<void> => undefined;
    const engine = createEngine({
      nodes: standardNodes,
      store: createReadModel(store),
      runtime: restateRuntime(async () => ({
        ingress: `http://127.0.0.1:${ingress}`,
        admin: `http://127.0.0.1:${admin}`,
        sealKey: new Uint8Array(32),
        service,
        stop,
      })),
      drivers: [
        drive(sendMessage, async (_request, { userId = '', nodeId, idempotencyKey: key }) => {
          sends.push({ userId, nodeId, key });
          return { kind: 'sent', messageId: key };
        }),
      ],
    });
    const acme = engine.company('acme');
    await acme.publish(talk);
    await engine.start();

    const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    let longestMs = 0;
    const say = async (userId: string, text: string): Promise<void> => {
      const beganAt = performance.now();
      await acme.message({ bot: 'bot', deliveryId: `${userId}:${text}`, user: { id: userId }, message: { type: 'text', text } });
      longestMs = Math.max(longestMs, performance.now() - beganAt);
    };
    const reached = (userId: string, node: string): boolean => sends.some((send) => send.userId === userId && send.nodeId === node);
    const left = users.values();
    let [begun, hasKilled] = [0, false];
    const talkThrough = async (): Promise<void> => {
      for (const userId of left) {
        begun += 1;
        if (begun > users.length / 3 && !hasKilled) {
          hasKilled = true;
          lost.process.kill('SIGKILL');
        }
        await say(userId, 'Hi');
        await expect.poll(() => reached(userId, 'ask'), { timeout: 300_000 }).toBe(true);
        await say(userId, 'Well');
      }
    };
    await Promise.all(Array.from({ length: 12 }, talkThrough));
    const isOver = async () => (await store.executions.list('acme', { status: 'completed', limit: 1_000 })).results.length;
    await expect.poll(isOver, { timeout: 300_000 }).toBe(users.length);
    expect(new Set(sends.map(({ userId, nodeId, key }) => `${userId} ${nodeId} ${key}`)).size).toBe(4 * users.length);
    console.log(`longest request ${Math.round(longestMs)} ms, ${sends.length} deliveries`);

    await engine.stop();
    for (const { process: running } of nodes.slice(1)) {
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    }
    await store.close();
    const failures = await Promise.all([1, 2].map((index) => readFile(join(directory, `n${index}.log`), 'utf8')));
    expect(failures.join('')).not.toContain('panicked');
    await rm(directory, { recursive: true });
  });
});
