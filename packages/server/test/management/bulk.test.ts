// Acts on many executions over HTTP: what is planned, what is refused, and that no more is done than was planned.
import { describe, expect, it } from 'vitest';
import { doneJob, type FakeManagement, fakeManagement, lastLine, pausing } from './fake-management.ts';

const event = {
  nodes: pausing().nodes.map((node) =>
    node.id === 'wait' ? { id: 'wait', type: 'wait-event', data: { name: 'paid', timeout: 'PT1H', saveAs: '$context.payment' } } : node,
  ),
  edges: pausing().edges.map((edge) => (edge.source === 'wait' ? { ...edge, sourceHandle: 'received' } : edge)),
};

/** A published workflow with so many executions that wait. */
async function waiting(count: number, changes: object = {}): Promise<FakeManagement> {
  const management = await fakeManagement();
  expect((await management.ask('PUT', '/workflows/pausing?companyId=1', pausing(changes))).status).toBe(200);
  expect(await management.ask('POST', '/workflows/pausing/publish?companyId=1')).toMatchObject({ status: 200 });
  for (let user = 0; user < count; user += 1)
    await management.service.engine.receiveWebhook({
      companyId: '1',
      botId: 'bot_wa',
      workflowId: 'pausing',
      nodeId: 'hook',
      route: 'production',
      channel: 'whatsapp',
      request: { method: 'POST', body: { user: String(5_215_512_345_600 + user) }, query: {}, headers: {} },
    });
  await management.service.engine.whenIdle();
  await management.startJobs();
  return management;
}

const filter = { workflowId: 'pausing', status: 'waiting' };

const planOf = (management: FakeManagement, body: object) => lastLine(management, '/executions/bulk/plan?companyId=1', body);
const done = (management: FakeManagement, body: object) => doneJob(management, '/executions/bulk?companyId=1', { rate: 10_000, ...body });

describe('POST /admin/v1/executions/bulk', () => {
  it('plans, cancels no more than was planned, and does nothing the second time', async () => {
    await using management = await waiting(5);
    expect(await planOf(management, { filter })).toMatchObject({
      total: 5,
      byStatus: { waiting: 5 },
      byVersion: { 1: 5 },
      byCause: {},
      sample: [1, 2, 3, 4, 5].map(() => expect.any(String) as unknown),
    });
    const action = { type: 'cancel', reason: 'The offer has ended' };
    const few = await done(management, { filter, action, atMost: 2 });
    expect(few).toMatchObject({ kind: 'bulk', status: 'done', cursor: 2, counts: { cancelled: 2 }, atMost: 2 });
    const all = { workflowId: 'pausing' };
    expect(await planOf(management, { filter: all })).toMatchObject({ total: 5, byStatus: { waiting: 3, cancelled: 2 } });
    expect(await done(management, { filter: all, action, atMost: 5 })).toMatchObject({ counts: { cancelled: 3, unchanged: 2 } });
    expect(await done(management, { filter: all, action, atMost: 5 })).toMatchObject({ counts: { unchanged: 5 } });
    expect(await planOf(management, { filter })).toMatchObject({ total: 0, sample: [] });
  });

  it('continues what was cancelled once, and migrates and releases what it may', async () => {
    await using management = await waiting(3);
    await done(management, { filter, action: { type: 'cancel' }, atMost: 3 });
    const cancelled = { workflowId: 'pausing', status: 'cancelled' };
    const retry = { type: 'retry', version: 'latest' };
    expect(await planOf(management, { filter: cancelled, action: retry })).toMatchObject({
      total: 3,
      continued: 0,
      talking: 0,
      windowClosed: 0,
    });
    expect(await done(management, { filter: cancelled, action: retry, atMost: 3 })).toMatchObject({ counts: { retried: 3 } });
    expect(await planOf(management, { filter })).toMatchObject({ total: 3 });
    // Whose user talks since is told of those alone that are not continued yet.
    expect(await planOf(management, { filter: cancelled, action: retry })).toMatchObject({ total: 3, continued: 3, talking: 0 });
    for (const skip of [['talking', 'windowClosed'], ['talking'], []])
      expect(await done(management, { filter: cancelled, action: { ...retry, skip }, atMost: 3 })).toMatchObject({
        counts: { unchanged: 3 },
      });
    expect(await done(management, { filter, action: { type: 'release' }, atMost: 3 })).toMatchObject({ counts: { unchanged: 3 } });
  });

  it('signals those that wait at a node, each once', async () => {
    await using management = await waiting(3, event);
    const action = { type: 'signal', name: 'paid', payload: { amount: 1 } };
    const refused = await management.ask('POST', '/executions/bulk?companyId=1', { filter, action, atMost: 3 });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('FILTER_EMPTY');
    expect(await done(management, { filter: { ...filter, nodeId: 'wait' }, action, atMost: 1 })).toMatchObject({
      counts: { signalled: 1 },
    });
    expect(await planOf(management, { filter })).toMatchObject({ total: 2 });
  });

  it.each([
    ['a filter that names everything', { filter: {}, action: { type: 'cancel' }, atMost: 1 }, /FILTER_EMPTY/],
    ['a filter of a status alone', { filter: { status: 'waiting' }, action: { type: 'cancel' }, atMost: 1 }, /FILTER_EMPTY/],
    ['an act that there is not', { filter, action: { type: 'delete' }, atMost: 1 }, /action/],
    ['a field that there is not', { filter: { ...filter, node: 'x' }, action: { type: 'cancel' }, atMost: 1 }, /node/],
    ['an act without a bound', { filter, action: { type: 'cancel' } }, /atMost/],
    ['a bound of nothing', { filter, action: { type: 'cancel' }, atMost: 0 }, /atMost/],
    ['no filter', { action: { type: 'cancel' }, atMost: 1 }, /filter.{2} is missing/],
    ['no act', { filter, atMost: 1 }, /action.{2} is missing/],
    [
      'a version that is none',
      { filter: { ...filter, version: '1' }, action: { type: 'cancel' }, atMost: 1 },
      /version.{2} is not what it must be/,
    ],
    ['an age that is none', { filter: { ...filter, olderThan: 'a month' }, action: { type: 'cancel' }, atMost: 1 }, /olderThan/],
    ['an instant that is none', { filter: { ...filter, from: 'yesterday' }, action: { type: 'cancel' }, atMost: 1 }, /from/],
  ])('refuses %s', async (_name, body, message) => {
    await using management = await fakeManagement();
    const refused = await management.ask('POST', '/executions/bulk?companyId=1', body);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toMatch(message);
    expect(await management.ask('GET', '/jobs')).toMatchObject({ body: { results: [] } });
  });

  it('refuses a migration that names what its versions do not have, before anything is begun', async () => {
    await using management = await waiting(1);
    const bulk = (migration: object) =>
      management.ask('POST', '/executions/bulk?companyId=1', { filter, action: { type: 'migrate', migration }, atMost: 1 });
    expect(await bulk({ workflowId: 'pausing', from: 'any', to: 9 })).toMatchObject({ status: 404, body: { error: 'VERSION_NOT_FOUND' } });
    const refused = await bulk({ workflowId: 'pausing', from: 'any', to: 1, nodes: { wait: 'none' } });
    expect(refused).toMatchObject({
      status: 422,
      body: { message: [expect.stringContaining('to "none", which version 1 does not have') as unknown] },
    });
    expect(await management.ask('GET', '/jobs')).toMatchObject({ body: { results: [] } });
  });
});
