import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { exampleWorkspace, withPlace } from './open-for-test.ts';

const text = (said: string) => ({ message: { type: 'text', text: said } });
const node = (id: string, type: string, data: object = {}) => ({ id, type, data });

/** Asks, and says what was answered; it is started by a message, by a webhook, by name, and by another workflow. */
const asks = (id: string, keyword: string) => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    node('begin', 'start', { keywords: [keyword] }),
    node('hook', 'webhook', { variableName: 'hook', methods: ['POST'], userIdPath: 'phone' }),
    node('ask', 'ask', { ...text('And?'), input: { kind: 'text' }, saveAs: '$context.said' }),
    node('done', 'end', { outputs: { said: '{{$context.said}}' } }),
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'hook', sourceHandle: 'new', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'done' },
  ],
});

const caller = {
  schemaVersion: 1,
  id: 'caller',
  name: 'Caller',
  nodes: [node('begin', 'start', { keywords: ['call'] }), node('call', 'workflow', { workflowId: 'asks' }), node('done', 'end')],
  edges: [
    { source: 'begin', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'done' },
  ],
};

describe('an archived workflow', () => {
  it(
    'is started by nothing, while what waits goes on; restored, it is published again before it starts',
    withPlace(async ({ open }) => {
      const before = await open({ workspace: exampleWorkspace });
      const { engine } = before;
      const management = createManagement(before);
      const post = async (path: string, method = 'POST', body: object = {}) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await management.request(`${path}?companyId=1`, { method, headers, body: JSON.stringify(body) });
        return { status: answer.status, body: (await answer.json()) as { readonly isArchived?: boolean; readonly error?: string } };
      };
      for (const canvas of [asks('asks', 'hello asks'), caller]) {
        expect(await post(`/workflows/${canvas.id}`, 'PUT', canvas)).toMatchObject({ status: 200, body: { isArchived: false } });
        expect(await post(`/workflows/${canvas.id}/publish`)).toMatchObject({ status: 200 });
      }
      let events = 0;
      const say = async (userId: string, said: string, on = engine) => {
        events += 1;
        const message = { id: `m${events}`, type: 'text', text: said };
        const { outcome } = await on.receiveMessage({
          companyId: '1',
          botId: 'bot_wa',
          eventId: `e${events}`,
          user: { id: userId },
          message,
        });
        await on.whenIdle();
        return outcome;
      };
      const hook = (on = engine) =>
        on.receiveWebhook({
          companyId: '1',
          workflowId: 'asks',
          nodeId: 'hook',
          route: 'production',
          channel: 'whatsapp',
          botId: 'bot_wa',
          request: { method: 'POST', headers: {}, query: {}, body: { phone: '5215512345670' } },
        });
      const origin = { companyId: '1', route: 'production' } as const;
      expect(await say('5215512345671', 'hello asks')).toBe('started');
      expect(await post('/workflows/asks/archive')).toMatchObject({ status: 200, body: { isArchived: true } });

      const refusedOn = async ({ engine: on, store }: typeof before) => {
        const count = async () => (await store.executions.list('1', { workflowId: 'asks', limit: 100 })).results.length;
        const started = await count();
        await say('5215512345672', 'hello asks', on); // a fallback of another workflow may take it
        expect(await count()).toBe(started);
        await expect(hook(on)).rejects.toMatchObject({ code: 'WORKFLOW_ARCHIVED', status: 404 });
        for (const version of [{}, { version: 1 }])
          await expect(on.startWorkflow({ origin, workflowId: 'asks', ...version })).rejects.toMatchObject({ code: 'WORKFLOW_ARCHIVED' });
      };
      await refusedOn(before);
      expect(await post('/workflows/asks/start')).toMatchObject({ status: 404, body: { error: 'WORKFLOW_ARCHIVED' } });
      expect(await say('5215512345671', 'still here')).toBe('resumed');
      expect(await say('5215512345673', 'call')).toBe('started'); // as if there were no such workflow to call
      const [calling] = (await before.store.executions.list('1', { workflowId: 'caller', limit: 1 })).results;
      expect(calling?.state).toMatchObject({ status: 'failed', ending: { failure: { cause: 'WORKFLOW_NOT_FOUND' } } });
      const other = asks('other', 'hello asks'); // its keyword is free now
      await post('/workflows/other', 'PUT', other);
      expect(await post('/workflows/other/publish')).toMatchObject({ status: 200 });
      expect(await post('/workflows/other', 'DELETE')).toMatchObject({ status: 200 });
      await before.close();

      const after = await open(); // it stays archived
      await refusedOn(after);
      const again = createManagement(after);
      const answer = await again.request('/workflows/asks/restore?companyId=1', { method: 'POST', body: '{}' });
      expect(answer.status).toBe(200);
      await expect(hook(after.engine)).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
      expect((await again.request('/workflows/asks/publish?companyId=1', { method: 'POST', body: '{}' })).status).toBe(200);
      expect(await say('5215512345674', 'hello asks', after.engine)).toBe('started');
      await hook(after.engine);
      expect((await again.request('/workflows/asks?companyId=1')).status).toBe(200);
      // A workflow that is removed and made again is another one.
      await again.request('/workflows/asks/archive?companyId=1', { method: 'POST', body: '{}' });
      await again.request('/workflows/asks?companyId=1&force=true', { method: 'DELETE' });
      const canvas = JSON.stringify(asks('asks', 'hello asks'));
      expect(await (await again.request('/workflows/asks?companyId=1', { method: 'PUT', body: canvas })).json()).toMatchObject({
        isArchived: false,
      });
    }),
  );
});
