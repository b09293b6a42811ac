import { parseCanvas } from '@hilo/engine';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ana, frames, setStage, type Stage } from './calls.ts';
import { order, respondLater } from './canvases.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await setStage({}, undefined, frame);
    await stage.service.keep(order());
    return () => stage.service.close();
  });

  describe('respond: onFinish', () => {
    const call = (body: object = { user: { id: ana }, n: 7 }, headers = {}) => stage.hook('respond-later/whatsapp/hook', body, { headers });
    const started = () => new Promise<void>((resolve) => stage.service.engine.on('execution.waiting', () => resolve()));

    it('answers with the canvas’s response, which no cache may give to another company (WEB-24, P28)', async () => {
      await stage.service.keep(respondLater());
      const [answer] = await Promise.all([call(), started().then(() => stage.pass(2_000))]);
      expect(answer).toMatchObject({ status: 201, body: { got: 7 } });
      expect(answer.headers.get('x-shop')).toBe('open');
      for (const { headers } of [answer, await stage.hook('nothing/whatsapp/hook'), await call({}, { 'x-api-key': 'nobody' })])
        expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-store', 'x-api-key']);
    });

    it('never answers for the host, also where an earlier build published it (T20, P28)', async () => {
      const says = {
        'Set-Cookie': 'hilo_admin=mine',
        'strict-transport-security': 'max-age=1',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'alt-svc': 'h3="evil.example:443"',
        'x-frame-options': 'ALLOWALL',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=3600',
        vary: '*',
        'x-shop': 'open',
      };
      const { canvas } = parseCanvas(respondLater({ headers: says, body: 'ok' }));
      if (canvas === undefined) throw new Error('not a canvas');
      await stage.service.store.canvases.publish('1', canvas, 'unchecked', 0);
      const [{ headers }] = await Promise.all([call(), started().then(() => stage.pass(2_000))]);
      expect(Object.fromEntries(Object.keys(says).map((name) => [name.toLowerCase(), headers.get(name)]))).toEqual({
        'set-cookie': null,
        'strict-transport-security': null,
        'access-control-allow-origin': null,
        'access-control-allow-credentials': null,
        'alt-svc': null,
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, no-store',
        vary: 'x-api-key',
        'x-shop': 'open',
      });
      expect(headers.get('content-security-policy')).toContain('sandbox');
    });

    it('is a failure where no header can have its value, and ends no process', async () => {
      await stage.service.keep(respondLater());
      const answer = { status: 200, headers: { 'x-shop': 'open\nx-more: 1' }, body: 'ok' };
      Object.assign(stage.service.engine, { awaitFinish: async () => answer });
      expect(await call()).toMatchObject({ status: 500, body: { statusMessage: 'failed' } });
      expect(stage.service.logged).toContainEqual(expect.objectContaining({ level: 'error' }));
      expect((await stage.hook('nothing/whatsapp/hook')).status).toBe(404);
    });

    it('is not published where it would answer for the host', async () => {
      await expect(stage.service.keep(respondLater({ headers: { 'Strict-Transport-Security': 'max-age=1' } }))).rejects.toMatchObject({
        code: 'INVALID_CANVAS',
      });
    });

    it('answers how the execution ended when the canvas gave no response', async () => {
      const canvas = respondLater();
      const nodes = canvas.nodes.filter(({ type }) => type !== 'respond');
      const edges = [...canvas.edges.slice(0, 1), { source: 'pause', target: 'done' }];
      await stage.service.keep({ ...canvas, nodes, edges });
      const [answer] = await Promise.all([call(), started().then(() => stage.pass(2_000))]);
      expect(answer).toMatchObject({ status: 200, body: { success: true, mode: 'new', status: 'completed' } });
    });

    it.each([
      ['free', 'self-service', 10_000],
      ['builder', 'self-service', 20_000],
      ['growth', 'self-service', 30_000],
      ['any', 'enterprise', 60_000],
    ] as const)('answers as accepted when the budget of the plan %s (%s), %d ms, is over (WEB-24)', async (plan, kind, budgetMs) => {
      await stage.service.close();
      stage = await setStage({}, { plan, kind }, frame);
      await stage.service.keep(respondLater({}, 'P1D'));
      let isAnswered = false;
      const answer = call().finally(() => {
        isAnswered = true;
      });
      await started();
      await vi.waitFor(() => expect(stage.service.clock.nextMs()).toBe(stage.service.clock.now() + budgetMs), 60_000);
      stage.service.clock.advanceBy(budgetMs - 1);
      await stage.pass(0);
      expect(isAnswered).toBe(false);
      stage.service.clock.advanceBy(1);
      expect(await answer).toMatchObject({ status: 200, body: { success: true, mode: 'new', isNewExecution: true } });
    });

    it('answers a repeated call at once, as the first one was (P10)', async () => {
      await stage.service.keep(respondLater());
      const key = { 'webhook-id': 'once' };
      const [first] = await Promise.all([call(undefined, key), started().then(() => stage.pass(2_000))]);
      await stage.pass(0);
      expect(await call(undefined, key)).toMatchObject({ status: first.status, body: first.body });
    });

    it('does so while the execution continues, and not for a request that resumes it', async () => {
      const canvas = respondLater();
      const nodes = [...canvas.nodes, { id: 'more', type: 'wait-external', data: { timeout: 'P1D' } }];
      const edges = [
        ...canvas.edges.filter(({ source }) => source !== 'answer'),
        { source: 'answer', target: 'more' },
        { source: 'more', sourceHandle: 'resumed', target: 'done' },
        { source: 'more', sourceHandle: 'timeout', target: 'done' },
      ];
      await stage.service.keep({ ...canvas, nodes, edges });
      const key = { 'webhook-id': 'once' };
      await Promise.all([call(undefined, key), started().then(() => stage.pass(2_000))]);
      expect(await call(undefined, key)).toMatchObject({ status: 201, body: { got: 7 } });
      const { results } = await stage.service.store.executions.list('1', { limit: 2 });
      const resume = await stage.hook(`respond-later/whatsapp/hook?executionId=${results[0]?.executionId}`, {});
      expect([results.length, resume]).toMatchObject([1, { status: 200, body: { mode: 'resume', status: 'completed' } }]);
    });

    it('answers how it ended to a repeated call without a response', async () => {
      const canvas = respondLater();
      const nodes = canvas.nodes.filter(({ type }) => type !== 'respond');
      await stage.service.keep({ ...canvas, nodes, edges: [...canvas.edges.slice(0, 1), { source: 'pause', target: 'done' }] });
      const key = { 'webhook-id': 'once' };
      const [first] = await Promise.all([call(undefined, key), started().then(() => stage.pass(2_000))]);
      await stage.pass(0);
      expect(await call(undefined, key)).toMatchObject({ status: 200, body: first.body });
    });
  });
});
