// The company of the example twice in one service, with the same of everything under other ids: what one of them sees of the other is a leak.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { inlineExample } from '../data/inline-example.ts';

/** Ids of the company of the example, by the names of the fields that hold such ids. */
export const idsByField: { readonly [field: string]: Json } = {
  botId: 'bot_wa',
  campaignId: 'camp_s',
  conversationId: 'conv1',
  credentialId: 'orders-basic',
  functionId: 'fn_echo',
  operatorId: 80,
  roomId: 'room_ana',
  tagIds: [71],
  tags: [71],
  teamId: 75,
  teamIds: [75],
  teams: [75],
  templateId: 'tpl1',
  tokenId: 'rt_1',
  workflowId: 'order-status',
};

/** Fields whose numbers are ids. In the example they are small, so that an answer has them for other reasons too. */
const numbered = /^(?:id|operatorId|teamId|teamIds|teams|tags|tagIds)$/;
const secret = /^(?:key|clientSecret|token)$/;

export type Owner = 'acme' | 'other' | 'nobody';
const suffixes = { acme: '', other: 'x', nobody: 'z' } as const;
const shifts = { acme: 0, other: 500, nobody: 900 } as const;

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A text as it is, and anything else as JSON. */
export const writeText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

/** An id of the company of the example as another has it. */
export function rename(id: Json, owner: Owner): Json {
  if (isList(id)) return id.map((one) => rename(one, owner));
  return typeof id === 'number' ? id + shifts[owner] : `${writeText(id)}${suffixes[owner]}`;
}

/** The ids of a company, without those of the nodes of its canvases. */
function listIds(company: JsonObject): ReadonlySet<Json> {
  const found = new Set<Json>(['hello']);
  const walk = (value: Json): void => {
    if (isList(value)) for (const item of value) walk(item);
    if (!isJsonObject(value)) return;
    for (const [name, item] of Object.entries<Json>(value)) {
      if (typeof item === 'string' && ['id', '_id', 'clientId'].includes(name)) found.add(item);
      if (!['nodes', 'edges', 'users', 'user'].includes(name)) walk(item);
    }
  };
  walk(company);
  return found;
}

/** A value of the example, or of an example request, in the words of an owner: the two companies have the same of everything. */
export function translate(value: Json, ids: ReadonlySet<Json>, owner: Owner, field = ''): Json {
  if (isList(value)) return value.map((item) => translate(item, ids, owner, field));
  if (isJsonObject(value)) {
    const entries = Object.entries<Json>(value).map(
      ([name, item]) => [ids.has(name) ? writeText(rename(name, owner)) : name, translate(item, ids, owner, name)] as const,
    );
    return Object.fromEntries(entries);
  }
  if (value === 'CONVERSATION_ID') return rename('conv3', owner);
  if (field === 'companyId') return '2';
  if (typeof value === 'number') return numbered.test(field) ? rename(value < 20 ? value + 70 : value, owner) : value;
  return typeof value === 'string' && (ids.has(value) || secret.test(field)) ? rename(value, owner) : value;
}

/** A field that holds an id, and where in a request it stands. */
export interface Place {
  readonly field: string;
  readonly within: 'path' | 'query' | 'body';
  readonly steps: readonly string[];
}

/** The places of a body, by its schema. */
export function* listPlaces(schema: Json | undefined, document: JsonObject, steps: readonly string[] = []): Generator<Place, undefined> {
  if (!isJsonObject(schema) || steps.length > 6) return undefined;
  const { $ref, properties, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === 'string') return yield* listPlaces(readAt(document, $ref.split('/').slice(1)), document, steps);
  for (const [field, part] of isJsonObject(properties) ? Object.entries<Json>(properties) : []) {
    if (Object.hasOwn(idsByField, field)) yield { field, within: 'body', steps: [...steps, field] };
    yield* listPlaces(part, document, [...steps, field]);
  }
  for (const part of [...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf)]) yield* listPlaces(part, document, steps);
  return undefined;
}

export const readAt = (value: Json, [step, ...rest]: readonly string[]): Json | undefined => {
  if (step === undefined) return value;
  const part = isJsonObject(value) ? value[step] : undefined;
  return part === undefined ? undefined : readAt(part, rest);
};

/** A copy with an id at a place. */
export function put(target: Json | undefined, [step = '', ...rest]: readonly string[], id: Json): JsonObject {
  const given = isJsonObject(target) ? target : {};
  return { ...given, [step]: rest.length === 0 ? id : put(given[step], rest, id) };
}

/** The ids of the company of the example, and it as each of the two. @param change - what is done to the first of them */
export async function mirrorExample(change: (acme: Json) => Json = (acme) => acme): Promise<{
  readonly ids: ReadonlySet<Json>;
  readonly companies: readonly JsonObject[];
}> {
  const [acme] = listOf((await inlineExample())['companies']);
  if (!isJsonObject(acme)) throw new Error('The example has no company');
  const ids = listIds(acme);
  const [first, second] = (['acme', 'other'] as const).map((owner) => translate(acme, ids, owner));
  return { ids, companies: [put(change(first ?? null), ['id'], 1), put(put(second, ['id'], 2), ['name'], 'Mirror')] };
}
