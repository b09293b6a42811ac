import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ask, emptyDirectory, startService } from './service-process.ts';

const key = 'hk_shop_0123456789abcdef';

/** Answers its webhook with the result of one node. */
const canvas = (id: string, node: object) => ({
  canvas: {
    schemaVersion: 1,
    id,
    name: id,
    kind: 'tool',
    nodes: [
      { id: 'hook', type: 'webhook', data: { variableName: 'asked', methods: ['POST'], respond: 'onFinish' } },
      { id: 'work', ...node },
      { id: 'tell', type: 'respond', data: { body: '{{$context.result}}' } },
      { id: 'fail', type: 'respond', data: { status: 409, body: { cause: '{{$error.cause}}', message: '{{$error.message}}' } } },
      ...(id === 'find' ? [{ id: 'none', type: 'respond', data: { status: 404, body: {} } }] : []),
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'hook', sourceHandle: 'new', target: 'work' },
      { source: 'work', sourceHandle: 'success', target: 'tell' },
      { source: 'work', sourceHandle: 'error', target: 'fail' },
      ...(id === 'find' ? [{ source: 'work', sourceHandle: 'notFound', target: 'none' }] : []),
      ...['tell', 'fail', ...(id === 'find' ? ['none'] : [])].map((source) => ({ source, target: 'done' })),
    ],
  },
  publish: true,
});
const saveAs = '$context.result';
const orders = { connection: { credentialId: 'shop' }, table: 'orders', saveAs };
const answerOf = (order: string): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Price><order>${order}</order><amount>9.50</amount></Price></s:Body></s:Envelope>`;

describe('a started service', () => {
  it('calls SOAP services and databases with the credentials of a workspace, and never its own store (T13, P31)', async () => {
    using place = emptyDirectory();
    const databases = join(place.path, 'databases', '1');
    mkdirSync(databases, { recursive: true });
    new DatabaseSync(join(databases, 'shop.db')).exec('create table orders (id integer primary key, name text not null unique)');
    const received: string[] = [];
    const prices = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(body);
        response.writeHead(200, { 'content-type': 'text/xml' }).end(answerOf('7'));
      });
    }).listen(0, '127.0.0.1');
    await once(prices, 'listening');
    const host = `127.0.0.1:${(prices.address() as AddressInfo).port}`;
    const workspace = join(place.path, 'workspace.json');
    const credentials = [
      { id: 'user', kind: 'basic', username: 'hilo', password: 'canary-password' },
      { id: 'shop', kind: 'sqlite', file: 'shop.db' },
      { id: 'own', kind: 'sqlite', file: 'own.db' },
      { id: 'server', kind: 'postgresql', host: '10.0.0.1', database: 'shop', username: 'hilo', password: 'canary-password' },
    ];
    const workflows = [
      canvas('price', {
        type: 'soap',
        data: {
          url: `http://${host}/prices`,
          namespaces: { p: 'urn:prices' },
          body: { 'p:GetPrice': { 'p:order': '{{$webhook.asked.body.name}}' } },
          wsSecurity: { credentialId: 'user' },
          saveAs,
        },
      }),
      canvas('add', { type: 'database', data: { ...orders, operation: 'create', values: { name: '{{$webhook.asked.body.name}}' } } }),
      canvas('find', {
        type: 'database',
        data: { ...orders, operation: 'get', where: [{ column: 'name', value: '{{$webhook.asked.body.name}}' }] },
      }),
      ...['own', 'server'].map((credentialId) =>
        canvas(credentialId, {
          type: 'database',
          data: { operation: 'query', connection: { credentialId }, sql: 'select * from meta', saveAs },
        }),
      ),
    ];
    const provider = { kind: 'log', appSecret: 'inbound-secret' };
    const bots = [{ id: 'bot', name: 'Bot', channel: 'web', connectedAt: '2031-01-01T00:00:00Z', provider }];
    const company = { id: 1, name: 'Shop', plan: 'free', apiKeys: [{ id: 'k', key, name: 'k' }], credentials, bots, workflows };
    writeFileSync(workspace, JSON.stringify({ companies: [company] }));

    await using service = await startService(place.path, ['--workspace', workspace], { HILO_EGRESS_ALLOW: host });
    copyFileSync(join(place.path, 'hilo.db'), join(databases, 'own.db'));
    const call = (id: string, name = 'x') =>
      ask(service.url, `/workflows/v2/webhooks/skill/${id}/web/hook`, { method: 'POST', headers: { 'x-api-key': key }, body: { name } });

    const name = 'O\'Hara <&> "; drop table orders; --';
    expect(await call('price', name)).toMatchObject({
      status: 200,
      body: { status: 200, body: { Price: { order: '7', amount: '9.50' } } },
    });
    expect(received[0]).toContain('canary-password');
    expect(received[0]).toContain('O&#39;Hara &#60;&#38;&#62;');
    expect(await call('find', name)).toMatchObject({ status: 404 });
    expect(await call('add', name)).toEqual({ status: 200, body: { affectedRows: 1, key: { id: 1 } } });
    expect(await call('find', name)).toEqual({ status: 200, body: { id: 1, name } });
    expect(await call('add', name)).toMatchObject({ status: 409, body: { cause: 'DATABASE_CONSTRAINT' } });
    expect(await call('own')).toMatchObject({ status: 409, body: { cause: 'DATABASE_REFUSED' } });
    expect(await call('server')).toMatchObject({ status: 409, body: { cause: 'DATABASE_REFUSED' } });
    expect(service.output()).not.toContain('canary');
    prices.close();
  });
});
