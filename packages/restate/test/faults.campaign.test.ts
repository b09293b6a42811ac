import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restateRuntime, restateService, startDevServer } from '../src/index.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A program that prints a release, and ends. */
async function programOf(release: string): Promise<string> {
  const path = join(directory, 'restate-server');
  await writeFile(path, `#!/bin/sh\necho "restate-server ${release}"\n`, { mode: 0o700 });
  return path;
}

async function listening(listener: RequestListener = (_request, response) => response.end()) {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close: () => void server.close() };
}

const ports = { service: 1 };

/** Data that was begun before. */
async function begun(marker: object | string): Promise<string> {
  const data = join(directory, 'restate');
  await mkdir(data);
  await writeFile(join(data, 'hilo.json'), typeof marker === 'string' ? marker : JSON.stringify(marker));
  return data;
}

describe('a Restate server that cannot be started', () => {
  it('is missed before anything is made, with what to install', async () => {
    const program = join(directory, 'nothing');
    await expect(restateService({ program }).check({ hasOthers: false })).rejects.toThrow(
      `cannot be run: npm install @hilo/restate @restatedev/restate-server@1.7.12`,
    );
    await expect(startDevServer({ directory: join(directory, 'restate'), store: 'one', program })).rejects.toThrow('npm install');
    expect(await readdir(directory)).toEqual([]);
  });

  it.each([
    ['1.6.9', 'is release 1.6.9, and 1.7 is needed'],
    ['2.0.0', 'is release 2.0.0, and 1.7 is needed'],
    ['0.9', 'is no Restate server'],
    ['unknown', 'is no Restate server'],
  ])('is refused when it says that it is of release %s', async (release, reason) => {
    const program = await programOf(release);
    await expect(restateService({ program }).check({ hasOthers: false })).rejects.toThrow(reason);
    await expect(restateService({ program: await programOf('1.7.3') }).check({ hasOthers: false })).resolves.toBeUndefined();
  });

  it('is refused over the data of another store, over data that Hilo did not begin, and over a damaged marker', async () => {
    const program = await programOf('1.7.12');
    const data = await begun({ store: 'theirs', cluster: 'hilo-1', ports });
    const start = (): Promise<unknown> => startDevServer({ directory: data, store: 'ours', program });
    await expect(start()).rejects.toThrow('is of another store (theirs) than the one beside it (ours)');
    for (const text of ['', '{', '{"store":"ours"}']) {
      await writeFile(join(data, 'hilo.json'), text);
      await expect(start()).rejects.toThrow('is damaged: restore it from a backup');
    }
    await rm(join(data, 'hilo.json'));
    await mkdir(join(data, 'data'));
    await expect(start()).rejects.toThrow('holds data of Restate that Hilo did not begin');
  });

  it('is not begun anew where the store has open executions that it kept', async () => {
    const program = await programOf('1.7.12');
    const start = startDevServer({ directory: join(directory, 'restate'), store: 'ours', hasOpenWork: async () => true, program });
    await expect(start).rejects.toThrow('has open executions that Restate keeps: restore the two together');
    expect(await readdir(directory)).toEqual(['restate-server']);
  });

  it('is refused when a port of its data is in use', { timeout: 300_000 }, async () => {
    const other = await listening();
    const data = await begun({ store: 'ours', cluster: 'hilo-1', ports: { service: other.port } });
    const start = startDevServer({ directory: data, store: 'ours', program: await programOf('1.7.12') });
    await expect(start).rejects.toThrow(`Port ${other.port} of 127.0.0.1, where the Restate data in ${data} has its handlers, is in use`);
    other.close();
  });

  it('names its log when it repeatedly exits during its start', { timeout: 300_000 }, async () => {
    const data = join(directory, 'restate');
    const start = startDevServer({ directory: data, store: 'ours', program: await programOf('1.7.12') });
    await expect(start).rejects.toThrow(`The Restate server ended as it started: see ${join(data, 'restate.log')}`);
  });
});

describe('a Restate cluster that does not take the service', () => {
  it.each([
    ['refuses it', 400, /did not take this service \(400\): no/],
    ['is away', 0, /cannot be reached: start it/],
  ])('%s: the engine does not start, and lets go of its port', async (_what, status, refusal) => {
    const admin = await listening((_request, response) => {
      response.statusCode = status;
      response.end('no');
    });
    const free = await listening();
    free.close();
    if (status === 0) admin.close();
    const server = {
      ingress: 'http://127.0.0.1:1',
      admin: `http://127.0.0.1:${admin.port}`,
      service: { host: '127.0.0.1', port: free.port },
      sealKey: new Uint8Array(32),
      stop: async () => undefined,
    };
    const engine = createEngine({ nodes: [], runtime: restateRuntime(async () => server) });
    await expect(engine.start()).rejects.toThrow(refusal);
    await expect(engine.start()).rejects.toThrow(refusal); // its port is free again
    await expect(engine.startWorkflow({ origin: { companyId: 'c', route: 'production' }, workflowId: 'none' })).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
    admin.close();
  });
});
