// The catalogue of nodes for front ends, and the JSON Schema of canvases.
import {
  Canvas,
  CanvasNode,
  CommonData,
  type FieldTexts,
  isJsonObject,
  type Json,
  JsonObject,
  type NodeDefinition,
  type Visual,
} from '@hilo/engine/contract';
import { fieldTextsOf } from './field-texts/index.ts';
import { authoredSchema } from './json-schema.ts';

/** What a front end needs of a node to draw the palette, the node and its form. */
export interface CatalogueEntry {
  readonly type: string;
  readonly label: string;
  readonly category: Visual<unknown>['category'];
  /** A lucide icon name. */
  readonly icon: string;
  /** A hex colour. */
  readonly colour: string;
  readonly description: string;
  /** Which widget a field wants, by dotted field name. */
  readonly formHints: NonNullable<Visual<unknown>['formHints']>;
  /** Labels, help and examples of its fields, by language. */
  readonly fields: FieldTexts;
  /** The ports of a node as it comes from the palette; left out where they depend on what the author writes. */
  readonly ports?: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** The version of a new node's `data`; left out for 1. */
  readonly version?: number;
  /** JSON Schema, draft 2020-12, of the node's `data`. */
  readonly schema: JsonObject;
}

/** Everything about these nodes that is no behaviour, as JSON. */
export function nodeCatalogue(nodes: readonly NodeDefinition[]): readonly CatalogueEntry[] {
  const common = commonFields();
  return nodes.map((node) => {
    const { label, icon, colour, formHints = {} } = node.visual;
    const { type, category, description, ports } = summariseNode(node);
    const schema = dataSchema(node, common);
    const { version = 1 } = node;
    const more = { ...(ports !== undefined && { ports }), ...(version > 1 && { version }) };
    return {
      type,
      label,
      category,
      icon,
      colour,
      description,
      formHints,
      fields: fieldTextsOf(type, node.visual.fields, namesIn(schema)),
      ...more,
      schema,
    };
  });
}

/** What a catalogue says of a node without its schema: schemas of all nodes take as long to make as a turn of the event loop may at most. */
export function summariseNode(node: NodeDefinition): Pick<CatalogueEntry, 'type' | 'category' | 'description' | 'ports'> {
  const { category, description } = node.visual;
  const ports = firstPorts(node);
  return { type: node.type, category, description, ...(ports !== undefined && { ports }) };
}

/** The names of all fields of a schema, at any depth. */
function namesIn(schema: Json, names = new Set<string>()): ReadonlySet<string> {
  if (isList(schema)) for (const inner of schema) namesIn(inner, names);
  else if (isJsonObject(schema)) {
    if (isJsonObject(schema['properties'])) for (const name of Object.keys(schema['properties'])) names.add(name);
    for (const inner of Object.values(schema)) namesIn(inner, names);
  }
  return names;
}

/** JSON Schema, draft 2020-12, of a canvas with these nodes: the `type` of a node decides what its `data` may be. */
export function canvasSchema(nodes: readonly NodeDefinition[]): JsonObject {
  const common = commonFields();
  const dataSchemas = nodes.map((node) => ({ type: node.type, version: node.version ?? 1, schema: dataSchema(node, common) }));
  const descriptions = new Map(nodes.map(({ type, visual }) => [type, visual.description]));
  const describeType = (type: string): string => descriptions.get(type) ?? '';
  const canvas = authoredSchema(Canvas, {
    override({ zodSchema, jsonSchema }) {
      if (zodSchema !== CanvasNode) return;
      const { type: _type, ...properties } = jsonSchema.properties ?? {};
      // Editors show the description that stands with a value; a validator lists the values where none of them is given.
      jsonSchema.properties = {
        ...properties,
        type: { enum: nodes.map(({ type }) => type), enumDescriptions: nodes.map(({ type }) => describeType(type)) },
      };
      jsonSchema.allOf = dataSchemas.map(({ type, version, schema }) => ({
        if: { properties: { type: { const: type } }, required: ['type'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: {
          properties: {
            type: { description: describeType(type) },
            version: { maximum: version },
            ...(version === 1 && { data: { $ref: `#/$defs/${type}` } }),
          },
          ...(version === 1 ? 'required' in schema && { required: ['data'] } : whereVersion(version, type, 'required' in schema)),
        },
      }));
    },
  });
  const { $schema, $defs, ...rest } = JsonObject.parse(canvas);
  const shared = isJsonObject($defs) ? $defs : {};
  const own = Object.fromEntries(dataSchemas.map(({ type, schema }) => [type, rebase(schema, `#/$defs/${type}`)]));
  return { ...($schema !== undefined && { $schema }), title: 'Hilo canvas', ...rest, $defs: { ...shared, ...own } };
}

/** What holds of data of this version of a node; the forms of earlier ones are not described. */
const whereVersion = (version: number, type: string, isRequired: boolean): JsonObject => ({
  if: { properties: { version: { const: version } }, required: ['version'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { data: { $ref: `#/$defs/${type}` } }, ...(isRequired && { required: ['data'] }) },
});

/** A node's config and, beside it, the fields that every node has. */
function dataSchema({ config, supports }: NodeDefinition, common: JsonObject): JsonObject {
  const { $schema: _, ...schema } = JsonObject.parse(authoredSchema(config));
  const { retry, ...others } = common;
  return addCommonFields(schema, supports.retry || retry === undefined ? common : others);
}

/** Made when it is asked for: executing canvases needs no JSON Schema. */
const commonFields = (): JsonObject => JsonObject.parse(authoredSchema(CommonData).properties);

/** A config that is a union has the common fields in each of its forms. */
function addCommonFields(schema: JsonObject, common: JsonObject): JsonObject {
  const { properties, anyOf, oneOf } = schema;
  const addToEach = (forms: readonly Json[]) => forms.map((form) => (isJsonObject(form) ? addCommonFields(form, common) : form));
  return {
    ...schema,
    ...(isJsonObject(properties) && { properties: { ...properties, ...common } }),
    ...(isList(anyOf) && { anyOf: addToEach(anyOf) }),
    ...(isList(oneOf) && { oneOf: addToEach(oneOf) }),
  };
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A schema that has moved inside another: what it refers to has moved with it. */
function rebase(schema: Json, base: string): Json {
  if (isList(schema)) return schema.map((inner) => rebase(inner, base));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [key, value.replace(/^#/, base)] : [key, rebase(value, base)],
  );
  return Object.fromEntries(entries) as JsonObject;
}

function firstPorts(node: NodeDefinition): CatalogueEntry['ports'] {
  const dependsOnConfig = node.ports.length + node.optionalPorts.length > 0; // parameters: ports that are always the same take none
  const { success, data: config } = node.config.safeParse({});
  return dependsOnConfig && !success ? undefined : { required: node.ports(config), optional: node.optionalPorts(config) };
}
