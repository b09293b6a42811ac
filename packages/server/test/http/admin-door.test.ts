import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdmin } from '../../src/management/create-admin.ts';
import { setStage, type Stage } from './calls.ts';
import { keys } from './fake-service.ts';

const admin = { authorization: `Bearer ${keys.admin}` };

describe('without an admin token (P27)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ adminToken: undefined });
  });
  afterAll(() => stage.service.close());

  const statusOf = async (from: string | undefined, headers: { readonly [name: string]: string }) =>
    (await stage.call('/openapi.json', { headers, ...(from !== undefined && { from }) })).status;

  it.each([
    ['127.0.0.1', 'localhost'],
    ['127.0.0.1', 'localhost:3000'],
    ['127.8.9.1', '127.0.0.1:3000'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', 'LOCALHOST'],
  ])('opens to this machine: %s asking for %s', async (from, host) => {
    expect(await statusOf(from, { host })).toBe(200);
  });

  it.each([
    ['another machine', '10.0.0.7', { host: 'localhost' }],
    ['another machine over IPv6', 'fe80::1', { host: 'localhost' }],
    ['an address that is unknown', undefined, { host: 'localhost' }],
    ['a name that leads here', '127.0.0.1', { host: 'evil.example' }],
    ['a name that begins like ours', '127.0.0.1', { host: 'localhost.evil.example' }],
    ['a number that begins like ours', '127.0.0.1', { host: '127.0.0.1.evil.example' }],
    ['no host', '127.0.0.1', { host: '' }],
    ['two hosts', '127.0.0.1', { host: 'localhost, evil.example' }],
    ['a proxy on this machine', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy that says it in the new way', '127.0.0.1', { host: 'localhost', forwarded: 'for=127.0.0.1' }],
    ['a page of another site', '127.0.0.1', { host: 'localhost', origin: 'https://evil.example' }],
    ['a page without an origin', '127.0.0.1', { host: 'localhost', origin: 'null' }],
    ['a page on another port', '127.0.0.1', { host: 'localhost:3000', origin: 'http://localhost:4000' }],
    ['an image on another site', '127.0.0.1', { host: 'localhost', 'sec-fetch-site': 'cross-site' }],
    ['an empty token', '10.0.0.7', { host: 'localhost', authorization: 'Bearer ' }],
    ['the text of no token', '10.0.0.7', { host: 'localhost', authorization: 'Bearer undefined' }],
  ])('stays closed to %s', async (_who, from, headers) => {
    expect(await statusOf(from, headers)).toBe(401);
  });

  it('has no login, since an unset secret equals nothing', async () => {
    const login = await stage.call('/admin/v1/login', { method: 'POST', body: { token: 'undefined' }, from: '127.0.0.1' });
    expect(login).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
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

  it('ends after twelve hours, and with the token', async () => {
    const cookie = await login();
    const other = await setStage({ adminToken: 'another' });
    expect(await other.call('/docs', { headers: { cookie } })).toMatchObject({ status: 401 });
    await other.service.close();
    stage.service.clock.advanceBy(12 * 3_600_000 - 1);
    expect(await stage.call('/docs', { headers: { cookie } })).toMatchObject({ status: 200 });
    stage.service.clock.advanceBy(1);
    expect(await stage.call('/docs', { headers: { cookie } })).toMatchObject({ status: 401 });
  });

  it('is a form where a browser asks for a page, and the form leads there', async () => {
    const page = await stage.call('/docs', { headers: { accept: 'text/html,*/*' } });
    expect(page).toMatchObject({ status: 401, body: expect.stringContaining('<form method="post" action="/admin/v1/login">') as unknown });
    const form = (token: string) =>
      stage.call('/admin/v1/login', {
        method: 'POST',
        body: new URLSearchParams({ token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect(await form('<b>guess</b>')).toMatchObject({
      status: 401,
      body: expect.stringContaining('That is not the admin token.') as unknown,
    });
    const done = await form(keys.admin);
    expect(done).toMatchObject({ status: 200, body: expect.stringContaining('href="/docs"') as unknown });
    expect(done.headers.get('set-cookie')).toContain('hilo_admin=');
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

  it('makes guessing slow (T2)', async () => {
    const guess = () => stage.call('/metrics', { headers: { authorization: 'Bearer guess' }, from: '10.0.0.9' });
    for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject({ status: 401 });
    const before = stage.service.clock.now();
    const slow = guess();
    await new Promise(setImmediate);
    expect(stage.service.clock.nextMs()).toBe(before + 250);
    stage.service.clock.advanceBy(250);
    expect(await slow).toMatchObject({ status: 401 });
    expect(await stage.call('/metrics', { headers: admin, from: '10.0.0.9' })).toMatchObject({ status: 200 });
  });
});
