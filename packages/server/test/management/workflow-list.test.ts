import { parseCanvas } from '@hilo/engine';
import { describe, expect, it } from 'vitest';
import { type FakeManagement, fakeManagement, pausing } from './fake-management.ts';
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

  it('calls a draft by what is seen of its name, and by its id where nothing is', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const cases = [
      ['plain', 'Orders', 'Orders'],
      ['turned', 'Pay\u202egnp.exe', 'Paygnp.exe'],
      ['joined', 'Family \u{1f468}\u200d\u{1f469}', 'Family \u{1f468}\u200d\u{1f469}'],
      ['unseen', '\u200b\u2060', 'unseen'],
    ] as const;
    for (const [id, name] of cases) await ask('PUT', `/workflows/${id}?companyId=1`, pausing({ id, name }));
    const shown = cases.map(([id, , name]) => ({ id, name })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const named = (of: unknown) =>
      (of as readonly { readonly workflowId?: string; readonly id?: string; readonly name: string }[]).map(
        ({ workflowId, id = workflowId, name }) => ({ id, name }),
      );
    const { results } = (await ask('GET', '/workflows?companyId=1')).body as { readonly results: unknown };
    expect(named(results)).toEqual(shown);
    const { workflows } = (await ask('GET', '/references?companyId=1')).body as { readonly workflows: unknown };
    expect(named(workflows)).toEqual(shown);
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

describe('the order of the list of workflows', () => {
  /** Saved in this order, an hour apart. "imported" was saved by no author. */
  async function sortedBy(management: FakeManagement) {
    const { ask, clock, service } = management;
    for (const [id, name] of [
      ['b', 'Flow 10'],
      ['c', 'Ámbar'],
      ['a', 'flow 2'],
      ['d', 'Flow 10'],
    ]) {
      await ask('PUT', `/workflows/${id}?companyId=1`, pausing({ id, name }));
      clock.advanceTo(clock.now() + 3_600_000);
    }
    await service.engine.saveDraft('1', parseCanvas(pausing({ id: 'imported', name: 'Zoo' })).canvas!);
    return async (sort: string, limit: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = `&sort=${sort}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { body } = await ask('GET', `/workflows?companyId=1${query}`);
        const page = body as { readonly results: readonly { readonly workflowId: string }[]; readonly nextCursor: string | null };
        ids.push(...page.results.map(({ workflowId }) => workflowId));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return ids;
    };
  }

  it('is the same whatever the size of a page', async () => {
    await using management = await fakeManagement();
    const listed = await sortedBy(management);
    for (const limit of [1, 2, 4, 5, 6])
      expect([
        await listed('workflowId', limit),
        await listed('-workflowId', limit),
        await listed('name', limit),
        await listed('-name', limit),
        await listed('updatedAt', limit),
        await listed('-updatedAt', limit),
      ]).toEqual([
        ['a', 'b', 'c', 'd', 'imported'],
        ['imported', 'd', 'c', 'b', 'a'],
        ['c', 'a', 'b', 'd', 'imported'],
        ['imported', 'b', 'd', 'a', 'c'],
        ['imported', 'b', 'c', 'a', 'd'],
        ['d', 'a', 'c', 'b', 'imported'],
      ]);
  });

  it('is by how many executions wait, and a page begins after a workflow that is gone', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    await started(management);
    for (const id of ['a', 'z']) await ask('PUT', `/workflows/${id}?companyId=1`, pausing({ id }));
    const first = (await ask('GET', '/workflows?companyId=1&sort=-waiting&limit=2')).body;
    expect(first).toMatchObject({ results: [{ workflowId: 'pausing', waiting: 1 }, { workflowId: 'a' }] });
    expect(await ask('DELETE', '/workflows/a?companyId=1')).toMatchObject({ status: 200 });
    await service.engine.whenIdle();
    const { nextCursor } = first as { readonly nextCursor: string };
    expect((await ask('GET', `/workflows?companyId=1&sort=-waiting&limit=2&cursor=${nextCursor}`)).body).toMatchObject({
      results: [{ workflowId: 'z' }],
      nextCursor: null,
    });
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
      templates: [{ id: 'tpl1', name: 'tpl1', body: 'Hi', parameters: 0, isApproved: true }],
      company: { name: 'Company 1', plan: 'enterprise', kind: 'enterprise' },
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
