// `hilo templates` over a data directory, with a double of the provider's management API.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { startHttp } from '../../drivers/test/local-servers.ts';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const listed: readonly JsonObject[] = [
  { id: '1', name: 'promo', language: 'es', status: 'PAUSED', category: 'MARKETING', quality_score: { score: 'RED' }, components: [] },
  { id: '2', name: 'hello', language: 'es', status: 'APPROVED', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hi {{1}}' }] },
];

it('hilo templates brings them up to date, lists, submits and deletes them, and says what is missing', async () => {
  using data = emptyDirectory();
  const graph = await startHttp(({ method, url }, response) => {
    const body = !url.startsWith('/v23.0/77/message_templates')
      ? { error: { code: 100, message: 'Unknown' } }
      : method === 'GET'
        ? { data: listed }
        : method === 'POST'
          ? { id: '3', status: 'PENDING', category: 'UTILITY' }
          : { success: true };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  try {
    const provider = {
      kind: 'whatsapp-cloud',
      phoneNumberId: '1',
      accessToken: 't',
      appSecret: 's',
      verifyToken: 'v',
      baseUrl: `http://${graph.host}`,
    };
    const bot = { name: 'B', channel: 'whatsapp', connectedAt: '2026-01-01T00:00:00Z' };
    const template = { botId: 'wa', language: 'es', category: 'UTILITY', status: 'PENDING', body: 'Hi' };
    const bots = [
      { ...bot, id: 'wa', provider: { ...provider, businessAccountId: '77' } },
      { ...bot, id: 'bare', provider },
    ];
    const templates = [
      { ...template, id: 'p', elementName: 'promo' },
      { ...template, id: 'draft', elementName: 'draft' },
    ];
    const file = join(data.path, 'workspace.json');
    writeFileSync(file, JSON.stringify({ companies: [{ id: 1, name: 'One', plan: 'free', bots, templates }] }));
    const hilo = async (...args: readonly string[]) => hiloHere([...args, '--data', data.path], { env: { HILO_EGRESS_ALLOW: graph.host } });
    expect(await hilo('import', file)).toMatchObject({ code: 0 });

    const synced = await hilo('templates', 'sync', 'wa');
    expect(synced).toMatchObject({ code: 0 });
    // What is known here is looked at in each hour, too, by whichever process is open: that look may have changed p before.
    expect(synced.stdout).toMatch(
      /^✔ wa: 2 templates at the provider\n {2}added: hello\.es\n(?: {2}changed: p\n)? {2}not at the provider: draft\n$/,
    );
    expect(await hilo('templates', 'sync', 'bare')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"businessAccountId"') as string,
    });

    const { stdout } = await hilo('templates', 'list', '--company', '1', '--bot', 'wa');
    expect(stdout).toMatch(/^p +wa +promo +es +MARKETING +PAUSED +RED/m);
    expect((await hilo('templates', 'submit', 'draft', '--company', '1')).stdout).toBe('✔ draft is submitted: PENDING\n');
    expect((await hilo('templates', 'delete', 'p', '--keep', '--company', '1')).stdout).toBe('✔ p is deleted here alone\n');
  } finally {
    await graph.close();
  }
});
