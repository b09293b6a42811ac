import { describe, expect, it } from 'vitest';
import { createAdmission } from '../../src/http/admission.ts';
import { ana, event, setStage } from './calls.ts';
import { greeting, order } from './canvases.ts';
import { createGateway } from '../../src/gateway/create-gateway.ts';
import { createTraffic } from '../../src/http/traffic.ts';
import { fakeService, keys } from './fake-service.ts';

const bounds = { requestsInProgress: 4, bytesInProgress: 100, reservedShare: 0.25, requestsAwaitingFinish: 1, lanesAtWork: 2 };
const calm = { engine: { activity: () => ({ working: 0, blocked: 0 }) }, clock: { now: () => 0 }, isAccepting: () => true };

describe('admission (P22)', () => {
  it('bounds requests by number, and says when only the reserved share is left', () => {
    const admission = createAdmission(calm, bounds);
    const entries = [1, 2, 3].map(() => admission.enter());
    expect(admission.isBusy()).toBe(false);
    entries.push(admission.enter());
    expect(admission.isBusy()).toBe(true);
    expect(() => admission.enter()).toThrow(expect.objectContaining({ status: 503, headers: { 'retry-after': '1' } }));
    entries[0]?.leave();
    entries[0]?.leave();
    admission.enter();
    expect(() => admission.enter()).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('bounds requests by bytes', () => {
    const admission = createAdmission(calm, bounds);
    const entry = admission.enter();
    entry.take(75);
    expect(admission.isBusy()).toBe(false);
    entry.take(25);
    expect(admission.isBusy()).toBe(true);
    expect(() => entry.take(1)).toThrow(expect.objectContaining({ status: 503 }));
    entry.leave();
    expect(admission.isBusy()).toBe(false);
    admission.enter().take(100);
  });

  it('looks at the work of the engine, ten times a second at most', () => {
    let [nowMs, lanes, looks] = [0, 3, 0];
    const engine = { activity: () => ({ working: 1, blocked: (looks += 1) > 0 ? lanes - 1 : 0 }) };
    const admission = createAdmission({ ...calm, engine, clock: { now: () => nowMs } }, bounds);
    expect(admission.isBusy()).toBe(true);
    lanes = 2;
    expect([admission.isBusy(), looks]).toEqual([true, 1]);
    nowMs = 100;
    expect([admission.isBusy(), looks]).toEqual([false, 2]);
  });

  it('bounds those who wait for a finish', () => {
    const admission = createAdmission(calm, bounds);
    const leave = admission.holdForFinish();
    expect(admission.holdForFinish()).toBeUndefined();
    leave?.();
    expect(admission.holdForFinish()).toBeTypeOf('function');
  });
});

describe('an overloaded gateway (P22)', () => {
  it('starts nothing new, and goes on with what is there', async () => {
    const service = await fakeService();
    await service.keep(order());
    const traffic = createTraffic(service);
    let isBusy = false;
    const gateway = createGateway(service, { ...traffic, admission: { ...traffic.admission, isBusy: () => isBusy } });
    const hook = async (body: object, query = '') => {
      const headers = { 'x-api-key': keys.acme, 'content-type': 'application/json' };
      const response = await gateway.request(`/workflows/v2/webhooks/skill/order/whatsapp/hook${query}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: (await response.json()) as { executionId: string },
      };
    };
    const started = [await hook({ user: { id: ana } }), await hook({ user: { id: ana } })].map(({ body }) => body.executionId);
    service.clock.advanceBy(2_000);
    await service.engine.fireDueTimers();
    await service.engine.whenIdle();
    isBusy = true;
    expect(await hook({ user: { id: ana } })).toMatchObject({ status: 503, retryAfter: '1', body: { error: 'UNAVAILABLE' } });
    expect((await service.store.executions.list('1', { limit: 9 })).results).toHaveLength(2);
    expect(await hook({ meta: { executionId: started[0] } })).toMatchObject({ status: 200 });
    expect(await hook({}, `?executionId=${started[1]}`)).toMatchObject({ status: 200 });
    await service.close();
  });

  it('takes nothing while the service stops (P25)', async () => {
    const stage = await setStage();
    await stage.service.keep(order());
    await stage.service.keep(greeting);
    stage.service.stopAccepting();
    for (const answer of [await stage.hook('order/whatsapp/hook', { user: { id: ana } }), await stage.deliver('bot_wa', event())]) {
      expect(answer).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } });
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect(await stage.call('/health/ready')).toMatchObject({ status: 503 });
    expect(await stage.call('/health/live')).toMatchObject({ status: 200 });
    await stage.service.close();
  });

  it('answers 503 when the store is gone, and nothing else (P26)', async () => {
    const stage = await setStage();
    await stage.service.keep(order());
    await stage.service.store.close();
    const answer = await stage.hook('order/whatsapp/hook', { user: { id: ana } });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: 'STORE_UNAVAILABLE', message: expect.not.stringContaining('sqlite') as unknown },
    });
    expect(await stage.call('/health/ready')).toMatchObject({ status: 503 });
    expect(await stage.call('/metrics', { headers: { authorization: `Bearer ${keys.admin}` } })).toMatchObject({ status: 200 });
  });
});

describe('the rate limit (LIM-09)', () => {
  it('is off unless set', async () => {
    const stage = await setStage();
    await stage.service.keep(order());
    const answers = await Promise.all(Array.from({ length: 60 }, () => stage.hook('order/whatsapp/hook', { user: { id: ana } })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await stage.service.close();
  });

  it('counts each credential on its own, and says when to come again', async () => {
    const stage = await setStage({ rateLimit: 2 });
    const statuses = async (key: string) =>
      (await Promise.all(Array.from({ length: 6 }, () => stage.hook('nothing/whatsapp/hook', {}, { headers: { 'x-api-key': key } })))).map(
        ({ status }) => status,
      );
    expect(await statuses(keys.acme)).toEqual([404, 404, 404, 404, 429, 429]);
    const refused = await stage.hook('nothing/whatsapp/hook', {});
    expect(refused).toMatchObject({ status: 429, body: { error: 'TOO_MANY_REQUESTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await statuses(keys.other)).slice(0, 4)).toEqual([404, 404, 404, 404]);
    await stage.service.close();
  });
});
