import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { exampleKey } from '../service-process.ts';
import { fakeManagement, pausing } from './fake-management.ts';

const place = '/workflows/pausing';
const company = '?companyId=1';

describe('pausing, unpublishing and rolling back over HTTP', () => {
  it('shows the gate in the answer, in the draft and in the list, and lifts it', async () => {
    await using management = await fakeManagement();
    const { ask, clock } = management;
    await ask('PUT', place + company, pausing());
    expect(await ask('POST', `${place}/pause${company}`)).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
    await ask('POST', `${place}/publish${company}`);
    const until = new Date(clock.now() + 60_000).toISOString();
    const gate = { state: 'paused', says: null, children: 'refuse', at: new Date(clock.now()).toISOString(), by: 'operator', until };
    const paused = await ask('POST', `${place}/pause${company}`, { children: 'refuse', until });
    expect(paused).toEqual({ status: 200, body: { workflowId: 'pausing', gate } });
    expect(await ask('GET', place + company)).toMatchObject({ body: { gate, publishedVersion: 1 } });
    expect(await ask('GET', `/workflows${company}`)).toMatchObject({ body: { results: [{ workflowId: 'pausing', gate }] } });
    expect(await ask('POST', `${place}/start${company}`)).toMatchObject({ status: 409, body: { error: 'WORKFLOW_PAUSED' } });
    expect(await ask('POST', `${place}/unpause${company}`)).toEqual({ status: 200, body: { workflowId: 'pausing', gate: null } });
    expect(await ask('POST', `${place}/unpublish${company}`)).toMatchObject({
      status: 200,
      body: { gate: { state: 'unpublished', children: 'refuse' } },
    });
    expect(await ask('POST', `${place}/start${company}`)).toMatchObject({ status: 404, body: { error: 'WORKFLOW_NOT_FOUND' } });
    expect(await ask('POST', `${place}/unpause${company}`)).toMatchObject({ status: 200, body: { gate: { state: 'unpublished' } } });
    await ask('POST', `${place}/publish${company}`);
    expect(await ask('GET', place + company)).toMatchObject({ body: { gate: null, publishedVersion: 1 } });
  });

  it.each([
    [{ says: '' }, 422, 'says'],
    [{ says: 7 }, 422, 'says'],
    [{ children: 'some' }, 422, 'children'],
    [{ until: 'tomorrow' }, 422, 'until'],
    [{ until: '9999-12-31T23:59:59-00:01' }, 422, 'until'], // 10000 in UTC
    [{ until: '2020-01-01T00:00:00Z' }, 400, 'until is an instant later than now'],
    [{ says: 'Later' }, 400, 'begun by no message'],
    [{ sayz: 'Later' }, 422, 'sayz'],
  ])('refuses %j with %i, and pauses nothing', async (body, status, words) => {
    await using management = await fakeManagement();
    const { ask } = management;
    await ask('PUT', place + company, pausing());
    await ask('POST', `${place}/publish${company}`);
    const answer = await ask('POST', `${place}/pause${company}`, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
    expect(await ask('GET', place + company)).toMatchObject({ body: { gate: null } });
  });

  it('goes back by a new version with the earlier content; the latest content makes none', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    for (const name of ['First', 'Second']) {
      await ask('PUT', place + company, pausing({ name }));
      await ask('POST', `${place}/publish${company}`);
    }
    const back = await ask('POST', `${place}/versions/1/publish${company}`, {});
    expect(back).toMatchObject({ status: 200, body: { version: 3, note: 'Version 1 again', publishedBy: 'operator' } });
    expect(await ask('GET', `${place}/versions/3${company}`)).toMatchObject({ body: { canvas: { name: 'First' } } });
    expect(await ask('GET', place + company)).toMatchObject({ body: { canvas: { name: 'Second' }, isPublished: false } });
    expect(await ask('POST', `${place}/versions/3/publish${company}`)).toMatchObject({ status: 200, body: { version: 3 } });
    for (const none of ['0', '4', 'x'])
      expect(await ask('POST', `${place}/versions/${none}/publish${company}`)).toMatchObject({ status: 404 });
  });

  it(
    'answers a webhook with 503 and when to call again; an operator needs the permission to publish, and the record keeps no message',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const as = (can: readonly ('view' | 'edit' | 'publish' | 'operate')[]) =>
        createApp({ ...service, authorize: () => ({ name: 'maria', can, companies: 'all' }) });
      const post = (app: ReturnType<typeof as>, path: string, body: object) =>
        app.request(path, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'x-api-key': exampleKey },
        });
      const pause = '/admin/v1/workflows/payment-reminder/pause?companyId=1';
      expect((await post(as(['view', 'edit', 'operate']), pause, {})).status).toBe(403);
      expect((await post(as(['publish']), pause, {})).status).toBe(200);
      const hook = '/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1';
      const answer = await post(as(['view']), hook, { user: { id: '5215512345678' }, number: 'F-7', amount: '120' });
      expect({ status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }).toMatchObject({
        status: 503,
        retryAfter: '60',
        body: { error: 'WORKFLOW_PAUSED' },
      });
      const says = 'canary-of-what-is-said';
      expect((await post(as(['publish']), '/admin/v1/workflows/order-status/pause?companyId=1', { says })).status).toBe(200);
      const audit = await (await as(['operate']).request('/admin/v1/audit?action=pauseWorkflow')).text();
      expect(JSON.parse(audit)).toMatchObject({
        results: [
          { before: { state: 'published' }, after: { state: 'paused' } },
          { outcome: 'asked' },
          { outcome: '200' },
          {},
          { outcome: '403' },
          {},
        ].slice(0, 4),
      });
      expect(audit).not.toContain(says);
    }),
  );
});
