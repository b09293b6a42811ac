// What authors of a workflow tell one another: who is here, comments, and folders.
import { describe, expect, it } from 'vitest';
import { Hono } from 'hono';
import { z } from 'zod';
import { createManagement } from '../../src/service/app.ts';
import type { HttpEnv } from '../../src/platform/http/context.ts';
import { fakeManagement, pausing } from './fake-management.ts';

const query = '?companyId=1';
const Comment = z.looseObject({ id: z.string() });

/** Asks management as somebody. */
const askAs = (service: Parameters<typeof createManagement>[0], name: string) => {
  const app = new Hono<HttpEnv>().use(async (c, next) => (c.set('credential', name), next())).route('/', createManagement(service));
  return async (method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }> => {
    const answer = await app.request(path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
};

describe('authors of one workflow', () => {
  it('see who else is here and at which node, until they leave or are silent for 45 seconds', async () => {
    await using management = await fakeManagement();
    const { ask, clock } = management;
    for (const id of ['one', 'two']) await ask('PUT', `/workflows/${id}${query}`, pausing({ id, name: id }));
    const say = async (tab: string, nodeId: string | null = null, workflow = 'one') =>
      (await ask('PUT', `/workflows/${workflow}/authors/${tab}${query}`, { nodeId })).body;
    const others = (...nodeIds: (string | null)[]) => ({
      results: nodeIds.map((nodeId) => ({ name: 'operator', nodeId })),
      nextCursor: null,
      lock: null,
    });
    expect(await say('tab-of-ana')).toEqual(others());
    expect(await say('tab-of-ben', 'pause')).toEqual(others(null));
    expect(await say('tab-of-ana', 'end')).toEqual(others('pause'));
    expect(await say('tab-of-eve', null, 'two')).toEqual(others());
    clock.advanceBy(44_999);
    expect(await say('tab-of-ana')).toEqual(others('pause'));
    clock.advanceBy(1);
    expect(await say('tab-of-ana')).toEqual(others()); // ben has said nothing since
    await say('tab-of-ben');
    for (const _twice of [1, 2]) expect((await ask('DELETE', `/workflows/one/authors/tab-of-ben${query}`)).status).toBe(200);
    expect(await say('tab-of-ana')).toEqual(others());
    expect((await ask('PUT', `/workflows/one/authors/short${query}`, {})).status).toBe(422);
    expect((await ask('PUT', `/workflows/none/authors/tab-of-ana${query}`, {})).status).toBe(404);
  });

  it('are there by person: neither a page of before nor another one of somebody is told them as another author', async () => {
    await using management = await fakeManagement();
    const { ask, service, clock } = management;
    await ask('PUT', `/workflows/one${query}`, pausing({ id: 'one', name: 'One' }));
    const say = async (name: string, tab: string, nodeId: string | null = null) => {
      clock.advanceBy(1);
      const { body } = await askAs(service, name)('PUT', `/workflows/one/authors/${tab}${query}`, { nodeId });
      return (body as { readonly results: unknown }).results;
    };
    expect(await say('user ana', 'tab-before', 'pause')).toEqual([]);
    expect(await say('user ana', 'tab-after', 'pause')).toEqual([]);
    expect(await say('user ben', 'tab-of-ben')).toEqual([{ name: 'user ana', nodeId: 'pause' }]);
    await say('user ana', 'tab-before', 'end');
    expect(await say('user ben', 'tab-of-ben')).toEqual([{ name: 'user ana', nodeId: 'end' }]);
    expect(await say('user ana', 'tab-after')).toEqual([{ name: 'user ben', nodeId: null }]);
  });

  it('comment on a node or on the whole, mark a comment as done and remove it; the workflow takes its comments along', async () => {
    await using management = await fakeManagement();
    const { ask, clock } = management;
    await ask('PUT', `/workflows/one${query}`, pausing({ id: 'one', name: 'One' }));
    const path = '/workflows/one/comments';
    const hostile = '<img src=x onerror=alert(1)> ‏{{$user.id}}\n=1+1';
    const first = Comment.parse((await ask('POST', `${path}${query}`, { nodeId: 'pause', text: hostile })).body);
    clock.advanceBy(1_000);
    const second = Comment.parse((await ask('POST', `${path}${query}`, { text: 'As a whole: fine' })).body);
    expect(first).toMatchObject({ nodeId: 'pause', text: hostile, by: 'operator', doneAt: null, doneBy: null });
    expect((await ask('GET', `${path}${query}`)).body).toEqual({ results: [first, second], nextCursor: null });

    const done = await ask('PATCH', `${path}/${first.id}${query}`, { isDone: true });
    expect(done.body).toEqual({ ...first, doneAt: '2031-03-03T09:00:01.000Z', doneBy: 'operator' });
    expect((await ask('PATCH', `${path}/${first.id}${query}`, { isDone: false })).body).toEqual(first);
    expect((await ask('DELETE', `${path}/${first.id}${query}`)).body).toEqual({ id: first.id });
    for (const [method, body] of [
      ['PATCH', { isDone: true }],
      ['DELETE', undefined],
    ] as const)
      expect(await ask(method, `${path}/${first.id}${query}`, body)).toMatchObject({ status: 404, body: { error: 'COMMENT_NOT_FOUND' } });
    for (const wrong of [
      {},
      { text: '' },
      { text: ' \u200b\n' },
      { text: 'x'.repeat(2_001) },
      { text: 'a', nodeId: 3 },
      { text: 'a', more: 1 },
    ])
      expect((await ask('POST', `${path}${query}`, wrong)).status).toBe(422);
    expect((await ask('POST', `${path}${query}`, { text: 'x'.repeat(2_000) })).status).toBe(200);
    expect((await ask('POST', '/workflows/one/comments?companyId=2', { text: 'a' })).status).toBe(404);

    expect((await ask('DELETE', `/workflows/one${query}`)).status).toBe(200);
    await ask('PUT', `/workflows/one${query}`, pausing({ id: 'one', name: 'One' }));
    expect((await ask('GET', `${path}${query}`)).body).toEqual({ results: [], nextCursor: null });
  });

  it('lock a workflow: nobody else publishes a version of it again', async () => {
    await using management = await fakeManagement();
    const [ana, ben] = [askAs(management.service, 'user ana'), askAs(management.service, 'user ben')];
    await ana('PUT', `/workflows/one${query}`, pausing({ id: 'one', name: 'One' }));
    for (const path of ['publish', 'lock']) await ana(path === 'lock' ? 'PUT' : 'POST', `/workflows/one/${path}${query}`, {});
    const again = `/workflows/one/versions/1/publish${query}`;
    expect(await ben('POST', again, {})).toMatchObject({ status: 409, body: { error: 'WORKFLOW_LOCKED' } });
    expect((await ana('POST', again, {})).status).toBe(200);
  });

  it('lock a workflow: nobody else saves, publishes, archives or removes it, until it is unlocked or the lock is taken away', async () => {
    await using management = await fakeManagement();
    const { service } = management;
    const [ana, ben] = [askAs(service, 'user ana'), askAs(service, 'user ben')];
    const canvas = pausing({ id: 'one', name: 'One' });
    expect((await ana('PUT', `/workflows/one/lock${query}`)).status).toBe(404);
    expect((await ana('PUT', `/workflows/one${query}`, canvas)).body).toMatchObject({ lock: null });
    const lock = { by: 'user ana', at: '2031-03-03T09:00:00.000Z', isMine: true };
    for (const _twice of [1, 2])
      expect(await ana('PUT', `/workflows/one/lock${query}`, { tab: 'tab-of-ana' })).toEqual({ status: 200, body: lock });

    const changes = [
      ['PUT', `/workflows/one${query}`, { ...canvas, name: 'Two' }],
      ['POST', `/workflows/one/publish${query}`, {}],
      ['POST', `/workflows/one/publish${query}`, { at: '2031-04-01T09:00:00Z' }],
      ['POST', `/workflows/one/archive${query}`, {}],
      ['PUT', `/workflows/one/lock${query}`, {}],
      ['DELETE', `/workflows/one/lock${query}`, undefined],
      ['DELETE', `/workflows/one${query}`, undefined],
    ] as const;
    for (const [method, path, body] of changes)
      expect(await ben(method, path, body)).toMatchObject({ status: 409, body: { error: 'WORKFLOW_LOCKED' } });
    const others = { ...lock, isMine: false };
    expect((await ben('GET', `/workflows/one${query}`)).body).toMatchObject({
      canvas: { name: 'One' },
      publishedVersion: null,
      lock: others,
    });
    expect((await ben('PUT', `/workflows/one/authors/tab-of-ben${query}`, {})).body).toMatchObject({ lock: others });
    expect((await ben('POST', `/workflows/one/comments${query}`, { text: 'May I?' })).status).toBe(200);
    expect((await ben('PUT', `/workflows/two${query}`, { ...canvas, id: 'two' })).status).toBe(200); // the lock is of one workflow

    expect((await ana('PUT', `/workflows/one${query}`, { ...canvas, name: 'Three' })).body).toMatchObject({ lock });
    expect((await ben('DELETE', `/workflows/one/lock${query}&force=true`)).status).toBe(200);
    for (const _twice of [1, 2]) expect((await ana('DELETE', `/workflows/one/lock${query}`)).status).toBe(200);
    expect((await ben('PUT', `/workflows/one${query}`, canvas)).body).toMatchObject({ lock: null });
    expect((await ben('PUT', `/workflows/one/lock${query}`, { tab: 'x'.repeat(65) })).status).toBe(422);

    expect((await ben('PUT', `/workflows/one/lock${query}`)).status).toBe(200);
    expect((await ben('DELETE', `/workflows/one${query}`)).status).toBe(200);
    expect((await ana('PUT', `/workflows/one${query}`, canvas)).body).toMatchObject({ lock: null }); // one that is made anew has none
  });

  it('share a token: the lock is that of the page, and its saves are taken from all of them', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const canvas = pausing({ id: 'one', name: 'One' });
    await ask('PUT', `/workflows/one${query}`, canvas);
    await ask('PUT', `/workflows/one/lock${query}`, { tab: 'tab-of-ana' });
    const isMine = async (tab: string) => (await ask('PUT', `/workflows/one/authors/${tab}${query}`, {})).body;
    expect(await isMine('tab-of-ana')).toMatchObject({ lock: { isMine: true } });
    expect(await isMine('tab-of-ben')).toMatchObject({ lock: { isMine: false } });
    expect((await ask('PUT', `/workflows/one${query}`, canvas)).status).toBe(200);
  });

  it('put workflows into folders of the list, and take them out', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    for (const id of ['one', 'two']) await ask('PUT', `/workflows/${id}${query}`, pausing({ id, name: id }));
    const put = (folder: unknown) => ask('PUT', `/workflows/one/folder${query}`, { folder });
    const folders = async () => (await ask('GET', `/workflows${query}`)).body;
    expect((await put('  Sales/Peru ')).body).toEqual({ workflowId: 'one', folder: 'Sales/Peru' });
    expect(await folders()).toMatchObject({
      results: [
        { workflowId: 'one', folder: 'Sales/Peru' },
        { workflowId: 'two', folder: '' },
      ],
    });
    expect((await put('Support')).status).toBe(200);
    expect(await folders()).toMatchObject({ results: [{ folder: 'Support' }, { folder: '' }] });
    expect((await put('')).body).toEqual({ workflowId: 'one', folder: '' });
    expect(await folders()).toMatchObject({ results: [{ folder: '' }, { folder: '' }] });
    for (const wrong of ['two\nlines', 'x'.repeat(101), 7, null]) expect((await put(wrong)).status).toBe(422);
    expect((await put('x'.repeat(100))).status).toBe(200);
  });
});
