// Prints the row that Hilo's own store writes for one order, with its table and indexes, as JSON: `minimal-template.ts FILE`. In a
// process of its own, so that the server by hand has nothing of the engine in its memory.
import { DatabaseSync } from 'node:sqlite';
import { respondWebhook } from '../../packages/nodes/src/effects/index.ts';
import { standardNodes } from '../../packages/nodes/src/index.ts';
import { createEngine, parseCanvas } from '../../packages/engine/src/index.ts';
import { drive } from '../../packages/engine/src/contract/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { pooledRandom, realClock } from '../machine-sources.ts';
import { canvas as content } from './hilo.ts';
import type { Template } from './minimal-layouts.ts';
import { orderOf } from './order.ts';

const [path = ''] = process.argv.slice(2);
const order = orderOf(1_000_000);
const executionId = await run(path);
const database = new DatabaseSync(path, { readOnly: true });
const schema = database.prepare("select sql from sqlite_schema where tbl_name = 'executions' and sql is not null order by rowid").all();
const [row = {}] = database.prepare('select * from executions').all();
database.close();
const template: Template = {
  schema: schema.map(({ sql }) => String(sql)),
  row: Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)])),
  executionId,
  order,
};
console.log(JSON.stringify(template));

/** Runs the order once, as `hilo serve` does. @returns its execution's id */
async function run(place: string): Promise<string> {
  const { canvas, problems } = parseCanvas(content);
  if (canvas === undefined) throw new Error(JSON.stringify(problems));
  const store = await openSqliteStore({ path: place });
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [drive(respondWebhook, () => ({ kind: 'done' }))],
    clock: realClock,
    random: pooledRandom(),
    store,
  });
  await engine.start();
  await engine.saveDraft('1', canvas);
  await engine.publish('1', canvas.id);
  const accepted = await engine.receiveWebhook({
    companyId: '1',
    workflowId: canvas.id,
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    botId: 'bot',
    request: { method: 'POST', headers: headersOf(order), query: {}, body: order },
  });
  await engine.whenIdle();
  await engine.stop();
  await store.close();
  return accepted.executionId;
}

/** The headers that callers send and a webhook keeps. */
function headersOf(body: object) {
  const length = String(JSON.stringify(body).length);
  return { host: '127.0.0.1:40000', connection: 'keep-alive', 'content-type': 'application/json', 'content-length': length };
}

/** A value of a row; the bytes of a packed one as text of the same length. */
function plain(value: unknown): string | number | null {
  if (value instanceof Uint8Array) return 'x'.repeat(value.byteLength);
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}
