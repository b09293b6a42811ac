// Routes as values: what contradicts itself is refused where it is defined or mounted, with the place, and what is not is answered.
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from './context.ts';
import { defineRoute, type Route } from './define-route.ts';
import { answerErrors } from './errors.ts';
import { mountRoutes, refuseRivals } from './mount-routes.ts';
import { jsonResponse } from './openapi.ts';

const answer = jsonResponse('What was asked', z.object({ id: z.string(), limit: z.int(), company: z.string() }));
const facts = { tags: ['Shelves'], summary: 'A shelf of the company', description: 'It holds books.', answer, refusals: {} } as const;
const Limit = z.object({ limit: z.string().regex(/^\d+$/, 'limit is a whole number').transform(Number).default(10) });

/** A route of a company, whose handler says what it was given. */
const shelf = defineRoute({
  get: '/v1/company/{companyId}/shelves/{id}',
  operationId: 'getShelf',
  auth: 'basic',
  ...facts,
  params: z.object({ companyId: z.string(), id: z.string() }),
  query: Limit,
  example: { path: { companyId: '1', id: 'a' } },
  handle: ({ params, query, companyId }) => ({ id: params.id, limit: query.limit, company: companyId }),
});

/** What answers, to the credential of company 1. */
function createApp(...routes: readonly Route<object>[]): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  app.onError(answerErrors({ info: () => undefined, warn: () => undefined, error: () => undefined }));
  app.use(async (c, next) => {
    c.set('surface', 'rest');
    c.set('companyId', '1');
    return next();
  });
  mountRoutes(app, {}, routes);
  return app;
}

async function ask(app: OpenAPIHono<HttpEnv>, path: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await app.request(path);
  return { status: response.status, body: await response.json() };
}

describe('a route', () => {
  it('gives its handler what was judged, and answers what that returns', async () => {
    const app = createApp(shelf);
    expect(await ask(app, '/v1/company/1/shelves/a%20b?limit=7')).toEqual({ status: 200, body: { id: 'a b', limit: 7, company: '1' } });
    expect(await ask(app, '/v1/company/1/shelves/a')).toEqual({ status: 200, body: { id: 'a', limit: 10, company: '1' } });
  });

  it('refuses what its schemas refuse, by field (ERR-05)', async () => {
    const { status, body } = await ask(createApp(shelf), '/v1/company/1/shelves/a?limit=x');
    expect(status).toBe(422);
    expect(body).toMatchObject({ validationError: { limit: [{ en: 'limit is a whole number' }] } });
  });

  it('knows no other company than that of the credential, whatever its query is (GEN-08, GEN-09)', async () => {
    const unknown = { status: 404, body: { error: 'COMPANY_NOT_FOUND', message: 'There is no company "2"' } };
    expect(await ask(createApp(shelf), '/v1/company/2/shelves/a')).toEqual(unknown);
    expect(await ask(createApp(shelf), '/v1/company/2/shelves/a?limit=x')).toEqual(unknown);
  });

  it('answers with a whole response where its handler returns one', async () => {
    const params = z.object({ id: z.string() });
    const shown = { ...facts, params, example: { path: { id: 'a' } }, auth: 'address', operationId: 'showShelf' } as const;
    const app = createApp(defineRoute({ get: '/shelves/{id}', ...shown, handle: ({ c }) => c.json({ isNew: true }, 201) }));
    expect(await ask(app, '/shelves/a')).toEqual({ status: 201, body: { isNew: true } });
  });
});

describe('a definition that contradicts itself', () => {
  /** As a host that writes JavaScript could say it. */
  const define = (changes: { readonly [field: string]: unknown }): unknown =>
    Reflect.apply(defineRoute, undefined, [
      { get: '/admin/v1/shelves', operationId: 'listShelves', auth: 'operator', permission: 'view', ...facts, example: {}, ...changes },
    ]);
  const at = 'The route listShelves (GET /admin/v1/shelves)';

  it('is refused with its place, and one that does not is taken', () => {
    expect(() => define({})).not.toThrow();
  });

  it.each([
    ['no permission', { permission: undefined }, `${at} has no permission: it is one of view, edit, publish, operate, answer, admin`],
    ['an unknown permission', { permission: 'look' }, `${at} has no permission: it is one of view, edit, publish, operate, answer, admin`],
    ['no example', { example: undefined }, `${at} has no example of a request: give it one, such as { query: { limit: "10" } }`],
    ['no method', { get: undefined }, 'A route has one method with its path, such as get: "/v1/tags"'],
    ['two methods', { post: '/admin/v1/shelves' }, 'A route has one method with its path, such as get: "/v1/tags"'],
    ['another surface', { auth: 'basic', permission: undefined }, `${at} is for "basic", whose paths begin with /v1/`],
    ['a body of GET', { body: { content: {} } }, `${at} has a body, which GET has not`],
    [
      'a parameter that the path has not',
      { params: z.object({ id: z.string() }), example: { path: { id: 'a' } } },
      `${at} has the params id, and its path (none)`,
    ],
    [
      'a path that is none',
      { get: '/admin/v1//shelves' },
      'The route listShelves (GET /admin/v1//shelves) has a path that is none: write /v1/rooms/{roomId}',
    ],
    [
      'a parameter without an example',
      { get: '/admin/v1/shelves/{id}', params: z.object({ id: z.string() }) },
      'The route listShelves (GET /admin/v1/shelves/{id}) has an example without the path parameter id',
    ],
    [
      'a name that says nothing',
      { operationId: 'shelves' },
      'The route shelves (GET /admin/v1/shelves) has no name that says what it does, such as listTags: give it an operationId',
    ],
  ] as const)('is refused: %s', (_what, changes, message) => {
    expect(() => define(changes)).toThrow(new TypeError(message));
  });
});

describe('two routes', () => {
  const second = (path: '/v1/company/{companyId}/shelves/{name}' | '/v1/company/{companyId}/racks/{name}', operationId: string) =>
    defineRoute({
      get: path,
      operationId,
      auth: 'basic',
      ...facts,
      params: z.object({ companyId: z.string(), name: z.string() }),
      example: { path: { companyId: '1', name: 'a' } },
      handle: () => ({ id: '', limit: 0, company: '' }),
    });

  it('with one address are refused with both places, whatever their parameters are called', () => {
    expect(() => refuseRivals(createApp(shelf, second('/v1/company/{companyId}/shelves/{name}', 'getOtherShelf')))).toThrow(
      new TypeError(
        'The route getOtherShelf (GET /v1/company/{companyId}/shelves/{name}) has the address of ' +
          'getShelf (GET /v1/company/{companyId}/shelves/{id}): give one of them another path',
      ),
    );
  });

  it('with one name are refused with both places', () => {
    expect(() => refuseRivals(createApp(shelf, second('/v1/company/{companyId}/racks/{name}', 'getShelf')))).toThrow(
      'has the name of getShelf (GET /v1/company/{companyId}/shelves/{id}): give one of them another operationId',
    );
    expect(() => refuseRivals(createApp(shelf, second('/v1/company/{companyId}/racks/{name}', 'getRack')))).not.toThrow();
  });
});
