import { expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { accepted, type Caller, keys } from '../caller.ts';
import { noted, thirdKey } from '../third-company.ts';

const user = { id: '5215512345678' };
const third = { 'x-api-key': thirdKey };

/** Where webhooks are, and which canvas runs there. */
export function routeFlows(calls: () => Caller): void {
  const management = (request: string, body?: JsonObject) => calls().call(`${request}?companyId=3`, body === undefined ? {} : { body });

  it('are those that management lists, and stay when the canvas changes (WEB-04)', async () => {
    const draft = await calls().call('GET /admin/v1/workflows/payment-reminder?companyId=1');
    const { urls } = draft.body as { readonly urls: { readonly [route: string]: { readonly [channel: string]: string } } };
    const base = `${calls().url}/workflows/v2/webhooks/skill/payment-reminder`;
    const channels = ['slack', 'web', 'whatsapp'];
    expect(urls).toEqual({
      production: Object.fromEntries(channels.map((channel) => [channel, `${base}/${channel}/wh1`])),
      test: Object.fromEntries(channels.map((channel) => [channel, `${base}/${channel}/test/wh1`])),
    });
    const path = new URL(urls['production']?.['web'] ?? '').pathname;
    accepted(await calls().call(`POST ${path}`, { headers: { 'x-api-key': keys.acme }, body: { user } }));
  });

  it('run the latest version in production and the draft in the test, and an execution keeps its own (WEB-01, WEB-02, VER-02)', async () => {
    const canvas = (name: string): JsonObject => ({ ...(noted('versions')['canvas'] as JsonObject), name });
    const versionOf = async (path: string) => {
      const { executionId } = accepted(await calls().hook(path, { user }, third));
      const { version } = await calls().settled(executionId, '3');
      return version;
    };
    const [production, test] = ['versions/custom/hook', 'versions/custom/test/hook'];
    expect(await management('PUT /admin/v1/workflows/versions', canvas('first'))).toMatchObject({ status: 200 });
    expect(await calls().hook(production, { user }, third)).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
    accepted(await calls().hook(test, {}, third));
    for (const version of [1, 2]) {
      await management('PUT /admin/v1/workflows/versions', canvas(`version ${version}`));
      expect(await management('POST /admin/v1/workflows/versions/publish')).toMatchObject({ status: 200, body: { version } });
      expect(await versionOf(production)).toBe(version);
    }
    const webhook = { id: 'renamed', type: 'webhook', data: { variableName: 'call', methods: ['POST'] } };
    const edges = [{ source: 'renamed', sourceHandle: 'new', target: 'done' }];
    await management('PUT /admin/v1/workflows/versions', {
      ...canvas('draft'),
      nodes: [webhook, { id: 'done', type: 'end', data: {} }],
      edges,
    });
    expect(await versionOf(production)).toBe(2);
    accepted(await calls().hook('versions/custom/test/renamed', {}, third));
    expect(await calls().hook('versions/custom/renamed', { user }, third)).toMatchObject({
      status: 404,
      body: { error: 'NODE_NOT_FOUND' },
    });
  });

  it('take no user from the caller in the test: it is the tester’s (WEB-13)', async () => {
    const path = 'noted/custom/test/hook';
    const userOf = async (query: string) => {
      const { executionId } = accepted(await calls().hook(`${path}${query}`, { user }, third));
      return (await calls().settled(executionId, '3')).userId;
    };
    expect(await userOf('')).toBeNull();
    expect(await userOf('?userId=5215599999999')).toBeNull();
    expect(await userOf('?testUserId=5215588888888')).toBe('5215588888888');
  });

  it('have one webhook a canvas, or are not published (WEB-09)', async () => {
    const canvas = noted('crowded')['canvas'] as JsonObject & { readonly nodes: readonly JsonObject[] };
    const second = { id: 'hook2', type: 'webhook', data: { variableName: 'more', methods: ['POST'] } };
    await management('PUT /admin/v1/workflows/crowded', { ...canvas, nodes: [...canvas.nodes, second] });
    const refused = await management('POST /admin/v1/workflows/crowded/publish');
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'E0422', key: 'VALIDATOR_ERROR' } } });
    expect(await calls().hook('crowded/custom/hook', { user }, third)).toMatchObject({ status: 404 });
  });

  it('go through the bot of the channel that was connected last (WEB-28, VER-03)', async () => {
    const { executionId } = accepted(await calls().hook('noted/custom/hook', { user }, third));
    expect(await calls().settled(executionId, '3')).toMatchObject({ botId: 'bot_new' });
  });

  it('keep those of the earlier host: by legacyId, or by a node id that is alone (WEB-05, VER-04)', async () => {
    const legacy = (id: string, key: string, query = '') =>
      calls().call(`POST /v1/webhook/${id}${query}`, { headers: { 'x-api-key': key }, body: { user } });
    const { executionId } = accepted(await legacy('wh-1999', thirdKey));
    expect(await calls().settled(executionId, '3')).toMatchObject({ workflowId: 'noted', botId: 'bot_new' });
    const byNode = accepted(await legacy('wh1', keys.acme));
    expect(await calls().settled(byNode.executionId)).toMatchObject({
      workflowId: 'payment-reminder',
      botId: 'bot_wa',
      channel: 'whatsapp',
    });
    const onWeb = accepted(await legacy('wh1', keys.acme, '?channel=web'));
    expect(await calls().settled(onWeb.executionId)).toMatchObject({ botId: 'bot_web' });
    expect(await legacy('hook', thirdKey)).toMatchObject({ status: 404, body: { error: 'NODE_NOT_FOUND' } }); // several have it
    expect(await legacy('wh-1999', keys.acme)).toMatchObject({ status: 404 });
    expect(await legacy('wh1', 'hk_nobody')).toMatchObject({ status: 401 });
  });
}
