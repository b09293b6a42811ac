import { describe, expect, it } from 'vitest';
import type { ServiceRuntime } from '../../src/index.ts';
import { readKeeper } from '../../src/platform/database/lane-keeping.ts';
import { changed, inlineExample } from './inline-example.ts';
import { exampleWorkspace, withPlace } from './open-for-test.ts';
import { openDatabase } from './runtime.ts';
import { dumpTables } from './table-dump.ts';

const acme = '/companies/0';

describe('on PostgreSQL', () => {
  it(
    'a workspace is imported twice, and its export, and changes nothing',
    withPlace(async ({ open }) => {
      const { imported, store, importWorkspace, exportWorkspace } = await open({ workspace: exampleWorkspace });
      expect(imported?.counts.conversations).toEqual({ given: 3, written: 3 });
      const [rows, file] = [await dumpTables(store), await exportWorkspace()];
      for (const again of [exampleWorkspace, { workspace: file }]) {
        const { counts } = await importWorkspace(again);
        expect(Object.entries(counts).filter(([, { written }]) => written > 0)).toEqual([]);
        expect(await dumpTables(store)).toEqual(rows);
      }
    }, openDatabase),
    120_000,
  );

  it(
    'two processes that import one workspace at the same time come to the same',
    withPlace(async ({ open }) => {
      const [one, two] = [await open(), await open()];
      const workspace = await inlineExample();
      const both = await Promise.all([one.importWorkspace({ workspace }), two.importWorkspace({ workspace })]);
      expect(both.map(({ workflows }) => workflows.map(({ version }) => version))).toEqual([
        [1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1, 1],
      ]);
      expect(await one.exportWorkspace()).toEqual(await two.exportWorkspace());
      expect(await one.store.canvases.versions('1', 'order-status')).toHaveLength(1);
    }, openDatabase),
    120_000,
  );

  it(
    'of two companies that claim one bot concurrently, one gets it and the other is refused',
    withPlace(async ({ open }) => {
      const [one, two] = [await open(), await open()];
      const claiming = (id: number, botId: string) => {
        const provider = { kind: 'log', appSecret: 'x' };
        const bot = { id: botId, name: 'Wanted', channel: 'whatsapp', connectedAt: '2026-09-01T00:00:00Z', provider };
        return { workspace: { companies: [{ id, name: `Company ${id}`, plan: 'free', bots: [bot] }] } };
      };
      for (const botId of ['bot_1', 'bot_2', 'bot_3', 'bot_4', 'bot_5']) {
        const both = await Promise.allSettled([one.importWorkspace(claiming(8, botId)), two.importWorkspace(claiming(9, botId))]);
        expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
        expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
          reason: { details: { problems: [{ code: 'DUPLICATE_ID', pointer: '/companies/0/bots/0/id' }] } },
        });
      }
    }, openDatabase),
    120_000,
  );

  it(
    'what another process imports is seen within a second (VER-03)',
    withPlace(async ({ open, clock }) => {
      const [one, two] = [await open({ workspace: exampleWorkspace }), await open()];
      const more = {
        id: 'bot_new',
        name: 'New',
        channel: 'whatsapp',
        connectedAt: '2026-09-01T00:00:00Z',
        provider: { kind: 'log', appSecret: 'x' },
      };
      await one.importWorkspace({ workspace: changed(await inlineExample(), { [`${acme}/bots/-`]: more }) });
      expect(one.companies.botOfChannel('1', 'whatsapp')?.id).toBe('bot_new');
      expect(two.companies.botOfChannel('1', 'whatsapp')?.id).toBe('bot_wa');
      clock.advanceBy(1_000);
      await expect.poll(() => two.companies.botOfChannel('1', 'whatsapp')?.id).toBe('bot_new');
      expect(two.companies.bot('bot_new')?.provider.fields['appSecret']).toBe('x');
    }, openDatabase),
    120_000,
  );

  it(
    'messages are kept once, inbound ones with their acceptance (P10)',
    withPlace(async ({ open }) => {
      const { engine, messages } = await open({ workspace: exampleWorkspace });
      const inbound = {
        companyId: '1',
        botId: 'bot_wa',
        eventId: 'e1',
        user: { id: '5215512345678' },
        message: { id: 'm1', type: 'text', text: 'hi' },
      };
      await Promise.all([engine.receiveMessage(inbound), engine.receiveMessage(inbound)]);
      await engine.whenIdle();
      const outbound = {
        companyId: '1',
        botId: 'bot_wa',
        userId: '5215512345678',
        message: { type: 'text', text: 'NUL \0' },
        idempotencyKey: 'k1',
      };
      expect(new Set(await Promise.all([messages.sent(outbound), messages.sent(outbound), messages.sent(outbound)])).size).toBe(1);
      const { results } = await messages.list('1', 'bot_wa', { limit: 10 });
      expect(results.map(({ direction, status }) => [direction, status])).toEqual([
        ['inbound', 'received'],
        ['outbound', 'sent'],
        ['outbound', 'sent'],
      ]);
      expect(results.at(-1)?.message).toEqual(outbound.message);
    }, openDatabase),
    120_000,
  );

  it(
    'a process with another key is refused, and leaves what keeps the lanes as it is',
    withPlace(async ({ open }) => {
      const { store } = await open({ workspace: exampleWorkspace });
      const secretKey = Buffer.alloc(32, 4).toString('base64');
      const laneRuntime: ServiceRuntime = {
        name: 'elsewhere',
        check: async () => undefined,
        asReadModel: (readModel) => readModel,
        create: () => () => {
          throw new Error('It is not begun');
        },
      };
      for (const runtime of [undefined, laneRuntime])
        await expect(open({ secretKey, laneRuntime: runtime })).rejects.toMatchObject({ code: 'SECRET_KEY_REFUSED' });
      expect(await readKeeper(store, { runtime: undefined })).toBe(undefined);
    }, openDatabase),
    120_000,
  );
});
