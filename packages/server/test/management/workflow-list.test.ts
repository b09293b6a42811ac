import { describe, expect, it } from 'vitest';
import { fakeManagement, pausing } from './fake-management.ts';
import { started } from './started.ts';

describe('the list of workflows', () => {
  it('lists who saved each draft, its problems, what waits and what failed within a day', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    await started(management);
    await ask('PUT', '/workflows/broken?companyId=1', pausing({ id: 'broken', name: 'Broken', edges: [] }));
    const { body } = await ask('GET', '/workflows?companyId=1');
    expect(body).toMatchObject({
      results: [
        { workflowId: 'broken', publishedVersion: null, waiting: 0 },
        {
          workflowId: 'pausing',
          errors: 0,
          running: 0,
          waiting: 1,
          failed24h: 0,
          savedBy: 'operator',
          updatedAt: '2031-03-03T09:00:00.000Z',
        },
      ],
    });
    const [broken] = (body as { readonly results: readonly { readonly errors: number; readonly warnings: number }[] }).results;
    expect(broken!.errors + broken!.warnings).toBeGreaterThan(0);
  });

  it('is searched by name and id, and leaves archived ones out by default', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    for (const id of ['one', 'two']) await ask('PUT', `/workflows/${id}?companyId=1`, pausing({ id, name: `Flow ${id}` }));
    const listed = async (query: string) =>
      (
        (await ask('GET', `/workflows?companyId=1${query}`)).body as { readonly results: readonly { readonly workflowId: string }[] }
      ).results.map(({ workflowId }) => workflowId);
    expect(await listed('&q=FLOW')).toEqual(['one', 'two']);
    expect(await listed('&q=tw')).toEqual(['two']);
    for (const _twice of [1, 2])
      expect((await ask('POST', '/workflows/one/archive?companyId=1', {})).body).toEqual({ workflowId: 'one', isArchived: true });
    expect([await listed(''), await listed('&archived=true')]).toEqual([['two'], ['one']]);
    await ask('POST', '/workflows/one/restore?companyId=1', {});
    expect([await listed(''), await listed('&archived=true')]).toEqual([['one', 'two'], []]);
    expect((await ask('POST', '/workflows/none/archive?companyId=1', {})).status).toBe(404);
  });
});

describe('references', () => {
  it('name what a company has, and no secret of it', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    await ask('PUT', '/workflows/pausing?companyId=1', pausing());
    const { body } = await ask('GET', '/references?companyId=1');
    expect(body).toEqual({
      bots: [
        { id: 'bot_wa', name: 'bot_wa', channel: 'whatsapp' },
        { id: 'bot_slack', name: 'bot_slack', channel: 'slack' },
      ],
      templates: [],
      credentials: [],
      workflows: [{ id: 'pausing', name: 'Pausing', kind: 'skill', inputs: {}, outputs: {} }],
      functions: [],
      tags: [],
      teams: [],
      operators: [],
      settings: expect.any(Object) as unknown,
    });
    expect(JSON.stringify(body)).not.toContain('canary');
    expect((await ask('GET', '/references?companyId=2')).body).toMatchObject({ workflows: [] });
  });
});
