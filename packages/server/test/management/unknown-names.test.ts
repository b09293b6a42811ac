// A name in a query or a body that a route of management does not know is refused with its place, on each route.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { conversations } from '../../src/platform/tables/conversations.ts';
import { type Answer, type FakeManagement, fakeManagement, pausing } from './fake-management.ts';

let management: FakeManagement;
beforeAll(async () => {
  management = await fakeManagement();
  await management.ask('PUT', '/workflows/pausing?companyId=1', pausing());
});
afterAll(() => management[Symbol.asyncDispose]());

/** The routes of management that a caller can use, with an id in the place of each parameter. */
const listRoutes = () =>
  createManagement(management.service).openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route' || definition.route.deprecated === true) return [];
    const { method, path } = definition.route;
    const { body } = definition.route.request ?? {};
    return [{ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'any'), hasBody: body !== undefined }];
  });

interface Schema {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly example?: unknown;
}

/** The described JSON bodies, each with the example that the description has of it. */
async function listBodies() {
  const { paths = {} } = await describeInterface(createManagement(management.service));
  return Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const { requestBody, operationId = '' } = item[method] ?? {};
      const content = requestBody !== undefined && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
      return content === undefined ? [] : [{ method: method.toUpperCase(), path, operationId, schema: content.schema as Schema }];
    }),
  );
}

/** Whether unknown fields of a body are refused by its schema. */
const isClosed = (schema: Schema): boolean =>
  schema.oneOf === undefined ? schema.additionalProperties === false : schema.oneOf.every(isClosed);

const refusedFields = ({ status, body }: Answer): readonly string[] => {
  expect({ status, body }).toMatchObject({ status: 422, body: { validationError: expect.any(Object) as unknown } });
  return Object.keys((body as { readonly validationError: object }).validationError);
};

describe('a query', () => {
  it('with a name that the route does not declare is refused by every route, beside names that it does', async () => {
    const routes = listRoutes();
    expect(routes.length).toBeGreaterThan(30);
    for (const { method, path } of routes) {
      const answer = await management.ask(method, `${path}?nobodysName=1`, method === 'GET' ? undefined : {});
      expect({ method, path, fields: refusedFields(answer) }).toEqual({ method, path, fields: ['nobodysName'] });
    }
  });

  it('is refused for any name but those of the route, whatever else is in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant('__proto__'), fc.constant('CompanyId'), fc.string({ minLength: 1 })), async (name) => {
        fc.pre(name !== 'companyId');
        const query = new URLSearchParams([
          ['companyId', '1'],
          [name, 'x'],
        ]);
        expect((await management.ask('GET', `/references?${query.toString()}`)).status).toBe(422);
      }),
      { numRuns: 30 },
    );
  });

  it.for([
    ['/workflows?companyId=1&limti=5', { limti: 'limti is not part of this query: did you mean limit?' }],
    ['/workflows/pausing?at=5', { at: 'at is not part of this query: it takes companyId' }],
    ['/nodes?companyId=1', { companyId: 'companyId is not part of this query: it takes nothing' }],
    ['/nodes?__proto__=1', { ['__proto__']: '__proto__ is not part of this query: it takes nothing' }],
  ] as const)('is told which name was meant: %s', async ([path, fields]) => {
    const answer = await management.ask('GET', path);
    const [[field, text] = ['', '']] = Object.entries(fields);
    expect(answer).toMatchObject({ status: 422, body: { message: [text] } });
    expect(refusedFields(answer)).toEqual([field]);
  });

  it('names at most 20 of many', async () => {
    const query = Array.from({ length: 30 }, (_, index) => `n${index}=1`).join('&');
    expect(refusedFields(await management.ask('GET', `/nodes?${query}`))).toHaveLength(20);
  });
});

describe('a body', () => {
  it('is refused by every route that declares none, unless it says nothing', async () => {
    const bare = listRoutes().filter(({ method, hasBody }) => !hasBody && method !== 'GET');
    expect(bare.length).toBeGreaterThan(5);
    for (const { method, path } of bare) {
      const refused = await management.ask(method, path, { dryRun: true });
      expect({ method, path, fields: refusedFields(refused) }).toEqual({ method, path, fields: ['dryRun'] });
      expect(refused).toMatchObject({ body: { message: ['dryRun is not part of this body: it takes nothing'] } });
      for (const text of ['[]', '"all"', 'true'])
        expect(await management.ask(method, path, text)).toMatchObject({
          status: 400,
          body: { message: `${method} of this address takes no body: send it without, with what is meant in the path and the query` },
        });
      for (const nothing of [{}, ' ', undefined]) expect((await management.ask(method, path, nothing)).status).not.toBe(400);
    }
  });

  it('is described as closed exactly where its unknown fields are refused', async () => {
    const talk = {
      state: 'active',
      wasReplied: false,
      origin: 'organic',
      operatorId: 1,
      startAtMs: 0,
      responseCount: 0,
      responseTotalMs: 0,
    };
    await management.service.store.runner.write(
      conversations.insert([{ companyId: '1', id: 'c1', botId: 'bot_wa', userId: '51999000111', ...talk }]),
    );
    const ids: { readonly [name: string]: string } = { workflowId: 'pausing', conversationId: 'c1', companyId: '1', tab: 'tab-of-maria' };
    const bodies = await listBodies();
    const [judged, wrong, untold]: readonly [string[], string[], string[]] = [[], [], []];
    for (const { method, path, operationId, schema } of bodies) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'any');
      const query = path.includes('{companyId}') ? '' : '?companyId=1';
      const { status, body } = await management.ask(method, `${address}${query}`, { type: 'text', text: 'Hi', nobodysField: 1 });
      if (status === 404) continue; // judged after what the path names, which is not there
      judged.push(operationId);
      const isRefused = status === 422 && JSON.stringify(body).includes('nobodysField');
      if (isRefused !== isClosed(schema)) wrong.push(`${operationId}: ${JSON.stringify({ status, isRefused })}`);
      if (isRefused && !/nobodysField is not part of this (?:body|message)/.test(JSON.stringify(body))) untold.push(operationId);
    }
    // Canvases, migrations and messages are read by their own formats, which say it in their own words.
    expect({ wrong, untold }).toEqual({ wrong: [], untold: ['saveWorkflow', 'planMigration', 'sendOperatorMessage'] });
    expect(judged.length).toBeGreaterThan(10);
  });

  it.for([
    ['/workflows/pausing/publish?companyId=1', { at: '2031-01-01T00:00:00Z' }, 'at'],
    ['/workflows/pausing/publish?companyId=1', { note: 'n', Revision: 1 }, 'Revision'],
    ['/workflows/pausing/start?companyId=1', { input: {} }, 'input'],
    ['/workflows/pausing/start?companyId=1', { user: { id: '5215512345678', nmae: 'Ana' }, botId: 'bot_wa' }, 'user'],
    ['/signals?companyId=1', { name: 'paid', correlation: '', payloda: 1 }, 'payloda'],
    ['/conversations?companyId=1', { botId: 'bot_wa', userId: '5215512345678', operator: 1 }, 'operator'],
  ] as const)('with an unknown field is refused, and does nothing: %s %j', async ([path, body, field]) => {
    expect(refusedFields(await management.ask('POST', path, body))).toEqual([field]);
    expect(await management.ask('GET', '/workflows/pausing/versions?companyId=1')).toMatchObject({ status: 200, body: { results: [] } });
    expect(await management.ask('GET', '/executions?companyId=1')).toMatchObject({ status: 200, body: { results: [] } });
  });

  it('is told of the unknown field beside the others that are wrong', async () => {
    const answer = await management.ask('POST', '/workflows/pausing/publish?companyId=1', { nte: 'n', revision: -1 });
    expect(new Set(refusedFields(answer))).toEqual(new Set(['nte', 'revision']));
    expect(answer).toMatchObject({ body: { message: ['nte is not part of this body: did you mean note?; and 1 more'] } });
  });
});

it('a body of hundreds of unknown names is answered in some words by every route, and not with all of them for each', async () => {
  const body = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`name${index}`, 1]));
  // A canvas and a workspace have a report of all problems.
  const routes = listRoutes().filter(({ hasBody, path }) => hasBody && !/workflows|workspace|validate|describe|diff/.test(path));
  expect(routes.length).toBeGreaterThan(20);
  for (const { method, path } of routes) {
    const answer = await management.request(method, `${path}?companyId=1`, body);
    const { length } = await answer.text();
    expect({ method, path, isRefused: answer.status < 500, isShort: length < 40_000 }).toEqual({
      method,
      path,
      isRefused: true,
      isShort: true,
    });
  }
});
