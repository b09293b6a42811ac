// A durable server by hand: node:http, the order's work, one row in SQLite that is on the disk before the answer, written by a thread in
// groups. `minimal-server.ts LAYOUT DIRECTORY`. It authenticates, checks and limits nothing: nobody can keep as much in less.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type LayoutName, layoutOf, type Template } from './minimal-layouts.ts';
import type { Group, WriterData } from './minimal-writer.ts';
import { answer, type Order } from './order.ts';

const [name = 'same', directory = '.'] = process.argv.slice(2);
const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'minimal-template.ts'), join(directory, 'template.db')], {
  encoding: 'utf8',
});
const template = JSON.parse(printed) as Template;
const { layout, values } = layoutOf(name as LayoutName, template);

interface Waiting {
  readonly values: readonly (string | number)[];
  readonly done: () => void;
}

/** How many rows are handed over before the end of the turn, by the groups in flight: as in Hilo's store. */
const enough = [8, 32];

/** Writes rows in groups. */
async function openWriter(): Promise<(row: Waiting) => void> {
  const workerData: WriterData = { path: join(directory, 'minimal.db'), layout };
  const thread = new Worker(new URL('./minimal-writer.ts', import.meta.url), { workerData });
  await new Promise((resolve) => thread.once('message', resolve));
  let waiting: Waiting[] = [];
  let isScheduled = false;
  const flying: (readonly Waiting[])[] = [];
  const handOver = (): void => {
    const group = waiting;
    waiting = [];
    flying.push(group);
    const numbers = new Float64Array(group.length * layout.kinds.length);
    let [at, text] = [0, ''];
    for (const row of group)
      for (const value of row.values)
        if (typeof value === 'number') numbers[at++] = value;
        else {
          numbers[at++] = value.length;
          text += value;
        }
    thread.postMessage({ rows: group.length, numbers, text } satisfies Group);
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (waiting.length > 0 && flying.length === 0) handOver();
    });
  };
  thread.on('message', () => {
    const group = flying.shift() ?? [];
    if (waiting.length > 0) handOver();
    for (const { done } of group) done();
    if (waiting.length > 0) schedule();
  });
  return (row) => {
    waiting.push(row);
    if (waiting.length >= (enough[flying.length] ?? Number.POSITIVE_INFINITY)) handOver();
    else schedule();
  };
}

const write = await openWriter();

/** The headers of Hilo's answer. */
const fixed = Object.entries({
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'x-api-key',
  'content-type': 'application/json',
}).flat();

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, [...fixed, 'x-request-id', randomUUID(), 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}

let random = Buffer.alloc(0);

/** Random names drawn many at a time. */
function nextId(): string {
  if (random.length < 16) random = randomBytes(8_192);
  const id = random.toString('hex', 0, 16);
  random = random.subarray(16);
  return id;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const order = JSON.parse(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()) as Order;
    const text = JSON.stringify(answer(order));
    const kept = { executionId: nextId(), orderId: order.id, userId: order.customer.id, atMs: Date.now() };
    write({ values: values(kept), done: () => send(response, text) });
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
