/** The key of a bot's forms in two processes on one database: both open what either key sealed, and one answers on when the other is killed. */
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { seal, signed, unseal } from '../../../channels/test/flow-double.ts';
import { startHttp } from '../../../drivers/test/local-servers.ts';
import type { ServiceProcess } from '../service-process.ts';
import { callerOf } from './caller.ts';
import { oneCompany } from './one-company.ts';
import { describeOverPostgres } from './place.ts';

const appSecret = 'app-secret-of-the-forms';

describeOverPostgres('forms of two processes', (open) => {
  it('are opened with both keys after a rotation, by each process, and by the one that is left', { timeout: 300_000 }, async () => {
    let registered: string | undefined;
    const graph = await startHttp(({ method, body }, response) => {
      if (method === 'POST') registered = new URLSearchParams(body).get('business_public_key') ?? undefined;
      const state = { business_public_key: registered, business_public_key_signature_status: 'VALID' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'POST' ? { success: true } : { data: [state] }));
    });
    const { companies } = oneCompany(appSecret, []) as { readonly companies: readonly JsonObject[] };
    const provider = {
      kind: 'whatsapp-cloud',
      phoneNumberId: '100',
      accessToken: 't',
      appSecret,
      verifyToken: 'v',
      baseUrl: `http://${graph.host}`,
    };
    const bot = { id: 'forms', name: 'Forms', channel: 'whatsapp', connectedAt: '2026-01-01T00:00:00Z', provider };
    using place = await open({ companies: companies.map((company) => ({ ...company, bots: [bot] })) });
    const start = (): Promise<ServiceProcess> => place.start(['--egress-allow', graph.host]);
    const makeKey = async ({ url }: ServiceProcess, body: JsonObject = {}): Promise<string> => {
      const answer = await callerOf(url).call('POST /admin/v1/bots/forms/flow-key', { body });
      expect(answer).toMatchObject({ status: 200, body: { isRegistered: true, status: 'VALID' } });
      expect(answer.text).not.toContain('PRIVATE');
      return (answer.body as { readonly publicKey: string }).publicKey;
    };
    const ping = async ({ url }: ServiceProcess, key: string): Promise<unknown> => {
      const body = JSON.stringify(seal({ version: '3.0', action: 'ping' }, key));
      const { status, text } = await callerOf(url).call('POST /channels/forms/flows/nothing-yet', {
        body,
        headers: signed(body, appSecret),
      });
      return status === 200 ? unseal(text) : status;
    };
    const active = { data: { status: 'active' } };
    try {
      await using first = await start();
      await using second = await start();
      const before = await makeKey(first);
      expect(await makeKey(second)).toBe(before); // one is made, whichever process is asked
      expect([await ping(first, before), await ping(second, before)]).toEqual([active, active]);
      const after = await makeKey(first, { rotate: true });
      expect(after).not.toBe(before);
      expect(registered).toBe(after);
      for (const service of [first, second]) for (const key of [before, after]) expect(await ping(service, key)).toEqual(active);
      const again = await makeKey(second, { rotate: true });
      expect([await ping(first, again), await ping(first, after)]).toEqual([active, active]);
      await first.end('SIGKILL');
      expect([await ping(second, again), await ping(second, after)]).toEqual([active, active]);
    } finally {
      await graph.close();
    }
  });
});
