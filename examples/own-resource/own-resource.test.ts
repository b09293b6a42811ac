// The resource of this example in a service: asked for by a workflow, listed and granted over HTTP by whom it lets, expired by its job, moved
// with its company.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, openService, type Operator, type ServiceOptions } from '@hilo/server';
import { expect, it, onTestFinished } from 'vitest';
import { approvals, approvalsResource, expireApprovals } from './approvals.ts';

const workspace = fileURLToPath(new URL('workspace.json', import.meta.url));
const log = { info: () => undefined, warn: console.warn, error: console.error };
const secretKey = Buffer.alloc(32, 7).toString('base64');

/** Operators by the token that they send. */
const operators: { readonly [token: string]: Operator } = {
  reader: { name: 'Ana', can: ['view'], companies: ['1'] },
  lead: { name: 'Luz', can: ['view', 'operate'], companies: ['1'] },
  stranger: { name: 'Eva', can: ['view', 'operate'], companies: ['2'] },
};

async function open(options: Partial<ServiceOptions> = { workspace }) {
  const data = mkdtempSync(join(tmpdir(), 'hilo-own-resource-'));
  const authorize = (request: Request) => operators[request.headers.get('x-operator') ?? ''];
  const service = await openService({ data, secretKey, authorize, resources: [approvalsResource], ...options }, { log });
  onTestFinished(async () => {
    await service.close();
    rmSync(data, { recursive: true });
  });
  const app = createApp(service);
  const from = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
  const call = async (operator: string, method: string, path: string) => {
    const headers = { 'x-operator': operator, ...(method === 'POST' && { 'content-type': 'application/json' }) };
    const response = await app.request(`/admin/v1/companies/1/approvals${path}`, { method, headers }, from);
    return { status: response.status, body: await response.json() };
  };
  return { service, call };
}

it('is asked for by a workflow, once, and granted by who may', async () => {
  const { service, call } = await open();
  const origin = { companyId: '1', botId: 'bot_web', channel: 'web', route: 'production' } as const;
  const message = { id: 'm1', type: 'text', text: '20 euros' } as const;
  await service.engine.receiveMessage({ ...origin, eventId: 'm1', user: { id: 'u1' }, message });
  await service.engine.whenIdle();

  const [asked, ...others] = await service.store.runner.read(approvals.all('1'));
  expect([asked?.reason, asked?.isGranted, others]).toEqual(['Refund: 20 euros', false, []]);
  const path = `/${encodeURIComponent(asked?.id ?? '')}/grant`;
  expect((await call('reader', 'POST', path)).status).toBe(403);
  expect((await call('stranger', 'GET', '')).status).toBe(404);
  expect((await call('nobody', 'GET', '')).status).toBe(401);
  expect(await call('lead', 'POST', path)).toEqual({ status: 200, body: { ...asked, isGranted: true } });
  expect(await call('lead', 'POST', '/a7/grant')).toMatchObject({ status: 404, body: { error: 'APPROVAL_NOT_FOUND' } });
  expect((await call('reader', 'GET', '?isGranted=false')).body).toEqual([]);
  expect((await call('reader', 'GET', '?granted=false')).status).toBe(422);
});

it('expires by its job, and not what is granted', async () => {
  const { service } = await open();
  const row = (id: string, askedAtMs: number, isGranted: boolean) => ({
    companyId: '1',
    id,
    executionId: 'e',
    reason: '',
    askedAtMs,
    isGranted,
  });
  const now = Date.now(); // the service of an example has no other clock; only days are compared
  await service.store.runner.write(approvals.insert([row('new', now, false), row('old', 1, false), row('granted', 1, true)]));
  const { jobId } = await service.jobs.ask(expireApprovals, { companyId: '1', spec: { days: 30 }, createdBy: 'test' });
  await expect.poll(async () => (await service.jobs.find(jobId)).status).toBe('done');
  expect((await service.store.runner.read(approvals.all('1'))).map(({ id }) => id)).toEqual(['granted', 'new']);
});

it('is in the export of the person whom it is about, and goes with them', async () => {
  const { service, call } = await open();
  const origin = { companyId: '1', botId: 'bot_web', channel: 'web', route: 'production' } as const;
  const message = { id: 'm1', type: 'text', text: 'canary 20 euros' } as const;
  await service.engine.receiveMessage({ ...origin, eventId: 'm1', user: { id: 'u1' }, message });
  await service.engine.whenIdle();
  const exported = await call('lead', 'POST', '/../contacts/bot_web:u1/export');
  expect(JSON.stringify(exported.body)).toContain('Refund: canary 20 euros');
  const { body } = await call('lead', 'DELETE', '/../contacts/bot_web:u1');
  const { jobId } = body as { readonly jobId: string };
  await expect.poll(async () => (await service.jobs.find(jobId)).status).toBe('done');
  expect(await service.store.runner.read(approvals.all('1'))).toEqual([]);
});

it('moves with its company to a service with the same resource, and to no other', async () => {
  const [{ service: here }, { service: there }, { service: without }] = [await open(), await open({}), await open({ resources: [] })];
  const row = { companyId: '1', id: 'a1', executionId: 'e', reason: 'Refund', askedAtMs: 7, isGranted: true };
  await here.store.runner.write(approvals.insert([row]));
  await here.moves.leave('1');
  expect(await here.store.runner.read(approvals.all('1'))).toEqual([]);
  let file = '';
  for await (const lines of await here.moves.file('1')) file += lines;
  const bytes = async function* () {
    yield Buffer.from(file);
  };
  await expect(without.moves.arrive(bytes())).rejects.toThrow('with the same resources of your own');
  await there.moves.arrive(bytes());
  expect(await there.store.runner.read(approvals.all('1'))).toEqual([row]);
});
