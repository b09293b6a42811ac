import { isJsonObject, type JsonObject } from '../../packages/engine/src/contract/index.ts';
import { nodeCatalogue, standardNodes } from '../../packages/nodes/src/index.ts';
import { listFields, fieldTable, listForms, writeLabel } from './schema-fields.ts';

/** The page of messages: each type with its fields, from the schema of the node that sends one. */
export function messagesPage(): string {
  const schema = nodeCatalogue(standardNodes).find(({ type }) => type === 'message')?.schema ?? {};
  const properties = schema['properties'];
  const message = isJsonObject(properties) ? properties['message'] : undefined;
  if (!isJsonObject(message)) throw new Error('The node "message" has no field "message"');
  const { $defs } = schema;
  const forms = listForms(message).filter((form) => form['type'] === 'object');
  const sections = forms.map((form) => section(writeLabel(form, forms), { ...form, ...($defs !== undefined && { $defs }) }));
  return `# Messages

A message is an object with a \`type\` and the fields of that type. It is sent by \`message\` and \`ask\` nodes, and by
\`POST /v1/bots/{botId}/messages\`, whose body also has a \`userId\`. Any text may contain expressions.

[Channels](channels/README.md#what-each-channel-shows) shows how each type appears on each channel. \`npm run generate\` writes this page from
the schema that validates messages.

${sections.join('\n')}`;
}

function section(label: string, form: JsonObject): string {
  const type = label.replace(/^\(type: (.*)\)$/, '$1').replaceAll('"', '`');
  const fields = listFields(form).filter(({ path }) => path !== 'type');
  return `## ${type}\n\n${fieldTable(fields) || 'No other fields.\n'}`;
}
