// The service's own accounts, over HTTP: admin tokens and users, what they may do now, and that nobody grants more than they have.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkMs, mostLinks } from '../../src/access/accounts.ts';
import { listPermissions, type Role, roleNames, roles } from '../../src/access/roles.ts';
import { createApp } from '../../src/service/app.ts';
import { type Permission, permissions } from '../../src/platform/http/context.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookie: string;
}

/** Calls management with a token, or a cookie. */
const asker =
  (app: ReturnType<typeof createApp>, headers: { readonly [name: string]: string }) =>
  async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await app.request(`http://hilo.test/admin/v1${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    };
  };

async function open(service: RunningService) {
  await service.importWorkspace({ workspace: await inlineExample() });
  const app = createApp(service);
  return {
    app,
    asAdmin: asker(app, { authorization: `Bearer ${service.settings.adminToken}` }),
    withToken: (token: unknown) => asker(app, { authorization: `Bearer ${String(token)}` }),
    withCookie: (cookie: string) => asker(app, { cookie }),
    logIn: async (url: unknown) => asker(app, {})('POST', '/login', { code: String(url).split('#login=')[1] }),
  };
}

const ofEditor = { roles: ['editor'], companies: ['1'] };

describe('roles', () => {
  it('let do what each of them lets do, and no more', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...roleNames)), (held) => {
        const can = listPermissions(held);
        for (const permission of permissions)
          expect(can.includes(permission)).toBe(
            held.some((role) => (roles[role] satisfies readonly Permission[]).some((one) => one === permission)),
          );
      }),
    );
    expect(Object.keys(roles).toSorted()).toEqual([...roleNames].toSorted());
    expect(listPermissions(['editor'])).toEqual(['view', 'edit']);
    expect(listPermissions(['answerer'])).toEqual(['answer']);
    expect(listPermissions(['admin'])).toEqual(permissions);
  });
});

describe('an admin token', () => {
  it(
    'has a name, roles and companies; is kept as a hash, on record, and refused once it is revoked',
    withPlace(async ({ open: start, clock }) => {
      const { asAdmin, withToken } = await open(await start());
      const made = await asAdmin('POST', '/tokens', { name: 'ci', roles: ['editor', 'editor'], companies: ['1', '1'] });
      expect(made).toMatchObject({ status: 200, body: { name: 'ci', ...ofEditor, lastUsedAt: null, revokedAt: null } });
      const { id, token } = made.body;
      expect(token).toMatch(/^hilo_[\w-]{43}$/);
      const asCi = withToken(token);
      expect((await asCi('GET', '/me')).body).toMatchObject({ name: 'token ci', can: ['view', 'edit'], companies: [{ id: '1' }] });
      expect((await asCi('GET', '/workflows?companyId=2')).status).toBe(404);
      expect((await asCi('POST', '/executions/none/cancel')).status).toBe(403);
      expect((await asCi('GET', '/tokens')).status).toBe(403);
      expect((await asCi('POST', '/workflows/order-status/archive')).status).toBe(200);

      const listed = await asAdmin('GET', '/tokens');
      expect(listed.body).toMatchObject({
        results: [{ id, prefix: String(token).slice(0, 10), lastUsedAt: new Date(clock.now()).toISOString() }],
      });
      expect(JSON.stringify(listed)).not.toContain(token);
      const acts = await asAdmin('GET', '/audit?actor=token%20ci');
      expect(acts.body).toMatchObject({ results: [{ action: 'archiveWorkflow', companyId: '1' }, {}] });
      expect((await asAdmin('GET', '/audit?action=addAdminToken')).body).toMatchObject({
        results: [{ companyId: '1', object: { kind: 'token', id }, after: { name: 'ci', ...ofEditor } }, {}],
      });

      for (const times of [1, 2]) {
        const revoked = await asAdmin('POST', `/tokens/${String(id)}/revoke`);
        expect([times, revoked.body['revokedAt']]).toEqual([times, expect.stringMatching(/Z$/)]);
      }
      expect((await asCi('GET', '/me')).status).toBe(401);
      expect((await asAdmin('POST', '/tokens/tok_000000000000/revoke')).status).toBe(404);
    }),
  );

  it(
    'is known to another process at once, survives a restart, and lets no changed text in',
    withPlace(async ({ open: start }) => {
      const first = await start();
      const { asAdmin } = await open(first);
      const { token } = (await asAdmin('POST', '/tokens', { name: 'ci', roles: ['viewer'], companies: 'all' })).body;
      await first.close();
      const { withToken } = await open(await start());
      expect((await withToken(token)('GET', '/me')).status).toBe(200);
      const text = String(token);
      for (const changed of [
        text.slice(0, -1),
        `${text}a`,
        `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`,
        `x${text.slice(1)}`,
        'hilo_',
      ])
        expect((await withToken(changed)('GET', '/me')).status).toBe(401);
    }),
  );

  it.each([
    [{ roles: ['editor'], companies: ['1'] }, 'name'],
    [{ name: ' ', ...ofEditor }, 'name'],
    [{ name: 'x'.repeat(101), ...ofEditor }, 'name'],
    [{ name: 'ci', companies: ['1'] }, 'roles'],
    [{ name: 'ci', roles: [], companies: ['1'] }, 'roles'],
    [{ name: 'ci', roles: ['owner'], companies: ['1'] }, 'roles'],
    [{ name: 'ci', roles: ['editor'] }, 'companies'],
    [{ name: 'ci', roles: ['editor'], companies: [] }, 'companies'],
    [{ name: 'ci', roles: ['editor'], companies: [1] }, 'companies'],
    [{ name: 'ci', roles: ['editor'], companies: 'some' }, 'companies'],
    [{ name: 'ci', ...ofEditor, can: ['view'] }, 'can'],
  ])('is refused as %j, by field', (body, field) =>
    withPlace(async ({ open: start }) => {
      const { asAdmin } = await open(await start());
      const refused = await asAdmin('POST', '/tokens', body);
      expect([refused.status, Object.keys(refused.body['validationError'] as object)[0]?.split('.')[0]]).toEqual([422, field]);
    })(),
  );
});

describe('a user of the service', () => {
  it(
    'logs in by a link, once; a change of their roles holds for the next request, and with their removal everything ends',
    withPlace(async ({ open: start, clock }) => {
      const { asAdmin, logIn, withCookie } = await open(await start());
      const twice = { roles: ['editor', 'viewer', 'editor'], companies: ['1', '1'] };
      expect((await asAdmin('PUT', '/users/maria', twice)).body).toMatchObject({ roles: ['editor', 'viewer'], companies: ['1'] });
      expect((await asAdmin('DELETE', '/users/maria')).status).toBe(200);
      const link = async () => (await asAdmin('POST', '/users/maria/login-link')).body;
      expect((await asAdmin('POST', '/users/maria/login-link')).status).toBe(404);
      expect(await asAdmin('PUT', '/users/maria', ofEditor)).toMatchObject({ status: 200, body: { name: 'maria', ...ofEditor } });
      const { url, expiresAt } = await link();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/studio\/#login=[\w-]{43}$/);
      expect(Date.parse(String(expiresAt))).toBe(clock.now() + linkMs);
      const { status, cookie } = await logIn(url);
      expect(status).toBe(200);
      expect((await logIn(url)).status).toBe(401);

      const maria = withCookie(cookie);
      expect((await maria('GET', '/me')).body).toMatchObject({ name: 'user maria', can: ['view', 'edit'], companies: [{ id: '1' }] });
      expect((await maria('POST', '/workflows/order-status/archive?companyId=2')).status).toBe(404);
      expect((await maria('POST', '/workflows/order-status/publish')).status).toBe(403);
      await asAdmin('PUT', '/users/maria', { roles: ['publisher'], companies: ['2'] });
      expect((await maria('GET', '/me')).body).toMatchObject({ can: ['view', 'edit', 'publish'], companies: [{ id: '2' }] });
      expect((await maria('GET', '/workflows?companyId=1')).status).toBe(404);

      const { url: open2 } = await link();
      expect(await asAdmin('DELETE', '/users/maria')).toMatchObject({ status: 200, body: { name: 'maria' } });
      expect((await maria('GET', '/me')).status).toBe(401);
      await asAdmin('PUT', '/users/maria', ofEditor);
      expect((await maria('GET', '/me')).status).toBe(401); // another person may have the name now
      expect((await logIn(open2)).status).toBe(401);

      const [late, inTime] = [await link(), await link()];
      clock.advanceBy(linkMs - 1);
      expect((await logIn(inTime['url'])).status).toBe(200);
      clock.advanceBy(1);
      expect((await logIn(late['url'])).status).toBe(401);
      expect((await asAdmin('GET', '/audit?actor=user%20maria&action=logIn&limit=1')).body).toMatchObject({
        results: [{ outcome: '200' }],
      });
    }),
  );

  it(
    'whose roles or companies change, or who is removed, has their open streams ended within five seconds',
    withPlace(async ({ open: start, clock }) => {
      const service = await start();
      const { app, asAdmin, logIn } = await open(service);
      const changes = [
        () => asAdmin('PUT', '/users/maria', { roles: ['viewer'], companies: ['1'] }),
        () => asAdmin('PUT', '/users/maria', { roles: ['editor'], companies: ['2'] }),
        () => asAdmin('DELETE', '/users/maria'),
      ];
      for (const change of changes) {
        await asAdmin('PUT', '/users/maria', ofEditor);
        const { cookie } = await logIn((await asAdmin('POST', '/users/maria/login-link')).body['url']);
        const answer = await app.request('http://hilo.test/admin/v1/events?companyId=1&workflowId=order-status', { headers: { cookie } });
        expect(answer.status).toBe(200);
        let isOver = false;
        const ended = answer.text().then(() => (isOver = true));
        const pass = async (ms: number): Promise<void> => {
          for (let passed = 0; passed < ms; passed += 1_000) {
            clock.advanceBy(1_000);
            for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
          }
        };
        await pass(12_000);
        expect(isOver).toBe(false); // nothing was changed
        await change();
        // The stream reads the store in real time, which no count of turns waits for on a busy machine.
        await expect.poll(() => pass(1_000).then(() => isOver), { interval: 1 }).toBe(true);
        await ended;
      }
    }),
  );

  it(
    'has a name that can be written, and logs out as everybody',
    withPlace(async ({ open: start }) => {
      const { asAdmin, logIn, withCookie } = await open(await start());
      for (const name of ['ana', 'ana.b@example.com', 'Ñusta_1+x-y', 'x'.repeat(100)])
        expect((await asAdmin('PUT', `/users/${encodeURIComponent(name)}`, ofEditor)).status).toBe(200);
      for (const name of ['.ana', 'a b', 'x'.repeat(101), 'a/b', '<b>'])
        expect((await asAdmin('PUT', `/users/${encodeURIComponent(name)}`, ofEditor)).status).toBe(422);
      const { cookie } = await logIn((await asAdmin('POST', '/users/ana/login-link')).body['url']);
      expect((await withCookie(cookie)('POST', '/logout')).status).toBe(204);
      expect((await withCookie(cookie)('GET', '/me')).status).toBe(401);
    }),
  );
});

describe('an admin of one company', () => {
  it(
    'grants nothing that they have not, and knows no account of others',
    withPlace(async ({ open: start }) => {
      const { asAdmin, withToken } = await open(await start());
      const tokenOf = async (name: string, grant: { readonly roles: readonly Role[]; readonly companies: readonly string[] | 'all' }) =>
        (await asAdmin('POST', '/tokens', { name, ...grant })).body;
      const own = await tokenOf('own', { roles: ['admin'], companies: ['1'] });
      const [foreign, both, every] = [
        await tokenOf('foreign', { roles: ['viewer'], companies: ['2'] }),
        await tokenOf('both', { roles: ['viewer'], companies: ['1', '2'] }),
        await tokenOf('every', { roles: ['viewer'], companies: 'all' }),
      ];
      await asAdmin('PUT', '/users/boss', { roles: ['admin'], companies: 'all' });
      const ask = withToken(own['token']);
      expect((await ask('GET', '/tokens')).body).toMatchObject({ results: [{ name: 'own' }] });
      expect((await ask('GET', '/users')).body).toMatchObject({ results: [] });
      for (const { id } of [foreign, both, every]) expect((await ask('POST', `/tokens/${String(id)}/revoke`)).status).toBe(404);
      for (const [method, path] of [
        ['POST', '/users/boss/login-link'],
        ['DELETE', '/users/boss'],
      ] as const)
        expect((await ask(method, path)).status).toBe(404);
      expect((await ask('PUT', '/users/boss', ofEditor)).status).toBe(409);
      for (const [companies, status] of [
        [['1'], 200],
        [['2'], 404],
        [['1', '2'], 404],
        [['9'], 404],
        ['all', 422],
      ] as const) {
        expect([companies, (await ask('POST', '/tokens', { name: 'x', roles: ['viewer'], companies })).status]).toEqual([
          companies,
          status,
        ]);
        expect([companies, (await ask('PUT', '/users/x', { roles: ['viewer'], companies })).status]).toEqual([companies, status]);
      }
    }),
  );

  it(
    'who may not publish lets nobody publish, neither by a token nor by a link of who may',
    withPlace(async ({ open: start }) => {
      const service = await start();
      await open(service);
      const app = createApp({ ...service, authorize: () => ({ name: 'olga', can: ['view', 'admin'], companies: ['1'] }) });
      const ask = asker(app, {});
      await service.accounts?.saveUser('pia', { roles: ['publisher'], companies: ['1'] });
      expect(await ask('POST', '/tokens', { name: 'x', roles: ['publisher'], companies: ['1'] })).toMatchObject({
        status: 422,
        body: { validationError: { roles: [{ en: 'nobody grants what they may not do: operator olga may not edit, publish' }] } },
      });
      expect((await ask('POST', '/users/pia/login-link')).status).toBe(403);
      expect((await ask('POST', '/tokens', { name: 'x', roles: ['viewer'], companies: ['1'] })).status).toBe(200);
    }),
  );

  it(
    'whose user may do more meanwhile gets nobody in, nor removes, nor narrows them',
    withPlace(async ({ open: start }) => {
      const service = await start();
      const { asAdmin, logIn } = await open(service);
      const { accounts } = service;
      if (accounts === undefined) throw new Error('The service has no accounts');
      const everything = { roles: ['admin'], companies: 'all' };
      /** The accounts, with the user raised by somebody else between the judging of an act and its write. */
      const overtaken = (name: string) => {
        const raise = async (): Promise<void> => void (await asAdmin('PUT', `/users/${name}`, everything));
        return createApp({
          ...service,
          authorize: () => ({ name: 'olga', can: ['view', 'edit', 'admin'], companies: ['1'] }),
          accounts: {
            ...accounts,
            changeUser: async (...given) => (await raise(), await accounts.changeUser(...given)),
            removeUser: async (...given) => (await raise(), await accounts.removeUser(...given)),
            makeLink: async (...given) => (await raise(), await accounts.makeLink(...given)),
          },
        });
      };
      for (const [method, path, body, status] of [
        ['PUT', '', ofEditor, 409],
        ['DELETE', '', undefined, 404],
        ['POST', '/login-link', undefined, 404],
      ] as const) {
        await asAdmin('PUT', '/users/pia', ofEditor);
        const answer = await asker(overtaken('pia'), {})(method, `/users/pia${path}`, body);
        expect([method, path, answer.status]).toEqual([method, path, status]);
        expect((await asAdmin('GET', '/users')).body).toMatchObject({ results: [{ name: 'pia', ...everything }] });
      }
      // A link that somebody of one company made before is none to all of them.
      await asAdmin('PUT', '/users/pia', ofEditor);
      const makeLink = async () => (await asAdmin('POST', '/users/pia/login-link')).body['url'];
      const [early, same] = [await makeLink(), await makeLink()];
      await asAdmin('PUT', '/users/pia', ofEditor);
      expect((await logIn(same)).status).toBe(200);
      await asAdmin('PUT', '/users/pia', everything);
      expect((await logIn(early)).status).toBe(401);
    }),
  );

  it.each([
    ['revoked', '/companies/1/contacts/import', 'text/csv', ['phone,names\n51999000', '999,Late\n'], true, 0],
    ['revoked', '/tokens', 'application/json', ['{"name":"late","roles":["admin"],', '"companies":["1"]}'], true, 0],
    ['revoked', '/companies/1/files', 'application/octet-stream', ['%PDF-', '1.4\n'], true, 0],
    ['left alone', '/companies/1/files', 'application/octet-stream', ['%PDF-', '1.4\n'], false, 1],
  ] as const)('does nothing by a token that is %s while the body comes: POST %s of %s', (_what, path, type, [first, rest], revokes, made) =>
    withPlace(async ({ open: start }) => {
      const service = await start();
      const { app, asAdmin } = await open(service);
      const { body: token } = await asAdmin('POST', '/tokens', { name: 'slow', roles: ['admin', 'editor', 'operator'], companies: ['1'] });
      const body = new TransformStream<Uint8Array, Uint8Array>();
      const writer = body.writable.getWriter();
      const asked = app.request(`http://hilo.test/admin/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${String(token['token'])}`, 'content-type': type, 'x-filename': 'late.pdf' },
        body: body.readable,
        duplex: 'half',
      });
      await writer.write(new TextEncoder().encode(first)); // it is read, hence the request has been let in
      if (revokes) await asAdmin('POST', `/tokens/${String(token['id'])}/revoke`);
      await writer.write(new TextEncoder().encode(rest));
      await writer.close();
      const text = await (await asked).text();
      expect(text.includes('has changed while the body came')).toBe(revokes);
      const { body: files } = await asAdmin('GET', '/companies/1/files');
      expect(files['results']).toHaveLength(made);
      expect((await asAdmin('GET', '/companies/1/contacts/phone:51999000999')).status).toBe(404);
      expect(((await asAdmin('GET', '/tokens')).body['results'] as readonly unknown[]).length).toBe(1);
    })(),
  );

  it(
    'whose links are more than twenty has the latest twenty, and nobody else loses one',
    withPlace(async ({ open: start, clock }) => {
      const service = await start();
      const { asAdmin, logIn } = await open(service);
      for (const name of ['pia', 'olga']) await asAdmin('PUT', `/users/${name}`, ofEditor);
      const makeLink = async (name: string) => (await asAdmin('POST', `/users/${name}/login-link`)).body['url'];
      const ofOlga = await makeLink('olga');
      const links: unknown[] = [];
      for (let number = 0; number <= mostLinks; number += 1) {
        clock.advanceBy(1);
        links.push(await makeLink('pia'));
      }
      expect((await logIn(links[0])).status).toBe(401);
      for (const link of [links[1], links.at(-1), ofOlga]) expect((await logIn(link)).status).toBe(200);
    }),
  );
});
