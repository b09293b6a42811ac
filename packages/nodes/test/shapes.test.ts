// What a node says of the objects that it writes is what it writes: a read of another name is warned of, and of these is not.
import { checkCanvasText, parseCanvas } from '@hilo/engine';
import { getPath, isJsonObject, type JsonObject, type NodeDefinition, parsePath } from '@hilo/engine/contract';
import { replayTalk } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

const nodes: readonly NodeDefinition[] = standardNodes;
const credentialId = 'key';
const ask = (input: JsonObject): JsonObject => ({ message: { type: 'text', text: 'Which?' }, input, saveAs: '$context.it' });
const database = (more: JsonObject): JsonObject => ({ connection: { credentialId }, table: 'orders', saveAs: '$context.it', ...more });
const where = [{ column: 'id', op: 'eq', value: 1 }];
const model = { baseUrl: 'https://a.example/v1', name: 'small' };

/** A node that writes an object, the port by which it has, what happens meanwhile, and a name that the object never has. */
interface Writer {
  readonly type: string;
  readonly data: JsonObject;
  readonly port: string;
  readonly script: string;
  readonly at?: string;
  readonly wrong: string;
  readonly meant?: string;
}

const writers: readonly Writer[] = [
  {
    type: 'api',
    data: { method: 'GET', url: 'https://a.example/b', saveAs: '$context.it' },
    port: 'success',
    script: 'user: hi\napi: 200 {"number":7}\n',
    wrong: 'number',
    meant: '$context.it.body.number',
  },
  {
    type: 'soap',
    data: { url: 'https://a.example/b', action: 'find', body: { find: { id: '1' } }, saveAs: '$context.it' },
    port: 'success',
    script: 'user: hi\nsoap: 200 {"price":5}\n',
    wrong: 'price',
    meant: '$context.it.body.price',
  },
  {
    type: 'database',
    data: database({ operation: 'create', values: { a: 1 } }),
    port: 'success',
    script: 'user: hi\ndatabase: 1 key {"id":7}\n',
    wrong: 'id',
  },
  {
    type: 'database',
    data: database({ operation: 'update', where, values: { a: 1 } }),
    port: 'success',
    script: 'user: hi\ndatabase: 2\n',
    wrong: 'rows',
  },
  {
    type: 'payment',
    data: { amount: 100, currency: 'USD', description: 'Tea', saveAs: '$context.it' },
    port: 'approved',
    script: 'user: hi\npayment: opened\nsignal: payment checkout-1 {"status":"approved"}\n',
    wrong: 'link',
  },
  {
    type: 'ask',
    data: ask({ kind: 'location' }),
    port: 'answered',
    script: 'user: hi\nuser: {"type":"location","coordinates":{"lat":1,"long":2}}\n',
    wrong: 'latitude',
  },
  {
    type: 'ask',
    data: ask({ kind: 'order' }),
    port: 'answered',
    script:
      'user: hi\nuser: {"type":"order","order":{"catalog_id":"c","product_items":[{"product_retailer_id":"A","quantity":1,"item_price":2,"currency":"USD"}]}}\n',
    wrong: 'products',
  },
  {
    type: 'ask',
    data: ask({ kind: 'form', fields: { age: { type: 'number' } } }),
    port: 'answered',
    script: 'user: hi\nuser: 33\n',
    wrong: 'aeg',
    meant: '$context.it.age',
  },
  {
    type: 'decide',
    data: { model, question: 'Which?', options: ['a', 'b'].map((name) => ({ name, when: name })), saveAs: '$context.it' },
    port: 'a',
    script: 'user: hi\nmodel: {"choice":"a","confidence":1,"reason":"r"}\n',
    wrong: 'option',
  },
  {
    type: 'wait-external',
    data: { saveAs: '$context.it' },
    port: 'resumed',
    script: 'user: hi\ncallback: POST {"paid":true}\n',
    wrong: 'paid',
    meant: '$context.it.body.paid',
  },
  {
    type: 'webhook',
    data: { variableName: 'it', methods: ['POST'] },
    port: 'new',
    script: 'webhook: POST {"id":1} query {"userId":"5215512345678"}\n',
    at: '$webhook.it',
    wrong: 'id',
    meant: '$webhook.it.body.id',
  },
];

/** The node between a beginning and an end, and behind it what reads a name. */
function canvasOf({ type, data, port, at = '$context.it' }: Writer, name: string): JsonObject {
  const begin = type === 'webhook' ? [] : [{ id: 'begin', type: 'start', data: { fallback: true } }];
  const link = type === 'wait-external' ? [{ id: 'link', type: 'log', data: { name: 'link', data: { to: '{{resumeUrl("it")}}' } } }] : [];
  const read = { id: 'read', type: 'log', data: { name: 'read', data: { it: `{{${at}.${name} ?? ""}}` } } };
  const others = port === 'a' ? ['b', 'otherwise'] : type === 'database' && data['operation'] === 'update' ? ['notFound'] : [];
  const nodes = [...begin, ...link, { id: 'it', type, data }, read, { id: 'done', type: 'end' }];
  return {
    schemaVersion: 1,
    id: 'c',
    name: 'c',
    nodes,
    edges: [
      ...nodes.slice(0, -1).map(({ id }, index) => ({
        source: id,
        target: nodes[index + 1]?.id ?? '',
        ...(id === 'it' && { sourceHandle: port }),
      })),
      ...(type === 'payment' ? ['rejected'] : others).map((sourceHandle) => ({ source: 'it', sourceHandle, target: 'done' })),
    ],
  };
}

const warnings = (writer: Writer, name: string) =>
  checkCanvasText(JSON.stringify(canvasOf(writer, name)), { nodes: standardNodes }).filter(({ code }) => code === 'UNKNOWN_VARIABLE_FIELD');

describe('the names of an object that a node writes', () => {
  it.each(writers.map((writer) => [`${writer.type} (${writer.port}, never ${writer.wrong})`, writer] as const))(
    'are those that %s says',
    async (_what, writer) => {
      const { at = '$context.it', wrong, meant } = writer;
      const definition = nodes.find(({ type }) => type === writer.type);
      const { canvas } = parseCanvas(canvasOf(writer, 'x'));
      const config = definition?.config.parse(canvas?.nodes.find(({ id }) => id === 'it')?.data);
      const said = definition?.shapes(config)[at] ?? [];

      const conversation = await replayTalk([JSON.stringify(canvasOf(writer, 'x'))], writer.script, { nodes: standardNodes });
      const written = getPath(await conversation.variables(), parsePath(at) ?? []);
      const names = isJsonObject(written) ? Object.keys(written) : [];
      expect(names).not.toEqual([]);
      expect(said).toEqual(expect.arrayContaining(names));

      for (const name of said) expect(warnings(writer, name)).toEqual([]);
      const [found] = warnings(writer, wrong);
      expect(found?.message).toContain(`${at}.${wrong} is never filled`);
      expect(found?.fixes?.map(({ label }) => label) ?? []).toEqual(meant === undefined ? [] : [`Read ${meant}`]);
    },
  );
});
