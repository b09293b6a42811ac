// Which credential a call is signed in with, by the route of its execution.
import type { BoundDriver, JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { withTestCredentials } from './test-credentials.ts';

const kept = ['shop', 'shop.test', 'cert.test', 'live-only'];
const companies = {
  credential: async (companyId: string, id: string) => (companyId === '1' && kept.includes(id) ? { kind: 'bearer', token: id } : undefined),
};

const called = async (request: JsonObject, route: 'production' | 'test', companyId = '1'): Promise<unknown> => {
  const driver = { effect: {}, perform: (given: JsonObject) => given } as unknown as BoundDriver;
  return withTestCredentials(driver, companies).perform(request as never, { origin: { companyId, route } } as never);
};

it('is the twin of the named one for drafts, where the company has it, in every field that names one', async () => {
  for (const [given, ofTest] of [
    [{ credentialId: 'shop' }, { credentialId: 'shop.test' }],
    [{ credentialId: 'live-only' }, { credentialId: 'live-only' }],
    [{ credentialId: 'shop.test' }, { credentialId: 'shop.test' }],
    [
      { credentialId: 'none', clientCertificateId: 'cert' },
      { credentialId: 'none', clientCertificateId: 'cert.test' },
    ],
    [{ wsSecurity: { credentialId: 'shop', password: 'text' } }, { wsSecurity: { credentialId: 'shop.test', password: 'text' } }],
    [
      { url: 'https://a.example', body: { credentialId: 'shop' } },
      { url: 'https://a.example', body: { credentialId: 'shop' } },
    ],
    [
      { credentialId: 7, wsSecurity: null },
      { credentialId: 7, wsSecurity: null },
    ],
    [{}, {}],
  ] as const) {
    expect(await called(given, 'test')).toEqual(ofTest);
    expect(await called(given, 'production')).toEqual(given);
    expect(await called(given, 'test', '2')).toEqual(given);
  }
});
