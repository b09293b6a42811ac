/** The envelope of forms: the vector, anything there and back, and what one changed bit does. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRequest, sealAnswer } from '../src/whatsapp/flow-envelope.ts';
import { keysOf, makeKey } from '../src/whatsapp/flow-keys.ts';
import { seal, unseal } from './flow-double.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const keys = [createPrivateKey(privateKey)];
const dayMs = 86_400_000;

describe('a sealed request', () => {
  it('is that of the published vector, and so is its answer', () => {
    const sealed = seal({ version: '3.0', action: 'ping' }, publicKey);
    expect(sealed.encrypted_flow_data).toBe('lODAnZU7kLwtBSm7LZS8Aa5VC1nR2BWXm2CtPiUKPppdGId1sWhqs37PucS72BR1vg==');
    const opened = openRequest(sealed, keys);
    expect(opened).toMatchObject({ kind: 'opened', request: { version: '3.0', action: 'ping' } });
    expect(opened.kind === 'opened' && opened.seal({ data: { status: 'active' } })).toBe(
      '5YcnW46cjpjXFRgHC5A0IYHC2pSwDLjVHZxMCFaZM8x4i85mlPFwN/RgSJg=',
    );
  });

  it('comes there and back with any JSON in it', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (given) => {
        const request = JSON.parse(JSON.stringify({ ...given, '': 1 })) as { readonly [name: string]: Json };
        const opened = openRequest(seal(request, publicKey), keys);
        expect(opened).toMatchObject({ kind: 'opened', request });
        expect(unseal(opened.kind === 'opened' ? opened.seal(request) : '')).toEqual(request);
      }),
      { numRuns: 20 },
    ));

  it('is refused for any changed bit of the data, the key or the vector', () => {
    const sealed = seal({ version: '3.0', action: 'ping' }, publicKey);
    fc.assert(
      fc.property(fc.constantFrom('encrypted_flow_data', 'encrypted_aes_key', 'initial_vector'), fc.nat(), (field, at) => {
        const bytes = Buffer.from(String(sealed[field]), 'base64');
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8));
        expect(['otherKey', 'malformed']).toContain(openRequest({ ...sealed, [field]: bytes.toString('base64') }, keys).kind);
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, Json, string]>([
    ['no object', [], 'malformed'],
    ['no fields', {}, 'malformed'],
    ['a vector of 12 bytes', { ...seal({}, publicKey), initial_vector: Buffer.alloc(12).toString('base64') }, 'malformed'],
    ['no JSON', seal(Buffer.from('{'), publicKey), 'malformed'],
    ['a list', seal([1], publicKey), 'malformed'],
    [
      'a key of another',
      seal(
        {},
        createPublicKey(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }))
          .export({ type: 'spki', format: 'pem' })
          .toString(),
      ),
      'otherKey',
    ],
  ])('is refused with %s', (_what, body, kind) => {
    expect(openRequest(body, keys).kind).toBe(kind);
  });

  it('is an answer under flipped bits, never under the same', () => {
    expect(sealAnswer({}, Buffer.alloc(16, 1), Buffer.alloc(16, 0))).not.toBe(sealAnswer({}, Buffer.alloc(16, 1), Buffer.alloc(16, 0xff)));
  });
});

describe('the keys of a bot', () => {
  it('are both tried for seven days after a rotation, the new one first', async () => {
    const first = await makeKey(undefined, false, 0);
    expect(await makeKey(first.secret, false, 1)).toEqual(first);
    const second = await makeKey(first.secret, true, 1_000);
    expect(second.fingerprint).not.toBe(first.fingerprint);
    const opens = (pem: string, nowMs: number) => openRequest(seal({ a: 1 }, pem), keysOf({}, second.secret, nowMs)).kind;
    expect([opens(first.publicKey, 1_000), opens(second.publicKey, 1_000)]).toEqual(['opened', 'opened']);
    expect([opens(first.publicKey, 999 + 7 * dayMs), opens(first.publicKey, 1_000 + 7 * dayMs)]).toEqual(['opened', 'otherKey']);
    expect(opens(second.publicKey, 100 * dayMs)).toBe('opened');
  });

  it('are none where nothing, or no key, is kept', () => {
    expect(keysOf({}, undefined, 0)).toEqual([]);
    expect(keysOf({}, 'not a key', 0)).toEqual([]);
  });
});
