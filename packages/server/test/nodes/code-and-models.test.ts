import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listen } from '../../src/platform/http/listen.ts';
import { createApp } from '../../src/service/app.ts';
import { openService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { settingsFor } from '../data/settings.ts';

const adminToken = 'admin-token-0123456789';

/** A model with programmable answers, in the wire format of its provider. */
let says: string[] = [];
const asked: { readonly authorization: string | undefined; readonly body: string }[] = [];
const provider = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    asked.push({ authorization: request.headers.authorization, body });
    const message = { role: 'assistant', content: says.shift() ?? '' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  });
});

let url = '';
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const host = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const directory = await mkdtemp(join(tmpdir(), 'hilo-nodes-'));
  const silent = () => undefined;
  const service = await openService(settingsFor(directory, { adminToken, egressAllow: [host] }), {
    log: { info: silent, warn: silent, error: silent },
  });
  const workspace = changed(await inlineExample(), {
    '/companies/0/credentials/-': { id: 'model-key', kind: 'bearer', token: 'sk-of-acme-0123456789' },
  });
  await service.importWorkspace({ workspace });
  const listening = await listen(createApp(service).fetch, { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${listening.port}`;
  closing.push(
    () => listening.close(100),
    () => service.close(),
    () => rm(directory, { recursive: true }),
  );
  const text = await readFile(new URL('../../../../examples/canvases/sort-mail.json', import.meta.url), 'utf8');
  const canvas = text.replace('https://models.example', `http://${host}`);
  await manage('PUT', '/workflows/sort-mail?companyId=1', canvas);
  await manage('POST', '/workflows/sort-mail/publish?companyId=1');
}, 120_000);
afterAll(async () => {
  for (const close of closing) await close();
  provider.closeAllConnections();
  provider.close();
});

async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}
const manage = (method: string, path: string, body?: string) =>
  send(method, `/admin/v1${path}`, { authorization: `Bearer ${adminToken}` }, body);
const mail = (text: string) =>
  send(
    'POST',
    '/workflows/v2/webhooks/skill/sort-mail/web/called',
    { 'x-api-key': 'hk_acme_0123456789abcdef' },
    JSON.stringify({ subject: 'Order 7', text }),
  );

describe('code and ai-task in a service', () => {
  it('ask a model with the credential of the company, and compute with its answer', async () => {
    says = ['It is about an order.', '{"topic":"order","urgency":2}'];
    const began = Date.now();
    const { status, body } = await mail('Where is it? {{$company.id}}');
    expect({ status, queue: body['queue'] }).toEqual({ status: 200, queue: 'order' });
    const hoursLeft = (Date.parse(z.string().parse(body['answerBy'])) - began) / 3_600_000;
    expect(hoursLeft).toBeGreaterThanOrEqual(7.9);
    expect(hoursLeft).toBeLessThan(8.1);
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer sk-of-acme-0123456789', 'Bearer sk-of-acme-0123456789']);
    expect(asked[0]?.body).toContain('{{$company.id}}'); // data is never rendered again
    expect(asked[1]?.body).toContain('This answer is not valid');
  });

  it('are in the history with their results, and without the secret (P31)', async () => {
    const list = await manage('GET', '/executions?companyId=1&workflowId=sort-mail');
    const [{ executionId } = { executionId: '' }] = list.body['results'] as readonly { readonly executionId: string }[];
    const history = await manage('GET', `/executions/${executionId}/history?companyId=1`);
    const text = JSON.stringify(history.body);
    for (const type of ['model.ask', 'code.run']) expect(text).toContain(type);
    expect(text).not.toContain('sk-of-acme');
  });

  it('leave by invalidOutput when no model gives a valid answer', async () => {
    says = ['no', 'no', 'no'];
    expect(await mail('Hello')).toMatchObject({ status: 200, body: { queue: 'general' } });
  });
});
