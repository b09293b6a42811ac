// Nodes that call other systems, each against one that this program starts itself: an HTTP API, a SOAP service, a SQLite database, a
// language model, a deployed function, and the page of a test payment. Prints the result of every canvas.
//   node scripts/up.mjs node examples/integrations/main.ts
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, defaultSettings, listen, openService } from '@hilo/server';
import { makeDatabase, startServers } from './local-servers.ts';
import { apiKey, appSecret, botId, companyId, shopWorkspace, userId } from './workspace.ts';

const { close: closeServers, ...places } = await startServers();
const data = await mkdtemp(join(tmpdir(), 'hilo-integrations-'));
await makeDatabase(data, companyId);

// Addresses of this machine are refused to canvases unless they are listed.
const log = { info: () => undefined, warn: console.warn, error: console.error };
const service = await openService({ ...defaultSettings, data, egressAllow: Object.values(places) }, { log });
await service.importWorkspace({ workspace: await shopWorkspace(places) });
const listening = await listen(createApp(service).fetch, { host: '127.0.0.1', port: 0 });
const address = `http://127.0.0.1:${listening.port}`;
service.listensAt(address);

async function post(path: string, headers: Record<string, string>, body: string): Promise<string> {
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

/** Calls a workflow that answers its webhook when it is done. */
async function call(workflowId: string, body: object): Promise<void> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  console.log(`${workflowId}: ${await post(`/workflows/v2/webhooks/skill/${workflowId}/web/called`, headers, JSON.stringify(body))}`);
}

/** The user writes to the bot, as its channel would deliver it. */
async function write(text: string): Promise<void> {
  const message = { id: randomUUID(), type: 'text', text };
  const event = { eventId: message.id, botId, user: { id: userId }, message, receivedAt: new Date().toISOString() };
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  await post(`/channels/${botId}/webhook`, { 'x-hub-signature-256': `sha256=${signature}` }, body);
  await service.engine.whenIdle();
}

/** What the user got last. */
async function lastMessage(): Promise<string> {
  const { results } = await service.messages.list(companyId, botId, { userId, limit: 100 });
  const text = results.findLast(({ direction }) => direction === 'outbound')?.message['text'];
  return typeof text === 'string' ? text : 'nothing';
}

await call('tax-number', { number: '20100070970' });
await call('stamp-card', { customer: 'C-7' });
await call('sort-mail', { subject: 'Late', text: 'Where is my parcel?' });
await call('greeting', { name: 'Ana' });

await write('order');
await write('7');
console.log(`order-status: ${await lastMessage()}`);

await write('pay');
const asked = await lastMessage();
console.log(`pay-order: ${asked}`);
const ended = new Promise((resolve) => service.engine.on('execution.ended', resolve));
await fetch(asked.slice(asked.indexOf(address)), { method: 'POST', body: new URLSearchParams({ choice: 'approve' }) });
await ended;
console.log(`pay-order: ${await lastMessage()}`);

await listening.close(1_000);
await service.close();
await closeServers();
await rm(data, { recursive: true });
