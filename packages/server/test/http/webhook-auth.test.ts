// Webhooks that verify their callers by themselves, each form of signature made by its provider's own library.
import { Webhooks } from '@octokit/webhooks';
import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifyRequest } from '../../src/webhooks/verify-request.ts';
import { WebhookAuth } from '@hilo/nodes';
import { ana, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';

const secret = `whsec_${Buffer.from('a secret of 24 bytes ....').toString('base64')}`;
const body = JSON.stringify({ user: { id: ana }, total: 12.5, note: 'ñ 🚀' });
const json = { 'content-type': 'application/json' };
const address = '/workflows/v2/webhooks/skill/order/whatsapp/hook';

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
  return () => stage.service.close();
});

async function keep(auth: object, credential: JsonObject = { kind: 'bearer', token: secret }) {
  await stage.service.keep(order({ auth }));
  Object.assign(stage.service.companies, { credential: async () => credential });
}
const nowS = () => Math.floor(stage.service.clock.now() / 1_000);
const post = (headers: { readonly [name: string]: string }, given = body, path = address) =>
  stage.call(path, { method: 'POST', headers: { ...json, ...headers }, body: given });

/** The headers that each provider's library makes. */
const signers: { readonly [preset: string]: (payload: string, atS: number) => Promise<{ readonly [name: string]: string }> } = {
  stripe: async (payload, timestamp) => ({
    'stripe-signature': await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp }),
  }),
  github: async (payload) => ({ 'x-hub-signature-256': await new Webhooks({ secret }).sign(payload) }),
  'standard-webhooks': async (payload, atS) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(atS),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(atS * 1_000), payload),
  }),
  shopify: async (payload) => ({ 'x-shopify-hmac-sha256': createHmac('sha256', secret).update(payload).digest('base64') }),
};

describe('a webhook with the signatures of', () => {
  it.each(Object.keys(signers))('%s takes what is signed, once, and nothing else', async (preset) => {
    await keep({ kind: 'hmac', preset, secret: 'events' });
    const sign = signers[preset]!;
    const headers = await sign(body, nowS());
    const first = await post(headers);
    expect(first).toMatchObject({ status: 200, body: { success: true, mode: 'new' } });
    expect((await post(headers)).body).toEqual(first.body); // a replay has the same answer, and begins nothing
    expect((await post(headers, body.replace('12.5', '12.6'))).status).toBe(401);
    expect((await post({})).status).toBe(401);
    const [name = ''] = Object.keys(headers).slice(-1);
    expect((await post({ ...headers, [name]: `${headers[name]}x` })).status).toBe(401);
  });

  it.each(['stripe', 'standard-webhooks'])('%s refuses what was signed more than five minutes ago', async (preset) => {
    await keep({ kind: 'hmac', preset, secret: 'events' });
    const sign = signers[preset]!;
    for (const [ageS, status] of [
      [300, 200],
      [301, 401],
      [-301, 401],
    ] as const)
      expect([ageS, (await post(await sign(body, nowS() - ageS))).status]).toEqual([ageS, status]);
  });

  it('twilio takes forms, by the address and the fields', async () => {
    await keep({ kind: 'hmac', preset: 'twilio', secret: 'events' });
    const fields = { From: '+51 999', Body: 'a b&c', 'user.id': ana };
    const path = `${address}?userId=${ana}`;
    const signature = getExpectedTwilioSignature(secret, `http://localhost${path}`, fields);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
    const form = new URLSearchParams(fields).toString();
    expect((await post(headers, form, path)).status).toBe(200);
    expect((await post(headers, form, `${path}&a=1`)).status).toBe(401);
    expect((await post(headers, `${form}&More=1`, path)).status).toBe(401);
  });
});

describe('a webhook that verifies by itself', () => {
  it('takes a secret of the query, which the canvas does not see, and a user with a password', async () => {
    await keep({ kind: 'query', name: 'token', secret: 'events' });
    const { status, body: answer } = await post({}, body, `${address}?token=${secret}&a=1`);
    expect(status).toBe(200);
    const { executionId } = answer as { executionId: string };
    expect(JSON.stringify(await stage.stateOf(executionId))).not.toContain(secret);
    expect([(await post({}, body, `${address}?token=x`)).status, (await post({})).status]).toEqual([401, 401]);
    await keep({ kind: 'basic', secret: 'events' }, { kind: 'basic', username: 'bank', password: secret });
    const basic = (password: string) => post({ authorization: `Basic ${btoa(`bank:${password}`)}` });
    expect([(await basic(secret)).status, (await basic('other')).status]).toEqual([200, 401]);
  });

  it('is found in the company that the query names, by its own secret', async () => {
    await keep({ kind: 'query', name: 'token', secret: 'events' });
    for (const [companyId, status] of [
      ['1', 200],
      ['2', 401],
      ['3', 401],
    ] as const)
      expect((await post({}, body, `${address}?token=${secret}&companyId=${companyId}`)).status).toBe(status);
  });

  it('still takes the key of its company, and without a credential nobody else', async () => {
    await keep({ kind: 'query', name: 'token', secret: 'events' }, {});
    expect((await stage.hook('order/whatsapp/hook', JSON.parse(body))).status).toBe(200);
    expect((await post({}, body, `${address}?token=`)).status).toBe(401);
  });
});

it('a signature of any form fits its body, secret and time alone', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('sha256', 'sha1', 'sha512'),
      fc.constantFrom('hex' as const, 'base64' as const),
      fc.constantFrom('', 'v1='),
      fc.uint8Array({ maxLength: 40 }),
      fc.boolean(),
      fc.integer({ min: -600, max: 600 }),
      (algorithm, encoding, prefix, bytes, isTimed, ageS) => {
        const auth = WebhookAuth.parse({
          kind: 'hmac',
          secret: 's',
          header: 'X-Sig',
          algorithm,
          encoding,
          prefix,
          ...(isTimed && { timestamp: 'X-At' }),
        });
        if (auth.kind === 'apiKey') return;
        const at = String(1_000_000 - ageS);
        const hmac = createHmac(algorithm, 'key')
          .update(isTimed ? `${at}.` : '')
          .update(bytes);
        const headers = { 'x-sig': prefix + hmac.digest(encoding), 'x-at': at };
        const verify = (body: Uint8Array, token: string) =>
          verifyRequest(auth, { token }, { headers, query: new URLSearchParams(), body, url: '' }, 1_000_000_999) !== undefined;
        expect(verify(bytes, 'key')).toBe(!isTimed || Math.abs(ageS) <= 300);
        expect(verify(bytes, 'kez')).toBe(false);
        expect(verify(new Uint8Array([...bytes, 0]), 'key')).toBe(false);
      },
    ),
  ));
