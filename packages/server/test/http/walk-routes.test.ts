import { describe, expect, it } from 'vitest';
import { createChannels } from '../../src/channels/routes.ts';
import { createGateway } from '../../src/webhooks/routes.ts';
import { createOperations } from '../../src/operations/routes.ts';
import { setStage } from './calls.ts';
import { fakeService, keys } from './fake-service.ts';

const open = new Set(['/health/live', '/health/ready', '/health/*', '/llms.txt', '/llms-full.txt']);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

/** Paths of a route: with ids that do not exist, and with ids that do. */
const addressesOf = (path: string): readonly string[] =>
  ['nobody', 'order', 'bot_wa'].map((id) => path.replaceAll('*', id).replace(/:\w+(?:\{[^}]*\})?/g, id));

describe('without a credential (P27)', () => {
  it('no route answers anything but 401 or 404, and none does anything', async () => {
    const stage = await setStage();
    const paths = new Set(stage.app.routes.map(({ path }) => path).filter((path) => !open.has(path)));
    expect(paths.size).toBeGreaterThan(20);
    const answers: string[] = [];
    for (const path of paths)
      for (const address of addressesOf(path))
        for (const method of methods) {
          const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{' };
          const { status } = await stage.call(address, { method, ...body, headers: { 'content-type': 'application/json' } });
          const isLogin = path === '/admin/v1/login' && method === 'POST';
          const isSealed = status === 432 && path.includes('/flows/'); // as the protocol of WhatsApp has it
          if (status !== 401 && status !== 404 && !isSealed && !(isLogin && status === 400)) answers.push(`${method} ${address} ${status}`);
        }
    expect(answers).toEqual([]);
    expect((await stage.service.store.executions.list('1', { limit: 1 })).results).toEqual([]);
    await stage.service.close();
  });

  it('each surface is as closed when a host mounts it alone', async () => {
    const service = await fakeService();
    for (const surface of [createGateway(service), createChannels(service), createOperations(service)])
      for (const { path } of surface.routes.filter((route) => !open.has(route.path))) {
        const [address = ''] = addressesOf(path);
        const { status, headers } = await surface.request(address, { method: 'POST', body: '{' });
        const isSealed = path.includes('/flows/'); // refused as the protocol of WhatsApp has it, without a body
        expect({ address, isClosed: [401, 404, isSealed ? 432 : 401].includes(status), type: headers.get('content-type') }).toEqual({
          address,
          isClosed: true,
          type: isSealed ? null : 'application/json',
        });
      }
    await service.close();
  });
});

describe('with the credential of another surface', () => {
  it('no door opens', async () => {
    const stage = await setStage();
    const basic = `Basic ${btoa(`${keys.client.id}:${keys.client.secret}`)}`;
    const doors = [
      ['/workflows/v2/webhooks/skill/order/whatsapp/hook', { authorization: basic }],
      ['/workflows/v2/webhooks/skill/order/whatsapp/hook', { authorization: `Bearer ${keys.admin}` }],
      ['/v1/campaigns', { 'x-api-key': keys.acme }],
      ['/v1/campaigns', { authorization: `Bearer ${keys.admin}` }],
      ['/admin/v1/nodes', { authorization: basic }],
      ['/admin/v1/nodes', { 'x-api-key': keys.acme }],
      ['/channels/bot_wa/webhook', { authorization: `Bearer ${keys.admin}` }],
    ] as const;
    const answers = await Promise.all(doors.map(([path, headers]) => stage.call(path, { method: 'POST', body: {}, headers })));
    expect(answers.map(({ status }) => status)).toEqual(doors.map(() => 401));
    await stage.service.close();
  });
});
