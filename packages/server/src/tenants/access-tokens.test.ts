// Tokens for credentials of kind `oauth2`: asked for once while they are good, by the form of their server, and never given on after it has refused.
import Provider from 'oidc-provider';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDialer, type DialerRequest, type DialerResponse } from '@hilo/drivers';
import type { JsonObject } from '@hilo/engine/contract';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it, vi } from 'vitest';
import { exchangeTokens } from './access-tokens.ts';

const credential = {
  id: 'crm',
  kind: 'oauth2',
  tokenUrl: 'https://login.example.com/token',
  clientId: 'hilo client',
  clientSecret: 'p:ss wörd&',
} satisfies JsonObject;

/** A token endpoint that answers as it is told, and what it was asked. */
function stage(given: JsonObject | undefined = credential) {
  const clock = createVirtualClock();
  const asked: DialerRequest[] = [];
  const at: {
    answer: { readonly status: number; readonly body: object | string };
    credential: JsonObject | undefined;
    /** What another process has kept. */
    kept?: JsonObject;
  } = {
    answer: { status: 200, body: { access_token: 'one', expires_in: 3_600, token_type: 'Bearer' } },
    credential: given,
  };
  const request = async (call: DialerRequest): Promise<DialerResponse> => {
    asked.push(call);
    await Promise.resolve();
    const { status, body } = at.answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: {}, body: Buffer.from(text), url: call.url, retryAfterMs: undefined };
  };
  const keep = async (_credential: object, refreshToken: string): Promise<void> => {
    at.credential = { ...at.credential, refreshToken };
  };
  const refresh = async (): Promise<void> => {
    at.credential = at.kept ?? at.credential;
  };
  const find = exchangeTokens(async () => at.credential, { dialer: { request }, clock, keep, refresh });
  return { clock, asked, at, find: () => find('1', 'crm') };
}

const bearer = (token: string) => ({ kind: 'bearer', token });

describe('a token', () => {
  it('is asked for by its server’s form, once for a burst, and again a minute before it ends', async () => {
    const { clock, asked, at, find } = stage();
    expect(await Promise.all([find(), find(), find()])).toEqual([bearer('one'), bearer('one'), bearer('one')]);
    const [first] = asked;
    expect(first).toMatchObject({
      method: 'POST',
      url: credential.tokenUrl,
      body: 'grant_type=client_credentials',
      maxRedirects: 0,
      scope: '1',
    });
    const basic = Buffer.from('hilo+client:p%3Ass+w%C3%B6rd%26').toString('base64');
    expect(first?.headers).toMatchObject({ authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' });
    at.answer = { status: 200, body: { access_token: 'two', expires_in: '10' } };
    clock.advanceBy(3_539_999);
    expect(await find()).toEqual(bearer('one'));
    clock.advanceBy(1);
    expect(await find()).toEqual(bearer('two'));
    clock.advanceBy(4_999); // one of ten seconds is kept for five
    expect(await find()).toEqual(bearer('two'));
    clock.advanceBy(1);
    await find();
    expect(asked).toHaveLength(3);
  });

  it('is another one for another secret, scope or address, and has id and secret in the body where that is said', async () => {
    const { asked, at, find } = stage();
    await find();
    const changes = [{ clientSecret: 'other' }, { scope: 'read write' }, { audience: 'https://api' }, { clientAuth: 'body' }];
    for (const change of changes) {
      at.credential = { ...credential, ...change };
      for (const _times of [1, 2]) await find();
    }
    expect(asked.slice(2).map(({ body }) => String(body))).toEqual([
      'grant_type=client_credentials&scope=read+write',
      'grant_type=client_credentials&audience=https%3A%2F%2Fapi',
      'grant_type=client_credentials&client_id=hilo+client&client_secret=p%3Ass+w%C3%B6rd%26',
    ]);
    expect(asked.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    [401, { error: 'invalid_client', error_description: 'the secret p:ss' }, 'CREDENTIAL_INVALID', 'it answered 401 invalid_client'],
    [400, { error: 'p:ss wörd&' }, 'CREDENTIAL_INVALID', 'it answered 400'],
    [200, { token: 'x' }, 'CREDENTIAL_INVALID', 'it answered 200'],
    [200, '<html>', 'CREDENTIAL_INVALID', 'it answered 200'],
    [302, '', 'CREDENTIAL_INVALID', 'it answered 302'],
    [503, '', 'CONNECT_FAILED', 'it answered 503'],
    [429, {}, 'CONNECT_FAILED', 'it answered 429'],
  ])('is refused with %i %j as %s, without a secret, and asked for again', async (status, body, code, words) => {
    const { at, asked, find } = stage();
    at.answer = { status, body };
    const message = `login.example.com gave no token for the credential "crm": ${words}`;
    await expect(find()).rejects.toMatchObject({ code, message });
    at.answer = { status: 200, body: { access_token: 'one' } };
    expect(await find()).toEqual(bearer('one'));
    expect(asked).toHaveLength(2);
  });

  it('of a person is asked for by their refresh token, whose successor is kept, also where another process was first', async () => {
    const login = { ...credential, authorizationUrl: 'https://login.example.com/authorize' };
    const { clock, asked, at, find } = stage(login);
    await expect(find()).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
      message: expect.stringContaining('Nobody has logged in') as string,
    });
    expect(asked).toEqual([]);
    at.credential = { ...login, refreshToken: 'r1' };
    at.answer = { status: 200, body: { access_token: 'one', expires_in: 3_600, refresh_token: 'r2' } };
    expect(await find()).toEqual(bearer('one'));
    expect(await find()).toEqual(bearer('one')); // by the next refresh token the same
    expect(asked.map(({ body }) => body)).toEqual(['grant_type=refresh_token&refresh_token=r1']);
    expect(at.credential).toMatchObject({ refreshToken: 'r2' });
    clock.advanceBy(3_600_000);
    at.answer = { status: 400, body: { error: 'invalid_grant' } };
    await expect(find()).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    at.kept = { ...login, refreshToken: 'r3' };
    await expect(find()).rejects.toThrow('400 invalid_grant');
    expect(asked.slice(1).map(({ body }) => String(body).split('=').at(-1))).toEqual(['r2', 'r2', 'r3']);
    at.answer = { status: 200, body: { access_token: 'two' } };
    expect(await find()).toEqual(bearer('two'));
  });

  it('is not asked for with other kinds, unknown ones, and incomplete ones', async () => {
    const other = { id: 'crm', kind: 'basic', username: 'a', password: 'b' };
    expect(await stage(other).find()).toEqual(other);
    expect(await stage().find()).toEqual(bearer('one'));
    const { at, asked, find } = stage();
    at.credential = undefined;
    expect(await find()).toBeUndefined();
    at.credential = { id: 'crm', kind: 'oauth2', tokenUrl: credential.tokenUrl };
    await expect(find()).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    expect(asked).toEqual([]);
  });
});

it('a server of another maker gives one', async () => {
  for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockReturnValue(undefined);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(`http://${host}`, {
    clients: [
      {
        client_id: 'hilo:1',
        client_secret: 'p:ss w&rd+%',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    scopes: ['orders'],
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  const clock = createVirtualClock();
  const dialer = createDialer({ allow: [host], clock });
  const given = { ...credential, clientId: 'hilo:1', clientSecret: 'p:ss w&rd+%', tokenUrl: `http://${host}/token`, scope: 'orders' };
  const find = exchangeTokens(async (_company, id) => (id === 'wrong' ? { ...given, clientSecret: 'other' } : given), {
    dialer,
    clock,
    keep: async () => undefined,
    refresh: async () => undefined,
  });
  expect(await find('1', 'crm')).toEqual(bearer(expect.stringMatching(/^[\w-]{20,}$/) as string));
  await expect(find('1', 'wrong')).rejects.toMatchObject({
    code: 'CREDENTIAL_INVALID',
    message: expect.stringContaining('401 invalid_client') as string,
  });
  await dialer.close();
  server.closeAllConnections();
  server.close();
  vi.restoreAllMocks();
});
