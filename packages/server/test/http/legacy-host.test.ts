import { beforeEach, describe, expect, it } from 'vitest';
import { accepted, ana, setStage, type Stage } from './calls.ts';
import { order } from './canvases.ts';
import { keys } from './fake-service.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await setStage();
  await stage.service.keep(order());
  return () => stage.service.close();
});

describe('the earlier host', () => {
  const legacy = (id: string, options: object = {}) =>
    stage.call(`/v1/webhook/${id}`, { method: 'POST', headers: { 'x-api-key': keys.acme }, body: { user: { id: ana } }, ...options });

  it('finds a webhook by its legacyId (WEB-05, VER-04)', async () => {
    await stage.service.keep(order({ legacyId: 'wh-77' }, 'old'));
    const { executionId } = accepted(await legacy('wh-77'));
    expect(await stage.service.engine.execution('1', executionId)).toMatchObject({
      workflowId: 'old',
      state: { origin: { botId: 'bot_wa' } },
    });
  });

  it('finds a webhook by its node id where only one has it (WEB-05)', async () => {
    accepted(await legacy('hook'));
    await stage.service.keep(order({}, 'second'));
    stage.service.clock.advanceBy(1_000);
    expect(await legacy('hook')).toMatchObject({ status: 404, body: { error: 'NODE_NOT_FOUND' } });
  });

  it('follows publishes: a new id at once, a moved one within a second (WEB-05)', async () => {
    await stage.service.keep(order({ legacyId: 'before' }));
    accepted(await legacy('before'));
    await stage.service.keep(order({ legacyId: 'after' }));
    accepted(await legacy('after'));
    stage.service.clock.advanceBy(1_000);
    expect(await legacy('before')).toMatchObject({ status: 404 });
  });

  it('finds no webhook of another company (WEB-25, P28)', async () => {
    await stage.service.keep(order({ legacyId: 'wh-77' }));
    const foreign = await legacy('wh-77', { headers: { 'x-api-key': keys.other } });
    expect(foreign).toMatchObject({ status: 404, body: { error: 'NODE_NOT_FOUND', message: 'There is no webhook "wh-77"' } });
  });

  it('uses the channel of the query, else WhatsApp, else the newest bot', async () => {
    stage.service.connect({ id: 'bot_slack', channel: 'slack', connectedAtMs: 9 });
    const { executionId } = accepted(await legacy('hook?channel=web'));
    expect((await stage.stateOf(executionId))?.origin).toMatchObject({ botId: 'bot_web', channel: 'web' });
    expect(await legacy('hook?channel=teams')).toMatchObject({ status: 404, body: { error: 'BOT_NOT_FOUND' } });
    expect(await legacy('hook?channel=pigeon')).toMatchObject({ status: 404, body: { error: 'BOT_NOT_FOUND' } });
  });

  it('is served for the listed hosts alone (WEB-05)', async () => {
    const listed = await setStage({ legacyHosts: ['old.example.com'] });
    await listed.service.keep(order());
    const to = (host: string) =>
      listed.call('/v1/webhook/hook', { method: 'POST', headers: { host, 'x-api-key': keys.acme }, body: { user: { id: ana } } });
    expect(await to('old.example.com')).toMatchObject({ status: 200 });
    expect(await to('OLD.example.com:8443')).toMatchObject({ status: 200 });
    expect(await to('new.example.com')).toMatchObject({ status: 401, body: { message: expect.any(String) as unknown } });
    await listed.service.close();
  });
});
