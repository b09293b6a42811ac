import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/platform/http/listen.ts';
import { createApp } from '../../src/service/app.ts';
import { openService, type RunningService } from '../../src/service/open-service.ts';
import { exampleWorkspace } from '../data/open-for-test.ts';
import { settingsFor } from '../data/settings.ts';

let directory: string;
let service: RunningService;
let server: Listening;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hilo-secrets-'));
  service = await openService(settingsFor(directory, { workspace: exampleWorkspace }), { log: { info() {}, warn() {}, error() {} } });
  server = await listen(createApp(service).fetch, { port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close(0);
  await service.close();
  await rm(directory, { recursive: true });
});

/** Asks for the campaigns of a client. */
const ask = (client: string, agent?: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(client).toString('base64')}`;
    request({ agent, port: server.port, path: '/v1/campaigns', headers: { authorization } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });

/** 50 connections that keep guessing until the right client has its answer. */
async function askBehindWall(
  client: string,
  guessOf: (number: number) => string,
): Promise<{ readonly status: number; readonly guesses: number }> {
  let [isOver, guesses] = [false, 0];
  const agent = new Agent({ keepAlive: true });
  const guess = async (): Promise<void> => {
    while (!isOver) await ask(guessOf((guesses += 1)), agent).catch(() => {}); // cut at the end
  };
  const wall = Array.from({ length: 50 }, guess);
  while (guesses < 55) await new Promise(setImmediate); // some were answered
  const before = guesses;
  const status = await ask(client);
  const during = guesses - before;
  isOver = true;
  agent.destroy();
  await Promise.all(wall);
  return { status, guesses: during };
}

it('a client that was not seen since the start is let in while others guess (P22, T2)', async () => {
  // All come from one address, as behind a proxy. Fewer answers than the bound were given meanwhile: it waited behind no queue.
  const ofUnknown = await askBehindWall('acme-client:s3c:ret-of-acme', (number) => `made-up-${number}:guess`);
  expect(ofUnknown).toEqual({ status: 200, guesses: expect.toSatisfy((guesses: number) => guesses < 50) as number });
  const ofAnother = await askBehindWall('other-client:other-secret', (number) => `acme-client:guess-${number}`);
  expect(ofAnother).toEqual({ status: 200, guesses: expect.toSatisfy((guesses: number) => guesses < 50) as number });
});
