import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, defaultSettings, openService, type RunningService } from '@hilo/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrders, ordersHost, serveOrders } from './orders.ts';
import { serveWords } from './serve-words.ts';

const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'));

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the orders', () => {
  it('are where the workspace of the example says', async () => {
    expect(await read('workspace.json')).toMatchObject({ companies: [{ settings: { ordersUrl: `http://${ordersHost}` } }, {}] });
  });

  it('are served where nobody else listens, or where another service like this serves them', async () => {
    const [like, other] = [createOrders(), createServer((_request, response) => response.end('{}'))];
    const [likeAt, otherAt] = [await listen(like), await listen(other)];
    expect(await serveOrders('127.0.0.1:0')).toBe(true);
    expect(await serveOrders(likeAt)).toBe(true);
    expect(await serveOrders(otherAt)).toBe(false);
    for (const server of [like, other]) server.close();
  });
});

describe('npm start', () => {
  const words = async (flags: readonly string[], listed?: string, isServed = true) => {
    let count = 0;
    const result = await serveWords(flags, listed, async () => {
      count += 1;
      return isServed;
    });
    return { ...result, count };
  };
  const serve = ['serve', '--workspace', 'examples/workspace/workspace.json'];

  it.each([
    ['nothing more', [], undefined, [ordersHost]],
    ['other flags', ['--port', '3100', '--data=d'], undefined, [ordersHost]],
    ['a list in a flag', ['--egress-allow', 'intranet:8080'], 'unused:1', ['intranet:8080', ordersHost]],
    ['a list in a flag with =', ['--egress-allow=intranet:8080'], undefined, ['intranet:8080', ordersHost]],
    ['a list in a variable', [], 'intranet:8080', ['intranet:8080', ordersHost]],
    ['an empty variable', [], '', [ordersHost]],
  ])('allows the address of the orders beside %s', async (_, flags, listed, allowed) => {
    expect(await words(flags, listed)).toEqual({ words: [...serve, ...flags, '--egress-allow', allowed.join(',')], count: 1 });
  });

  it.each([
    ['another workspace', ['--workspace', 'mine.json']],
    ['another workspace with =', ['--workspace=mine.json']],
    ['help', ['--help']],
  ])('neither serves the orders nor allows their address for %s', async (_, flags) => {
    expect(await words(flags)).toEqual({ words: [...serve, ...flags], count: 0 });
  });

  it('says that another program has the port, which the service then may not call', async () => {
    const { words: refused, warning } = await words([], undefined, false);
    expect(refused).toEqual(serve);
    expect(warning).toContain(`Another program has the port ${ordersHost}`);
  });
});

describe('the bot of the example', () => {
  const [botId, appSecret] = ['bot', 'inbound-secret-of-the-test'];
  const orders = createOrders();
  let users = 5215512345678;
  let data: string;
  let service: RunningService;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'hilo-example-'));
    const ordersAt = await listen(orders);
    const log = { info: () => undefined, warn: console.warn, error: console.error };
    service = await openService({ ...defaultSettings, data, egressAllow: [ordersAt] }, { log });
    const bot = { id: botId, name: 'Acme', channel: 'web', connectedAt: '2031-01-01T00:00:00Z', provider: { kind: 'log', appSecret } };
    const company = {
      id: 1,
      name: 'Acme',
      plan: 'free',
      settings: { ordersUrl: `http://${ordersAt}` },
      bots: [bot],
      workflows: [{ canvas: await read('canvases/order-status.json'), publish: true }],
    };
    await service.importWorkspace({ workspace: { companies: [company] } });
  });
  afterAll(async () => {
    await service.close();
    orders.close();
    await rm(data, { recursive: true });
  });

  /** What the bot says to each of these texts of a new user. */
  async function converse(texts: readonly string[]): Promise<readonly unknown[]> {
    users += 1;
    const userId = String(users);
    for (const text of texts) {
      const message = { id: randomUUID(), type: 'text', text };
      const body = JSON.stringify({ eventId: message.id, botId, user: { id: userId }, message, receivedAt: new Date().toISOString() });
      const signature = createHmac('sha256', appSecret).update(body).digest('hex');
      const headers = { 'x-hub-signature-256': `sha256=${signature}`, 'content-type': 'application/json' };
      const { status } = await createApp(service).fetch(
        new Request(`http://127.0.0.1/channels/${botId}/webhook`, { method: 'POST', headers, body }),
      );
      expect(status).toBe(200);
      await service.engine.whenIdle();
    }
    const { results } = await service.messages.list('1', botId, { userId, limit: 100 });
    return results.filter(({ direction }) => direction === 'outbound').map(({ message }) => message['text']);
  }
  const question = 'What is your order number?';

  it.each([
    ['hi', '1234', 'Order 1234 is on its way.'],
    ['where is my order?', 'it is #12', 'Order 12 is on its way.'],
    ['pedido', '77', 'Order 77 was lost. Shall we send it again?'],
    ['🙂', '1.5', 'Order 1.5 is on its way.'],
  ])('answers %s, then %s', async (first, number, answer) => {
    expect(await converse([first, number])).toEqual([question, answer]);
  });
});
