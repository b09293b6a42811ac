import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secret } from '../../../channels/test/providers.ts';
import { frames } from '../http/calls.ts';
import { type ChannelsStage, channelsStage, type Line } from './stage.ts';

const twentyMB = JSON.stringify({ filler: 'x'.repeat(20_000_000) });

describe.each(frames)('over %s', (frame) => {
  let stage: ChannelsStage;
  beforeAll(async () => {
    stage = await channelsStage(frame);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const kinds = ['whatsapp-cloud', 'messenger', 'instagram', 'slack', 'teams', 'x', 'custom'];

  /** A user's text as a bot's provider delivers it, with the headers of an instant. */
  async function told({ provider, double }: Line, { id = 'in-1', key = secret, atMs = stage.rest.clock.now() } = {}) {
    const body = JSON.stringify(provider.textOf('Pedido', id, double.url));
    return { body, headers: await provider.sign(body, atMs, key) };
  }

  const any: unknown = expect.anything();
  const refused = { status: 401, body: { error: 'UNAUTHORIZED' } };

  /** Everything that was accepted of the deliveries to a bot. */
  const kept = async ({ botId }: Line): Promise<number> => {
    const { results } = await stage.rest.service.messages.list('1', botId, { limit: 100 });
    return results.filter(({ direction }) => direction === 'inbound').length;
  };

  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  describe.each(kinds)('a delivery to a bot of %s that its provider has not made', (kind) => {
    it('is refused, and nothing of it is kept: unsigned, of another app, or changed on its way (P27)', async () => {
      const line = stage.line(kind);
      const { body, headers } = await told(line);
      const other = await told(line, { key: 'secret-of-another-app' });
      // A token of Teams is about its service, not about each byte.
      const changed = JSON.stringify(line.provider.textOf('Pedidos', 'in-1', 'https://elsewhere.example'));
      expect(await line.post(body, {})).toMatchObject(refused);
      expect(await line.post(body, other.headers)).toMatchObject(refused);
      expect(await line.post(changed, headers)).toMatchObject(refused);
      for (const [name, value] of Object.entries(headers)) {
        expect(await line.post(body, { ...headers, [name]: '' })).toMatchObject(refused);
        expect(await line.post(body, { ...headers, [name]: `${value}0` })).toMatchObject(refused);
      }
      expect(await kept(line)).toBe(0);
    });
  });

  describe('a delivery that is copied', () => {
    it('is refused by Slack after five minutes, and is the same delivery before (P10, P27)', async () => {
      const line = stage.line('slack');
      const { body, headers } = await told(line, { id: 'in-9' });
      expect(await line.post(body, headers)).toMatchObject({ status: 200 });
      stage.rest.clock.advanceBy(299_000);
      expect(await line.post(body, headers)).toMatchObject({ status: 200, body: { duplicate: true } });
      stage.rest.clock.advanceBy(2_000);
      expect(await line.post(body, headers)).toMatchObject(refused);
    });

    it('is refused by Teams once its token has expired, and is the same delivery before', async () => {
      const line = stage.line('teams');
      const { body, headers } = await told(line, { id: 'in-9' });
      expect(await line.post(body, headers)).toMatchObject({ status: 200 });
      expect(await line.post(body, headers)).toMatchObject({ status: 200, body: { duplicate: true } });
      stage.rest.clock.advanceBy(2 * 3_600_000);
      expect(await line.post(body, headers)).toMatchObject(refused);
    });

    it.each(kinds)('is one to a bot of %s, however often it comes (P10)', async (kind) => {
      const line = stage.line(kind);
      const before = await kept(line);
      const { body, headers } = await told(line, { id: 'in-77' });
      const answers = await Promise.all(Array.from({ length: 10 }, () => line.post(body, headers)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect(await kept(line)).toBe(before + 1);
    });
  });

  describe('a token that the connector of Teams has not made', () => {
    it('is refused: without an algorithm, under the secret of the app, or signed before its time', async () => {
      const line = stage.line('teams');
      const { body, headers } = await told(line, { id: 'in-5' });
      const [, claims = '', signature = ''] = String(headers['authorization']).split('.');
      for (const alg of ['none', 'None', 'HS256']) {
        const header = encoded({ alg, kid: 'k1', typ: 'JWT' });
        expect(await line.post(body, { authorization: `Bearer ${header}.${claims}.` })).toMatchObject(refused);
        expect(await line.post(body, { authorization: `Bearer ${header}.${claims}.${signature}` })).toMatchObject(refused);
      }
      const early = await told(line, { id: 'in-5', atMs: stage.rest.clock.now() + 3_600_000 });
      expect(await line.post(body, early.headers)).toMatchObject(refused);
    });

    it('is refused for another audience, though the connector signed it', async () => {
      const line = stage.line('teams');
      const { body, headers } = await told(line, { id: 'in-6' });
      const [header, claims = '', signature] = String(headers['authorization']).slice('Bearer '.length).split('.');
      const forged = encoded({ ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), aud: 'another-app' });
      expect(await line.post(body, { authorization: `Bearer ${header}.${forged}.${signature}` })).toMatchObject(refused);
    });
  });

  describe('a service that cannot reach the key set of Teams', () => {
    it('takes no delivery of Teams, and those of others as before (P24, T5)', async () => {
      await using own = await channelsStage(frame);
      const [teams, slack] = [own.line('teams'), own.line('slack')];
      const at = { atMs: own.rest.clock.now() };
      await teams.double.close();
      const { body, headers } = await told(teams, at);
      expect(await teams.post(body, headers)).toMatchObject(refused);
      const other = await told(slack, at);
      expect(await slack.post(other.body, other.headers)).toMatchObject({ status: 200 });
      const { results } = await own.rest.service.messages.list('1', teams.botId, { limit: 100 });
      expect(results).toEqual([]);
    });
  });

  describe('a malformed body', () => {
    it.each(kinds)('is refused with 400 by a bot of %s, though it is signed', async (kind) => {
      const line = stage.line(kind);
      for (const body of ['', '{', '[]', 'null', '"text"', '<html></html>']) {
        const headers = await (async () => {
          try {
            return await line.provider.sign(body, stage.rest.clock.now(), secret);
          } catch {
            return {}; // Teams signs no body that it cannot read
          }
        })();
        const { status } = await line.post(body, headers);
        expect([body, status]).toEqual([body, expect.toBeOneOf([400, 401])]);
      }
    });
  });

  describe.each(kinds)('the address of a bot of %s', (kind) => {
    const said: unknown = expect.stringMatching(/\w+ \w+/);

    it('refuses 20 MB, signed or not, before they have come (P33)', async () => {
      const line = stage.line(kind);
      const { headers } = await told(line);
      for (const proof of [headers, {}]) {
        // Over a connection, the answer or its end comes while the body is still being sent.
        const answer = await line.post(twentyMB, proof).catch((error: unknown) => error);
        const cut: unknown = expect.objectContaining({ code: expect.stringMatching(/^(?:EPIPE|ECONNRESET)$/) as unknown });
        const refusal: unknown = expect.objectContaining({
          status: proof === headers ? 413 : 401,
          body: { error: proof === headers ? 'INVALID_REQUEST' : 'UNAUTHORIZED', message: said },
        });
        expect([cut, refusal]).toContainEqual(answer);
      }
    });

    it('refuses signed JSON of 65 levels, and reads 64 like any other body', async () => {
      const line = stage.line(kind);
      const nested = (levels: number): string => `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      for (const levels of [64, 65]) {
        const body = nested(levels);
        const { status, body: answer } = await line.post(body, await line.provider.sign(body, stage.rest.clock.now(), secret));
        // An activity of Teams has to name its service, which is read before the token is believed.
        expect([levels, status, answer]).toEqual([
          levels,
          kind === 'teams' ? 401 : status === 200 ? 200 : 400,
          status === 200 ? any : { error: any, message: said },
        ]);
      }
    });

    it('believes no content type: what is not signed is refused, and what is signed never fails', async () => {
      const line = stage.line(kind);
      const { body, headers } = await told(line, { id: 'in-type' });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'nonsense']) {
        expect(await line.post(body, { 'content-type': type })).toMatchObject(refused);
        const { status } = await line.post(body, { ...headers, 'content-type': type });
        expect([type, status]).toEqual([type, expect.toBeOneOf([200, 400])]);
      }
    });

    it('answers no verification without the right token, nor one that is none', async () => {
      const line = stage.line(kind);
      const wrong = '?hub.mode=subscribe&hub.verify_token=guessed&hub.challenge=1';
      const refusal = { status: 403, body: { error: 'UNAUTHORIZED', message: said } };
      for (const query of [wrong, '?hub.mode=subscribe&hub.challenge=1', '?crc_token=', '?crc_token={"a":1}', '?challenge=1'])
        expect([query, await line.verify(query)]).toEqual([query, refusal]);
      for (const query of ['', '?'])
        expect(await line.verify(query)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND', message: said } });
    });
  });

  describe('a message of WhatsApp whose file is not there', () => {
    it('is kept with the id of the file and the reason, and processed', async () => {
      const line = stage.line('whatsapp-cloud');
      const image = { id: 'media-404', mime_type: 'image/png', caption: 'Mi recibo' };
      const message = { from: line.provider.userId, id: 'in-media', timestamp: '1750269342', type: 'image', image };
      const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '1065' }, messages: [message] };
      const delivery = { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
      expect(await line.deliver(delivery)).toMatchObject({ status: 200 });
      const { results } = await stage.rest.service.messages.list('1', line.botId, { limit: 100 });
      expect(results.find(({ messageId }) => messageId === 'in-media')?.message).toEqual({
        id: 'in-media',
        type: 'image',
        text: 'Mi recibo',
        mediaId: 'media-404',
        mimeType: 'image/png',
        mediaError: { code: 'INVALID_MEDIA_URL', message: expect.stringContaining('404') as unknown },
      });
    });
  });
});
