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

What a \`message\` node sends, what an \`ask\` node asks with, and what \`POST /v1/bots/{botId}/messages\` takes beside its \`userId\`: an object with a
\`type\` and the fields of that type. Any text may hold expressions. What each channel makes of each type is in
[channels](channels/README.md#what-each-channel-shows). This page is made by \`npm run generate\` from the schema that judges messages.

${sections.join('\n')}`;
}

function section(label: string, form: JsonObject): string {
  const type = label.replace(/^\(type: (.*)\)$/, '$1').replaceAll('"', '`');
  const fields = listFields(form).filter(({ path }) => path !== 'type');
  return `## ${type}\n\n${fieldTable(fields) || 'It has no other field.\n'}`;
}
