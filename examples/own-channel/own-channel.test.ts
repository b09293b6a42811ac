import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { createApp, openService } from '@hilo/server';
import { expect, it, onTestFinished } from 'vitest';
import config from './hilo.config.ts';
import { isSigned } from './verify-signature.ts';

const [apiKey, inboundSecret, userId] = ['key-of-the-gateway', 'secret-of-the-gateway', '5215512345678'];

/** Our gateway: answers with these statuses, one after the other, and records requests. */
async function startGateway(statuses: readonly number[]) {
  const came: { readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      came.push({ headers: request.headers, body: JSON.parse(body) as unknown });
      response.writeHead(statuses[came.length - 1] ?? 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { came, place: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A company with a bot of the gateway, and a canvas that says hello. */
const workspace = (place: string) => ({
  companies: [
    {
      id: 1,
      name: 'Shop',
      plan: 'free',
      bots: [
        {
          id: 'bot_sms',
          name: 'Shop',
          channel: 'custom',
          connectedAt: '2031-01-01T00:00:00Z',
          provider: { kind: 'sms-gateway', url: `http://${place}`, sender: 'SHOP', apiKey, inboundSecret },
        },
      ],
      workflows: [
        {
          publish: true,
          canvas: {
            schemaVersion: 1,
            id: 'hello',
            name: 'Hello',
            nodes: [
              { id: 'begin', type: 'start', data: { fallback: true } },
              { id: 'say', type: 'message', data: { message: { type: 'text', text: 'You wrote: {{$message.text ?? "no words"}}' } } },
              { id: 'done', type: 'end' },
            ],
            edges: [
              { source: 'begin', target: 'say' },
              { source: 'say', target: 'done' },
            ],
          },
        },
      ],
    },
  ],
});

async function openShop(statuses: readonly number[] = []) {
  const { came, place } = await startGateway(statuses);
  const data = mkdtempSync(join(tmpdir(), 'hilo-own-channel-'));
  const log = { info: () => undefined, warn: () => undefined, error: console.error };
  const service = await openService({ ...config, data, egressAllow: [place] }, { log });
  onTestFinished(async () => {
    await service.close();
    rmSync(data, { recursive: true });
  });
  await service.importWorkspace({ workspace: workspace(place) });
  const app = createApp(service);
  const deliver = (body: string, secret = inboundSecret) =>
    app.request('/channels/bot_sms/webhook', {
      method: 'POST',
      headers: { 'x-sms-signature': createHmac('sha256', secret).update(body).digest('hex') },
      body,
    });
  return { service, came, deliver };
}

const wrote = JSON.stringify({ id: 'in-1', from: userId, text: 'Hi', at: 1_900_000_000_000 });

it('accepts a user’s message, and answers through the gateway', async () => {
  const { service, came, deliver } = await openShop();
  expect((await deliver(wrote)).status).toBe(200);
  await service.engine.whenIdle();
  expect(came).toMatchObject([
    { headers: { authorization: `Bearer ${apiKey}` }, body: { from: 'SHOP', to: userId, text: 'You wrote: Hi' } },
  ]);
  expect(await (await deliver(wrote)).json()).toEqual({ success: true, duplicate: true, outcome: 'duplicate' });
});

it('retries under the same key when the gateway rate-limits', async () => {
  const { service, came, deliver } = await openShop([503]);
  await deliver(wrote);
  await service.engine.whenIdle();
  expect(came.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(2).fill(came[0]?.headers['idempotency-key']));
});

it('refuses forged and malformed deliveries', async () => {
  const { service, came, deliver } = await openShop();
  expect((await deliver(wrote, 'another-secret-0123')).status).toBe(401);
  expect((await deliver('{"id":1}')).status).toBe(400);
  await service.engine.whenIdle();
  expect(came).toEqual([]);
});

it('keeps its secrets to itself', async () => {
  const { service } = await openShop();
  const exported = JSON.stringify(await service.exportWorkspace());
  expect(exported).toContain('"sender":"SHOP"');
  for (const secret of [apiKey, inboundSecret]) expect(exported).not.toContain(secret);
});

it('a receiver of the custom channel accepts only what Hilo signed', () => {
  const body = Buffer.from('{"event":"message","botId":"bot_sms"}');
  const signature = `sha256=${createHmac('sha256', 'inbound-secret').update(body).digest('hex')}`;
  expect(isSigned(body, signature, 'inbound-secret')).toBe(true);
  for (const [text, header, secret] of [
    [`${body.toString()} `, signature, 'inbound-secret'],
    [body.toString(), signature, 'another-secret'],
    [body.toString(), signature.toUpperCase(), 'inbound-secret'],
    [body.toString(), 'sha256=', 'inbound-secret'],
    [body.toString(), undefined, 'inbound-secret'],
  ] as const)
    expect(isSigned(Buffer.from(text), header, secret)).toBe(false);
});
