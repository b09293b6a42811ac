import { getPath } from '@hilo/engine/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, ana, frames, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await setStage({}, undefined, frame);
    await stage.service.keep(order());
    return () => stage.service.close();
  });

  const sentByNode = {
    connection: 'keep-alive',
    'content-length': expect.any(String) as unknown,
    host: expect.any(String) as unknown,
  };

  describe('what the canvas sees', () => {
    it('is the request under the name of the node, without its credentials (WEB-16, VAR-01, VAR-03, T24)', async () => {
      const { executionId } = accepted(
        await stage.hook(
          'order/whatsapp/hook?a=1&b=2&b=3&__proto__=x',
          { user: { id: ana } },
          {
            headers: {
              authorization: 'Bearer s3cret',
              cookie: 's3cret',
              'proxy-authorization': 's3cret',
              'x-service-token': 's3cret',
              'x-shop': 'Lima',
            },
          },
        ),
      );
      const state = await stage.stateOf(executionId);
      expect(state?.variables['$webhook']).toEqual({
        order: {
          body: { user: { id: ana } },
          headers: { 'content-type': 'application/json', 'x-shop': 'Lima', ...(frame === 'a Node server' && sentByNode) },
          query: { a: '1', b: ['2', '3'] },
          method: 'POST',
          mode: 'new',
          executionId,
          isNewExecution: true,
        },
      });
      expect(JSON.stringify(state)).not.toMatch(/s3cret|hk_acme/);
    });

    it('has the API key neither in the query nor in another header (VAR-03)', async () => {
      const query = new URLSearchParams([
        ['x-api-key', keys.acme],
        ['X-Api-Key', 'of-old'],
        ['next', `/a?k=${keys.acme}`],
        [keys.acme, '1'],
        ['a', '1'],
      ]);
      const headers = { 'x-forwarded-key': keys.acme, 'x-original-url': `/in?key=${keys.acme}`, 'x-shop': 'Lima' };
      const { executionId } = accepted(await stage.hook(`order/whatsapp/hook?${query.toString()}`, { user: { id: ana } }, { headers }));
      const state = await stage.stateOf(executionId);
      expect(getPath(state?.variables, ['$webhook', 'order', 'query'])).toEqual({ a: '1' });
      expect(getPath(state?.variables, ['$webhook', 'order', 'headers'])).toMatchObject({ 'x-shop': 'Lima' });
      expect(JSON.stringify(state)).not.toMatch(/hk_acme|of-old/);
    });

    it('has the whole query, also what follows a second question mark (WEB-16)', async () => {
      const { executionId } = accepted(await stage.hook('order/whatsapp/hook?next=/a?b=1&c=?', { user: { id: ana } }));
      expect(getPath((await stage.stateOf(executionId))?.variables, ['$webhook', 'order', 'query'])).toEqual({ next: '/a?b=1', c: '?' });
    });

    it('does not reveal to a company whether it guessed a secret of another, or of the operator (P28, P31)', async () => {
      await stage.service.keep(order(), { companyId: '2' });
      const guesses = [keys.appSecret, keys.admin, keys.client.secret, 'summer2025!'];
      const query = Object.fromEntries(guesses.map((guess, index) => [`g${index}`, guess]));
      const headers = { 'x-api-key': keys.other, 'x-note': guesses.join(' ') };
      const path = `order/whatsapp/hook?${new URLSearchParams({ ...query, [keys.appSecret]: '1' }).toString()}`;
      const { executionId } = accepted(await stage.hook(path, { user: { id: ana } }, { headers }));
      const { state } = (await stage.service.engine.execution('2', executionId)) ?? {};
      expect(getPath(state?.variables ?? {}, ['$webhook', 'order'])).toMatchObject({
        headers: { 'x-note': guesses.join(' ') },
        query: { ...query, [keys.appSecret]: '1' },
      });
    });

    it('names a user whose id is a secret of another company (P28)', async () => {
      stage.service.companies.secrets = () => [ana];
      expect(await stage.hook(`order/whatsapp/hook?userId=${ana}`, {})).toMatchObject({ status: 200 });
    });

    it('is in $context for webhooks of the earlier design (WEB-19, WEB-30)', async () => {
      await stage.service.keep(order({ storage: 'context' }));
      const { executionId } = accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
      expect(await stage.stateOf(executionId)).toMatchObject({ variables: { $context: { order: { method: 'POST' } } } });
    });

    it.each([
      ['application/json', '{"user":{"id":"5215512345678"},"n":1}', { user: { id: ana }, n: 1 }],
      ['application/json', '{"user":{"id":"5215512345678"},"n":9007199254740993}', { user: { id: ana }, n: '9007199254740993' }],
      ['application/vnd.shop+json; charset=UTF-8', '{"user":{"id":"5215512345678"}}', { user: { id: ana } }],
      ['application/x-www-form-urlencoded', 'user.id=1&a=1&a=2&b=%C3%B1&__proto__=x', { 'user.id': '1', a: ['1', '2'], b: 'ñ' }],
      ['text/plain', '{"n":1}', '{"n":1}'],
      ['text/xml; charset=iso-8859-1', '<a/>', '<a/>'],
      ['multipart/form-data; boundary=x', '--x--', '--x--'],
    ])('is parsed by its type: %s (WEB-26)', async (type, body, seen) => {
      const { executionId } = accepted(await stage.hook(`order/whatsapp/hook?userId=${ana}`, body, { headers: { 'content-type': type } }));
      expect(await stage.stateOf(executionId)).toMatchObject({ variables: { $webhook: { order: { body: seen } } } });
    });

    it('has at most as many form fields as a body has keys (P33)', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { executionId } = accepted(await stage.hook(`order/whatsapp/hook?userId=${ana}`, 'a=1&'.repeat(9_999), { headers }));
      expect(getPath((await stage.stateOf(executionId))?.variables, ['$webhook', 'order', 'body', 'a'])).toHaveLength(9_999);
    });

    it('has no __proto__, however it is written (T8)', async () => {
      const { executionId } = accepted(
        await stage.hook('order/whatsapp/hook', '{"user":{"id":"5215512345678"},"__proto__":{"a":1},"x":{"\\u005f_proto__":1}}', {
          headers: { 'content-type': 'application/json' },
        }),
      );
      const state = await stage.stateOf(executionId);
      expect(getPath(state?.variables, ['$webhook', 'order', 'body'])).toEqual({ user: { id: ana }, x: {} });
      expect(({} as { a?: number }).a).toBeUndefined();
    });
  });
});
