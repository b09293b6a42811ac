import { isJsonObject, type Json, type JsonObject } from '../../packages/engine/src/contract/index.ts';

/** A field of a JSON Schema, as a row of a table. */
export interface Field {
  /** Dotted, with `[]` for the items of a list and `.*` for the values of an object, such as `branches[].name`. */
  readonly path: string;
  /** The accepted values, in words, such as `integer, 1 to 12`. */
  readonly takes: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** What fields are when one of them is met that is described elsewhere, such as a message. */
export type LinkFor = (path: string, schema: JsonObject) => string | undefined;

/**
 * Every field of an object's schema in order, outer before inner. A field that is one of several forms has the fields of each, and names
 * the form.
 *
 * @param linkFor - text to show for a field instead of its inner fields
 */
export function listFields(schema: JsonObject, linkFor: LinkFor = () => undefined): readonly Field[] {
  const definitions = getObject(schema, '$defs');
  const seen: JsonObject[] = []; // definitions that are being listed: one inside itself is listed once

  function inside(path: string, of: JsonObject): readonly Field[] {
    const resolved = resolve(of);
    if (seen.includes(resolved) || isAnyValue(resolved)) return [];
    seen.push(resolved);
    const required = getList(resolved, 'required');
    const own = Object.entries(getObject(resolved, 'properties')).flatMap(([name, field]) =>
      isJsonObject(field) ? row(path === '' ? name : `${path}.${name}`, field, required.includes(name)) : [],
    );
    const items = resolved['items'];
    const values = resolved['additionalProperties'];
    const fields = [
      ...own,
      ...(isJsonObject(items) ? inside(`${path}[]`, items) : []),
      ...(isJsonObject(values) ? inside(`${path}.*`, values) : []),
      ...listForms(resolved).flatMap((form) => inside(`${path}${writeLabel(form, listForms(resolved))}`, form)),
    ];
    seen.pop();
    return fields;
  }

  function row(path: string, field: JsonObject, isRequired: boolean): readonly Field[] {
    if (path.endsWith(`).${telling(path)}`)) return []; // the label of the form contains it
    const linked = linkFor(path, field);
    const description = getText(field, 'description') || getText(resolve(field), 'description');
    const examples = getList(field, 'examples').map(code).join(', ');
    const says = [description, examples && `For example ${examples}`].filter((part) => part !== '').join('. ');
    const takes = linked ?? withDefault(describeValues(field), field);
    return [{ path, takes, isRequired, description: says }, ...(linked === undefined ? inside(path, field) : [])];
  }

  function describeValues(of: JsonObject): string {
    const field = resolve(of);
    if (isAnyValue(field)) return 'any value';
    const values = getList(field, 'enum');
    if (values.length > 0) return values.map(code).join(' or ');
    if ('const' in field) return code(field['const'] ?? null);
    const forms = listForms(field);
    const tellsApart = tellingField(forms);
    if (tellsApart !== undefined) {
      const rest = forms.filter((form) => form['type'] !== 'object').map(describeValues);
      return [
        `object by its \`${tellsApart}\`: ${forms.flatMap((form) => listValues(form, tellsApart).map(code)).join(', ')}`,
        ...rest,
      ].join(' or ');
    }
    if (forms.length > 0) return [...new Set(forms.map(describeValues))].join(' or ');
    switch (field['type']) {
      case 'string':
        return textTaken(field);
      case 'integer':
        return `integer${range(field, 'minimum', 'maximum')}`;
      case 'number':
        return `number${range(field, 'minimum', 'maximum')}`;
      case 'boolean':
        return 'boolean';
      case 'array':
        return `list${isJsonObject(field['items']) ? ` of ${group(describeValues(field['items']))}` : ''}${range(field, 'minItems', 'maxItems')}`;
      case 'object':
        return isJsonObject(field['additionalProperties']) ? `object of ${group(describeValues(field['additionalProperties']))}` : 'object';
      default:
        return 'any value';
    }
  }

  function resolve(of: JsonObject): JsonObject {
    const name = /^#\/\$defs\/(.*)$/.exec(getText(of, '$ref'))?.[1];
    const found = name === undefined ? undefined : definitions[name];
    return isJsonObject(found) ? found : of;
  }

  /** Text, number, list, object … of anything: the schema of JSON itself. */
  function isAnyValue(of: JsonObject): boolean {
    return listForms(of).some((form) => form['type'] === 'null') && listForms(of).some((form) => form['type'] === 'object');
  }

  return inside('', schema);
}

/** The forms of a union. */
export const listForms = (schema: JsonObject): readonly JsonObject[] =>
  [...getList(schema, 'oneOf'), ...getList(schema, 'anyOf')].filter((form) => isJsonObject(form));

/** The discriminator of a union: each object among its forms has the field, with its own constants. */
function tellingField(forms: readonly JsonObject[]): string | undefined {
  const objects = forms.filter((form) => form['type'] === 'object');
  const [first] = objects;
  if (first === undefined || objects.length < 2) return undefined;
  return Object.keys(getObject(first, 'properties')).find((name) => objects.every((form) => listValues(form, name).length > 0));
}

/** The values that a field of a form may have, where they are few. */
function listValues(form: JsonObject, name: string): readonly Json[] {
  const field = getObject(form, 'properties')[name];
  if (!isJsonObject(field)) return [];
  return 'const' in field ? [field['const'] ?? null] : getList(field, 'enum');
}

/** The label of a form of a union, such as `(kind: "text")`; empty when its type identifies it. */
export function writeLabel(form: JsonObject, forms: readonly JsonObject[]): string {
  const name = tellingField(forms);
  const values = name === undefined ? [] : listValues(form, name);
  return values.length === 0 ? '' : `(${name}: ${values.map((value) => JSON.stringify(value)).join(', ')})`;
}

/** The field that the label at the end of a path names: `op` of `rule(op: "not").rule`. */
const telling = (path: string): string => /\((\w+): [^()]*\)\.\w+$/.exec(path)?.[1] ?? '';

/** A table of fields; nothing where there are none. */
export function fieldTable(fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ path, takes, isRequired, description }) => `| \`${path}\`${isRequired ? '' : '?'} | ${cell(takes)} | ${cell(description)} |`,
  );
  return `| field | type | description |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** Inside a table a bar separates cells; outside code, an angle bracket would open a tag and two braces an expression of the site. */
export const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replace(/\{\{[^}]*\}\}/g, (braces) => `\`${braces}\``)))
    .join('');

const code = (value: Json): string => `\`${JSON.stringify(value)}\``;

/** Alternatives inside a list, so that they are not read as alternatives of the list. */
const group = (values: string): string => (values.includes(' or ') ? `(${values})` : values);

function withDefault(takes: string, field: JsonObject): string {
  const value = field['default'];
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    ? takes
    : `${takes}; ${code(value)} if unset`;
}

function textTaken(field: JsonObject): string {
  const pattern = getText(field, 'pattern');
  if (field['format'] === 'duration') return 'duration';
  if (pattern.startsWith('^P(?!$)')) return 'duration or expression';
  if (pattern.startsWith('^\\$(context|memory)')) return 'variable path';
  if (pattern.includes('\\{\\{') && !pattern.includes('|')) return 'expression';
  if (field['format'] === 'date') return 'date';
  if (field['format'] === 'uri') return 'URL';
  return `text${range(field, 'minLength', 'maxLength', ' characters')}`;
}

function range(field: JsonObject, least: string, most: string, unit = ''): string {
  const above = field['exclusiveMinimum'];
  const from = field[least] ?? (typeof above === 'number' && field['type'] === 'integer' ? above + 1 : undefined);
  const to = field[most] === Number.MAX_SAFE_INTEGER ? undefined : field[most];
  if (from === undefined && typeof above === 'number')
    return typeof to === 'number' ? `, above ${above} and at most ${to.toLocaleString('en')}${unit}` : `, above ${above}${unit}`;
  if (typeof from === 'number' && from === to) return `, ${from}${unit}`;
  if (typeof from === 'number' && typeof to === 'number') return `, ${from} to ${to.toLocaleString('en')}${unit}`;
  if (typeof to === 'number') return `, at most ${to.toLocaleString('en')}${unit}`;
  return typeof from === 'number' && unit === '' ? `, at least ${from}` : '';
}

const getObject = (schema: JsonObject, key: string): JsonObject => {
  const value = schema[key];
  return isJsonObject(value) ? value : {};
};
const getList = (schema: JsonObject, key: string): readonly Json[] => {
  const value = schema[key];
  return isList(value) ? value : [];
};
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const getText = (schema: JsonObject, key: string): string => {
  const value = schema[key];
  return typeof value === 'string' ? value : '';
};
