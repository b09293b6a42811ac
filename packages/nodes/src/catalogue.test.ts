import {
  defineNode,
  getPath,
  isJsonObject,
  type Json,
  type JsonObject,
  leave,
  type NodeDefinition,
  parsePath,
} from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canvasSchema, nodeCatalogue } from './catalogue.ts';
import { standardNodes } from './index.ts';

const entry = (type: string) => nodeCatalogue(standardNodes).find((entry) => entry.type === type)!;
const canvas = canvasSchema(standardNodes);

/** Every `$ref` inside a schema. */
const refsIn = (schema: Json): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(refsIn);
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => (key === '$ref' && typeof value === 'string' ? [value] : refsIn(value)));
};

const dangling = (schema: JsonObject) =>
  refsIn(schema).filter((ref) => getPath(schema, ref.slice(2).split('/')) === undefined || !ref.startsWith('#/'));

/** Data of each type, as an author writes it. */
const written: readonly (readonly [string, JsonObject])[] = [
  ['start', { keywords: ['order'], fallback: true }],
  ['webhook', { variableName: 'invoice', methods: ['POST'], userIdPath: 'user.id', waitTimeout: 'P1D' }],
  ['message', { message: { type: 'text', text: 'Hello {{$user.names}}' } }],
  ['ask', { message: { type: 'text', text: 'How many?' }, input: { kind: 'number', min: 1 }, attempts: 3, saveAs: '$context.count' }],
  ['template', { templateId: 'tpl1', parameters: { name: '{{$user.names}}' } }],
  ['condition', { branches: [{ name: 'old', rule: { op: 'not', rule: { op: 'lt', left: '$context.age', right: 18 } } }] }],
  ['switch', { value: '{{$context.state}}', cases: ['lost', 1, true] }],
  [
    'random',
    {
      routes: [
        { name: 'a', percent: 33.33 },
        { name: 'b', percent: 66.67 },
      ],
    },
  ],
  ['for-each', { items: '{{$context.list}}' }],
  ['set', { assignments: [{ path: '$memory.cart', value: { items: [1] }, ttl: 'PT1H' }] }],
  ['delay', { duration: 'PT5S' }],
  ['wait-until', { at: '2031-03-01T09:00:00-05:00' }],
  ['wait-event', { name: 'paid', timeout: 'P1D' }],
  ['wait-external', { timeout: 'P3D' }],
  ['send-event', { name: 'paid', correlation: '{{$context.order}}', payload: { amount: 3 }, saveAs: '$context.told' }],
  ['workflow', { workflowId: 'sign', inputs: { order: '{{$context.order}}' } }],
  ['jump', { workflowId: 'next' }],
  ['end', { outcome: 'failed', outputs: { signedBy: 'Ana' } }],
  ['api', { url: 'https://api.test', body: { a: [1] }, method: 'POST', timeout: 'PT45S', hold: { message: 'One moment please.' } }],
  ['soap', { url: 'https://soap.test', body: { 'o:Get': { 'o:id': 1 } }, namespaces: { o: 'urn:o' }, version: '1.2', timeout: 'PT45S' }],
  ['database', { operation: 'get', connection: { credentialId: 'shop' }, table: 'orders', where: [{ column: 'id', value: 1 }] }],
  ['function', { functionId: 'fn_echo', body: { id: '{{$context.id}}' }, timeout: 'PT45S', saveAs: '$context.result' }],
  ['handoff', { mode: 'park', teamId: 5, timeout: 'PT2H', saveAs: '$context.case' }],
  ['payment', { amount: 1250, currency: 'MXN', description: 'Order 7', auth: { credentialId: 'stripe' }, timeout: 'PT2H' }],
  ['tags', { action: 'add', tags: [1, 2] }],
  ['group', { action: 'add', group: 'vip' }],
  ['consent', { marketing: 'granted' }],
  ['note', { text: 'Ask Ana' }],
  ['catch', {}],
];

describe('nodeCatalogue', () => {
  it('is JSON, one entry a node, in the order of the palette', () => {
    const catalogue = nodeCatalogue(standardNodes);
    expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue);
    expect(catalogue.map(({ type }) => type)).toEqual(standardNodes.map(({ type }) => type));
  });

  it('lists the ports that all nodes of a type have, and leaves out others', () => {
    expect(entry('api').ports).toEqual({ required: ['success'], optional: ['error'] });
    expect(entry('condition')).not.toHaveProperty('ports');
  });

  it.each(written)('has a schema that accepts the data of %s, with the common fields', (type, data) => {
    const schema = z.fromJSONSchema(entry(type).schema);
    const common = { label: 'Mine', notes: 'Read me', retry: { attempts: 3 }, mask: true, onError: 'fail' };
    expect(schema.safeParse({ ...common, ...data }).error).toBeUndefined();
    expect(schema.safeParse({ ...data, surplus: 1 }).success).toBe(false);
  });

  it('adds the common fields to each form of a config that is a union', () => {
    const run = () => leave('next');
    const config = z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]);
    const visual = { label: 'X', category: 'data', icon: 'x', colour: '#000000', description: 'X.' } as const;
    const [{ schema } = entry('note')] = nodeCatalogue([defineNode({ type: 'x', config, visual, ports: ['next'], run }) as NodeDefinition]);
    expect(schema).toMatchObject({ anyOf: [{ properties: { a: {}, label: {} } }, { properties: { b: {}, label: {} } }] });
  });

  it('has the texts of exactly the fields that are there, those of the node itself over others', () => {
    const config = z.strictObject({ speed: z.enum(['fast', 'slow']) });
    const fields = { 'speed=fast': { en: 'at once' }, label: { en: 'Mine' }, gone: { en: 'Gone' } };
    const visual = { label: 'X', category: 'data', icon: 'x', colour: '#000000', description: 'X.', fields } as const;
    const run = () => leave('next');
    const [own] = nodeCatalogue([defineNode({ type: 'x', config, visual, ports: ['next'], run }) as NodeDefinition]);
    expect(own?.fields).toMatchObject({ 'speed=fast': { en: 'at once' }, label: { en: 'Mine' }, notes: { es: { label: 'Notas' } } });
    expect(Object.keys(own?.fields ?? {})).not.toEqual(expect.arrayContaining(['gone']));
    expect(entry('note').fields).not.toHaveProperty('saveAs');
  });

  it.each(nodeCatalogue(standardNodes).map((entry) => [entry.type, entry] as const))(
    'hints at fields that %s has',
    (_, { schema, formHints }) => {
      const fields = Object.keys(formHints).map((field) => parsePath(field)![0]!);
      const forms = [schema, ...[schema['oneOf'] ?? [], schema['anyOf'] ?? []].flat()].filter(isJsonObject);
      expect(fields.filter((field) => forms.every((form) => getPath(form, ['properties', field]) === undefined))).toEqual([]);
    },
  );
});

describe('canvasSchema', () => {
  it('refers to nothing that is not in it', () => {
    expect(refsIn(canvas).length).toBeGreaterThan(standardNodes.length);
    expect(dangling(canvas)).toEqual([]);
  });

  it('lets the type of a node choose the schema of its data', () => {
    const node = (...steps: readonly (string | number)[]) => getPath(canvas, ['properties', 'nodes', 'items', ...steps]);
    const descriptions = standardNodes.map(({ visual }) => visual.description);
    expect(node('properties', 'type')).toEqual({ enum: standardNodes.map(({ type }) => type), enumDescriptions: descriptions });
    expect(new Set(descriptions).size).toBe(standardNodes.length);
    for (const [index, { type }] of standardNodes.entries()) {
      expect(node('allOf', index, 'if', 'properties', 'type', 'const')).toBe(type);
      expect(node('allOf', index, 'then', 'properties', 'data', '$ref')).toBe(`#/$defs/${type}`);
      expect(node('allOf', index, 'then', 'properties', 'type', 'description')).toBe(descriptions[index]);
    }
  });

  it('describes the data of the present version alone, and says which that is', () => {
    const delay = standardNodes.find(({ type }) => type === 'delay');
    const second = [{ ...delay, version: 2, upgrade: (data: JsonObject) => data } as NodeDefinition];
    const then = (nodes: readonly NodeDefinition[]) => getPath(canvasSchema(nodes), ['properties', 'nodes', 'items', 'allOf', 0, 'then']);
    expect(then(second)).toMatchObject({
      properties: { version: { maximum: 2 } },
      if: { properties: { version: { const: 2 } }, required: ['version'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { data: { $ref: '#/$defs/delay' } }, required: ['data'] },
    });
    expect(nodeCatalogue(second)[0]).toMatchObject({ type: 'delay', version: 2 });
    expect(nodeCatalogue(standardNodes).filter((entry) => 'version' in entry)).toEqual([]);
  });

  it('requires data for a type that needs it', () => {
    const required = (type: string) =>
      getPath(canvas, ['properties', 'nodes', 'items', 'allOf', standardNodes.findIndex((node) => node.type === type), 'then', 'required']);
    expect([required('delay'), required('note')]).toEqual([['data'], undefined]);
  });
});
