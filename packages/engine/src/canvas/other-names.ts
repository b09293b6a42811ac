// What people and models bring along from other products: types of nodes, and whole exports.
import { isJsonObject, type Json } from '../contract/json.ts';
import { findNearestName } from '../expressions/nearest-name.ts';
import { getPath } from '../variables/path.ts';

/** Types of nodes by words for them elsewhere, in each row after the type. */
const types: ReadonlyMap<string, string> = new Map(
  [
    'start trigger begin entry entrypoint',
    'webhook hook',
    'message text send say reply image sendtext',
    'ask question input form buttons menu prompt',
    'condition if ifelse branch gateway',
    'switch case router',
    'random split abtest',
    'for-each loop foreach iterate iterator repeat each',
    'set assign assignment variable variables setvariable',
    'code script javascript js',
    'delay wait sleep pause timer',
    'workflow subflow subworkflow',
    'jump goto',
    'end stop finish exit final',
    'handoff human transfer escalate livechat',
    'api http request rest fetch httprequest',
    'database sql query db postgres mysql',
    'ai-task llm gpt openai ai chatgpt completion',
    'decide classify classifier intent',
    'agent assistant',
    'payment pay checkout stripe',
  ].flatMap((row) => {
    const [type = '', ...others] = row.split(' ');
    return others.map((other) => [other, type] as const);
  }),
);

/**
 * The one known type of node that is likely meant by a name: the nearest, or the one that is a word of it or is called by a word of it
 * elsewhere: `sendMessage`, `n8n-nodes-base.httpRequest`, `loop`.
 */
export function findMeantType(name: string, known: readonly string[]): string | undefined {
  const near = findNearestName(name, known);
  if (near !== undefined) return near;
  const words = new Set(
    name
      .slice(0, 100)
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
      .split(/[^a-z]+/),
  );
  const named = known.filter((type) => words.has(type));
  const meant = new Set([...words].flatMap((word) => types.get(word) ?? []));
  const found = named.length > 0 ? named : known.filter((type) => meant.has(type));
  return found.length === 1 ? found[0] : undefined;
}

const shape =
  'a canvas has "schemaVersion", "id", "name", "nodes" (each with "id", "type", "data") and "edges" (each with "source", "sourceHandle", "target")';

/** What a value is instead of a canvas, in words; `undefined` for what may be meant as one. */
export function explainForeign(value: unknown): string | undefined {
  const json = value as Json;
  if (Array.isArray(json)) {
    const items: readonly Json[] = json;
    const isNodeRed = items.some((item) => isJsonObject(item) && Array.isArray(item['wires']));
    if (isNodeRed) return `This is an export of Node-RED and no canvas: ${shape}`;
    return items.length === 1 && isCanvas(items[0]) ? 'The canvas stands in a list: give the object alone' : undefined;
  }
  if (!isJsonObject(json) || json['schemaVersion'] !== undefined) return undefined;
  const product = products.find(([, isFrom]) => isFrom(json))?.[0];
  if (product !== undefined) return `This is an export of ${product} and no canvas: ${shape}`;
  const within = Object.keys(json).find((key) => isCanvas(json[key]));
  return within === undefined ? undefined : `The canvas stands in ${JSON.stringify(within.slice(0, 64))}: give that object alone`;
}

const isCanvas = (value: Json | undefined): boolean =>
  value !== undefined && isJsonObject(value) && value['schemaVersion'] !== undefined && Array.isArray(value['nodes']);

type Exported = { readonly [key: string]: Json };
const hasList = (value: Exported, ...keys: readonly string[]): boolean => keys.every((key) => Array.isArray(value[key]));
const isOf = (value: Json | undefined, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value.slice(0, 100));

/** Products whose exports are JSON, and by what one is known. */
const products: readonly (readonly [name: string, isFrom: (value: Exported) => boolean])[] = [
  [
    'n8n',
    (value) => hasList(value, 'nodes') && (isOf(getPath(value, ['nodes', 0, 'type']), /n8n/) || isJsonObject(value['connections'] ?? null)),
  ],
  ['Typebot', (value) => hasList(value, 'groups') && (hasList(value, 'events') || hasList(value, 'edges'))],
  ['Botpress', (value) => hasList(value, 'flows')],
  ['Twilio Studio', (value) => hasList(value, 'states') && value['initial_state'] !== undefined],
  ['Voiceflow', (value) => isJsonObject(value['diagrams'] ?? null)],
  ['Flowise', (value) => hasList(value, 'nodes') && isOf(getPath(value, ['nodes', 0, 'type']), /^customNode$/)],
  ['BPMN', (value) => value['definitions'] !== undefined],
  ['AWS Step Functions', (value) => value['StartAt'] !== undefined && value['States'] !== undefined],
];
