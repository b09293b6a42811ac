import { channels } from '@hilo/engine/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, ana, frames, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await setStage({}, undefined, frame);
    await stage.service.keep(order());
    return () => stage.service.close();
  });

  describe('routes', () => {
    it('run the latest published version, and the draft on the test route (WEB-01, WEB-02, VER-02)', async () => {
      await stage.service.keep(order({ variableName: 'second' }));
      await stage.service.keep(order({ variableName: 'draft' }), { publish: false });
      const production = accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
      const test = accepted(await stage.hook('order/whatsapp/test/hook', {}));
      expect((await stage.service.engine.execution('1', production.executionId))?.version).toBe(2);
      expect((await stage.service.engine.execution('1', test.executionId))?.version).toBe('draft');
      expect(Object.keys((await stage.stateOf(test.executionId))?.variables['$webhook'] as object)).toEqual(['draft']);
    });

    it.each(channels)('take the channel %s in lower case alone (WEB-03)', async (channel) => {
      stage.service.connect({ id: `bot_${channel}`, channel });
      accepted(await stage.hook(`order/${channel}/hook`, { user: { id: ana } }));
      expect(await stage.hook(`order/${channel.toUpperCase()}/hook`, { user: { id: ana } })).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND' },
      });
    });

    it('name the webhook by its node id, which a new version does not change (WEB-04)', async () => {
      await stage.service.keep(order({ methods: ['POST'] }));
      accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
      expect(await stage.hook('order/whatsapp/done', { user: { id: ana } })).toMatchObject({
        status: 404,
        body: { error: 'NODE_NOT_FOUND' },
      });
    });

    it('use the bot of the channel that was connected last (WEB-28, VER-03)', async () => {
      stage.service.connect({ id: 'bot_new', channel: 'whatsapp', connectedAtMs: 2 });
      stage.service.connect({ id: 'bot_newer', channel: 'whatsapp', connectedAtMs: 2 });
      const { executionId } = accepted(await stage.hook('order/whatsapp/hook', { user: { id: ana } }));
      expect((await stage.stateOf(executionId))?.origin.botId).toBe('bot_newer');
    });

    it('need a bot of the channel', async () => {
      expect(await stage.hook('order/teams/hook', { user: { id: ana } })).toMatchObject({ status: 404, body: { error: 'BOT_NOT_FOUND' } });
    });
  });

  describe('keys and methods', () => {
    it.each(['order/whatsapp/hook', 'order/whatsapp/test/hook', 'nothing/whatsapp/hook', 'order/pigeon/hook', 'a/b/c/d/e'])(
      'are required before anything is looked up: %s (WEB-06, P27)',
      async (path) => {
        for (const headers of [{ 'x-api-key': '' }, { 'x-api-key': 'hk_wrong' }, { 'x-api-key': `${keys.acme}, ${keys.acme}` }]) {
          expect(await stage.hook(path, 'not json', { headers })).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
        }
      },
    );

    it.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'])('are accepted as configured: %s (WEB-07)', async (method) => {
      await stage.service.keep(order({ methods: [method] }));
      const { executionId } = accepted(await stage.hook(`order/whatsapp/hook?userId=${ana}`, undefined, { method }));
      expect(await stage.stateOf(executionId)).toMatchObject({ variables: { $webhook: { order: { method, body: null } } } });
      const other = method === 'POST' ? 'PUT' : 'POST';
      const refused = await stage.hook('order/whatsapp/hook', undefined, { method: other });
      expect(refused).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
      expect(refused.headers.get('allow')).toBe(method);
    });

    it('are named in one order, whether the body could be read or not (WEB-07)', async () => {
      await stage.service.keep(order({ methods: ['PUT', 'POST', 'GET'] }));
      for (const body of [{ user: { id: ana } }, '{']) {
        const headers = { 'content-type': 'application/json' };
        const refused = await stage.hook('order/whatsapp/hook', body, { method: 'PATCH', headers });
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, PUT']);
      }
    });

    it('are all refused by a webhook without methods (WEB-08)', async () => {
      await stage.service.keep(order({ methods: [] }));
      for (const method of ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const refused = await stage.hook(`order/whatsapp/hook?userId=${ana}`, undefined, { method });
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, '']);
      }
    });

    it('are judged by the whole node: a draft that cannot run takes none, whether the body could be read or not (WEB-02, P32)', async () => {
      await stage.service.keep(order({ methods: ['朌', 7, 'PUT'] }), { publish: false });
      for (const body of ['{', '{}']) {
        const broken = await stage.hook('order/whatsapp/test/hook', body, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
        });
        expect(broken).toMatchObject({ status: 422, body: { status: 0, error: { code: 'E0422', key: 'VALIDATOR_ERROR' } } });
        expect(broken.headers.get('allow')).toBeNull();
      }
    });

    it('leave room for one webhook a canvas (WEB-09)', async () => {
      const canvas = order();
      const second = { ...canvas, nodes: [...canvas.nodes, { id: 'hook2', type: 'webhook', data: { variableName: 'more' } }] };
      await expect(stage.service.keep(second)).rejects.toMatchObject({ code: 'INVALID_CANVAS' });
    });
  });
});
