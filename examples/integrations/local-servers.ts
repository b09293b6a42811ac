import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';

/** What a shop calls: each is a server on a free port of this machine, named by its `host:port`. */
export async function startServers() {
  const orders = await serve('application/json', () => JSON.stringify({ state: 'shipped' }));
  const taxOffice = await serve('text/xml', (envelope) => {
    const [, number = ''] = /<t:number>(\d*)<\/t:number>/.exec(envelope) ?? [];
    return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
      <Taxpayer><number>${number}</number><isKnown>${number.length === 11}</isKnown></Taxpayer>
    </s:Body></s:Envelope>`;
  });
  // The wire format of OpenAI's chat completions.
  const model = await serve('application/json', (question) => {
    const content = JSON.stringify({ topic: question.includes('parcel') ? 'order' : 'other', urgency: 3 });
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    return JSON.stringify({ id: 'c1', created: 1, model: 'small', choices });
  });
  const all = [orders, taxOffice, model];
  return {
    orders: orders.host,
    taxOffice: taxOffice.host,
    model: model.host,
    close: () => Promise.all(all.map(({ close }) => close())),
  };
}

/** A server that answers every request with what it makes of the body. */
async function serve(type: string, answer: (body: string) => string) {
  const server = createServer((request, response) => {
    void text(request).then((body) => response.setHeader('content-type', type).end(answer(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  return {
    host: `${address}:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The shop's own database. Hilo serves a company the SQLite files of its folder. */
export async function makeDatabase(data: string, companyId: string): Promise<void> {
  const folder = join(data, 'databases', companyId);
  await mkdir(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(`create table cards (customer text primary key, name text not null);
    create table stamps (id integer primary key, customer text not null, visit text not null);
    insert into cards values ('C-7', 'Ana')`);
  database.close();
}
