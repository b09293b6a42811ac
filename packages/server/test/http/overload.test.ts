import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { type Admission, type Caller, createAdmission, type Entry } from '../../src/platform/http/admission.ts';
import { createApp } from '../../src/service/app.ts';
import { httpLimits } from '../../src/platform/http/limits.ts';
import { listen } from '../../src/platform/http/listen.ts';
import { ana, event, setStage, signed } from './calls.ts';
import { greeting, order, respondLater } from './canvases.ts';
import { createGateway } from '../../src/webhooks/routes.ts';
import { createTraffic } from '../../src/platform/http/traffic.ts';
import { fakeService, keys } from './fake-service.ts';

const bounds = {
  requestsInProgress: 16,
  bytesInProgress: 160,
  reservedShare: 0.5,
  holderShare: 0.25,
  anonymousRequests: 4,
  anonymousBytes: 40,
  requestsAwaitingFinish: 1,
  lanesAtWork: 2,
};
const calm = { engine: { activity: () => ({ working: 0, blocked: 0 }) }, clock: { now: () => 0 }, isAccepting: () => true };
const noPlace: unknown = expect.objectContaining({ status: 503, headers: { 'retry-after': '1' } });
/** Enters for a holder until there is no place. */
function fill(admission: Admission, kind: Exclude<Caller['kind'], 'anonymous'>, holder: string): readonly Entry[] {
  const entries: Entry[] = [];
  expect(() => {
    for (;;) entries.push(admission.enter({ kind, holder }));
  }).toThrow(noPlace);
  return entries;
}

describe('admission (P22)', () => {
  it('bounds requests by number, and releases a place once', () => {
    const admission = createAdmission(calm, bounds);
    const entries = ['a', 'b', 'c', 'd'].flatMap((company) => fill(admission, 'new', company));
    expect(entries).toHaveLength(8);
    entries[0]?.leave();
    entries[0]?.leave();
    admission.enter({ kind: 'new', holder: 'd' });
    expect(() => admission.enter({ kind: 'new', holder: 'd' })).toThrow(noPlace);
  });

  it('bounds requests by received bytes', () => {
    const admission = createAdmission(calm, bounds);
    const [first, second] = [admission.enter({ kind: 'new', holder: 'a' }), admission.enter({ kind: 'new', holder: 'b' })];
    first.take(40);
    expect(() => first.take(1)).toThrow(noPlace);
    second.take(40);
    expect(() => second.take(1)).toThrow(noPlace);
    first.leave();
    admission.enter({ kind: 'new', holder: 'a' }).take(40);
  });

  it('leaves a share to other companies, however many one of them has (P23)', () => {
    const admission = createAdmission(calm, bounds);
    expect(fill(admission, 'new', 'greedy')).toHaveLength(4);
    expect(fill(admission, 'new', 'modest')).toHaveLength(2);
    expect(fill(admission, 'new', 'third')).toHaveLength(2);
  });

  it('reserves the rest above the bound of starts for continuations', () => {
    const admission = createAdmission(calm, bounds);
    const starts = ['a', 'b', 'c', 'd'].flatMap((company) => fill(admission, 'new', company));
    expect(starts).toHaveLength(8);
    expect(starts.every((entry) => entry.mayStart())).toBe(true);
    const unknown = fill(admission, 'unknown', 'e');
    expect(unknown).toHaveLength(4); // half of the rest: another company finds room
    expect(unknown.some((entry) => entry.mayStart())).toBe(false);
    expect(fill(admission, 'known', 'e')).toHaveLength(2);
    for (const entry of [...starts, ...unknown]) entry.leave();
    expect(admission.enter({ kind: 'unknown', holder: 'a' }).mayStart()).toBe(true);
    expect(['a', 'b', 'c', 'd'].flatMap((company) => fill(admission, 'new', company))).toHaveLength(7);
  });

  it('lets a possible continuation have more bytes than a start', () => {
    const admission = createAdmission(calm, bounds);
    admission.enter({ kind: 'new', holder: 'a' }).take(40);
    admission.enter({ kind: 'new', holder: 'b' }).take(40);
    const entry = admission.enter({ kind: 'unknown', holder: 'c' });
    expect(entry.mayStart()).toBe(true);
    entry.take(40);
    expect(entry.mayStart()).toBe(false);
    expect(() => entry.take(1)).toThrow(noPlace);
    entry.leave();
    expect(() => admission.enter({ kind: 'new', holder: 'c' }).take(1)).toThrow(noPlace);
    admission.enter({ kind: 'known', holder: 'c' }).take(40);
  });

  it('has a separate pool for unauthenticated requests, in which the newest evicts the oldest (P27)', async () => {
    const admission = createAdmission(calm, bounds);
    const [oldest, large, ...others] = Array.from({ length: 5 }, () => admission.enter({ kind: 'anonymous', address: undefined }));
    await expect(oldest?.evicted).rejects.toEqual(noPlace);
    expect(() => oldest?.take(1)).toThrow(noPlace);
    large?.take(40);
    others[0]?.take(1);
    await expect(large?.evicted).rejects.toEqual(noPlace);
    expect(() => others[1]?.take(41)).toThrow(noPlace);
    expect(fill(admission, 'new', 'a')).toHaveLength(4);
  });

  it('lets one network that asks without a credential block itself alone, whatever it opens (P23, P27)', async () => {
    const admission = createAdmission(calm, { ...bounds, anonymousRequests: 16, anonymousBytes: 1_600 });
    const gone = new Set<unknown>();
    const enter = (address: string) => {
      const entry = admission.enter({ kind: 'anonymous', address });
      entry.evicted?.catch(() => gone.add(entry));
      return entry;
    };
    const modest = [enter('198.51.100.1'), enter('198.51.100.2')];
    for (const entry of modest) entry.take(100);
    const greedy = Array.from({ length: 40 }, () => enter('203.0.113.7'));
    // The addresses of one IPv6 client are one network.
    const many = Array.from({ length: 40 }, (_, index) => enter(`2001:db8:1:2::${(index + 1).toString(16)}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(greedy.map((entry) => gone.has(entry))).toEqual(greedy.map((_, index) => index < 33)); // the oldest of them
    expect(many.map((entry) => gone.has(entry))).toEqual(many.map((_, index) => index < 36));
    const late = Array.from({ length: 6 }, (_, index) => enter(`198.51.100.${index + 10}`));
    for (const entry of late) entry.take(100);
    greedy.at(-1)?.take(400);
    expect(() => greedy.at(-1)?.take(500)).toThrow(noPlace);
    await new Promise((resolve) => setImmediate(resolve));
    expect([...modest, ...late].filter((entry) => gone.has(entry))).toEqual([]);
    for (const entry of [...modest, ...late, ...many]) entry.leave();
    const again = Array.from({ length: 8 }, () => enter('203.0.113.7'));
    for (const entry of again) entry.take(50);
    await new Promise((resolve) => setImmediate(resolve));
    expect(again.filter((entry) => gone.has(entry))).toEqual([]);
  });

  it('looks at the work of the engine, ten times a second at most', () => {
    let [nowMs, lanes, looks] = [0, 3, 0];
    const engine = { activity: () => ({ working: 1, blocked: (looks += 1) > 0 ? lanes - 1 : 0 }) };
    const entry = createAdmission({ ...calm, engine, clock: { now: () => nowMs } }, bounds).enter({ kind: 'new', holder: 'a' });
    expect(entry.mayStart()).toBe(false);
    lanes = 2;
    expect([entry.mayStart(), looks]).toEqual([false, 1]);
    nowMs = 100;
    expect([entry.mayStart(), looks]).toEqual([true, 2]);
  });

  it('bounds callers that wait for a finish', () => {
    const admission = createAdmission(calm, bounds);
    const leave = admission.holdForFinish('a');
    expect(admission.holdForFinish('a')).toBeUndefined();
    leave?.();
    leave?.();
    expect(admission.holdForFinish('a')).toBeTypeOf('function');
  });

  it('leaves places to wait in to other companies, however many one of them has taken (P23)', () => {
    const admission = createAdmission(calm, { ...bounds, requestsAwaitingFinish: 16 });
    const takeAll = (company: string): number => {
      let taken = 0;
      while (admission.holdForFinish(company) !== undefined) taken += 1;
      return taken;
    };
    expect(['greedy', 'modest', 'third'].map(takeAll)).toEqual([8, 4, 4]);
  });
});

describe('an overloaded gateway (P22)', () => {
  it('starts nothing new, and continues existing executions', async () => {
    const service = await fakeService();
    await service.keep(order());
    const traffic = createTraffic(service);
    const gateway = createGateway(service, traffic);
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
    for (const company of ['1', '2', '3', '4', '5', '6', '7', '8']) fill(traffic.admission, 'new', company);
    expect(await hook({ user: { id: ana } })).toMatchObject({ status: 503, retryAfter: '1', body: { error: 'UNAVAILABLE' } });
    expect((await service.store.executions.list('1', { limit: 9 })).results).toHaveLength(2);
    expect(await hook({ meta: { executionId: started[0] } })).toMatchObject({ status: 200 });
    fill(traffic.admission, 'unknown', '1');
    expect(await hook({}, `?executionId=${started[1]}`)).toMatchObject({ status: 200 });
    await service.close();
  });

  it('answers a call that cannot wait for its end 503 before it starts anything, and never as accepted (WEB-24)', async () => {
    const service = await fakeService();
    for (const companyId of ['1', '2']) {
      await service.keep(respondLater({}, 'P1D'), { companyId });
      await service.keep(order(), { companyId });
    }
    const traffic = { ...createTraffic(service), admission: createAdmission(service, { ...httpLimits, requestsAwaitingFinish: 4 }) };
    const gateway = createGateway(service, traffic);
    const started = async (companyId: string) => (await service.store.executions.list(companyId, { limit: 100 })).results.length;
    const hook = async (workflow: string, key: string, signal?: AbortSignal, query = ''): Promise<Response> =>
      gateway.request(`/workflows/v2/webhooks/skill/${workflow}/whatsapp/hook${query}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ user: { id: ana } }),
        ...(signal !== undefined && { signal }),
      });
    const closing = [new AbortController(), new AbortController()];
    const waiting = closing.map(({ signal }) => hook('respond-later', keys.acme, signal));
    await vi.waitFor(async () => expect(await started('1')).toBe(2), 60_000);

    const refused = await hook('respond-later', keys.acme);
    expect([refused.status, refused.headers.get('retry-after'), await started('1')]).toEqual([503, '1', 2]);
    const resume = await hook('respond-later', keys.acme, undefined, '?executionId=01c16e892e80764a84fca600359d26db');
    expect([resume.status, await started('1')]).toEqual([503, 2]); // it might be answered on finish
    expect((await hook('order', keys.acme)).status).toBe(200); // what waits for no end has its place
    const beside = hook('respond-later', keys.other); // and so has another company
    await vi.waitFor(async () => expect(await started('2')).toBe(1), 60_000);

    for (const one of closing) one.abort();
    await Promise.all(waiting);
    const again = [hook('respond-later', keys.acme), hook('respond-later', keys.acme)];
    await vi.waitFor(async () => expect(await started('1')).toBe(5), 60_000);
    service.clock.advanceBy(10_000); // the budget of the plan
    for (const answer of await Promise.all([...again, beside])) expect(answer.status).toBe(200);
    await service.close();
  });

  it('frees the place of a caller whose connection closes', async () => {
    const stage = await setStage();
    await stage.service.keep(respondLater({}, 'P1D'));
    const admission = createAdmission(stage.service, { ...httpLimits, requestsAwaitingFinish: 1 });
    const server = await listen(createApp(stage.service, { ...createTraffic(stage.service), admission }).fetch, {
      port: 0,
      host: '127.0.0.1',
    });
    const body = JSON.stringify({ user: { id: ana } });
    const begun = new Promise<void>((resolve) => stage.service.engine.on('execution.waiting', () => resolve()));
    const socket = connect(server.port, '127.0.0.1');
    const lines = ['Host: x', `x-api-key: ${keys.acme}`, 'content-type: application/json', `content-length: ${body.length}`, '', body];
    socket.write(['POST /workflows/v2/webhooks/skill/respond-later/whatsapp/hook HTTP/1.1', ...lines].join('\r\n'));
    await begun;
    expect(admission.holdForFinish('1')).toBeUndefined();
    socket.destroy();
    await vi.waitFor(() => expect(admission.holdForFinish('1')).toBeTypeOf('function'), 60_000);
    await server.close(0);
    await stage.service.close();
  });

  it('resumes executions at a webhook that a publish removed (P14)', async () => {
    const service = await fakeService();
    await service.keep(order());
    const traffic = createTraffic(service);
    const gateway = createGateway(service, traffic);
    const hook = async (query: string) => {
      const path = `/workflows/v2/webhooks/skill/order/whatsapp/hook?${query}`;
      const response = await gateway.request(path, { method: 'GET', headers: { 'x-api-key': keys.acme } });
      return { status: response.status, body: (await response.json()) as { executionId: string } };
    };
    const { body: started } = await hook(`userId=${ana}`);
    service.clock.advanceBy(2_000);
    await service.engine.fireDueTimers();
    await service.engine.whenIdle();
    await service.keep({ ...greeting, id: 'order' });
    for (const company of ['1', '2', '3', '4', '5', '6', '7', '8']) fill(traffic.admission, 'new', company);
    expect(await hook(`executionId=${started.executionId}`)).toMatchObject({ status: 200, body: { mode: 'resume' } });
    expect(await hook(`userId=${ana}`)).toMatchObject({ status: 404, body: { error: 'NODE_NOT_FOUND' } });
    await service.close();
  });

  it('is not closed by bodies that were announced and never come (P22, P23, P33)', async () => {
    const stage = await setStage();
    await stage.service.keep(order());
    await stage.service.keep(order(), { companyId: '2' });
    await stage.service.keep(greeting);
    const server = await listen(stage.app.fetch, { port: 0, host: '127.0.0.1' });
    const begun = (count: number, path: string, lines: readonly string[], bytes = 1_048_576) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const socket = connect(server.port, '127.0.0.1');
          socket.on('error', () => {}); // it is cut at the end
          const text = [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${bytes}`, ...lines, '', '{'].join('\r\n');
          await new Promise((resolve) => socket.write(text, resolve));
        }),
      );
    const hook = '/workflows/v2/webhooks/skill/order/whatsapp/hook';
    await begun(70, '/admin/v1/login', []);
    await begun(300, '/channels/bot_wa/webhook', [`x-hub-signature-256: sha256=${'0'.repeat(64)}`]);
    await begun(500, hook, [`x-api-key: ${keys.acme}`], 100);
    const post = async (path: string, headers: { readonly [name: string]: string }, body: object) =>
      (
        await fetch(`http://127.0.0.1:${server.port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      ).status;
    // They were written, and are taken as they arrive.
    await vi.waitFor(async () => expect(await post(hook, { 'x-api-key': keys.acme }, { user: { id: ana } })).toBe(503), 60_000);
    expect(await post(hook, { 'x-api-key': keys.other }, { user: { id: ana } })).toBe(200);
    expect(await post('/channels/bot_wa/webhook', { 'x-hub-signature-256': signed(JSON.stringify(event())) }, event())).toBe(200);
    expect(await post('/admin/v1/login', {}, { token: keys.admin })).toBe(200);
    await server.close(0);
    await stage.service.close();
  });

  it('accepts nothing while the service stops (P25)', async () => {
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

  it('answers 503 when the store is unavailable, and nothing else (P26)', async () => {
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

  it('counts each credential separately, and answers with Retry-After', async () => {
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
    const { body: shown } = await stage.call('/metrics', { headers: { authorization: `Bearer ${keys.admin}` } });
    expect(shown).toMatch(/hilo_limits_reached_total\{limit="request-rate"\} [3-9]/);
    await stage.service.close();
  });
});
