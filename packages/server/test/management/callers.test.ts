// Publishing a workflow that agents call as a tool, in the version that is the latest: who it would break is named.
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeManagement, fakeManagement } from './fake-management.ts';
import { shopCanvas } from '../../../nodes/test/shop-canvas.ts';

let management: FakeManagement;
beforeAll(async () => {
  management = await fakeManagement();
});
afterAll(() => management[Symbol.asyncDispose]());

/** A tool that tells a price. @param nodes - between its start and its end, in their order */
const tool = (id: string, inputs: object, nodes: readonly { readonly id: string; readonly port: string }[] = []) => {
  const ids = [{ id: 'begin', port: 'next' }, ...nodes];
  return {
    schemaVersion: 1,
    id,
    name: id,
    kind: 'tool',
    nodes: [{ id: 'begin', type: 'start' }, ...nodes.map(({ port: _port, ...node }) => node), { id: 'done', type: 'end' }],
    edges: ids.map(({ id: source, port }, index) => ({ source, sourceHandle: port, target: ids[index + 1]?.id ?? 'done' })),
    settings: { inputs },
  };
};

const delay = { id: 'pause', type: 'delay', data: { duration: 'PT1M' }, port: 'elapsed' };
const child = (workflowId: string) => ({ id: 'ask', type: 'workflow', data: { workflowId }, port: 'success' });
const text = { code: { type: 'string' } };

const shop = (tool: JsonObject) => shopCanvas(tool, { auth: { credentialId: 'cred1' } });

async function publish(canvas: { readonly id: string }) {
  const saved = await management.ask('PUT', `/workflows/${canvas.id}?companyId=1`, canvas);
  expect(saved.status).toBe(200);
  const published = await management.ask('POST', `/workflows/${canvas.id}/publish?companyId=1`);
  return { ...published, ofDraft: (saved.body as { readonly problems: readonly object[] }).problems };
}

it('names the agent that would break, on validating, saving and publishing, also behind another workflow', async () => {
  expect(await publish(tool('stock', {}))).toMatchObject({ status: 200 });
  expect(await publish(tool('price', text, [child('stock')]))).toMatchObject({ status: 200, body: { warnings: [] } });
  expect(await publish(shop({ risk: 'read' }))).toMatchObject({ status: 200 });

  const problem = (why: RegExp) => ({ code: 'TOOL_MISMATCH', severity: 'warning', message: expect.stringMatching(why) as unknown });
  const other = problem(/^The agent "talk" of workflow "shop" calls "price" as a tool: .*it needs "place"$/);
  const wider = tool('price', { ...text, place: { type: 'string' } });
  expect(await management.ask('POST', '/validate?companyId=1', wider)).toMatchObject({
    status: 200,
    body: { ok: true, problems: [other] },
  });
  const published = await publish(wider);
  expect(published).toMatchObject({ status: 200, ofDraft: [other], body: { version: 2, warnings: [other] } });
  // It is broken by now, and by nothing that follows.
  expect(await publish(tool('price', { ...text, place: { type: 'number' } }))).toMatchObject({ status: 200, body: { warnings: [] } });
  // The version that suits it, again.
  const back = await management.ask('POST', '/workflows/price/versions/1/publish?companyId=1');
  expect(back).toMatchObject({ status: 200, body: { version: 4, warnings: [] } });

  expect(await publish(tool('stock', {}, [delay]))).toMatchObject({
    body: { warnings: [problem(/"shop" calls "price" as a tool: .*waits, at its node "pause" of "stock"/)] },
  });
});

it('lets pass what a pinned agent does not run, and what nobody publishes', async () => {
  await publish(shop({ risk: 'read', version: 1 }));
  expect(await publish(tool('price', { place: { type: 'string' } }))).toMatchObject({ status: 200, body: { warnings: [] } });
  await publish(tool('price', text));
  await publish(shop({ risk: 'read' }));
  await management.ask('POST', '/workflows/shop/unpublish?companyId=1');
  expect(await publish(tool('price', { place: { type: 'string' } }))).toMatchObject({ status: 200, body: { warnings: [] } });
});

it('publishes nothing by which an agent would move money that nobody agreed to, and warns of other changes', async () => {
  const { companies } = management.service;
  const ofCompany = companies.credential.bind(companies);
  const call = (credentialId: string) => ({
    id: 'call',
    type: 'api',
    data: { method: 'POST', url: 'https://shop.example/orders', auth: { credentialId }, saveAs: '$context.order' },
    port: 'success',
  });
  await publish(tool('price', text));
  expect(await publish(shop({}))).toMatchObject({ status: 200 });
  Object.assign(companies, {
    credential: async (companyId: string, id: string) => (id === 'paying' ? { kind: 'stripe' } : ofCompany(companyId, id)),
  });
  const problem = (severity: string, why: string) => ({
    code: 'UNCONFIRMED_TOOL',
    severity,
    message: expect.stringContaining(`The agent "talk" of workflow "shop" calls "price" as a tool: The workflow "price" ${why}`) as unknown,
  });
  const changing = await publish(tool('price', text, [call('cred1')]));
  expect(changing).toMatchObject({ status: 200, body: { warnings: [problem('warning', 'changes something')] } });
  const paying = await publish(tool('price', text, [call('paying')]));
  const unsuitable = { code: 'UNRESOLVED_REFERENCE', severity: 'warning' }; // and an account of payments signs no call in
  expect(paying).toMatchObject({ status: 422, body: { problems: [unsuitable, problem('error', 'moves money')] } });
});
