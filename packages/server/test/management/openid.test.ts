// People log in with OpenID Connect, at a provider of another maker: what its claim says is what they may do.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nameAccount, readGrant } from '../../src/access/openid-login.ts';
import { type Role, roleNames } from '../../src/access/roles.ts';
import { createApp } from '../../src/service/app.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { issuerClient, startIssuer } from './openid-issuer.ts';

const publicUrl = 'http://hilo.test';
const redirectUri = `${publicUrl}/admin/v1/login/openid/callback`;

/** A browser at the provider: it says who somebody is, agrees, and stops where it is led back to the service. */
async function logInAt(address: string, person: string): Promise<URL> {
  const jar = new Map<string, string>();
  let next: { url: string; form?: URLSearchParams } = { url: address };
  for (let steps = 0; steps < 12; steps += 1) {
    const answer = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form !== undefined && { method: 'POST', body: next.form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const to = answer.headers.get('location');
    const page = await answer.text();
    if (to?.startsWith(redirectUri) === true) return new URL(to);
    if (to !== null) next = { url: new URL(to, next.url).href };
    else {
      const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
      const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
      next = { url: new URL(action, next.url).href, form: new URLSearchParams({ prompt, login: person, password: 'any' }) };
    }
  }
  throw new Error('The provider did not lead back');
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Runs a test with a service that knows the provider. */
const withIssuer = (people: ReadonlyMap<string, object>, test: (at: Stage) => Promise<void>) =>
  withPlace(async ({ open }) => {
    await using issuer = await startIssuer(people);
    issuer.leadsBackTo(redirectUri);
    const service = await open({ publicUrl, oidcIssuer: issuer.issuer, ...issuerClient });
    await service.importWorkspace({ workspace: await inlineExample() });
    const app = createApp(service);
    const get = async (path: string, cookie = '') => app.request(`${publicUrl}${path}`, { headers: { cookie, accept: 'text/html' } });
    const begin = async (to = 'studio/') => {
      const answer = await get(`/admin/v1/login/openid?to=${encodeURIComponent(to)}`);
      return { status: answer.status, address: answer.headers.get('location') ?? '', cookie: cookiesOf(answer) };
    };
    await test({
      get,
      begin,
      async logIn(person) {
        const { address, cookie } = await begin();
        const back = await logInAt(address, person);
        const arrived = await get(`${back.pathname}${back.search}`, cookie);
        return { status: arrived.status, page: await arrived.text(), cookie: cookiesOf(arrived) };
      },
      async ask(cookie, method, path, body) {
        const headers = { cookie, 'content-type': 'application/json' };
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        return (await app.request(`${publicUrl}/admin/v1${path}`, { method, headers, ...sent })).status;
      },
      async me(cookie) {
        const answer = await app.request(`${publicUrl}/admin/v1/me`, { headers: { cookie } });
        return answer.json();
      },
    });
  });

interface Stage {
  get(path: string, cookie?: string): Promise<Response>;
  begin(to?: string): Promise<{ readonly status: number; readonly address: string; readonly cookie: string }>;
  logIn(person: string): Promise<{ readonly status: number; readonly page: string; readonly cookie: string }>;
  me(cookie: string): Promise<unknown>;
  /** @returns the status */
  ask(cookie: string, method: string, path: string, body?: object): Promise<number>;
}

describe('a login with OpenID Connect', () => {
  // The provider says at its start that it is set up for tests.
  beforeAll(() => {
    for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockReturnValue(undefined);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  const people = new Map<string, object>([
    ['ana', { hilo: { roles: ['editor'], companies: ['1'] } }],
    ['ben', { hilo: ['staff', 'viewer:*'] }],
    ['eve', { hilo: ['staff'] }],
    ['mix', { hilo: ['editor:1', 'admin:2'] }],
    ['low', { hilo: ['viewer:*', 'publisher:2'] }],
  ]);

  it(
    'lets in with the roles and companies of the claim, and follows it when it changes',
    withIssuer(people, async ({ get, logIn, me, begin }) => {
      expect(await (await get('/studio/')).text()).toContain('admin/v1/login/openid?to=studio%2F');
      const { address } = await begin();
      expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
        client_id: 'hilo',
        redirect_uri: redirectUri,
        response_type: 'code',
        code_challenge_method: 'S256',
      });
      const ana = await logIn('ana');
      expect([ana.status, ana.page]).toEqual([200, expect.stringContaining('href="../../../../studio/"')]);
      expect(await me(ana.cookie)).toMatchObject({
        name: expect.stringMatching(/^user ana\+[0-9a-f]{16}$/) as string,
        can: ['view', 'edit'],
        companies: [{ id: '1' }],
      });
      expect(await me((await logIn('ben')).cookie)).toMatchObject({ can: ['view'], companies: [{ id: '1' }, { id: '2' }] });
      people.set('ana', { hilo: ['viewer:2'] });
      await logIn('ana');
      expect(await me(ana.cookie)).toMatchObject({ can: ['view'], companies: [{ id: '2' }] }); // their first session, too
    }),
  );

  it(
    'is refused in words without a role, without its beginning, changed, and twice',
    withIssuer(people, async ({ get, begin, logIn, me }) => {
      const refused = async (answer: { readonly status: number; readonly page: string; readonly cookie: string }, words: string) => {
        expect([answer.status, answer.page]).toEqual([401, expect.stringContaining(words)]);
        expect(await me(answer.cookie)).toMatchObject({ error: 'UNAUTHORIZED' });
      };
      const asPage = async (answer: Response) => ({ status: answer.status, page: await answer.text(), cookie: cookiesOf(answer) });
      await refused(await logIn('eve'), 'gives you no role here');
      const { address, cookie } = await begin();
      const back = await logInAt(address, 'ben');
      const path = `${back.pathname}${back.search}`;
      await refused(await asPage(await get(path)), 'began in another browser');
      await refused(await asPage(await get(path.replace(/state=[^&]+/, 'state=other'), cookie)), 'did not confirm this login');
      await refused(await asPage(await get(path.replace(/code=[^&]+/, 'code=other'), cookie)), 'did not confirm this login');
      await refused(
        await asPage(
          await get(
            path,
            cookie.replace(/.$/, (sign) => (sign === 'a' ? 'b' : 'a')),
          ),
        ),
        'began in another browser',
      );
      expect((await asPage(await get(path, cookie))).status).toBe(200);
      await refused(await asPage(await get(path, cookie)), 'did not confirm this login');
      expect((await begin('//evil.example')).status).toBe(303);
    }),
  );

  it(
    'lets do in each company what the groups say of it, and nothing of one in another',
    withIssuer(people, async ({ logIn, me, ask }) => {
      const mix = (await logIn('mix')).cookie;
      expect(await me(mix)).toMatchObject({
        can: ['view', 'edit', 'publish', 'operate', 'answer', 'admin'],
        companies: [
          { id: '1', can: ['view', 'edit'] },
          { id: '2', can: ['view', 'edit', 'publish', 'operate', 'answer', 'admin'] },
        ],
      });
      expect(await ask(mix, 'GET', '/workflows?companyId=1')).toBe(200);
      expect(await ask(mix, 'PUT', '/companies/1/contacts/phone:51999000111', {})).toBe(403);
      expect(await ask(mix, 'PUT', '/companies/2/contacts/phone:51999000111', {})).toBe(200);
      expect(await ask(mix, 'PUT', '/companies/3/contacts/phone:51999000111', {})).toBe(404);
      expect(await ask(mix, 'POST', '/workflows/order-status/publish?companyId=1')).toBe(403);
      // A request that names no company is of those where they may do it.
      expect(await ask(mix, 'POST', '/workflows/order-status/publish')).toBe(404);
      expect(await ask(mix, 'POST', '/tokens', { name: 'a', roles: ['admin'], companies: ['2'] })).toBe(200);
      expect(await ask(mix, 'POST', '/tokens', { name: 'a', roles: ['viewer'], companies: ['1'] })).toBe(404);
      expect(await ask(mix, 'POST', '/tokens', { name: 'a', roles: ['viewer'], companies: 'all' })).toBe(422);
      expect(await ask(mix, 'POST', '/keys/rotate')).toBe(403);
      const low = (await logIn('low')).cookie;
      expect(await ask(low, 'GET', '/companies/1/contacts')).toBe(200);
      expect(await ask(low, 'POST', '/workflows/order-status/publish?companyId=1')).toBe(403);
      expect(await ask(low, 'POST', '/workflows/none/publish?companyId=2')).toBe(404);
    }),
  );

  it(
    'says that the provider is away, and is not there without one',
    withPlace(async ({ open }) => {
      const service = await open({ publicUrl, oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'hilo' });
      const answer = await createApp(service).request(`${publicUrl}/admin/v1/login/openid`);
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('127.0.0.1:9 does not answer now')]);
      await service.close();
      await expect(open({ oidcIssuer: 'http://127.0.0.1:9' })).rejects.toThrow('--oidc-client-id');
      const without = await createApp(await open({ publicUrl })).request(`${publicUrl}/admin/v1/login/openid`);
      expect([without.status, without.headers.get('content-type')]).toEqual([401, 'application/json']);
    }),
  );
});

describe('the claim', () => {
  const role = fc.constantFrom<Role>(...roleNames);

  it('as groups gives each company what they say, or nothing', () => {
    const companies = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { minLength: 1, maxLength: 4 });
    const others = fc.array(fc.constantFrom('staff', 'owner:1', 'editor', ':1', 'editor:'));
    fc.assert(
      fc.property(fc.uniqueArray(role, { minLength: 1 }), companies, others, (roles, ids, more) => {
        const groups = ids.flatMap((id) => roles.map((one) => `${one}:${id}`));
        const grant = readGrant([...more, ...groups]);
        expect(grant).toEqual({ roles: roleNames.filter((one) => roles.includes(one)), companies: ids });
        expect(readGrant(more)).toBeUndefined();
      }),
    );
  });

  it.each([
    [undefined, undefined],
    ['viewer:*', { roles: ['viewer'], companies: 'all' }],
    [
      { roles: ['viewer'], companies: 'all' },
      { roles: ['viewer'], companies: 'all' },
    ],
    [
      { roles: ['viewer'], companies: [1, '2'] },
      { roles: ['viewer'], companies: ['1', '2'] },
    ],
    [{ roles: [], companies: 'all' }, undefined],
    [{ roles: ['owner'], companies: 'all' }, undefined],
    [{ roles: ['viewer'] }, undefined],
    [
      ['viewer:*', 'editor:1'],
      {
        roles: ['viewer', 'editor'],
        companies: 'all',
        grants: [
          { roles: ['viewer'], companies: 'all' },
          { roles: ['editor'], companies: ['1'] },
        ],
      },
    ],
    [
      ['viewer:1', 'editor:2', 'viewer:3'],
      {
        roles: ['viewer', 'editor'],
        companies: ['1', '2', '3'],
        grants: [
          { roles: ['viewer'], companies: ['1', '3'] },
          { roles: ['editor'], companies: ['2'] },
        ],
      },
    ],
    [42, undefined],
  ])('%j gives %j', (claim, grant) => {
    expect(readGrant(claim)).toEqual(grant);
  });

  it('names an account by what the provider calls somebody, and by whom it is alone', () => {
    const name = nameAccount('https://a.example', { sub: '1', preferred_username: 'Ana López', email: 'ana@example.com' });
    expect(name).toMatch(/^Ana\.López\+[0-9a-f]{16}$/);
    expect(nameAccount('https://a.example', { sub: '2', preferred_username: 'Ana López' })).not.toBe(name);
    expect(nameAccount('https://b.example', { sub: '1', preferred_username: 'Ana López' })).not.toBe(name);
    expect(nameAccount('https://a.example', { sub: '1', email: '../@' })).toMatch(/^user\+/);
  });
});
