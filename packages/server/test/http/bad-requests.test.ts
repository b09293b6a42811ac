import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveries } from './bad-requests/delivery-rows.ts';
import { bodies, credentials, methods, paths, signals } from './bad-requests/gateway-rows.ts';
import { others } from './bad-requests/operations-rows.ts';
import { frames, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage({}, undefined, frame);
    await stage.service.keep(order());
    await stage.service.keep(order({ methods: ['POST'] }, 'post-only'));
    await stage.service.keep(order({ methods: [] }, 'no-methods'));
    await stage.service.keep(order({}, 'draft-only'), { publish: false });
    stage.service.connect({ id: 'bot_meta', channel: 'facebook', provider: { kind: 'messenger', fields: { appSecret: keys.appSecret } } });
    stage.service.connect({ id: 'bot_mute', channel: 'web', provider: { kind: 'log', fields: {} } });
    stage.service.connect({ id: 'bot_empty', channel: 'web', provider: { kind: 'custom', fields: { appSecret: '' } } });
  });
  afterAll(() => stage.service.close());

  const aText: unknown = expect.any(String);

  describe.each([
    ['credentials of the gateway (AUT-02, T1)', credentials],
    ['paths of the gateway (T4, T25)', paths],
    ['methods of the gateway (WEB-07)', methods],
    ['bodies of the gateway (P33, T6, T7, T8)', bodies],
    ['signals (P33, T1)', signals],
    ['deliveries (T5)', deliveries],
    ['operations and management (P27, T20)', others],
  ])('%s', (_name, rows) => {
    it.each(rows)('refuses %s', async (_what, path, request, status, code) => {
      const before = await stage.service.store.executions.list('1', { limit: 1 });
      const answer = await stage.call(path, request);
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body: code === '' ? '' : { error: code, message: aText } });
      // The sentence of a rule, and not what zod says where a schema has none.
      expect(JSON.stringify(answer.body)).not.toMatch(/Invalid (?:input|option)|Too (?:small|big)/);
      // Two slashes are no request for any surface: a Node server answers them before all.
      const isForSurface = frame === 'the framework' || !path.includes('//');
      expect(answer.headers.get('x-request-id') ?? '').toMatch(isForSurface ? /^[0-9a-f-]{36}$/ : /^$/);
      expect(answer.headers.get('x-content-type-options')).toBe(isForSurface ? 'nosniff' : null);
      expect(answer.headers.has('allow')).toBe(status === 405);
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
      expect(await stage.service.store.executions.list('1', { limit: 1 })).toEqual(before);
    });
  });

  describe('the REST surface', () => {
    it.each([
      ['no credentials', undefined],
      ['a client alone', `Basic ${btoa('acme-client')}`],
      ['a wrong secret', `Basic ${btoa('acme-client:wrong')}`],
      ['the secret up to its colon', `Basic ${btoa('acme-client:s3c')}`],
      ['base64 with blanks', `Basic ${btoa(`${keys.client.id}:${keys.client.secret}`).replace(/^..../, '$& ')}`],
      ['base64 without its end', `Basic ${btoa(`${keys.client.id}:${keys.client.secret}`).replace(/=+$/, '')}=`],
      ['base64 of URLs', `Basic ${Buffer.from('acme-client:\u00ff\u00fe?').toString('base64url')}`],
      ['base64 with junk in it', `Basic *${btoa(`${keys.client.id}:${keys.client.secret}`)}`],
      ['bytes that are no UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
      ['a control character', `Basic ${btoa(`${keys.client.id}:${keys.client.secret}\n`)}`],
      ['another scheme', `Bearer ${btoa(`${keys.client.id}:${keys.client.secret}`)}`],
      ['two of them', `Basic ${btoa('a:b')}, Basic ${btoa(`${keys.client.id}:${keys.client.secret}`)}`],
    ])('answers { message } to %s (AUT-01, AUT-08, T2)', async (_what, authorization) => {
      const answer = await stage.call('/v1/campaigns', { headers: authorization === undefined ? {} : { authorization } });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: { message: expect.any(String) as unknown } });
    });

    it('accepts a client whose secret has a colon, with the scheme in any case (AUT-01)', async () => {
      const authorization = `bAsIc ${btoa(`${keys.client.id}:${keys.client.secret}`)}`;
      expect(await stage.call('/v1/nothing', { headers: { authorization } })).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    });
  });
});
