import { describe, expect, it } from 'vitest';
import type { Authorize } from '../../src/platform/http/auth/admin-auth.ts';
import { createApp } from '../../src/app.ts';
import { fakeService, keys } from './fake-service.ts';

/** The status of a request to a service whose host lets in who sends a pass. */
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
