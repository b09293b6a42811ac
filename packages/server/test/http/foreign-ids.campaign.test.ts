// Ids of another company in every field of every request, as the description of the interface says which these are: they are answered as ids
// that nobody has. Paths whose ids come of requests, such as executions and messages, are asked in process/tenants.test.ts.
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { permissions } from '../../src/platform/http/context.ts';
import type { Route } from '../../src/platform/http/define-route.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { createApp } from '../../src/service/app.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';

/** Ids of the company of the example, by the names of the fields that hold such ids. */
const idsByField: { readonly [field: string]: Json } = {
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

type Owner = 'acme' | 'other' | 'nobody';
const suffixes = { acme: '', other: 'x', nobody: 'z' } as const;
const shifts = { acme: 0, other: 500, nobody: 900 } as const;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A text as it is, and anything else as JSON. */
const writeText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isList(value) ? value : []);

/** An id of the company of the example as another has it. */
function rename(id: Json, owner: Owner): Json {
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
function translate(value: Json, ids: ReadonlySet<Json>, owner: Owner, field = ''): Json {
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
interface Place {
  readonly field: string;
  readonly within: 'path' | 'query' | 'body';
  readonly steps: readonly string[];
}

/** The places of a body, by its schema. */
function* listPlaces(schema: Json | undefined, document: JsonObject, steps: readonly string[] = []): Generator<Place, undefined> {
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

const readAt = (value: Json, [step, ...rest]: readonly string[]): Json | undefined => {
  if (step === undefined) return value;
  const part = isJsonObject(value) ? value[step] : undefined;
  return part === undefined ? undefined : readAt(part, rest);
};

/** A copy with an id at a place. */
function put(target: Json | undefined, [step = '', ...rest]: readonly string[], id: Json): JsonObject {
  const given = isJsonObject(target) ? target : {};
  return { ...given, [step]: rest.length === 0 ? id : put(given[step], rest, id) };
}

interface Asked {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly body: Json | undefined;
}

it(
  'an id of another company is answered as one that nobody has, in every field that holds one (P28)',
  withPlace(async ({ open }) => {
    const service = await open({}, { runs: false });
    const example = await inlineExample();
    const [acme] = listOf(example['companies']);
    if (!isJsonObject(acme)) throw new Error('The example has no company');
    const ids = listIds(acme);
    const [first, second] = (['acme', 'other'] as const).map((owner) => translate(acme, ids, owner));
    await service.importWorkspace({
      workspace: { companies: [put(first, ['id'], 1), put(put(second, ['id'], 2), ['name'], 'Mirror')] },
    });
    const app = createApp({ ...service, authorize: () => ({ name: 'olga', can: permissions, companies: ['2'] }) });
    const document = parseJsonText(await (await app.request('/openapi.json', { headers: { authorization: 'Bearer of-the-host' } })).text());
    if (!isJsonObject(document)) throw new Error('The interface has no description');

    const ask = async ({ method, path, example: { contentType = 'application/json' } }: Route<never>, asked: Asked) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(writeText(asked.path[name] ?? 'none')));
      const query = new URLSearchParams(Object.entries(asked.query).map(([name, value]) => [name, writeText(value)]));
      const authorization = path.startsWith('/v1/') ? `Basic ${btoa('acme-clientx:s3c:ret-of-acmex')}` : 'Bearer of-the-host';
      const answer = await app.request(`${address}?${query.toString()}`, {
        method: method.toUpperCase(),
        headers: { 'content-type': contentType, authorization, 'x-api-key': 'hk_acme_0123456789abcdefx' },
        ...(asked.body !== undefined && method !== 'get' && { body: JSON.stringify(asked.body) }),
      });
      if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true)
        return { status: answer.status, text: await answer.text() };
      await answer.body?.cancel();
      return { status: answer.status, text: '' };
    };

    const differing: object[] = [];
    const found = { path: 0, query: 0, body: 0 };
    const reached = new Set<number>();
    for (const route of listRoutes(app).values()) {
      if (!['operator', 'basic', 'apiKey', 'caller'].includes(route.auth)) continue;
      const { path = {}, query = {}, body } = route.example;
      const own: Asked = {
        path: translate(path, ids, 'other') as JsonObject,
        query: translate(query, ids, 'other') as JsonObject,
        body: body === undefined ? undefined : translate(parseJsonText(JSON.stringify(body)), ids, 'other'),
      };
      const schema = readAt(document, ['paths', route.path, route.method, 'requestBody', 'content', 'application/json', 'schema']);
      const places: readonly Place[] = [
        ...Object.keys(path).map((field) => ({ field, within: 'path', steps: [field] }) as const),
        ...route.queryNames.map((field) => ({ field, within: 'query', steps: [field] }) as const),
        ...listPlaces(schema, document),
      ];
      for (const { field, within, steps } of places) {
        const id = idsByField[field];
        if (id === undefined) continue;
        const answers = [];
        for (const owner of ['acme', 'nobody'] as const) {
          const given = rename(id, owner);
          const { status, text } = await ask(route, { ...own, [within]: put(own[within], steps, given) });
          reached.add(status);
          const hidden = listOf(isList(given) ? given : [given]).reduce<string>(
            (left, one) => left.replaceAll(new RegExp(`(?<![\\w-])${writeText(one)}(?![\\w-])`, 'g'), '<id>'),
            text,
          );
          answers.push(`${status} ${hidden.replaceAll(/"\w*[aA]t":"[^"]*"|[0-9a-f]{32}|[\w-]{21,43}/g, '')}`);
        }
        found[within] += 1;
        if (answers[0] !== answers[1]) differing.push({ route: route.operationId, within, steps, theirs: answers[0], unknown: answers[1] });
      }
    }
    expect(differing).toEqual([]);
    expect(found.path).toBeGreaterThan(30);
    expect(found.query).toBeGreaterThan(10);
    expect(found.body).toBeGreaterThan(25);
    expect([...reached]).toEqual(expect.arrayContaining([200, 202, 400, 404, 422]));
  }),
  120_000,
);
