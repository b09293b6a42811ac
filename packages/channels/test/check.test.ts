import type { Json } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { DriverError } from '../../drivers/src/index.ts';
import type { ChannelCheck, ChannelHost } from '../src/channel-adapter.ts';
import { providers } from './providers.ts';
import { provider } from './stage.ts';

const all = await providers();

async function check(kind: string, host: ChannelHost): Promise<ChannelCheck | undefined> {
  const known = all.find(({ adapter }) => adapter.kind === kind);
  const connected = known?.adapter.connect(
    { companyId: '7', id: 'bot', channel: known.channel, userIdFormat: 'open' },
    known.fields('https://double.example'),
  );
  return connected === undefined || 'unfitFields' in connected ? undefined : await connected.check?.(host);
}

describe('the check of a bot', () => {
  it.each<[string, Json, string, string]>([
    [
      'whatsapp-cloud',
      { display_phone_number: '+52 55', verified_name: 'Acme', id: '1065' },
      'GET https://double.example/v23.0/1065?fields=display_phone_number,verified_name',
      '+52 55 Acme',
    ],
    ['messenger', { name: 'Acme', id: '10154' }, 'GET https://double.example/v23.0/10154?fields=name', 'Acme'],
    ['instagram', { id: '10154' }, 'GET https://double.example/v23.0/10154?fields=name', '10154'],
    ['slack', { ok: true, user: 'hilo', team: 'Acme' }, 'POST https://double.example/api/auth.test', 'hilo in Acme'],
    ['x', { data: { id: '1', username: 'acme' } }, 'GET https://double.example/2/users/me', 'acme'],
  ])('%s that works says as whom', async (kind, answer, line, name) => {
    const { host, calls } = provider(200, answer);
    expect(await check(kind, host)).toEqual({ isWorking: true, message: `The provider knows this bot as ${name}` });
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([line]);
  });

  it('teams that works has a token and the keys', async () => {
    const { host } = provider(200, { access_token: 't', expires_in: 60, keys: [{ kty: 'RSA' }] });
    expect(await check('teams', host)).toMatchObject({ isWorking: true });
  });

  it.each<[string, number, Json | string, string]>([
    ['whatsapp-cloud', 401, { error: { code: 190, message: 'Error validating access token' } }, '(190) Error validating access token'],
    ['whatsapp-cloud', 200, '<html>', 'does not speak the interface'],
    ['slack', 200, { ok: false, error: 'token_revoked' }, 'token_revoked'],
    ['x', 429, { title: 'Too Many Requests' }, 'check again later'],
    ['teams', 401, { error: 'invalid_client' }, 'Check appId'],
    ['teams', 200, { access_token: 't' }, 'Check keysUrl'],
  ])('%s that is answered %d %j says what is wrong', async (kind, status, answer, words) => {
    const found = await check(kind, provider(status, answer).host);
    expect(found).toMatchObject({ isWorking: false });
    expect(found?.message).toContain(words);
  });

  it('says that the provider is not reached', async () => {
    const host: ChannelHost = {
      clock: { now: () => 0 },
      dialer: { request: () => Promise.reject(new DriverError('EGRESS_REFUSED', 'double.example is private')) },
    };
    expect(await check('slack', host)).toMatchObject({
      isWorking: false,
      message: expect.stringContaining('HILO_EGRESS_ALLOW') as unknown,
    });
  });

  it.each(['custom', 'log'])('%s has nothing to read', async (kind) => {
    expect(await check(kind, provider(200, {}).host)).toBeUndefined();
  });
});
