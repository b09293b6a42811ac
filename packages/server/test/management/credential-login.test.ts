// A person logs in for a credential: at its server, back by the page of the service, and never for somebody else.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { withPlace } from '../data/open-for-test.ts';

const publicUrl = 'http://hilo.test';
const back = `${publicUrl}/admin/v1/credentials/login`;

/** A server of tokens: a code is good once, with the verifier whose challenge it was given. */
async function startServer() {
  const challenges = new Map<string, string>();
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(parts).toString());
      asked.push(form);
      const code = form.get('code') ?? '';
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight = challenges.get(code) === proof && form.get('redirect_uri') === back && request.headers.authorization !== undefined;
      challenges.delete(code);
      response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' });
      const given = { access_token: 'access', ...(code !== 'short' && { refresh_token: `refresh of ${code}` }) };
      response.end(JSON.stringify(isRight ? given : { error: 'invalid_grant' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    asked,
    /** What the server does when a person has agreed. */
    agree(address: string, code: string): string {
      const query = new URL(address).searchParams;
      challenges.set(code, query.get('code_challenge') ?? '');
      return query.get('state') ?? '';
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it(
  'a login with a credential leads to its server and back, keeps the refresh token, and ends only by whoever began it',
  withPlace(async ({ open, clock }) => {
    await using server = await startServer();
    const service = await open({ publicUrl, egressAllow: [server.host] });
    const oauth2 = { kind: 'oauth2', tokenUrl: `http://${server.host}/token`, clientId: 'hilo', clientSecret: 'client-secret' };
    const credentials = [
      { id: 'crm', ...oauth2, authorizationUrl: 'https://login.example.com/authorize?tenant=7', scope: 'read offline_access' },
      { id: 'own', ...oauth2 },
    ];
    await service.importWorkspace({
      workspace: {
        companies: [
          { id: 1, name: 'Acme', plan: 'growth', credentials },
          { id: 2, name: 'Other', plan: 'growth' },
        ],
      },
    });
    const app = createApp(service);
    const asker = (token: string) => async (path: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await app.request(`${publicUrl}/admin/v1${path}`, { method: 'POST', headers, ...sent });
      return { status: answer.status, body: (await answer.json()) as { readonly [field: string]: unknown } };
    };
    const asAdmin = asker(service.settings.adminToken);
    const tokenOf = async (companies: readonly string[]) =>
      asker(String((await asAdmin('/tokens', { name: `of ${companies.join()}`, roles: ['operator'], companies })).body['token']));
    const [ofOne, ofOther] = [await tokenOf(['1']), await tokenOf(['2'])];

    const login = '/companies/1/credentials/crm/login';
    expect((await ofOther(login)).status).toBe(404);
    expect(await asAdmin('/companies/1/credentials/none/login')).toMatchObject({ status: 404, body: { error: 'CREDENTIAL_NOT_FOUND' } });
    expect(await asAdmin('/companies/1/credentials/own/login')).toMatchObject({ status: 409, body: { error: 'PROVIDER_UNSUPPORTED' } });
    const begin = async () => (await ofOne(login)).body;
    const { url, expiresAt } = await begin();
    expect(Date.parse(String(expiresAt))).toBe(clock.now() + 600_000);
    expect(Object.fromEntries(new URL(String(url)).searchParams)).toMatchObject({
      tenant: '7',
      response_type: 'code',
      client_id: 'hilo',
      redirect_uri: back,
      scope: 'read offline_access',
      code_challenge_method: 'S256',
    });

    const page = await app.request(`${back}?code=one&state=x`);
    expect([page.status, page.headers.get('referrer-policy'), await page.text()]).toEqual([
      401,
      'no-referrer',
      expect.stringContaining('One moment'),
    ]);

    const state = server.agree(String(url), 'one');
    const finish = '/credentials/login';
    for (const ask of [ofOther, asAdmin]) expect((await ask(finish, { code: 'one', state })).status).toBe(422);
    for (const other of ['', 'v1.a.b.c.d', `${state.slice(0, -2)}xx`])
      expect((await ofOne(finish, { code: 'one', state: other })).status).toBe(422);
    expect(server.asked).toEqual([]);
    expect(await ofOne(finish, { code: 'wrong', state })).toMatchObject({ status: 409, body: { error: 'PROVIDER_REFUSED' } });
    expect(await ofOne(finish, { code: 'one', state })).toMatchObject({ status: 200, body: { companyId: '1', credentialId: 'crm' } });
    expect((await ofOne(finish, { code: 'one', state })).status).toBe(409);
    expect(await service.companies.credential('1', 'crm')).toMatchObject({ refreshToken: 'refresh of one' });
    expect(JSON.stringify(await service.exportWorkspace?.())).not.toContain('refresh of one');
    // A workspace without the token, as an export is, keeps it.
    await service.importWorkspace({ workspace: { companies: [{ id: 1, name: 'Acme', plan: 'growth', credentials }] } });
    expect(await service.companies.credential('1', 'crm')).toMatchObject({ refreshToken: 'refresh of one' });

    const short = server.agree(String((await begin())['url']), 'short');
    expect(await ofOne(finish, { code: 'short', state: short })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('offline_access') as string },
    });
    const late = server.agree(String((await begin())['url']), 'late');
    clock.advanceBy(600_001);
    expect((await ofOne(finish, { code: 'late', state: late })).status).toBe(422);
    expect(await service.companies.credential('1', 'crm')).toMatchObject({ refreshToken: 'refresh of one' });
  }),
);
