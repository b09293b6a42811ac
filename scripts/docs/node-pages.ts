// Writes a page of the docs for each node.
import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, type NodeDefinition } from '../../packages/engine/src/contract/index.ts';
import { catchNode, nodeCatalogue } from '../../packages/nodes/src/index.ts';
import { type Field, listFields, fieldTable, listForms, writeLabel } from './schema-fields.ts';

const examples = new URL('../../examples/nodes/', import.meta.url);
/** What is written by hand for pages of nodes: what a schema cannot say. */
const notes = new URL('notes/', import.meta.url);

/** The fields that every node has, which are described once: a node `catch` has no others. */
export const commonFields: readonly Field[] = nodeCatalogue([catchNode]).flatMap(({ schema }) => listFields(schema));

const outermost = (path: string): string => path.split(/[.[(]/, 1)[0] ?? '';
const common: ReadonlySet<string> = new Set(commonFields.map(({ path }) => outermost(path)));

/** A page for each node, by file name: what it does, its ports and fields, and an example with what happens in it. */
export function nodePages(nodes: readonly NodeDefinition[]): { readonly [file: string]: string } {
  const catalogue = nodeCatalogue(nodes);
  return Object.fromEntries(
    nodes.map((node, index) => [`${node.type}.md`, nodePage(node, catalogue[index]?.schema ?? {}, catalogue[index]?.ports)]),
  );
}

function nodePage(
  { type, visual, facts, supports }: NodeDefinition,
  schema: JsonObject,
  ports: { readonly required: readonly string[]; readonly optional: readonly string[] } | undefined,
): string {
  const listed = [...(ports?.required ?? []).map(code), ...(ports?.optional ?? []).map((port) => `[${code(port)}]`)].join(', ');
  const rows = [
    ['ports', facts.ports ?? (listed || 'none')],
    ['needs', facts.needs],
    ['for', supports.kinds.length === 1 ? `a canvas of kind ${supports.kinds.map(code).join()}` : undefined],
    ['limits', facts.limits],
    ['holds the user', facts.holds],
  ].filter((row): row is [string, string] => row[1] !== undefined);
  return `# ${visual.label}

${visual.description} In a canvas: \`"type": "${type}"\`.

| | |
| --- | --- |
${rows.map(([name, text]) => `| ${name} | ${text} |`).join('\n')}

Ports in brackets are optional: they may stay without an edge.

## Fields

${fieldsSection(schema)}
Fields with a question mark are optional. Every node also has \`label\`, \`notes\`, \`retry\`, \`hold\`, \`mask\` and \`onError\`:
[fields of every node](../nodes.md#fields-of-every-node).

${notesSection(type)}## Example

${exampleSection(type)}`;
}

function notesSection(type: string): string {
  const file = new URL(`${type}.md`, notes);
  return existsSync(file) ? `${readFileSync(file, 'utf8')}\n` : '';
}

/** A config that has several forms has a table for each. */
function fieldsSection(schema: JsonObject): string {
  const forms = listForms(schema);
  const { $defs } = schema;
  if (forms.length === 0) return fieldTable(ownFields(schema)) || 'No fields of its own.\n';
  return forms
    .map(
      (form) =>
        `### ${code(writeLabel(form, forms).slice(1, -1))}\n\n${fieldTable(ownFields({ ...form, ...($defs !== undefined && { $defs }) }))}`,
    )
    .join('\n');
}

const ownFields = (schema: JsonObject) =>
  listFields(schema, (_path, field) => (isMessage(field) ? 'a [message](../messages.md)' : undefined)).filter(
    ({ path }) => !common.has(outermost(path)),
  );

/** A union of messages: described once, on a page of its own. */
const isMessage = (field: JsonObject): boolean =>
  listForms(field).some((form) => isJsonObject(form['properties']) && 'mediaUrl' in form['properties']);

function exampleSection(type: string): string {
  const canvas = readFileSync(new URL(`${type}.json`, examples), 'utf8').replace(/^ {2}"\$schema": .*\n/m, '');
  const transcript = readFileSync(new URL(`${type}.txt`, examples), 'utf8');
  return `\`examples/nodes/${type}.json\`. To try it: \`npm run -s hilo -- run examples/nodes/${type}.json\`

\`\`\`json
${canvas}\`\`\`

A [transcript](../testing.md#transcripts) of it:

\`\`\`text
${transcript}\`\`\`
`;
}

const code = (text: string): string => `\`${text}\``;
