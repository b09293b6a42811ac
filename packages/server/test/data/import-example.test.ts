import { readFile } from 'node:fs/promises';
import { sessionWindowMs } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { exampleWorkspace, withPlace } from './open-for-test.ts';
import { dumpTables } from './table-dump.ts';

describe('the example workspace', () => {
  it(
    'is imported with every canvas published, and warns of the webhook without methods alone (WEB-08)',
    withPlace(async ({ open }) => {
      const { imported } = await open({ workspace: exampleWorkspace });
      expect(imported?.workflows.map(({ workflowId, version }) => [workflowId, version])).toEqual([
        ['payment-reminder', 1],
        ['payment-once', 1],
        ['no-methods', 1],
        ['collect-signature', 1],
        ['sign-contract', 1],
        ['order-status', 1],
      ]);
      expect(imported?.workflows.flatMap(({ workflowId, warnings }) => warnings.map(({ pointer }) => [workflowId, pointer]))).toEqual([
        ['no-methods', '/companies/0/workflows/2/file'],
      ]);
      expect(Object.entries(imported?.counts ?? {}).filter(([, { given, written }]) => given !== written)).toEqual([]);
    }),
  );

  it(
    'changes nothing when it is imported again, by this process or the next',
    withPlace(async ({ open }) => {
      const first = await open({ workspace: exampleWorkspace });
      const before = await dumpTables(first.store);
      const again = await first.importWorkspace(exampleWorkspace);
      expect(Object.values(again.counts).map(({ written }) => written)).toEqual(Object.values(again.counts).map(() => 0));
      expect(await dumpTables(first.store)).toEqual(before);
      await first.close();
      const second = await open({ workspace: exampleWorkspace });
      expect(Object.values(second.imported?.counts ?? {}).every(({ written }) => written === 0)).toBe(true);
      expect(await dumpTables(second.store)).toEqual(before);
      expect(await second.store.canvases.versions('1', 'payment-reminder')).toHaveLength(1);
    }),
  );

  it(
    'opens the window from the time of the import, for "now", and otherwise from the given instant (WIN-01)',
    withPlace(async ({ open, clock }) => {
      const { store, importWorkspace } = await open({ workspace: exampleWorkspace });
      const until = async (userId: string) => (await store.executions.contact('1', 'bot_wa', [userId]))?.windowUntilMs;
      const importedAt = clock.now();
      expect(await until('5215512345678')).toBe(importedAt + sessionWindowMs);
      expect(await until('593987654321')).toBe(Date.UTC(2026, 0, 1) + sessionWindowMs);
      clock.advanceBy(3_600_000);
      await importWorkspace(exampleWorkspace);
      expect(await until('5215512345678')).toBe(importedAt + 3_600_000 + sessionWindowMs);
    }),
  );

  it(
    'finds a user by each of their ids, with the given names (UID-04, UID-06)',
    withPlace(async ({ open }) => {
      const { store } = await open({ workspace: exampleWorkspace });
      for (const id of ['5215512345678', 'MX.a1B2c3'])
        expect(await store.executions.contact('1', 'bot_wa', [id])).toMatchObject({ userId: '5215512345678', names: 'Ana' });
      expect(await store.executions.contact('1', 'bot_wa', ['MX.onlyBsuid9'])).toMatchObject({ names: 'Luz', phone: null });
      expect(await store.executions.contact('2', 'bot_wa', ['5215512345678'])).toBeUndefined();
    }),
  );

  it(
    'has canvases that run: a reminder is sent, and kept where it can be read',
    withPlace(async ({ open }) => {
      const { engine, messages } = await open({ workspace: exampleWorkspace });
      const { executionId } = await engine.receiveWebhook({
        companyId: '1',
        workflowId: 'payment-reminder',
        nodeId: 'wh1',
        route: 'production',
        channel: 'whatsapp',
        botId: 'bot_wa',
        request: { method: 'POST', headers: {}, query: {}, body: { user: { id: '5215512345678' }, number: 'F-1', amount: 30 } },
      });
      await engine.whenIdle();
      expect((await engine.execution('1', executionId))?.state.status).toBe('waiting');
      expect((await messages.list('1', 'bot_wa', { limit: 10 })).results).toMatchObject([
        { direction: 'outbound', userId: '5215512345678', status: 'sent', executionId, nodeId: 'remind' },
      ]);
    }),
  );

  it(
    'is exported without secrets, and importing the export changes nothing',
    withPlace(async ({ open }) => {
      const { store, exportWorkspace, importWorkspace } = await open({ workspace: exampleWorkspace });
      const before = await dumpTables(store);
      const exported = await exportWorkspace();
      const { counts } = await importWorkspace({ workspace: exported });
      expect(Object.entries(counts).filter(([, { written }]) => written > 0)).toEqual([]);
      expect(await dumpTables(store)).toEqual(before);
      expect(await exportWorkspace()).toEqual(exported);
      const text = await readFile(exampleWorkspace, 'utf8');
      for (const [, secret = ''] of text.matchAll(/"(?:clientSecret|key|appSecret|token|password)": "([^"]+)"/g))
        expect(JSON.stringify(exported)).not.toContain(secret);
    }),
  );
});
