// On PostgreSQL a row with a lower number may be committed after one with a higher: it is waited for.
import pg from 'pg';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { exampleWorkspace, withPlace } from '../data/open-for-test.ts';
import { openDatabase } from '../data/runtime.ts';
import { pausing } from '../management/fake-management.ts';

it(
  'what began while an earlier transaction was at work is counted once that has ended',
  { timeout: 120_000 },
  withPlace(async ({ open }) => {
    const database = await openDatabase();
    const service = await open({ ...database, workspace: exampleWorkspace });
    await using _service = { [Symbol.asyncDispose]: service.close };
    const management = createManagement(service);
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      return (await management.request(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })).json();
    };
    const entered = async (): Promise<unknown> => {
      const numbers = await ask('GET', '/workflows/pausing/numbers?companyId=1');
      return typeof numbers === 'object' && numbers !== null && 'entered' in numbers ? numbers.entered : numbers;
    };
    await ask('PUT', '/workflows/pausing?companyId=1', pausing());
    await ask('POST', '/workflows/pausing/publish?companyId=1');
    const other = new pg.Client({ connectionString: database.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      const hook = { workflowId: 'pausing', nodeId: 'hook', channel: 'whatsapp', botId: 'bot_wa', route: 'production' } as const;
      const request = { method: 'POST', headers: {}, query: {}, body: { user: '51999000111' } };
      await service.engine.receiveWebhook({ ...hook, companyId: '1', request });
      await service.engine.whenIdle();
      expect(await entered()).toBe(0);
      await other.query('commit');
    } finally {
      await other.end();
    }
    // Transactions of others on the same server may still be at work.
    let counted: unknown = 0;
    while (counted === 0) counted = await entered();
    expect(counted).toBe(1);
    expect(await entered()).toBe(1);
  }),
);
