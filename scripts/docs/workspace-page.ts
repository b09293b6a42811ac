import { isJsonObject, type Json, type JsonObject } from '../../packages/engine/src/contract/index.ts';
import { fieldTable, isList, listFields } from './schema-fields.ts';

const begin = '<!-- From here on `npm run generate` writes. -->';

/** The page of the workspace file: what people wrote, and a table of the fields of each record, from its JSON Schema. */
export function workspacePage(page: string, schema: JsonObject): string {
  const [written = ''] = page.split(begin);
  const company = readPart(schema, ['properties', 'companies', 'items']);
  const { $defs = {} } = schema;
  const isRecord = (field: Json): boolean => isJsonObject(field) && field['type'] === 'array';
  const fields = Object.entries(readPart(company, ['properties'])).map(([name, field]) => [name, withoutNull(field)] as const);
  const own = Object.fromEntries(
    fields.map(([name, field]) => [name, isRecord(field) ? { ...readPart({ field }, ['field']), items: { type: 'object' } } : field]),
  );
  const records = fields
    .filter(([, field]) => isRecord(field))
    .map(([name, field]) => section(name, readPart({ field }, ['field']), $defs));
  return `${written}${begin}

## Fields of a company

${fieldTable(listFields({ ...company, properties: own, $defs }))}
${records.join('\n')}`;
}

function section(name: string, { description = '', items = {} }: JsonObject, $defs: Json): string {
  const table = fieldTable(listFields({ ...readPart({ items }, ['items']), $defs }));
  return `### \`${name}\`\n\n${typeof description === 'string' ? description : ''}.\n\n${table}`;
}

const readPart = (schema: JsonObject, path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>((within, name) => (isJsonObject(within[name]) ? within[name] : {}), schema);

/** Without the null of fields that may be left out: it is the same, and would hide what they take. */
function withoutNull(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutNull);
  if (!isJsonObject(schema)) return schema;
  const parts: JsonObject = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withoutNull(part)]));
  const { anyOf, type, ...rest } = parts;
  const forms = listOf(anyOf).filter((form) => !(isJsonObject(form) && form['type'] === 'null'));
  const [only] = forms;
  const types = listOf(type).filter((name) => name !== 'null');
  return {
    ...(forms.length === 1 && isJsonObject(only) ? only : {}),
    ...(forms.length > 1 && { anyOf: forms }),
    ...(type !== undefined && { type: types.length === 1 ? (types[0] ?? 'null') : type }),
    ...rest,
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
