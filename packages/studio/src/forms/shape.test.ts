import type { Json } from '@hilo/engine/contract';
import catalogueJson from '@hilo/nodes/catalogue.json' with { type: 'json' };
import { standardNodes } from '@hilo/nodes';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CatalogueEntry, isRecord, type JsonSchema } from '../canvas/canvas-json.ts';
import {
  emptyOf,
  fieldsOf,
  moreSettings,
  optionOf,
  optionOfType,
  readDuration,
  shapeOf,
  switchTo,
  unknownFields,
  withField,
  writeDuration,
} from './shape.ts';

const catalogue = catalogueJson as unknown as CatalogueEntry[];
const schemaOf = (type: string): JsonSchema => catalogue.find((entry) => entry.type === type)!.schema;

/** Goes through a value as its form does, and writes every field back by the form's own means. */
function throughForm(value: Json, schema: JsonSchema, root: JsonSchema): Json {
  const shape = shapeOf(schema, root);
  switch (shape.kind) {
    case 'object':
      return shape.fields.reduce<Json>((record, { name, schema: field }) => {
        const before = isRecord(record) ? record[name] : undefined;
        return before === undefined ? record : withField(record, name, throughForm(before, field, root));
      }, value);
    case 'union': {
      const option = optionOf(shape, value);
      return option === undefined ? value : throughForm(value, option.schema, root);
    }
    case 'list':
      return Array.isArray(value) ? value.map((item) => throughForm(item as Json, shape.item, root)) : value;
    case 'types':
      return throughForm(value, optionOfType(shape, value) ?? {}, root);
    case 'valueOrExpression':
      return typeof value === 'string' && value.includes('{{') ? value : throughForm(value, shape.value, root);
    case 'record':
      return Object.keys(isRecord(value) ? value : {}).reduce<Json>(
        (record, name) => withField(record, name, throughForm((record as { readonly [field: string]: Json })[name]!, shape.value, root)),
        value,
      );
    default:
      return value;
  }
}

describe('forms from schemas', () => {
  it.each(catalogue.map(({ type }) => type))('%s: from the form to JSON and back changes nothing, unknown fields neither', (type) => {
    fc.assert(
      fc.property(arbitraries.nodeConfigs[type as keyof typeof arbitraries.nodeConfigs] as fc.Arbitrary<Json>, (config) => {
        const data = { ...(config as { readonly [field: string]: Json }), fromTheFuture: { a: [1] }, notes: 'n' };
        const after = throughForm(data, schemaOf(type), schemaOf(type));
        expect(JSON.stringify(after)).toBe(JSON.stringify(data));
        const shape = shapeOf(schemaOf(type), schemaOf(type));
        const fields = fieldsOf((shape.kind === 'union' && optionOf(shape, data)?.schema) || schemaOf(type));
        expect(unknownFields(data, fields)).toEqual(['fromTheFuture']);
      }),
      { numRuns: 15 },
    );
  });

  it.each(catalogue.map(({ type }) => type))(
    '%s: every config has a field for each of its values, none of them raw JSON when the schema is known',
    (type) => {
      const root = schemaOf(type);
      const shape = shapeOf(root, root);
      for (const schema of shape.kind === 'union' ? shape.options.map((option) => option.schema) : [root]) {
        const fields = fieldsOf(schema);
        expect(fields[0]?.name).toBe('label');
        expect(fields.filter((field) => shapeOf(field.schema, root).kind === 'json').map(({ name }) => name)).toEqual([]);
      }
    },
  );

  it('required before optional, and what every node has last', () => {
    const names = fieldsOf(schemaOf('api')).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['label', 'url', 'method']);
    expect(new Set(names.slice(-5))).toEqual(moreSettings);
  });

  it('an added node has all required fields, each of the right kind', () => {
    for (const { type, schema } of catalogue) {
      const fresh = emptyOf(schema, schema);
      const definition = standardNodes.find((node) => node.type === type)!;
      const { error } = definition.config.safeParse(fresh);
      const wrongKinds =
        error?.issues.filter(({ code, message }) => code === 'unrecognized_keys' || /expected .* received undefined/.test(message)) ?? [];
      expect({ type, wrongKinds }).toEqual({ type, wrongKinds: [] });
    }
  });

  it('switching keeps fields of the same name', () => {
    const message = fieldsOf(schemaOf('message')).find(({ name }) => name === 'message')!;
    const outer = shapeOf(message.schema, schemaOf('message'));
    const shape = outer.kind === 'valueOrExpression' ? shapeOf(outer.value, schemaOf('message')) : outer;
    if (shape.kind !== 'union') throw new Error('a message is told apart by its type');
    const image = shape.options.find(({ tag }) => tag === 'image')!;
    expect(switchTo(shape, { type: 'text', text: 'Hi', previewUrl: true }, image, schemaOf('message'))).toEqual({
      type: 'image',
      mediaUrl: '',
      text: 'Hi',
    });
  });

  it('rules of a condition are distinguished even when several operators share a form', () => {
    const root = schemaOf('condition');
    const branches = shapeOf(fieldsOf(root).find(({ name }) => name === 'branches')!.schema, root);
    const branch = branches.kind === 'list' ? shapeOf(branches.item, root) : branches;
    const rule = branch.kind === 'object' ? shapeOf(branch.fields.find(({ name }) => name === 'rule')!.schema, root) : branch;
    expect(rule.kind === 'union' && rule.options.map(({ tag }) => tag)).toEqual(
      expect.arrayContaining(['eq', 'gt', 'in', 'exists', 'all', 'not']),
    );
  });

  it('durations of one part are a number and a unit', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.constantFrom('seconds', 'minutes', 'hours', 'days'), (amount, unit) => {
        expect(readDuration(writeDuration(amount, unit))).toEqual({ amount, unit });
      }),
    );
    expect(readDuration('PT1H30M')).toBeUndefined();
  });

  it('a schema that refers to itself, or to nothing, ends', () => {
    const root: JsonSchema = { $defs: { a: { $ref: '#/$defs/a' } } };
    expect(shapeOf({ $ref: '#/$defs/a' }, root).kind).toBe('json');
    expect(shapeOf({ $ref: '#/nowhere' }, root).kind).toBe('json');
    expect(shapeOf({ $ref: 'https://example.com/x' }, root).kind).toBe('json');
  });
});
