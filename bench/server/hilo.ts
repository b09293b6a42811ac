import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { apiKey } from './order.ts';
import type { Program } from './start-server.ts';

/** Webhook, set, condition, set, respond, and the `end` that the canvas format asks for. */
const canvas = {
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer.id', respond: 'onFinish' } },
    { id: 'greet', type: 'set', data: { assignments: [{ path: '$context.text', value: 'Hello {{$webhook.order.body.customer.name}}' }] } },
    {
      id: 'isLarge',
      type: 'condition',
      data: { branches: [{ name: 'yes', rule: { op: 'gt', left: '$webhook.order.body.total', right: 100 } }] },
    },
    {
      id: 'ship',
      type: 'set',
      data: { assignments: [{ path: '$context.text', value: '{{$context.text}}, order {{$webhook.order.body.id}} ships free' }] },
    },
    { id: 'answer', type: 'respond', data: { body: { id: '{{$webhook.order.body.id}}', text: '{{$context.text}}' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'greet' },
    { source: 'greet', target: 'isLarge' },
    { source: 'isLarge', sourceHandle: 'yes', target: 'ship' },
    { source: 'isLarge', sourceHandle: 'else', target: 'answer' },
    { source: 'ship', target: 'answer' },
    { source: 'answer', sourceHandle: 'next', target: 'done' },
  ],
};

const workspace = {
  companies: [
    {
      id: 1,
      name: 'Bench',
      kind: 'enterprise',
      plan: 'enterprise',
      apiKeys: [{ id: 'bench', key: apiKey }],
      bots: [
        {
          id: 'bot',
          name: 'Bench',
          channel: 'whatsapp',
          connectedAt: '2026-01-01T00:00:00Z',
          provider: { kind: 'log', appSecret: 'bench' },
        },
      ],
      workflows: [{ file: './order.json', publish: true }],
    },
  ],
};

/** `hilo serve` over SQLite, as an operator starts it, with `workspace.json` among its files. */
export const served = (own: Pick<Program, 'title' | 'files' | 'path' | 'calls'>): Program => ({
  ...own,
  args: (directory) => [
    join(import.meta.dirname, '../../packages/server/src/cli/main.ts'),
    'serve',
    '--port=0',
    '--log=json',
    `--data=${join(directory, 'data')}`,
    `--workspace=${join(directory, 'workspace.json')}`,
  ],
  isUp: /"address":"(http:[^"]+)".*"Hilo is up"/,
});

export const hilo = served({
  title: 'Hilo, each execution durable',
  files: { 'order.json': canvas, 'workspace.json': workspace },
  path: '/workflows/v2/webhooks/skill/order/whatsapp/hook',
  calls: 'orders',
});

/** How many executions are in the file that a killed server left in its directory. */
export function keptIn(directory: string): number {
  const database = new DatabaseSync(join(directory, 'data', 'hilo.db'));
  const kept = Number(database.prepare('select count(*) as kept from executions').get()?.['kept']);
  database.close();
  return kept;
}
