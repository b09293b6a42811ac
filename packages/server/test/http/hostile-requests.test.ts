// Requests that nobody means well with, to every operation of the interface: drawn anew by the seed of each run, and judged by its
// description. Two companies have the same of everything; one of them asks, and neither sees nor changes anything of the other.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { describeInterface } from '../../src/operations/openapi.ts';
import { type Permission, permissions } from '../../src/platform/http/context.ts';
import type { Route } from '../../src/platform/http/define-route.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { createApp } from '../../src/service/app.ts';
import { withPlace } from '../data/open-for-test.ts';
import { dumpTables } from '../data/table-dump.ts';
import { type Described, judgeBy } from './judge-answers.ts';
import { mirrorExample, type Owner, translate, writeText } from './two-companies.ts';

/** In every name of the company that does not ask, and in no request. */
const canary = 'zq7canary';

const nastyNumbers = ['-1', '0', '1e400', 'NaN', 'Infinity', '-0', '0x10', '1.5', '9007199254740993', '9'.repeat(40), '\u0663'];
const nastyNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '..',
  '.',
  '../..',
  '%',
  '*',
  "'",
  '"',
  '\\',
  ';',
  '%2e%2e%2f',
];
const nastyTexts = [
  ...nastyNumbers,
  ...nastyNames,
  '',
  ' ',
  'true',
  'null',
  '[]',
  '{}',
  '\u0000',
  '\n',
  '\r\nSet-Cookie: a=b',
  '\u202e',
  '\ufeff',
  '\u{1f600}',
  'a'.repeat(2_000),
  "' or 1=1 --",
  '2031-02-30T25:61:00Z',
  '<script>',
];
/** As they stand in an address: no text has them. */
const rawTexts = ['%', '%zz', '%ff', '%ed%a0%80', '%c0%af', '+', '%00', '%2f%2e%2e'];
const nastyShapes: readonly Json[] = [null, true, -1, 1.5, 1e308, [], [[]], {}, [null], { a: { b: 1 } }, '\ud800', { '\udfff': '\ud800' }];
const nastyValues: readonly Json[] = [...nastyTexts, ...nastyShapes];
const noJson = ['', ' ', '{', '"', '{"a":1}{"b":2}', "{'a':1}", '{"a":NaN}', '\ufeff{}', '\u0000'];
const nastyBodies = [
  ...noJson,
  'null',
  '[]',
  '0',
  '"a"',
  '{}',
  '{"a":1,"a":2}',
  '{"a":1e999}',
  '{"__proto__":{"can":["admin"]}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":"\\ud800"}',
  '{"\\u0000":1}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
];
const nastyTypes = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-7',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
];

const credentials = ['own', 'own', 'own', 'own', 'none', 'garbage', 'other'] as const;

/** What is drawn of a request; the route says what it applies to. */
const drawnRequest = fc.record({
  credential: fc.constantFrom(...credentials),
  /** What the operator may do. */
  can: fc.oneof(
    { weight: 3, arbitrary: fc.constant<readonly Permission[]>(permissions) },
    { weight: 1, arbitrary: fc.subarray([...permissions], { minLength: 1 }) },
  ),
  origin: fc.option(fc.constantFrom('https://evil.example', 'null', 'nonsense'), { freq: 2 }),
  /** Whose ids stand in it. */
  owner: fc.constantFrom<Owner>('acme', 'other', 'nobody'),
  path: fc.option(fc.oneof(fc.constantFrom(...nastyTexts).map(encodeURIComponent), fc.constantFrom(...rawTexts)), { freq: 2 }),
  query: fc.array(fc.record({ at: fc.nat(30), values: fc.array(fc.constantFrom(...nastyTexts), { minLength: 1, maxLength: 2 }) }), {
    maxLength: 3,
  }),
  rawQuery: fc.option(fc.constantFrom(...rawTexts, '__proto__=1&__proto__[a]=2', 'a[]=1&a[]=2', '&&&=&='), { freq: 4 }),
  companyId: fc.constantFrom(undefined, '1', '2', '-1', '__proto__'),
  body: fc.oneof(
    fc.constant({ kind: 'example' as const }),
    fc.record({ kind: fc.constant('cut' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ kind: fc.constant('changed' as const), at: fc.nat(200), value: fc.constantFrom(...nastyValues) }),
    fc.record({ kind: fc.constant('whole' as const), text: fc.constantFrom(...nastyBodies) }),
  ),
  type: fc.option(fc.constantFrom(...nastyTypes), { freq: 6 }),
});
type Drawn = typeof drawnRequest extends fc.Arbitrary<infer Value> ? Value : never;

/** Every place in a value, outermost first. */
function* listSteps(value: Json, steps: readonly string[] = []): Generator<readonly string[]> {
  yield steps;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries<Json>(value)) yield* listSteps(inner, [...steps, name]);
}

/** A copy with another value at a place. */
function replaceAt(value: Json, [step, ...rest]: readonly string[], by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item: Json, index) => (String(index) === step ? replaceAt(item, rest, by) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries<Json>(value).map(([name, item]) => [name, name === step ? replaceAt(item, rest, by) : item]));
}

function writeBody(body: Drawn['body'], example: Json): string {
  const text = writeText(example);
  if (body.kind === 'whole') return body.text;
  if (body.kind === 'cut') return text.slice(0, Math.floor(text.length * body.share));
  if (body.kind === 'example') return text;
  const places = [...listSteps(example)];
  return writeText(replaceAt(example, places[body.at % places.length] ?? [], body.value));
}

/** The company with the canary in each name that not everybody may see, as its visitors see that of a bot. */
function nameAfterCanary(value: Json, field = ''): Json {
  if (typeof value === 'string') return field === 'name' || field === 'names' ? `${value} ${canary}` : value;
  if (Array.isArray(value)) return value.map((item: Json) => nameAfterCanary(item));
  if (!isJsonObject(value)) return value;
  const isNamed = (name: string): boolean =>
    !['bots', 'functions', 'parameters', 'nodes', 'variables', 'events', 'settings'].includes(name);
  return Object.fromEntries(Object.entries<Json>(value).map(([name, item]) => [name, isNamed(name) ? nameAfterCanary(item, name) : item]));
}

const headersOf = (route: Route<never>, { credential }: Drawn): { readonly [name: string]: string } => {
  if (credential === 'none') return {};
  if (credential === 'garbage') return { authorization: 'Bearer of-nobody', 'x-api-key': 'hk_of_nobody_0123456789' };
  const isRest = route.path.startsWith('/v1/') !== (credential === 'other');
  const authorization = isRest ? `Basic ${btoa('acme-clientx:s3c:ret-of-acmex')}` : 'Bearer of-the-host';
  return { authorization, ...(credential === 'own' && { 'x-api-key': 'hk_acme_0123456789abcdefx' }) };
};

/** The rows of a company. */
async function rowsOf(store: Parameters<typeof dumpTables>[0], companyId: string): Promise<object> {
  const dump = Object.entries(await dumpTables(store));
  return Object.fromEntries(
    dump.map(([table, rows]) => [table, rows.filter((row) => 'companyId' in row && row.companyId === companyId)] as const),
  );
}

it(
  'hostile requests to every operation are refused as its description says, and nothing of another company is seen or changed (P28)',
  withPlace(async ({ open, log }) => {
    const service = await open();
    const { ids, companies } = await mirrorExample(nameAfterCanary);
    await service.importWorkspace({ workspace: { companies } });
    const app = createApp({
      ...service,
      authorize: (request) =>
        request.headers.get('authorization') === 'Bearer of-the-host' ? { name: 'olga', can, companies: ['2'] } : undefined,
    });
    let can: readonly Permission[] = permissions;
    const document = (await describeInterface(createApp(service))) as unknown as Described;
    const judge = judgeBy(document);
    const before = await rowsOf(service.store, '1');

    const findings = new Set<string>();
    const statuses = new Map<number, number>();
    const send = async (route: Route<never>, drawn: Drawn): Promise<void> => {
      const { path = {}, query = {}, body, contentType = 'application/json' } = route.example;
      const translated = (value: unknown): Json => translate(JSON.parse(JSON.stringify(value)) as Json, ids, drawn.owner);
      const given = translated(path) as JsonObject;
      const address = route.path.replaceAll(
        /\{(\w+)\}/g,
        (_all, name: string) => drawn.path ?? encodeURIComponent(writeText(given[name] ?? 'none')),
      );
      const asked = new URLSearchParams(Object.entries(translated(query) as JsonObject).map(([name, value]) => [name, writeText(value)]));
      const names = [...route.queryNames, 'unknown', '__proto__'];
      for (const { at, values } of drawn.query) for (const value of values) asked.append(names[at % names.length] ?? '', value);
      if (drawn.companyId !== undefined) asked.set('companyId', drawn.companyId);
      const sent = route.method === 'get' ? undefined : writeBody(drawn.body, translated(body ?? {}));
      const url = `${address}?${asked.toString()}${drawn.rawQuery === null ? '' : `&${drawn.rawQuery}`}`;
      can = drawn.can;
      const response = await app.request(url, {
        method: route.method.toUpperCase(),
        headers: {
          ...(sent !== undefined && { 'content-type': drawn.type ?? contentType }),
          ...headersOf(route, drawn),
          ...(drawn.origin !== null && { origin: drawn.origin }),
        },
        ...(sent !== undefined && { body: sent }),
      });
      const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
      const isStream = type === 'text/event-stream';
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const told = `${route.operationId} ${url.slice(0, 150)}: ${response.status} ${text.slice(0, 150)} ${JSON.stringify(drawn)}`;
      if (text.includes(canary)) findings.add(`tells of another company: ${told}`);
      // What the path became may be the address of something else, or of nothing.
      if (drawn.path !== null && response.status < 500) return;
      const operation = document.paths[route.path]?.[route.method];
      const problem =
        operation === undefined
          ? 'is not described'
          : judge({ ...operation, path: route.path, method: route.method }, response.status, type, text);
      if (problem !== undefined) findings.add(`${problem}: ${told}`);
    };

    const routes = [...listRoutes(app).values()];
    const each = fc.readConfigureGlobal().numRuns ?? (inject('takesAll') ? 16 : 4);
    const requests = fc.sample(drawnRequest, { seed: inject('seed'), numRuns: routes.length * each });
    for (const [index, drawn] of requests.entries()) {
      const route = routes[index % routes.length];
      if (route !== undefined) await send(route, drawn);
    }

    expect([...findings]).toEqual([]);
    expect(log.lines.filter(({ message }) => message === 'request failed')).toEqual([]);
    expect(await rowsOf(service.store, '1')).toEqual(before);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 422]));
  }),
  120_000,
);
