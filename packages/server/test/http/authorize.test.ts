import { describe, expect, it } from 'vitest';
import type { Authorize } from '../../src/platform/http/auth/admin-auth.ts';
import { type Permission, permissions } from '../../src/platform/http/context.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { createApp, createManagement } from '../../src/service/app.ts';
import { order } from './canvases.ts';
import { fakeService, keys } from './fake-service.ts';

/** The status of a request to a service whose host accepts callers with a pass. */
async function asked(authorize: Authorize, headers: { readonly [name: string]: string }, path = '/admin/v1/nodes'): Promise<number> {
  const service = await fakeService();
  try {
    const from = { incoming: { socket: { remoteAddress: '10.0.0.7' } } };
    return (await createApp({ ...service, authorize }).request(path, { headers }, from)).status;
  } finally {
    await service.close();
  }
}

const byPass: Authorize = ({ headers }) =>
  headers.get('x-pass') === 'right' ? { name: 'olga', can: permissions, companies: 'all' } : undefined;
const bearer = { authorization: `Bearer ${keys.admin}` };

describe("a host's own authentication of management (P27)", () => {
  it.each([
    ['lets in whom the host knows', byPass, { 'x-pass': 'right' }, 200],
    ['lets in nobody else', byPass, { 'x-pass': 'wrong' }, 401],
    ['leaves the admin token what it is', byPass, bearer, 200],
    ['waits for the answer of the host', async (request) => byPass(request), { 'x-pass': 'right' }, 200],
    ['is a no where the host cannot say', () => Promise.reject(new Error('The directory is away')), { 'x-pass': 'right' }, 401],
    ['is not asked about what a page of another origin sends (T20)', byPass, { 'x-pass': 'right', 'sec-fetch-site': 'cross-site' }, 401],
  ] as const satisfies readonly (readonly [string, Authorize, { readonly [name: string]: string }, number])[])(
    '%s',
    async (_what, authorize, headers, status) => expect(await asked(authorize, headers)).toBe(status),
  );

  const foreign = { 'x-pass': 'right', 'sec-fetch-site': 'cross-site' };
  it.each([
    ['Basic', { ...foreign, authorization: 'Basic b2xnYTpwYXNz' }, 401],
    ['Digest', { ...foreign, authorization: 'Digest username="olga"' }, 401],
    ['Negotiate', { ...foreign, authorization: 'Negotiate YII=' }, 401],
    ['NTLM', { ...foreign, authorization: 'NTLM TlRM' }, 401],
    ['a cookie', { ...foreign, cookie: 'session=olga' }, 401],
    ['Basic that names the other scheme', { ...foreign, authorization: 'Basic Bearer x' }, 401],
    ['the other scheme without a token', { ...foreign, authorization: 'Bearer ' }, 401],
    ['Basic, by a page of a neighbouring site', { ...foreign, 'sec-fetch-site': 'same-site', authorization: 'Basic eA==' }, 401],
    ['Basic, by a page without an origin', { 'x-pass': 'right', origin: 'null', authorization: 'Basic eA==' }, 401],
    ['Basic, by a page of another origin', { 'x-pass': 'right', origin: 'https://evil.example', authorization: 'Basic eA==' }, 401],
    ['Basic, by a page of ours', { 'x-pass': 'right', 'sec-fetch-site': 'same-origin', authorization: 'Basic eA==' }, 200],
    ['Basic, by no page', { 'x-pass': 'right', authorization: 'Basic eA==' }, 200],
    ['a token that no browser adds by itself', { ...foreign, authorization: 'Bearer a-token-of-the-host' }, 200],
  ])('judges the page that sends %s: %j is %i (T20)', async (_what, headers, status) => {
    expect(await asked(byPass, headers)).toBe(status);
  });

  it.each([
    ['text/plain', 400],
    ['application/x-www-form-urlencoded', 400],
    ['multipart/form-data; boundary=x', 400],
    [undefined, 400],
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
  ] as const)('takes no body that a form can send: %s is %i (T20)', async (type, status) => {
    const service = await fakeService();
    const app = createApp({ ...service, authorize: byPass });
    const validate = async (headers: { readonly [name: string]: string }): Promise<number> => {
      const body = new Blob([JSON.stringify(order())]); // a blob declares no type by itself
      const declared = type === undefined ? headers : { ...headers, 'content-type': type };
      return (await app.request('/admin/v1/validate?companyId=1', { method: 'POST', headers: declared, body })).status;
    };
    expect([await validate({ 'x-pass': 'right', authorization: 'Basic eA==' }), await validate(bearer)]).toEqual([status, 200]);
    await service.close();
  });

  it.each([
    ['who has no companies', { name: 'olga', can: ['view'] }, 'companies is "all", or a list of the ids of their companies as texts'],
    ['who may do what it does not say', { name: 'olga', companies: 'all' }, 'can lists what they may do: view, edit'],
    ['with companies as numbers', { name: 'olga', can: ['view'], companies: [1] }, 'companies is "all", or a list'],
    ['of the company without an id', { name: 'olga', can: ['view'], companies: [''] }, 'companies is "all", or a list'],
    ['with a permission that there is not', { name: 'olga', can: ['look'], companies: 'all' }, 'can lists permissions: view, edit'],
    ['without a name', { can: ['view'], companies: 'all' }, 'name is a text'],
  ])('refuses an operator %s, and says what the host must return', async (_what, operator, words) => {
    const service = await fakeService();
    const app = createApp({ ...service, authorize: (() => operator) as unknown as Authorize });
    const answer = await app.request('/admin/v1/me');
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining(JSON.stringify(words).slice(1, -1))]);
    await service.close();
  });

  it('is asked anew for each request: roles that change while a page is open hold for its next request', async () => {
    const service = await fakeService();
    let operator: ReturnType<Authorize> = { name: 'olga', can: ['view'], companies: ['1'] };
    const app = createApp({ ...service, authorize: () => operator });
    const ask = async () => (await app.request('/admin/v1/workflows?companyId=1')).status;
    const answers = [await ask()];
    operator = { name: 'olga', can: ['view'], companies: ['2'] };
    answers.push(await ask());
    operator = { name: 'olga', can: ['answer'], companies: ['1'] };
    answers.push(await ask());
    operator = undefined;
    answers.push(await ask());
    expect(answers).toEqual([200, 404, 403, 401]);
    await service.close();
  });

  it('opens the pages as well, without a login', async () => {
    expect(await asked(byPass, { 'x-pass': 'right', accept: 'text/html' }, '/studio/')).toBe(200);
    expect(await asked(byPass, { accept: 'text/html' }, '/studio/')).toBe(401);
  });
});

describe('what operators may do (P27)', () => {
  /** The answers to one request of each kind, by a host's operator with these permissions. */
  async function answersTo(can: readonly Permission[]): Promise<{ readonly [request: string]: number }> {
    const service = await fakeService();
    await service.keep(order());
    const authorize: Authorize = () => ({ name: 'olga', can, companies: 'all' });
    const app = createApp({ ...service, authorize });
    const answers: { [request: string]: number } = {};
    const requests = [
      ['GET /workflows/order', undefined],
      ['GET /executions', undefined],
      ['POST /validate', order()],
      ['PUT /workflows/order', order()],
      ['PUT /workflows/order/transcripts/one', 'user: hi'],
      ['POST /workflows/order/publish', {}],
      ['POST /workflows/order/start', {}],
      ['POST /signals', {}],
      ['GET /workspace', undefined],
      ['POST /executions/none/cancel', {}],
      ['DELETE /what/nobody/knows', undefined],
    ] as const;
    for (const [what, body] of requests) {
      const [method = '', path = ''] = what.split(' ');
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const { status } = await app.request(`/admin/v1${path}?companyId=1`, { method, ...sent });
      answers[what] = status;
    }
    await service.close();
    return answers;
  }
  const refused = (answers: { readonly [request: string]: number }): readonly string[] =>
    Object.entries(answers).flatMap(([request, status]) => (status === 403 ? [request] : []));

  const operating = [
    'POST /workflows/order/start',
    'POST /signals',
    'GET /workspace',
    'POST /executions/none/cancel',
    'DELETE /what/nobody/knows',
  ];
  const editing = ['PUT /workflows/order', 'PUT /workflows/order/transcripts/one'];
  const publishing = ['POST /workflows/order/publish'];

  it.each([
    ['everything, with all permissions', permissions, []],
    ['looking', ['view'], [...editing, ...publishing, ...operating]],
    ['editing', ['view', 'edit'], [...publishing, ...operating]],
    ['publishing', ['view', 'publish'], [...editing, ...operating]],
    ['operating', ['view', 'operate'], [...editing, ...publishing]],
  ] as const)('%s', async (_what, can, expected) => {
    expect(new Set(refused(await answersTo(can)))).toEqual(new Set(expected));
  });

  /** Whether a path is one of a route: /executions/bulk is one of /executions/{executionId} as well. */
  const takes = (route: string, path: string): boolean =>
    new RegExp(`^${route.replaceAll(/\{[^}]*\}/g, '[^/]{1,200}')}$`).test(path.replaceAll(/\{[^}]*\}/g, 'none')) &&
    path.split('/').every((part, at) => part === route.split('/')[at] || !part.startsWith('{'));

  it('is said by each route: HEAD needs what GET needs, and what is not there needs the most', async () => {
    const service = await fakeService();
    const routes = Array.from(listRoutes(createManagement(service)), ([address, { permission, forAnswering }]) => {
      const [method = '', path = ''] = address.split(' ');
      return { method, path, letsIn: permissions.filter((one) => one === permission || (one === 'answer' && forAnswering === true)) };
    });
    expect(routes.length).toBeGreaterThan(30);
    const asOf = (can: readonly Permission[]) => createApp({ ...service, authorize: () => ({ name: 'olga', can, companies: 'all' }) });
    const answerOf = async (app: ReturnType<typeof createApp>, method: string, path: string): Promise<number> =>
      (await app.request(`/admin/v1${path.replaceAll(/\{[^}]*\}/g, 'none')}?companyId=none`, { method })).status;
    const [none, ...ofOne] = [asOf([]), ...permissions.map((permission) => asOf([permission]))];
    const unknown = [...routes.map(({ path }) => path), '/what/nobody/knows'].flatMap((path) =>
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) =>
        routes.some((route) => route.method === method && takes(route.path, path)) ? [] : [{ method, path, letsIn: ['operate'] }],
      ),
    );
    const heads = routes.flatMap((route) => (route.method === 'GET' ? [{ ...route, method: 'HEAD' }] : []));
    for (const { method, path, letsIn } of [...routes, ...heads, ...unknown]) {
      if (path === '/events') continue; // a stream without an end
      expect([method, path, await answerOf(none ?? asOf([]), method, path)]).toEqual([method, path, 403]);
      const lets = await Promise.all(ofOne.map((app) => answerOf(app, method, path)));
      expect([method, path, ...permissions.filter((_, index) => lets[index] !== 403)]).toEqual([method, path, ...letsIn]);
    }
    const closed = routes.filter(({ method, letsIn }) => method === 'GET' && !letsIn.includes('view')).map(({ path }) => path);
    expect(closed.filter((path) => !/^\/(?:workspace|functions|audit)/.test(path))).toEqual([]);
    await service.close();
  }, 120_000);

  it('nothing at all, with no permission; /me shows that', async () => {
    expect(new Set(Object.values(await answersTo([])))).toEqual(new Set([403]));
    const service = await fakeService();
    const app = createApp({ ...service, authorize: () => ({ name: 'olga', can: ['view', 'edit'], companies: ['1'] }) });
    expect(await (await app.request('/admin/v1/me')).json()).toMatchObject({
      name: 'operator olga',
      can: ['view', 'edit'],
      companies: [{ id: '1', name: 'Company 1' }],
    });
    await service.close();
  });

  it('sees the settings of a company with permission to edit what reads them', async () => {
    const service = await fakeService();
    const settingsFor = async (can: readonly Permission[]): Promise<unknown> => {
      const app = createApp({ ...service, authorize: () => ({ name: 'olga', can, companies: 'all' }) });
      return ((await (await app.request('/admin/v1/references?companyId=1')).json()) as { readonly settings: unknown }).settings;
    };
    expect(await settingsFor(['view', 'edit'])).toEqual(service.companies.company('1')?.settings);
    expect(await settingsFor(['view', 'publish', 'operate'])).toBeNull();
    await service.close();
  });
});
