import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { apiKey } from './credentials.ts';
import type { Program } from './start-server.ts';
import { bot, workspaceWith } from './workspace.ts';

/** Webhook, set, condition, set, respond, and the `end` that the canvas format requires. */
export const canvas = {
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

const workspace = workspaceWith({
  apiKeys: [{ id: 'bench', key: apiKey }],
  bots: [bot('bot', 'whatsapp')],
  workflows: [{ file: './order.json', publish: true }],
});

type Own = Pick<Program, 'title' | 'files' | 'path' | 'calls'>;

/** `hilo serve`, as an operator starts it. @param args - further arguments, by its directory */
export const serving = (own: Own, args: (directory: string) => readonly string[]): Program => ({
  ...own,
  args: (directory) => [join(import.meta.dirname, '../../packages/cli/src/main.ts'), 'serve', '--port=0', '--log=json', ...args(directory)],
  isUp: /"address":"(http:[^"]+)".*"Hilo is up"/,
});

/** The same on SQLite, with `workspace.json` among its files. */
export const served = (own: Own): Program =>
  serving(own, (directory) => [`--data=${join(directory, 'data')}`, `--workspace=${join(directory, 'workspace.json')}`]);

export const hilo = served({
  title: 'Hilo, each execution durable',
  files: { 'order.json': canvas, 'workspace.json': workspace },
  path: '/workflows/v2/webhooks/skill/order/whatsapp/hook',
  calls: 'orders',
});

/** How many rows of a table are in the file that a killed server left in its directory. */
export function keptIn(directory: string, table: 'executions' | 'messages'): number {
  const database = new DatabaseSync(join(directory, 'data', 'hilo.db'));
  const kept = Number(database.prepare(`select count(*) as kept from ${table}`).get()?.['kept']);
  database.close();
  return kept;
}
