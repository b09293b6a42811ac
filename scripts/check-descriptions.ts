// `npm run verify -- generated`: every field of the published schemas has a description of its own, which editors show, every text
// an example, and every duration a pattern. What the schemas of templates say of themselves is not of a field.
import { readFileSync } from 'node:fs';

interface Schema {
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** Descriptions that the contract's schemas give to every field without one. */
const stock = /^(?:Text; \{\{expressions\}\} are|Any value; \{\{expressions\}\} in|A path such as \$context\.age, an \{\{expression)/;
/** Each says what a text looks like. */
const showsText = ['examples', 'default', 'const', 'enum'];
/** These hold values, and no schemas. */
const values: ReadonlySet<string> = new Set(['examples', 'default', 'const', 'enum']);

const problems: string[] = [];
let fields = 0;

const describesEachValue = ({ enum: values, enumDescriptions }: Schema): boolean =>
  Array.isArray(values) && Array.isArray(enumDescriptions) && values.length === enumDescriptions.length;

function check(schema: unknown, place: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  // What one node type requires of `data` refers to its schema, which is checked in its own place.
  const { properties, ...rest } = (place.endsWith('/if') || place.endsWith('/then') ? {} : schema) as Schema;
  for (const [name, field] of Object.entries(properties ?? {})) {
    fields += 1;
    const { description = '', format, pattern, type } = field;
    // An editor shows the description of each value where there is one for every value.
    const isDescribed = description.length >= 5 && !stock.test(description);
    if (!isDescribed && !describesEachValue(field)) problems.push(`${place}/${name} has no description of its own`);
    if (format === 'duration' && pattern === undefined) problems.push(`${place}/${name} is a duration without a pattern`);
    if (type === 'string' && !showsText.some((keyword) => keyword in field)) problems.push(`${place}/${name} is a text without an example`);
    check(field, `${place}/${name}`);
  }
  for (const [keyword, inner] of Object.entries(rest)) if (!values.has(keyword)) check(inner, `${place}/${keyword}`);
}

for (const name of ['canvas.schema.json', 'catalogue.json'])
  check(JSON.parse(readFileSync(new URL(`../packages/nodes/${name}`, import.meta.url), 'utf8')), name);
if (fields < 2_000) problems.push(`only ${fields} fields were found: the schemas have another form than this check knows`);
if (problems.length > 0) console.error(problems.join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
