import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { exampleWorkspace, withPlace } from '../data/open-for-test.ts';
import { openDatabase } from '../data/runtime.ts';
import { pausing } from './fake-management.ts';

it(
  'bots, users and workflows are removed on PostgreSQL, whose role has another name than the schema: no table is found by luck',
  { timeout: 120_000 },
  withPlace(async ({ open }) => {
    const service = await open({ ...(await openDatabase()), workspace: exampleWorkspace });
    await using _service = { [Symbol.asyncDispose]: service.close };
    const management = createManagement(service);
    const ask = async (method: 'PUT' | 'DELETE', path: string, body?: object): Promise<number> =>
      (await management.request(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })).status;
    const records = {
      '/companies/1/bots/bot_help': { name: 'Help', channel: 'web', connectedAt: '2026-02-01T00:00:00.000Z', provider: { kind: 'log' } },
      '/companies/1/users/51999000777': { names: 'Iris', phone: '51999000777' },
      '/workflows/pausing?companyId=1': pausing(),
    };
    for (const [path, record] of Object.entries(records)) {
      expect({ path, added: await ask('PUT', path, record) }).toEqual({ path, added: 200 });
      expect({ path, removed: await ask('DELETE', path) }).toEqual({ path, removed: 200 });
      expect({ path, again: await ask('DELETE', path) }).toEqual({ path, again: 404 });
    }
  }),
);
