import { rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { openSqliteStore } from '@hilo/stores';
import { TerminalError } from '@restatedev/restate-sdk';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../stores/test/temporary-directory.ts';
import { ask } from '../src/ask.ts';
import { readIdentity } from '../src/identity.ts';
import { createReadModel, restateRuntime, startDevServer } from '../src/index.ts';
import { createSeals } from '../src/seals.ts';
import { describeWithRestate } from './restate-program.ts';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

describe('a seal', () => {
  const seals = createSeals(key(1));
  const entry = { input: { type: 'turn' }, atMs: 1 };
  const sealed = seals.seal('HiloLane/1/user/b/u', entry);

  it('opens for the place that it was made for', () => {
    expect(seals.open('HiloLane/1/user/b/u', sealed)).toEqual(entry);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a text', 'x'],
    ['a list', []],
    ['the bare entry', entry],
    ['no seal', { body: sealed.body }],
    ['an empty seal', { body: sealed.body, seal: '' }],
    ['a shorter seal', { body: sealed.body, seal: sealed.seal.slice(1) }],
    ['a seal of another kind', { body: sealed.body, seal: 7 }],
    ['another body', { body: `${sealed.body} `, seal: sealed.seal }],
    ['the seal of another key', createSeals(key(2)).seal('HiloLane/1/user/b/u', entry)],
    ['the seal of another lane', seals.seal('HiloLane/2/user/b/u', entry)],
    ['a place that runs into the body', { body: sealed.body, seal: createSeals(key(1)).seal('HiloLane/1/user/b/', entry).seal }],
  ])('refuses %s for good', (_what, given) => {
    expect(() => seals.open('HiloLane/1/user/b/u', given)).toThrow(TerminalError);
  });
});

describe('the identity of a server of its own', () => {
  it('is made once, and keeps its keys', async () => {
    const directory = await temporaryDirectory();
    const made = await readIdentity(directory);
    expect(made.publicKey).toMatch(/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{43,44}$/);
    expect(await readIdentity(directory)).toEqual(made);
    await rm(directory, { recursive: true });
  });
});

describeWithRestate('the doors of a server of its own', (program) => {
  it('take nothing that is not sealed, and are no ports', { timeout: 120_000 }, async () => {
    const directory = await temporaryDirectory();
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    const server = await startDevServer({ directory: join(directory, 'restate'), store: 'one', program });
    const engine = createEngine({
      nodes: [],
      store: createReadModel(store),
      runtime: restateRuntime(async () => ({ ...server, stop: async () => undefined })),
    });
    await engine.start();
    try {
      expect([server.ingress, server.admin].map((address) => address.split(':')[0])).toEqual(['unix', 'unix']);
      const headers = { 'content-type': 'application/json' };
      const call = (path: string, body: string) => ask(server.ingress, path, { method: 'POST', headers, body, timeoutMs: 20_000 });
      const message = { type: 'message', message: { companyId: '2', botId: 'b', eventId: 'e', user: { id: 'u' }, message: {} } };
      for (const body of ['{}', 'null', '[]', JSON.stringify({ input: message, atMs: 1 }), JSON.stringify({ body: '{}', seal: 'x' })])
        for (const path of ['/HiloLane/x/take', `/HiloLane/${encodeURIComponent('2/user/b/u')}/take`, '/HiloKey/x/take'])
          expect({ path, body, status: (await call(path, body)).status }).toEqual({ path, body, status: 403 });
      for (const path of ['/HiloKey/x/forget', '/HiloEffects/perform']) expect((await call(path, '{}')).status).toBe(400); // private
      expect(await callUnsigned(server.service.port)).toBe(401);
    } finally {
      await engine.stop();
      await server.stop();
      await store.close();
      await rm(directory, { recursive: true });
    }
  });
});

/** The status that a caller without Restate's signature gets; 0 when the connection is cut. */
async function callUnsigned(port: number): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    return await new Promise<number>((resolve) => {
      session.once('error', () => resolve(0));
      const stream = session.request({ ':path': '/discover', accept: 'application/vnd.restate.endpointmanifest.v3+json' });
      stream.once('response', (headers) => resolve(Number(headers[':status'])));
      stream.once('error', () => resolve(0));
      stream.end();
    });
  } finally {
    session.destroy();
  }
}
