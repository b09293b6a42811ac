import { seededRandom } from '@hilo/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoginCodes, loginCodeMs } from '../../src/platform/http/auth/login.ts';
import { createAdmin } from '../../src/service/app.ts';
import { setStage, type Stage } from './calls.ts';
import { keys } from './fake-service.ts';

const admin = { authorization: `Bearer ${keys.admin}` };

describe('management and pages for operators (P27, T25)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(() => stage.service.close());

  const paths = ['/admin/v1/nodes', '/openapi.json', '/metrics', '/docs', '/studio/'];

  it.each([
    ['this machine', '127.0.0.1', { host: 'localhost' }],
    ['this machine by number', '127.0.0.1', { host: '127.0.0.1:3000' }],
    ['this machine over IPv6', '::1', { host: '[::1]:3000' }],
    ['this machine, mapped', '::ffff:127.0.0.1', { host: 'LOCALHOST' }],
    ['another machine', '10.0.0.7', { host: 'localhost' }],
    ['an address that is unknown', undefined, { host: 'localhost' }],
    ['an empty token', '127.0.0.1', { host: 'localhost', authorization: 'Bearer ' }],
    ['the text of no token', '127.0.0.1', { host: 'localhost', authorization: 'Bearer undefined' }],
  ])('stay closed to %s', async (_who, from, headers) => {
    for (const path of paths) {
      const answer = await stage.call(path, { headers, ...(from !== undefined && { from }) });
      expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    }
  });

  it('open to the token, from any address', async () => {
    for (const path of paths) expect(await stage.call(path, { headers: admin, from: '10.0.0.7' })).toMatchObject({ status: 200 });
  });
});

describe('the login', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(() => stage.service.close());

  const login = async (): Promise<string> => {
    const { status, headers } = await stage.call('/admin/v1/login', { method: 'POST', body: { token: keys.admin } });
    expect(status).toBe(200);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^hilo_admin=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(keys.admin);
    return cookie.split(';')[0] ?? '';
  };

  it('opens pages and management with a cookie', async () => {
    const cookie = await login();
    for (const path of ['/docs', '/studio/', '/openapi.json', '/metrics', '/admin/v1/nodes'])
      expect(await stage.call(path, { headers: { cookie } })).toMatchObject({ status: 200 });
  });

  it('does not let another page use the cookie (T20)', async () => {
    const headers = { cookie: await login(), host: 'hilo.example', origin: 'https://evil.example' };
    expect(await stage.call('/admin/v1/nodes', { headers })).toMatchObject({ status: 401 });
    expect(await stage.call('/admin/v1/nodes', { headers: { ...headers, origin: 'https://hilo.example' } })).toMatchObject({ status: 200 });
  });

  it('does not take a cookie that was changed anywhere (T20)', async () => {
    const cookie = await login();
    const value = cookie.indexOf('=') + 1;
    for (let at = value; at < cookie.length; at += 1) {
      // The last character of the signature has two bits that mean nothing: A and Q differ from every other one in those that count.
      const changed = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'Q' : 'A'}${cookie.slice(at + 1)}`;
      expect((await stage.call('/admin/v1/nodes', { headers: { cookie: changed } })).status).toBe(401);
    }
  });

  it('ends after twelve hours, and with the token', async () => {
    const cookie = await login();
    const other = await setStage({ adminToken: 'another-admin-token' });
    expect(await other.call('/docs', { headers: { cookie } })).toMatchObject({ status: 401 });
    await other.service.close();
    stage.service.clock.advanceBy(12 * 3_600_000 - 1);
    expect(await stage.call('/docs', { headers: { cookie } })).toMatchObject({ status: 200 });
    stage.service.clock.advanceBy(1);
    expect(await stage.call('/docs', { headers: { cookie } })).toMatchObject({ status: 401 });
  });

  it('is a form when a browser requests a page, and leads to that page', async () => {
    const page = await stage.call('/docs', { headers: { accept: 'text/html,*/*' } });
    expect(page).toMatchObject({ status: 401, body: expect.stringContaining('<form method="post" action="admin/v1/login">') as unknown });
    const form = (token: string, to = 'docs') =>
      stage.call('/admin/v1/login', {
        method: 'POST',
        body: new URLSearchParams({ token, to }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect(await form('<b>guess</b>')).toMatchObject({
      status: 401,
      body: expect.stringContaining('That is not the admin token.') as unknown,
    });
    const done = await form(keys.admin);
    expect(done.status).toBe(303);
    expect(done.headers.get('set-cookie')).toContain('hilo_admin=');
    const leadsTo = async (to: string) => (await form(keys.admin, to)).headers.get('location');
    expect(await leadsTo('studio/1/order?node=ask')).toBe('../../studio/1/order?node=ask');
    for (const elsewhere of [
      '',
      'https://evil.example/',
      '//evil.example',
      'studio.evil.example',
      'admin/v1/me',
      'docs\r\nx: y',
      `docs/${'x'.repeat(2_001)}`,
    ])
      expect(await leadsTo(elsewhere)).toBe('../../studio/');
  });

  it('is a form that keeps the requested page, below any prefix', async () => {
    const { body } = await stage.call('/docs/plain?a="b"', { headers: { accept: 'text/html' } });
    expect(body).toContain('name="to" value="docs/plain?a=%22b%22"');
  });

  it('is there where management is mounted alone (P27)', async () => {
    const admin = createAdmin(stage.service);
    const nodes = (headers: { readonly [name: string]: string } = {}) => admin.request('/admin/v1/nodes', { headers });
    expect((await nodes()).status).toBe(401);
    const done = await admin.request('/admin/v1/login', { method: 'POST', body: JSON.stringify({ token: keys.admin }) });
    expect(done.status).toBe(200);
    const [cookie = ''] = done.headers.get('set-cookie')?.split(';') ?? [];
    expect((await nodes({ cookie })).status).toBe(200);
  });

  it('accepts the code of a link once, within an hour', async () => {
    const loginCodes = createLoginCodes({ clock: stage.service.clock, random: seededRandom(7) });
    const app = createAdmin({ ...stage.service, loginCodes });
    const loginBy = async (code: string) => {
      const answer = await app.request('/admin/v1/login', { method: 'POST', body: JSON.stringify({ code }) });
      return { status: answer.status, hasCookie: answer.headers.has('set-cookie') };
    };
    const [first, second] = [loginCodes.issue(), loginCodes.issue()];
    expect(await loginBy(first)).toEqual({ status: 200, hasCookie: true });
    expect(await loginBy(first)).toEqual({ status: 401, hasCookie: false });
    expect(await loginBy('guess')).toEqual({ status: 401, hasCookie: false });
    stage.service.clock.advanceBy(loginCodeMs);
    expect(await loginBy(second)).toEqual({ status: 401, hasCookie: false });
    const [third, fourth] = [loginCodes.issue(), loginCodes.issue()];
    stage.service.clock.advanceBy(loginCodeMs - 1);
    expect(await loginBy(third)).toEqual({ status: 200, hasCookie: true });
    stage.service.clock.advanceBy(1);
    expect(await loginBy(fourth)).toEqual({ status: 401, hasCookie: false });
  });

  it('is over for every copy of the cookie after a log-out, and for no other session', async () => {
    const [cookie, other] = [await login(), await login()];
    expect(await stage.call('/admin/v1/logout', { method: 'POST' })).toMatchObject({ status: 401 });
    const out = await stage.call('/admin/v1/logout', { method: 'POST', headers: { cookie } });
    expect(out).toMatchObject({ status: 204, body: '' });
    expect(out.headers.get('set-cookie')).toMatch(/^hilo_admin=; Max-Age=0; Path=\//);
    expect(await stage.call('/docs', { headers: { cookie } })).toMatchObject({ status: 401 });
    expect(await stage.call('/docs', { headers: { cookie: other } })).toMatchObject({ status: 200 });
    const elsewhere = createAdmin({ ...stage.service }); // another process over the same store
    expect((await elsewhere.request('/admin/v1/nodes', { headers: { cookie } })).status).toBe(401);
    const evil = { cookie: other, host: 'hilo.example', origin: 'https://evil.example' };
    expect(await stage.call('/admin/v1/logout', { method: 'POST', headers: evil })).toMatchObject({ status: 401 });
    const form = { cookie: other, 'content-type': 'application/x-www-form-urlencoded' };
    const left = await stage.call('/admin/v1/logout', { method: 'POST', headers: form });
    expect({ status: left.status, to: left.headers.get('location') }).toEqual({ status: 303, to: '../../studio/' });
  });

  it('has a log-out button on pages for logged-in operators', async () => {
    const button = '<form method="post" action="admin/v1/logout">';
    expect((await stage.call('/docs', { headers: { cookie: await login() } })).body).toContain(button);
    expect((await stage.call('/docs', { headers: admin })).body).not.toContain(button);
  });

  it('sets a cookie that is sent over https alone, for a public address with https (T20)', async () => {
    const behind = await setStage({ publicUrl: 'https://bots.example/hilo' });
    const { headers } = await behind.call('/admin/v1/login', { method: 'POST', body: { token: keys.admin } });
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-hilo_admin=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const [value = ''] = cookie.split(';');
    expect(await behind.call('/docs', { headers: { cookie: value } })).toMatchObject({ status: 200 });
    expect(await behind.call('/docs', { headers: { cookie: value.replace('__Host-', '') } })).toMatchObject({ status: 401 });
    const out = await behind.call('/admin/v1/logout', { method: 'POST', headers: { cookie: value } });
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-hilo_admin=; .*Secure/);
    await behind.service.close();
  });

  it.each([
    ['the address that was asked', { host: 'hilo.test', origin: 'http://hilo.test' }, 200],
    ['the public address, behind a proxy that changes the host', { host: '127.0.0.1:3000', origin: 'http://bots.example' }, 200],
    ['its own page, behind such a proxy', { host: '127.0.0.1', origin: 'https://other.example', 'sec-fetch-site': 'same-origin' }, 200],
    ['the address bar', { host: 'hilo.test', 'sec-fetch-site': 'none' }, 200],
    ['another site', { host: 'hilo.test', origin: 'https://evil.example' }, 401],
    ['another site, by its own word', { host: 'hilo.test', origin: 'http://hilo.test', 'sec-fetch-site': 'cross-site' }, 401],
    ['a site below the same domain', { host: 'hilo.test', 'sec-fetch-site': 'same-site' }, 401],
    ['a page without an origin', { host: 'hilo.test', origin: 'null' }, 401],
    ['a page on another port', { host: 'localhost:3000', origin: 'http://localhost:4000' }, 401],
    ['no address', { host: 'hilo.test', origin: 'nonsense' }, 401],
  ])('answers a cookie and a login from %s with %j: %i (T20)', async (_from, headers, status) => {
    const behind = await setStage({ publicUrl: 'http://bots.example/hilo' });
    const given = await behind.call('/admin/v1/login', { method: 'POST', body: { token: keys.admin } });
    const cookie = given.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await behind.call('/admin/v1/nodes', { headers: { ...headers, cookie } })).toMatchObject({ status });
    expect(await behind.call('/admin/v1/login', { method: 'POST', body: { token: keys.admin }, headers })).toMatchObject({ status });
    await behind.service.close();
  });
});

describe('guesses of the admin token (T2)', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
  });
  afterEach(() => stage.service.close());

  const from = '10.0.0.9';
  const withToken = (token: string) => stage.call('/metrics', { headers: { authorization: `Bearer ${token}` }, from });
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  it('are refused slowly after ten failures, and never keep the right one waiting', async () => {
    for (let n = 0; n < 10; n += 1) expect(await withToken('guess')).toMatchObject({ status: 401 });
    const before = stage.service.clock.now();
    const slow = withToken('guess');
    await turn();
    expect(stage.service.clock.nextMs()).toBe(before + 250);
    expect(await withToken(keys.admin)).toMatchObject({ status: 200 });
    expect(await stage.call('/admin/v1/login', { method: 'POST', body: { token: keys.admin }, from })).toMatchObject({ status: 200 });
    stage.service.clock.advanceBy(250);
    expect(await slow).toMatchObject({ status: 401 });
  });

  it('are as slow when they are concurrent: few are answered, the others are refused at once, and the right one is let in', async () => {
    const { clock } = stage.service;
    const statuses: number[] = [];
    const retryAfterS: (string | null)[] = [];
    const guesses = Array.from({ length: 400 }, async (_, n) => {
      const { status, headers } = await withToken(n === 399 ? keys.admin : `guess ${n}`);
      statuses.push(status);
      retryAfterS.push(headers.get('retry-after'));
    });
    const startedMs = clock.now();
    for (let round = 0; statuses.length < 400 && round < 1_000; round += 1) {
      await turn();
      const next = clock.nextMs();
      if (next !== undefined && next < startedMs + 60_000) clock.advanceBy(next - clock.now());
    }
    await Promise.all(guesses);
    const count = (wanted: number): number => statuses.filter((status) => status === wanted).length;
    expect(new Set(retryAfterS)).toEqual(new Set([null, '11']));
    expect([401, 429, 200].map(count)).toEqual([18, 381, 1]);
    expect(clock.now() - startedMs).toBe([1, 2, 3, 4, 5, 6, 7, 8].reduce((sum, n) => sum + n * 250, 0));
  });

  it('of callers behind a trusted proxy are counted by the address that the proxy appends', async () => {
    const behind = await setStage({ trustedProxies: ['10.0.0.0/8'] });
    const guess = (forwarded: string) =>
      behind.call('/metrics', { headers: { authorization: 'Bearer guess', 'x-forwarded-for': forwarded }, from });
    for (let n = 0; n < 10; n += 1) expect(await guess(`203.0.113.${n}, 198.51.100.7`)).toMatchObject({ status: 401 });
    expect(await guess('198.51.100.8')).toMatchObject({ status: 401 });
    expect(behind.service.clock.nextMs()).toBeUndefined();
    const slow = guess('198.51.100.8, 198.51.100.7');
    await turn();
    expect(behind.service.clock.nextMs()).toBe(behind.service.clock.now() + 250);
    behind.service.clock.advanceBy(250);
    expect(await slow).toMatchObject({ status: 401 });
    await behind.service.close();
  });

  it('are as slow from the other addresses of a network of IPv6', async () => {
    const guessFrom = (n: number) =>
      stage.call('/metrics', { headers: { authorization: 'Bearer guess' }, from: `2001:db8:0:1::${n.toString(16)}` });
    for (let n = 0; n < 10; n += 1) expect(await guessFrom(n)).toMatchObject({ status: 401 });
    const slow = guessFrom(10);
    await turn();
    expect(stage.service.clock.nextMs()).toBe(stage.service.clock.now() + 250);
    stage.service.clock.advanceBy(250);
    expect(await slow).toMatchObject({ status: 401 });
  });

  it('do not delay right tokens, however many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => withToken(keys.admin)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(stage.service.clock.nextMs()).toBeUndefined();
  });
});

describe('the log of management', () => {
  it('says who did what, and from where, also where the credential was wrong', async () => {
    const stage = await setStage({ trustedProxies: ['10.0.0.9'] });
    const ask = async (path: string, headers: { readonly [name: string]: string }, from: string) => {
      stage.service.logged.length = 0;
      await stage.call(path, { headers, from });
      return stage.service.logged.find(({ message }) => message === 'request')?.fields;
    };
    const guess = { authorization: 'Bearer guess-of-the-token' };
    expect(await ask('/admin/v1/nodes', admin, '198.51.100.7')).toMatchObject({
      status: 200,
      actor: 'admin token',
      address: '198.51.100.7',
    });
    expect(await ask('/admin/v1/nodes', guess, '198.51.100.7')).toMatchObject({ status: 401, actor: 'nobody', address: '198.51.100.7' });
    expect(await ask('/metrics', guess, '198.51.100.7')).toMatchObject({ status: 401, actor: 'nobody', address: '198.51.100.7' });
    const forwarded = { ...admin, 'x-forwarded-for': '203.0.113.1, 198.51.100.8' };
    expect(await ask('/admin/v1/nodes', forwarded, '10.0.0.9')).toMatchObject({ actor: 'admin token', address: '198.51.100.8' });
    const logIn = async (token: string) => {
      stage.service.logged.length = 0;
      await stage.call('/admin/v1/login', { method: 'POST', body: { token }, from: '198.51.100.7' });
      return stage.service.logged.find(({ message }) => message === 'request')?.fields;
    };
    expect(await logIn(keys.admin)).toMatchObject({ status: 200, actor: 'operator', address: '198.51.100.7' });
    expect(await logIn('guess-of-the-token')).toMatchObject({ status: 401, actor: 'nobody', address: '198.51.100.7' });
    expect(JSON.stringify(await ask('/admin/v1/nodes', guess, '198.51.100.7'))).not.toContain('guess');
    const ofCustomer = await ask('/workflows/v2/webhooks/skill/none/whatsapp/hook', { 'x-api-key': keys.acme }, '198.51.100.7');
    expect(ofCustomer).not.toHaveProperty('address');
    await stage.service.close();
  });
});
