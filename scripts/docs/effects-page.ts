import { readdirSync, readFileSync } from 'node:fs';
import { type EffectDefinition, isJsonObject, type JsonObject, type NodeDefinition } from '../../packages/engine/src/contract/index.ts';
import * as effects from '../../packages/nodes/src/effects/index.ts';
import { cell, fieldTable, listFields, listForms, writeLabel } from './schema-fields.ts';

/** The page of effects: for each its request, its results, the nodes that request it and the driver that performs it. */
export function effectsPage(nodes: readonly NodeDefinition[]): string {
  const drivers = findDrivers();
  const all = Object.entries(effects).flatMap(([name, value]) => (isEffect(value) ? [{ name, effect: value }] : []));
  const rows = all.map(({ name, effect }) => {
    const requested = nodes
      .filter(({ effects: named }) => named?.some(({ type }) => type === effect.type))
      .map(({ type }) => `\`${type}\``);
    return `| \`${effect.type}\` | [\`${name}\`](#${name.toLowerCase()}) | ${requested.join(', ')} | ${drivers.get(name) ?? `yours: \`drive(${name}, …)\``} |`;
  });
  const sections = all.map(({ name, effect }) => section(name, effect));
  return `# Effects

A node never reaches the world itself: it requests an effect, and a driver performs it. A host pairs each effect with a driver,
\`drive(effect, (request, context) => result)\`, or takes those of \`standardDrivers\`, of \`@hilo/integrations\`. The effects are exported by
\`@hilo/nodes/effects\`. An answer of another shape is the node's error \`DRIVER_ANSWER_INVALID\`. \`npm run generate\` writes this page from the
schemas of the effects.

\`withSessionWindow(driver, { enforce })\` wraps a driver of \`message.send\` with the 24-hour window of WhatsApp: while the window of the user is
closed, it answers \`windowClosed\` in the driver's place, at the time of sending, and the node leaves by \`windowClosed\`. \`enforce(origin)\` says
whether the window counts for a bot. \`reopeningWindow(driver, policy)\` wraps a driver of \`template.send\`, so that a template that was sent
opens the window (\`onSend\`), or only the answer of the user does (\`onReply\`).

| effect | export | requested by | driver |
| --- | --- | --- | --- |
${rows.join('\n')}

${sections.join('\n')}`;
}

const isEffect = (value: unknown): value is EffectDefinition =>
  typeof value === 'function' && 'type' in value && 'request' in value && 'result' in value;

function section(name: string, { type, request, result }: EffectDefinition): string {
  const schema = request.toJSONSchema({ unrepresentable: 'any', io: 'input' }) as JsonObject;
  return `## ${name}

\`${type}\`. ${describe(name)}

Request:

${fieldTable(listFields(schema, linkMessages)) || 'Any value.\n'}
Results:

${listResults(result.toJSONSchema({ unrepresentable: 'any', io: 'input' }) as JsonObject)}`;
}

/** Messages have a page of their own. */
const linkMessages = (path: string): string | undefined => (path === 'message' ? '[a message](messages.md)' : undefined);

/** Each form of a result on a line, with its fields. */
function listResults(schema: JsonObject): string {
  const forms = listForms(schema);
  const lines = (forms.length === 0 ? [schema] : forms).map((form) => {
    const { $defs } = schema;
    const fields = listFields({ ...form, ...($defs !== undefined && { $defs }) }).filter(
      ({ path }) => !/[.[]/.test(path) && path !== 'kind',
    );
    const label = writeLabel(form, forms) || describeKind(form);
    const rest = fields.map(({ path, takes, isRequired }) => `\`${path}\`${isRequired ? '' : '?'} (${cell(takes)})`).join(', ');
    return `- ${label === '' ? 'a result' : `\`${label.replace(/^\(|\)$/g, '')}\``}${rest === '' ? '' : `: ${rest}`}`;
  });
  return `${lines.join('\n')}\n`;
}

function describeKind({ properties }: JsonObject): string {
  const kind = isJsonObject(properties) && isJsonObject(properties['kind']) ? properties['kind']['const'] : undefined;
  return typeof kind === 'string' ? `kind: "${kind}"` : '';
}

const effectSources = new URL('../../packages/nodes/src/effects/', import.meta.url);
const driverSources = ['drivers', 'integrations'].map((name) => new URL(`../../packages/${name}/src/`, import.meta.url));

const read = (directory: URL, name: string): string => readFileSync(new URL(name, directory), 'utf8').replaceAll('\r\n', '\n');

/** What the source says about an effect. */
function describe(name: string): string {
  for (const file of readdirSync(effectSources).filter((one) => one.endsWith('.ts') && !one.includes('.test.'))) {
    const [, doc] =
      new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport const ${name} = defineEffect\\(`).exec(read(effectSources, file)) ?? [];
    if (doc !== undefined)
      return cell(
        doc
          .split('\n')
          .map((line) => line.replace(/^\s*\* ?/, '').trim())
          .join(' ')
          .replace(/\{@link (\w+)\}/g, '`$1`')
          .trim(),
      );
  }
  throw new Error(`The effect ${name} has no description in packages/nodes/src/effects`);
}

/** The function of our packages that makes the driver of an effect, by the name of the effect's export. */
function findDrivers(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of driverSources)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      const source = read(folder, file.replaceAll('\\', '/'));
      for (const { 1: effect = '', index } of source.matchAll(/\bdrive(?:Detached)?\((\w+),/g)) {
        const [, maker] = [...source.slice(0, index).matchAll(/export (?:const|function) (\w+)/g)].at(-1) ?? [];
        if (maker !== undefined && effect in effects) found.set(effect, `\`${maker}\``);
      }
    }
  return found;
}
