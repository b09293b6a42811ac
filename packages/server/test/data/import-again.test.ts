import { WorkflowId } from '@hilo/engine/contract';
import { call } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { campaigns } from '../../src/platform/tables/campaigns.ts';
import { roomTags } from '../../src/platform/tables/conversations.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { transcripts } from '../../src/platform/database/transcripts.ts';
import { changed, inlineExample } from './inline-example.ts';
import { withPlace } from './open-for-test.ts';

const acme = '/companies/0';

const cancelCampaign = statement<{ readonly id: string }>()((db, { id }) =>
  db.updateTable('campaigns').set({ status: 'CANCELLED' }).where('company_id', '=', '1').where('id', '=', id),
);

const clearRoom = statement<{ readonly id: string }>()((db, { id }) =>
  db.deleteFrom('room_tags').where('company_id', '=', '1').where('room_id', '=', id),
);

describe('importing again', () => {
  it(
    'never reverts live data: a cancelled campaign, the tags of a room (P6, TAG-04)',
    withPlace(async ({ open }) => {
      const { store, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      await store.runner.write([call(cancelCampaign, { id: 'camp_s' })]);
      await store.runner.write([call(clearRoom, { id: 'room_ana' })]);
      await importWorkspace({ workspace: changed(workspace, { [`${acme}/campaigns/0/name`]: 'Spring again' }) });
      const find = { companyId: '1', id: 'camp_s' };
      expect(await store.runner.readOne(campaigns.find(find))).toMatchObject({ status: 'CANCELLED', name: 'Spring' });
      expect(await store.runner.read(roomTags.all('1'))).toEqual([]);
    }),
  );

  it.each([1, 2, 3, 4, 5])('completes an import that was cut off after %i writes', async (writes) => {
    await withPlace(async ({ open }) => {
      const { store, importWorkspace, companies } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      const next = changed(workspace, {
        [`${acme}/bots/0/name`]: 'Second',
        [`${acme}/users/0/names`]: 'Second',
        ...Object.fromEntries([0, 1, 2, 3, 4].map((index) => [`${acme}/workflows/${index}/canvas/name`, 'Second'])),
      });
      const { write } = store.runner;
      let left = writes;
      Object.assign(store.runner, {
        write: (...given: Parameters<typeof write>) => (left-- > 0 ? write(...given) : Promise.reject(new Error('cut off'))),
      });
      await expect(importWorkspace({ workspace: next })).rejects.toThrow('cut off');
      Object.assign(store.runner, { write });
      await importWorkspace({ workspace: next });
      expect(companies.bot('bot_wa')?.name).toBe('Second');
      expect(await store.executions.contact('1', 'bot_wa', ['5215512345678'])).toMatchObject({ names: 'Second' });
      const names = (await store.canvases.published('1')).map(({ canvas }) => canvas.name);
      expect(names.filter((name) => name === 'Second')).toHaveLength(5);
    })();
  });

  it(
    'sets the configuration of the workspace, and keeps what it leaves out',
    withPlace(async ({ open }) => {
      const { companies, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      const { counts } = await importWorkspace({
        workspace: changed(workspace, {
          [`${acme}/bots/0/name`]: 'Acme on WhatsApp',
          [`${acme}/bots/0/provider/appSecret`]: 'another-secret',
          [`${acme}/templates/1/status`]: 'APPROVED',
          [`${acme}/bots/2`]: { id: 'bot_4', name: 'New', channel: 'web', connectedAt: '2026-02-01T00:00:00Z', provider: { kind: 'log' } },
        }),
      });
      expect(counts).toMatchObject({
        bots: { given: 5, written: 2 },
        templates: { written: 1 },
        companies: { written: 0 },
        workflows: { written: 0 },
      });
      expect(companies.bot('bot_wa')).toMatchObject({ name: 'Acme on WhatsApp', provider: { fields: { appSecret: 'another-secret' } } });
      expect(companies.template('1', 'tpl2')?.status).toBe('APPROVED');
      expect(companies.bots('1').map(({ id }) => id)).toEqual(['bot_4', 'bot_slack', 'bot_web', 'bot_wa', 'bot_chat']);
    }),
  );

  it(
    'keeps a revoked key revoked, whatever an older file contains (AUT-12)',
    withPlace(async ({ open }) => {
      const { companies, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      expect(companies.companyOfApiKey('hk_acme_0123456789abcdef')).toBe('1');
      await importWorkspace({ workspace: changed(workspace, { [`${acme}/apiKeys/0/revokedAt`]: '2026-06-01T00:00:00Z' }) });
      expect(companies.companyOfApiKey('hk_acme_0123456789abcdef')).toBeUndefined();
      await importWorkspace({ workspace });
      expect(companies.companyOfApiKey('hk_acme_0123456789abcdef')).toBeUndefined();
    }),
  );

  it(
    'takes a key until the instant at which it is revoked, however often it was right before (AUT-12)',
    withPlace(async ({ open, clock }) => {
      const { companies, importWorkspace } = await open();
      const workspace = await inlineExample();
      const revokedAt = new Date(clock.now() + 1_000).toISOString();
      await importWorkspace({ workspace: changed(workspace, { [`${acme}/apiKeys/0/revokedAt`]: revokedAt }) });
      const ask = () => companies.companyOfApiKey('hk_acme_0123456789abcdef');
      expect([ask(), ask()]).toEqual(['1', '1']);
      clock.advanceBy(999);
      expect([ask(), ask()]).toEqual(['1', '1']);
      clock.advanceBy(1);
      expect([ask(), ask()]).toEqual([undefined, undefined]);
    }),
  );

  it(
    'imports the tests of workflows, and overwrites those that changed in the workspace',
    withPlace(async ({ open }) => {
      const { store, importWorkspace, exportWorkspace } = await open();
      const workspace = await inlineExample();
      const talk = 'user: \u00a1hola!\n  bot: \ud83d\udc4b\n';
      const at = `${acme}/workflows/0`;
      const withTests = changed(workspace, { [`${at}/transcripts`]: { 'no-reply': talk, second: 'user: hi\n' } });
      const { workflows } = await importWorkspace({ workspace: withTests });
      const kept = async () => transcripts.all(store, '1', workflows[0]?.workflowId ?? '');
      expect(await kept()).toEqual([
        { name: 'no-reply', content: talk },
        { name: 'second', content: 'user: hi\n' },
      ]);
      expect(JSON.stringify(await exportWorkspace())).toContain(
        `"transcripts":${JSON.stringify({ 'no-reply': talk, second: 'user: hi\n' })}`,
      );

      // An author's changes stay, until the workspace changes.
      await transcripts.put(store, '1', workflows[0]?.workflowId ?? '', { name: 'second', content: 'user: bye\n', nowMs: 0 });
      await importWorkspace({ workspace: withTests });
      expect((await kept())[1]?.content).toBe('user: bye\n');
      await importWorkspace({ workspace: changed(withTests, { [`${at}/transcripts/second`]: 'user: hello\n' }) });
      expect((await kept())[1]?.content).toBe('user: hello\n');
    }),
  );

  it(
    'brings back a workflow that was removed while it was imported',
    withPlace(async ({ open }) => {
      const service = await open();
      const { store, importWorkspace } = service;
      const workspace = await inlineExample();
      const { canvases } = store;
      const { write } = store.runner;
      let removed = '';
      Object.assign(store.runner, {
        write: async (...given: Parameters<typeof write>) => {
          const [first] = await canvases.published('1');
          if (first === undefined) return write(...given); // the configuration, with the canvases
          Object.assign(store.runner, { write });
          removed = first.workflowId;
          const answer = await createManagement(service).request(`/workflows/${removed}?companyId=1`, { method: 'DELETE' });
          expect(answer.status).toBe(200);
          return write(...given);
        },
      });
      await importWorkspace({ workspace });
      expect(await canvases.draft('1', removed)).toBeUndefined();
      await importWorkspace({ workspace });
      expect(await canvases.draft('1', removed)).toBeDefined();
    }),
  );

  it(
    'refuses a test whose name is no file name',
    withPlace(async ({ open }) => {
      const { importWorkspace } = await open();
      const workspace = changed(await inlineExample(), { [`${acme}/workflows/0/transcripts`]: { '../x': 'user: hi' } });
      await expect(importWorkspace({ workspace })).rejects.toThrow('A name has 1 to 100 letters');
    }),
  );

  it(
    'imports a canvas again only when it changed in the workspace: an author’s own version stays',
    withPlace(async ({ open }) => {
      const { engine, store, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      const [first] = await store.canvases.versions('1', 'order-status');
      await engine.saveDraft('1', { ...first!.canvas, name: 'As the author wants it' });
      await engine.publish('1', 'order-status');
      expect((await importWorkspace({ workspace })).workflows.find(({ workflowId }) => workflowId === 'order-status')).toMatchObject({
        version: 2,
        isChanged: false,
      });
      const { workflows } = await importWorkspace({ workspace: changed(workspace, { [`${acme}/workflows/5/canvas/name`]: 'A new one' }) });
      expect(workflows.find(({ isChanged }) => isChanged)).toMatchObject({ workflowId: 'order-status', version: 3 });
      expect((await store.canvases.latest('1', 'order-status'))?.canvas.name).toBe('A new one');
    }),
  );

  it(
    'finds nothing new in an export of authors’ work, and imports it elsewhere',
    withPlace(async ({ open }) => {
      const { engine, store, importWorkspace, exportWorkspace } = await open();
      await importWorkspace({ workspace: await inlineExample() });
      const [first] = await store.canvases.versions('1', 'order-status');
      const canvas = { ...first!.canvas, id: WorkflowId.parse('made-here') };
      await engine.saveDraft('1', canvas);
      await engine.publish('1', 'made-here');
      await engine.saveDraft('1', { ...canvas, name: 'Being worked on' });
      await engine.saveDraft('1', { ...canvas, id: WorkflowId.parse('only-a-draft') });
      const workspace = await exportWorkspace();
      expect((await importWorkspace({ workspace })).counts.workflows).toMatchObject({ written: 0 });
      await engine.saveDraft('1', { ...canvas, name: 'Another' });
      expect((await importWorkspace({ workspace })).counts.workflows).toMatchObject({ written: 0 });
      expect(await store.canvases.versions('1', 'made-here')).toHaveLength(1);
      expect((await store.canvases.draft('1', 'made-here'))?.canvas.name).toBe('Another');
    }),
  );

  it(
    'leaves names alone that a user gave since, until the workspace changes them',
    withPlace(async ({ open }) => {
      const { engine, store, importWorkspace } = await open();
      const workspace = await inlineExample();
      await importWorkspace({ workspace });
      const user = { id: '5215512345678', names: 'Ana María' };
      await engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: 'e1', user, message: { id: 'm1', type: 'text', text: 'x' } });
      const names = async () => (await store.executions.contact('1', 'bot_wa', [user.id]))?.names;
      await importWorkspace({ workspace });
      expect(await names()).toBe('Ana María');
      await importWorkspace({ workspace: changed(workspace, { [`${acme}/users/0/names`]: 'Anita' }) });
      expect(await names()).toBe('Anita');
    }),
  );
});
