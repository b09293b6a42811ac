// The JSON Schema of a workspace file, with what each field is for: for editors, and for the table of docs/workspace.md.
import type { ChannelAdapter } from '@hilo/channels';
import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { explainWorkspaceField } from './field-words.ts';
import { workspaceSchema } from './schema.ts';

/**
 * JSON Schema, draft 2020-12, of a workspace file. What several records must agree in is checked by an import alone.
 *
 * @param adapters - the kinds of provider that bots may have
 */
export function workspaceJsonSchema(adapters: readonly ChannelAdapter[]): JsonObject {
  const made = z.toJSONSchema(workspaceSchema(adapters), { io: 'input', unrepresentable: 'any' });
  const { $schema, ...schema } = JsonObject.parse(made);
  return { ...($schema !== undefined && { $schema }), title: 'Hilo workspace', ...JsonObject.parse(describeFields(schema, [])) };
}

/**
 * The fields of a workspace, and those of one record of each of these kinds, whose id may be left out: for the description of the
 * interface. What is inside them is in {@link workspaceJsonSchema}.
 */
export function outlineWorkspace(
  adapters: readonly ChannelAdapter[],
  kinds: readonly string[],
): { readonly workspace: JsonObject; readonly record: JsonObject; readonly company: JsonObject } {
  const schema = workspaceJsonSchema(adapters);
  const company = readPart(schema, ['properties', 'companies', 'items']);
  const records = kinds.map((kind) => outline(readPart(company, ['properties', kind, 'items']), ['id']));
  const own = outline({ ...company, properties: fieldsOfCompany(company) }, ['id']);
  return { workspace: outline(schema), record: { anyOf: records }, company: own };
}

/** The fields of a company without its lists of records, by its JSON Schema. The fields that its contacts have are its own. */
export const fieldsOfCompany = (company: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(readPart(company, ['properties'])).filter(
      ([name, field]) => name === 'fields' || !isJsonObject(field) || field['type'] !== 'array',
    ),
  );

/** A part of a schema by the keywords that lead to it; empty where there is none. */
export const readPart = (schema: JsonObject, path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>((within, name) => (isJsonObject(within[name]) ? within[name] : {}), schema);

/** The fields of all forms of an object. @param optional - fields that are required elsewhere */
function outline(schema: JsonObject, optional: readonly string[] = []): JsonObject {
  const { oneOf = [], required = [] } = schema;
  const forms = Array.isArray(oneOf) ? oneOf.filter(isObject) : [];
  const objects = [schema, ...forms].map((form) => readPart(form, ['properties']));
  const properties = Object.assign({}, ...objects.map(outlineFields)) as JsonObject;
  const needed = Array.isArray(required) ? required.filter((name: Json) => typeof name === 'string' && !optional.includes(name)) : [];
  return { type: 'object', required: needed, properties };
}

const isObject = (form: Json): form is JsonObject => isJsonObject(form);

const outlineFields = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      { description: readPart(properties, [name])['description'] ?? (typeof field === 'string' ? field : name) },
    ]),
  );

/** Adds to each field what it is for. @param path - the names of the fields around it */
function describeFields(schema: Json, path: readonly string[]): Json {
  if (Array.isArray(schema)) return schema.map((form: Json) => describeFields(form, path));
  if (!isJsonObject(schema)) return schema;
  const { $schema: _dialect, ...keywords } = schema; // of a part that was made alone
  const entries = Object.entries(keywords).map(([key, part]) => {
    if (key === 'properties' && isJsonObject(part)) return [key, describeProperties(part, path)] as const;
    return [key, containers.has(key) ? describeFields(part, path) : part] as const;
  });
  return Object.fromEntries(entries);
}

const containers: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);

const describeProperties = (properties: JsonObject, path: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const within = describeFields(field, [...path, name]);
      return [name, isJsonObject(within) ? { ...within, description: explainWorkspaceField([...path, name]) } : within];
    }),
  );
