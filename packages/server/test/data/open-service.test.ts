import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { companies } from '../../src/platform/tables/companies.ts';
import { exampleWorkspace, withPlace } from './open-for-test.ts';

const reminder = {
  companyId: '1',
  workflowId: 'payment-reminder',
  nodeId: 'wh1',
  route: 'production',
  channel: 'whatsapp',
  botId: 'bot_wa',
  request: { method: 'POST', headers: {}, query: {}, body: { user: { id: '5215512345678' }, number: 'F-1', amount: 30 } },
} as const;

/** Writes an instant and a number as its company does. */
const asking = {
  schemaVersion: 1,
  id: 'asking',
  name: 'Asking',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    {
      id: 'write',
      type: 'set',
      data: {
        assignments: [
          { path: '$context.at', value: '{{time(timestamp("2031-01-01T12:30:00Z"))}}' },
          { path: '$context.much', value: '{{formatNumber(1234.5, 1)}}' },
        ],
      },
    },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'write' },
    { source: 'write', target: 'done' },
  ],
};

describe('openService', () => {
  it(
    'continues waiting executions after a restart (P1)',
    withPlace(async ({ open }) => {
      const before = await open({ workspace: exampleWorkspace });
      const { executionId } = await before.engine.receiveWebhook(reminder);
      await before.close();
      const after = await open();
      expect(after.imported).toBeUndefined();
      expect(after.companies.bot('bot_wa')?.provider.fields['appSecret']).toBe('inbound-secret-wa');
      const body = { meta: { executionId }, receipt: 'R-1' };
      await after.engine.receiveWebhook({ ...reminder, request: { ...reminder.request, body } });
      await after.engine.whenIdle();
      expect((await after.engine.execution('1', executionId))?.state.status).toBe('completed');
    }),
  );

  it(
    'fires timers that became due while it was down',
    withPlace(async ({ open, clock }) => {
      const before = await open({ workspace: exampleWorkspace });
      const { executionId } = await before.engine.receiveWebhook(reminder);
      await before.close();
      clock.advanceBy(4 * 86_400_000);
      const after = await open();
      const ended = new Promise((resolve) => after.engine.on('execution.ended', resolve));
      clock.advanceBy(1);
      await ended;
      expect((await after.engine.execution('1', executionId))?.state.status).toBe('completed');
    }),
  );

  it(
    'refuses a missing database that existed before, and never creates an empty one (P26)',
    withPlace(async ({ open, directory }) => {
      await (await open({ workspace: exampleWorkspace })).close();
      for (const file of await readdir(directory)) if (file.startsWith('hilo.db')) await rm(join(directory, file));
      const wayOut = `restore it, or remove ${join(directory, 'hilo.json')} to begin a new one`;
      for (const _ of [1, 2])
        await expect(open()).rejects.toMatchObject({ code: 'STORE_MISSING', message: expect.stringContaining(wayOut) as string });
      await rm(join(directory, 'hilo.json'));
      expect((await open()).companies.all()).toEqual([]);
    }),
  );

  it(
    'creates nothing when the key is malformed (T23)',
    withPlace(async ({ open, directory }) => {
      await expect(open({ secretKey: 'short' })).rejects.toMatchObject({ code: 'SECRET_KEY_REFUSED' });
      expect(await readdir(directory)).toEqual([]);
      await writeFile(join(directory, 'secret.key'), 'short');
      await expect(open()).rejects.toMatchObject({ code: 'SECRET_KEY_REFUSED' });
      expect(await readdir(directory)).toEqual(['secret.key']);
    }),
  );

  it(
    'lets go of everything when it cannot begin: the next try finds the store free',
    withPlace(async ({ open, directory }) => {
      const file = join(directory, 'workspace.json');
      await writeFile(file, '{ "companies": [{}] }');
      await expect(open({ workspace: file })).rejects.toMatchObject({ code: 'WORKSPACE_REFUSED' });
      await expect(open({ egressCa: join(directory, 'missing.pem') })).rejects.toThrow('missing.pem');
      await writeFile(file, '{ "companies": [] }');
      expect((await open({ workspace: file })).imported?.counts.companies).toEqual({ given: 0, written: 0 });
    }),
  );

  it(
    'stays idle for a read-only command: nothing continues, and no workspace is imported',
    withPlace(async ({ open, clock }) => {
      const before = await open({ workspace: exampleWorkspace });
      const { executionId } = await before.engine.receiveWebhook(reminder);
      await before.close();
      const looking = await open({ workspace: exampleWorkspace }, { runs: false });
      clock.advanceBy(4 * 86_400_000);
      expect(looking.imported).toBeUndefined();
      expect((await looking.engine.execution('1', executionId))?.state.status).toBe('waiting');
      expect((await looking.exportWorkspace())['companies']).toHaveLength(2);
    }),
  );

  it(
    'accepts requests until it is closed, and closes once for any number of calls (P25)',
    withPlace(async ({ open }) => {
      const service = await open({ workspace: exampleWorkspace });
      await service.engine.receiveWebhook(reminder);
      expect(service.isAccepting()).toBe(true);
      service.stopAccepting();
      expect(service.isAccepting()).toBe(false);
      await Promise.all([service.close(), service.close()]);
      await expect(service.engine.receiveWebhook(reminder)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    }),
  );

  it(
    'forgets executions 30 days after their end, in the background',
    withPlace(async ({ open, clock }) => {
      const service = await open({ workspace: exampleWorkspace });
      const { executionId } = await service.engine.receiveWebhook(reminder);
      await service.engine.cancel('1', executionId);
      await service.close();
      clock.advanceBy(29 * 86_400_000);
      const kept = await open();
      expect(await kept.engine.execution('1', executionId)).toBeDefined();
      await kept.close();
      clock.advanceBy(2 * 86_400_000);
      const { engine, close } = await open();
      await close(); // the first round of pruning is finished before the store is let go of
      expect(await open({}, { runs: false }).then(({ engine }) => engine.execution('1', executionId))).toBeUndefined();
      expect(engine.activity()).toEqual({ working: 0, blocked: 0 });
    }),
  );

  it(
    'shows canvases their company and bot, and no secret',
    withPlace(async ({ open }) => {
      const { engine } = await open({ workspace: exampleWorkspace });
      const { executionId } = await engine.receiveWebhook(reminder);
      await engine.whenIdle();
      const variables = (await engine.execution('1', executionId))?.state.variables;
      expect(variables?.['$bot']).toEqual({ id: 'bot_wa', name: 'Acme WhatsApp', channel: 'whatsapp' });
      expect(variables?.['$company']).toMatchObject({ id: '1', name: 'Acme', plan: 'free', kind: 'self-service' });
      expect(variables?.['$company']).not.toHaveProperty('timeZone');
    }),
  );

  it(
    'shows canvases the time zone and locale of their company, and refuses invalid ones',
    withPlace(async ({ open, directory }) => {
      const file = join(directory, 'workspace.json');
      const company = {
        id: 1,
        name: 'A',
        plan: 'free',
        bots: [],
        timeZone: 'America/Lima',
        locale: 'de-DE',
        workflows: [{ canvas: asking, publish: true }],
      };
      await writeFile(file, JSON.stringify({ companies: [company] }));
      const { engine, companies, close } = await open({ workspace: file });
      expect(companies.company('1')).toMatchObject({ timeZone: 'America/Lima', locale: 'de-DE' });
      const { executionId } = await engine.startWorkflow({ workflowId: 'asking', origin: { companyId: '1', route: 'production' } });
      await engine.whenIdle();
      const variables = (await engine.execution('1', executionId))?.state.variables;
      expect(variables?.['$context']).toMatchObject({ at: '07:30', much: '1.234,5' });
      const wrong = { ...company, timeZone: 'America/Atlantis', locale: 'not a locale' };
      await close();
      await writeFile(file, JSON.stringify({ companies: [wrong] }));
      await expect(open({ workspace: file })).rejects.toMatchObject({
        details: {
          problems: [
            { pointer: '/companies/0/timeZone', message: expect.stringContaining('America/Lima') as string },
            { pointer: '/companies/0/locale', message: expect.stringContaining('es-PE') as string },
          ],
        },
      });
    }),
  );

  it(
    'starts the failure workflow of a company, exports its id, and refuses an unknown one',
    withPlace(async ({ open, directory }) => {
      const file = join(directory, 'workspace.json');
      const begin = { id: 'begin', type: 'start', data: {} };
      const canvas = (id: string, end: object) => ({
        canvas: {
          schemaVersion: 1,
          id,
          name: id,
          kind: 'tool',
          nodes: [begin, { id: 'done', type: 'end', data: end }],
          edges: [{ source: 'begin', target: 'done' }],
        },
        publish: true,
      });
      const company = {
        id: 1,
        name: 'A',
        plan: 'free',
        failureWorkflowId: 'alarm',
        workflows: [canvas('broken', { outcome: 'failed' }), canvas('alarm', { outputs: { of: '{{$input.failure.workflowId ?? ""}}' } })],
      };
      await writeFile(file, JSON.stringify({ companies: [company] }));
      const service = await open({ workspace: file });
      await service.engine.startWorkflow({ workflowId: 'broken', origin: { companyId: '1', route: 'production' } });
      await service.engine.whenIdle();
      const { results } = await service.store.executions.list('1', { limit: 10 });
      expect(results.find(({ workflowId }) => workflowId === 'alarm')?.state.ending).toMatchObject({ outputs: { of: 'broken' } });
      expect(await service.exportWorkspace()).toMatchObject({ companies: [{ failureWorkflowId: 'alarm' }] });
      await service.close();
      await writeFile(file, JSON.stringify({ companies: [{ ...company, failureWorkflowId: 'allarm' }] }));
      await expect(open({ workspace: file })).rejects.toMatchObject({
        details: { problems: [{ code: 'UNRESOLVED_REFERENCE', pointer: '/companies/0/failureWorkflowId' }] },
      });
    }),
  );

  it(
    'shows canvases the time zone and locale of a user, before those of the company, and refuses invalid ones by name',
    withPlace(async ({ open, directory }) => {
      const file = join(directory, 'workspace.json');
      const place = { timeZone: 'Asia/Tokyo', locale: 'en-GB' };
      const company = {
        id: 1,
        name: 'A',
        plan: 'free',
        bots: [{ id: 'b', name: 'B', channel: 'web', connectedAt: '2031-01-01T00:00:00Z', provider: { kind: 'log' } }],
        timeZone: 'America/Lima',
        locale: 'de-DE',
        users: [{ id: '51999000111', ...place }],
        workflows: [{ canvas: asking, publish: true }],
      };
      await writeFile(file, JSON.stringify({ companies: [company] }));
      const { engine, close } = await open({ workspace: file });
      const variablesOf = async (userId: string) => {
        const origin = { companyId: '1', botId: 'b', userId, route: 'production' } as const;
        const { executionId } = await engine.startWorkflow({ workflowId: 'asking', origin });
        await engine.whenIdle();
        return (await engine.execution('1', executionId))?.state.variables;
      };
      expect(await variablesOf('51999000111')).toMatchObject({ $user: place, $context: { at: '21:30', much: '1,234.5' } });
      expect(await variablesOf('51999000222')).toMatchObject({ $context: { at: '07:30', much: '1.234,5' } });
      await close();
      const nowhere = { id: '51999000111', timeZone: 'Asia/Atlantis', locale: 'no locale' };
      await writeFile(file, JSON.stringify({ companies: [{ ...company, users: [nowhere] }] }));
      await expect(open({ workspace: file })).rejects.toMatchObject({
        details: {
          problems: [
            { pointer: '/companies/0/users/0/timeZone', message: expect.stringContaining('Asia/Atlantis') as string },
            { pointer: '/companies/0/users/0/locale', message: expect.stringContaining('no locale') as string },
          ],
        },
      });
    }),
  );
});

it(
  'a service closes its store though a part of it cannot stop, and says so',
  withPlace(async ({ open, log }) => {
    const service = await open();
    vi.spyOn(service.engine, 'stop').mockRejectedValue(new Error('The database is gone'));
    vi.spyOn(service.engine, 'whenIdle').mockRejectedValue(new Error('The database is gone'));
    await service.close();
    const reported = log.lines.filter(({ level, fields }) => level === 'warn' && JSON.stringify(fields).includes('The database is gone'));
    expect(reported).toHaveLength(2);
    const next = await open(); // the file is free
    expect(await next.store.runner.read(companies.allOfEveryCompany())).toEqual([]);
  }),
);
