import { describe, expect, it } from 'vitest';
import { type HistoryRecord } from '@hilo/engine/contract';
import { describeHistory } from '../../src/executions/history-view.ts';
import { fakeManagement, pausing } from './fake-management.ts';

/** A canvas whose node `call` has an effect. */
const calling = (data: object = {}) =>
  pausing({
    nodes: [
      ...pausing().nodes.filter(({ id }) => id === 'hook' || id === 'done'),
      { id: 'call', type: 'api', data: { method: 'POST', url: 'https://shop.example/pay', ...data } },
    ],
    edges: [
      { source: 'hook', sourceHandle: 'new', target: 'call' },
      { source: 'call', sourceHandle: 'success', target: 'done' },
      { source: 'call', sourceHandle: 'error', target: 'done' },
    ],
  });

/** The history entries of the node `call` after its result. */
async function toldOf(canvas: object, answer: 'throws' | { readonly status: number; readonly body: string }): Promise<readonly object[]> {
  await using management = await fakeManagement();
  const { ask, drivers, service } = management;
  drivers.answer(answer);
  await ask('PUT', '/workflows/pausing?companyId=1', canvas);
  await ask('POST', '/workflows/pausing/publish?companyId=1');
  const { executionId } = await service.engine.receiveWebhook({
    companyId: '1',
    workflowId: 'pausing',
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    botId: 'bot_wa',
    request: { method: 'POST', headers: {}, query: {}, body: { user: '51999000111' } },
  });
  await service.engine.whenIdle();
  const { body } = await ask('GET', `/executions/${executionId}/history`);
  const { entries } = body as { readonly entries: readonly { readonly nodeId: string }[] };
  return entries.filter(({ nodeId }) => nodeId === 'call');
}

describe('the history', () => {
  const asked = { type: 'http.request', key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown };

  it('shows the request of an effect, and its result', async () => {
    const response = { status: 200, headers: {}, body: 'paid' };
    expect(await toldOf(calling(), { status: 200, body: 'paid' })).toMatchObject([
      { effect: { ...asked, request: { method: 'POST', url: 'https://shop.example/pay' } } },
      { port: 'success', effect: { ...asked, result: { kind: 'response', response } } },
    ]);
  });

  it('marks an attempt with an unknown outcome (P5)', async () => {
    const told = await toldOf(calling(), 'throws');
    expect(told).toMatchObject([{ effect: asked }, { port: 'error', effect: { ...asked, outcome: 'unknown' } }]);
  });

  it('shows nothing that a node masks', async () => {
    const told = await toldOf(calling({ mask: true, body: 'canary' }), { status: 200, body: 'canary' });
    expect(told).toMatchObject([{ effect: asked }, { port: 'success', effect: asked }]);
    expect(JSON.stringify(told)).not.toContain('canary');
  });

  it('lists a result separately when the node requests another effect at once', () => {
    const place = { nodeId: 'pay', visitNumber: 1, type: 'payment' };
    const about = { companyId: '1', executionId: 'e' };
    const outcome = 'unknown';
    const records: readonly HistoryRecord[] = [
      {
        ...about,
        revision: 1,
        event: { type: 'timer.fired', waitId: 'w', lateByMs: 0, atMs: 0 },
        entries: [{ ...place, at: 0, effect: { type: 'a', key: 'k1' } }],
      },
      {
        ...about,
        revision: 2,
        event: { type: 'effect.settled', key: 'k1', settled: { kind: 'result', value: { kind: 'failed', outcome } }, atMs: 1_000 },
        entries: [{ ...place, at: 1_000, effect: { type: 'b', key: 'k2' } }],
      },
    ];
    expect(describeHistory('e', records).entries).toEqual([
      { ...place, step: 1, event: 0, at: '1970-01-01T00:00:00.000Z', effect: { type: 'a', key: 'k1' } },
      {
        ...place,
        step: 2,
        event: 1,
        at: '1970-01-01T00:00:01.000Z',
        effect: { type: 'a', key: 'k1', result: { kind: 'failed', outcome }, outcome },
      },
      { ...place, step: 3, event: 1, at: '1970-01-01T00:00:01.000Z', effect: { type: 'b', key: 'k2' } },
    ]);
  });
});
