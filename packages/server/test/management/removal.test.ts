import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { actOfEvent } from '../../src/audit/audit.ts';
import { type FakeManagement, fakeManagement, pausing } from './fake-management.ts';
import { started } from './started.ts';

const place = '/workflows/pausing?companyId=1';
const workflowsOf = async ({ ask }: FakeManagement, companyId: string) =>
  (
    (await ask('GET', `/workflows?companyId=${companyId}`)).body as { readonly results: readonly { readonly workflowId: string }[] }
  ).results.map(({ workflowId }) => workflowId);

describe('DELETE of a workflow', () => {
  it('removes its draft, its versions and its transcripts, of this company alone', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    for (const companyId of ['1', '2']) await ask('PUT', `/workflows/pausing?companyId=${companyId}`, pausing());
    await ask('POST', '/workflows/pausing/publish?companyId=1');
    expect(await ask('DELETE', place)).toEqual({ status: 200, body: { workflowId: 'pausing', cancelled: 0 } });
    expect(await workflowsOf(management, '1')).toEqual([]);
    expect(await workflowsOf(management, '2')).toEqual(['pausing']);
    for (const path of ['', '/versions', '/versions/1'])
      expect((await ask('GET', `/workflows/pausing${path}?companyId=1`)).status).toBe(404);
    // A new workflow of the same name begins at version 1.
    await ask('PUT', place, pausing());
    expect(await ask('POST', '/workflows/pausing/publish?companyId=1')).toMatchObject({ body: { version: 1 } });
  });

  it('is refused while executions of it have not ended, and removes nothing then', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const executionId = await started(management);
    const refused = { status: 409, body: { error: 'WORKFLOW_IN_USE', message: expect.stringContaining('force=true') as string } };
    expect(await ask('DELETE', place)).toMatchObject(refused);
    expect(await ask('DELETE', `${place}&force=false`)).toMatchObject(refused);
    expect(await ask('GET', place)).toMatchObject({ status: 200, body: { publishedVersion: 1 } });
    expect(await ask('GET', `/executions/${executionId}`)).toMatchObject({ body: { status: 'waiting' } });
  });

  it('cancels them by force, and keeps their history', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    const ids = [await started(management), await started(management, '51999000222')];
    expect(await ask('DELETE', `${place}&force=true`)).toEqual({ status: 200, body: { workflowId: 'pausing', cancelled: 2 } });
    for (const id of ids) {
      expect(await ask('GET', `/executions/${id}`)).toMatchObject({ body: { status: 'cancelled' } });
      expect(await ask('GET', `/executions/${id}/history`)).toMatchObject({ status: 200 });
    }
    const request = { method: 'POST', headers: {}, query: {}, body: { user: '51999000111' } };
    const hook = {
      workflowId: 'pausing',
      nodeId: 'hook',
      channel: 'whatsapp',
      botId: 'bot_wa',
      companyId: '1',
      route: 'production',
    } as const;
    await expect(service.engine.receiveWebhook({ ...hook, request })).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('takes a version with it that is published meanwhile', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    await ask('PUT', place, pausing());
    await ask('POST', '/workflows/pausing/publish?companyId=1');
    await ask('PUT', place, pausing({ name: 'Second' }));
    const { canvases } = service.store;
    const { publish } = canvases;
    Object.assign(canvases, {
      publish: async (...given: Parameters<typeof publish>) => {
        expect(await ask('DELETE', place)).toMatchObject({ status: 200 });
        return publish(...given);
      },
    });
    const late = await ask('POST', '/workflows/pausing/publish?companyId=1');
    expect(late).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
    expect(await canvases.latest('1', 'pausing')).toBeUndefined();
    expect((await ask('GET', '/workflows/pausing/versions?companyId=1')).status).toBe(404);
  });

  it('takes a version with it that its own write did not see', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    await ask('PUT', place, pausing());
    await ask('POST', '/workflows/pausing/publish?companyId=1');
    const { canvases, runner } = service.store;
    const draft = (await canvases.draft('1', 'pausing'))!;
    const { write } = runner;
    Object.assign(runner, {
      write: async (...given: Parameters<typeof write>) => {
        const written = await write(...given);
        Object.assign(runner, { write });
        await canvases.publish('1', draft.canvas, 'of-a-publisher-who-saw-the-draft', 0);
        return written;
      },
    });
    expect(await ask('DELETE', place)).toMatchObject({ status: 200 });
    expect(await canvases.latest('1', 'pausing')).toBeUndefined();
  });

  it.each([
    ['PUT', '/workflows/pausing/transcripts/first?companyId=1', { headers: { 'content-type': 'text/plain' }, body: 'user: hi' }],
    ['POST', '/workflows/pausing/archive?companyId=1', {}],
  ])('leaves nothing behind of a %s %s meanwhile', async (method, path, more) => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    await ask('PUT', place, pausing());
    const { runner } = service.store;
    const { write, writeOne } = runner;
    const recording = actOfEvent({ actor: 'a', requestId: 'r', action: 'x' }, {}, 1).statement;
    const removed = async () => {
      Object.assign(runner, { write, writeOne });
      expect(await ask('DELETE', place)).toMatchObject({ status: 200 });
    };
    // Before the first write of the route, whichever it is: the record of the act is written before.
    Object.assign(runner, {
      write: async (...given: Parameters<typeof write>) =>
        given[0].some((one) => Object.is(one.statement, recording)) ? write(...given) : removed().then(() => write(...given)),
      writeOne: async (...given: Parameters<typeof writeOne>) => removed().then(() => writeOne(...given)),
    });
    const answer = await createManagement(service).request(path, { method, ...more });
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'WORKFLOW_NOT_FOUND' }]);
    await ask('PUT', place, pausing());
    expect(await ask('GET', '/workflows/pausing/transcripts?companyId=1')).toMatchObject({ body: { results: [] } });
    expect(await workflowsOf(management, '1')).toEqual(['pausing']);
  });

  it.each([
    ['/workflows/nothing?companyId=1', 404, 'WORKFLOW_NOT_FOUND'],
    ['/workflows/pausing?companyId=9', 404, 'COMPANY_NOT_FOUND'],
    ['/workflows/pausing?companyId=1&force=perhaps', 422, 'force'],
  ])('%s is answered %i', async (path, status, told) => {
    await using management = await fakeManagement();
    await management.ask('PUT', place, pausing());
    const answer = await management.ask('DELETE', path);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(told);
    expect(await workflowsOf(management, '1')).toEqual(['pausing']);
  });
});
