import { describe, expect, it } from 'vitest';
import type { Authorize } from '../../src/platform/http/auth/admin-auth.ts';
import { type Permission, permissions } from '../../src/platform/http/context.ts';
import { createApp } from '../../src/app.ts';
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

const byPass: Authorize = ({ headers }) => (headers.get('x-pass') === 'right' ? { name: 'olga' } : undefined);
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

  it('opens the pages as well, without a login', async () => {
    expect(await asked(byPass, { 'x-pass': 'right', accept: 'text/html' }, '/studio/')).toBe(200);
    expect(await asked(byPass, { accept: 'text/html' }, '/studio/')).toBe(401);
  });
});

describe('what operators may do (P27)', () => {
  /** The answers to one request of each kind, by a host's operator with these permissions. */
  async function answersTo(can: readonly Permission[] | undefined): Promise<{ readonly [request: string]: number }> {
    const service = await fakeService();
    await service.keep(order());
    const authorize: Authorize = () => ({ name: 'olga', ...(can !== undefined && { can }) });
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
    ['everything, when nothing is said', undefined, []],
    ['everything, with all permissions', permissions, []],
    ['looking', ['view'], [...editing, ...publishing, ...operating]],
    ['editing', ['view', 'edit'], [...publishing, ...operating]],
    ['publishing', ['view', 'publish'], [...editing, ...operating]],
    ['operating', ['view', 'operate'], [...editing, ...publishing]],
  ] as const)('%s', async (_what, can, expected) => {
    expect(new Set(refused(await answersTo(can)))).toEqual(new Set(expected));
  });

  it('nothing at all, with no permission; /me shows that', async () => {
    expect(new Set(Object.values(await answersTo([])))).toEqual(new Set([403]));
    const service = await fakeService();
    const app = createApp({ ...service, authorize: () => ({ name: 'olga', can: ['view', 'edit'] }) });
    expect(await (await app.request('/admin/v1/me')).json()).toMatchObject({ name: 'operator olga', can: ['view', 'edit'] });
    await service.close();
  });

  it('sees the settings of a company with permission to edit what reads them', async () => {
    const service = await fakeService();
    const settingsFor = async (can: readonly Permission[]): Promise<unknown> => {
      const app = createApp({ ...service, authorize: () => ({ name: 'olga', can }) });
      return ((await (await app.request('/admin/v1/references?companyId=1')).json()) as { readonly settings: unknown }).settings;
    };
    expect(await settingsFor(['view', 'edit'])).toEqual(service.companies.company('1')?.settings);
    expect(await settingsFor(['view', 'publish', 'operate'])).toBeNull();
    await service.close();
  });
});
