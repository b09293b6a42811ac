import { describe, expect, it } from 'vitest';
import { fakeManagement, pausing } from './fake-management.ts';

describe('drafts', () => {
  it('stores a canvas even with problems, and returns it with the addresses of its webhook (WEB-04)', async () => {
    await using management = await fakeManagement();
    const broken = pausing({ edges: [] });
    const put = await management.ask('PUT', '/workflows/pausing?companyId=1', broken);
    expect(put).toMatchObject({
      status: 200,
      body: { workflowId: 'pausing', publishedVersion: null, isPublished: false, canvas: { id: 'pausing', edges: [] } },
    });
    const base = 'http://hilo.test/workflows/v2/webhooks/skill/pausing';
    expect(put.body).toMatchObject({
      urls: {
        production: { whatsapp: `${base}/whatsapp/hook`, slack: `${base}/slack/hook` },
        test: { whatsapp: `${base}/whatsapp/test/hook`, slack: `${base}/slack/test/hook` },
      },
      problems: expect.arrayContaining([expect.objectContaining({ code: 'PORT_WITHOUT_EDGE', nodeId: 'hook' })]) as unknown,
    });
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toEqual(put);
  });

  it('returns the public addresses of the service (WEB-04)', async () => {
    await using management = await fakeManagement({ publicUrl: 'https://bots.example/hilo/' });
    const address = 'https://bots.example/hilo/workflows/v2/webhooks/skill/pausing/whatsapp/hook';
    const put = await management.ask('PUT', '/workflows/pausing?companyId=1', pausing());
    expect(put).toMatchObject({ status: 200, body: { urls: { production: { whatsapp: address } } } });
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toEqual(put);
  });

  it('returns no addresses without a webhook', async () => {
    await using management = await fakeManagement();
    const nodes = [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'done', type: 'end', data: {} },
    ];
    const canvas = pausing({ nodes, edges: [{ source: 'begin', target: 'done' }] });
    expect(await management.ask('PUT', '/workflows/pausing?companyId=1', canvas)).toMatchObject({
      status: 200,
      body: { problems: [], urls: null },
    });
  });

  it('keeps the drafts of companies apart (P28)', async () => {
    await using management = await fakeManagement();
    await management.ask('PUT', '/workflows/pausing?companyId=1', pausing({ name: 'First' }));
    expect(await management.ask('GET', '/workflows/pausing?companyId=2')).toMatchObject({ status: 404 });
    await management.ask('PUT', '/workflows/pausing?companyId=2', pausing({ name: 'Second' }));
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({ body: { canvas: { name: 'First' } } });
  });

  it('lists the workflows of a company in pages', async () => {
    await using management = await fakeManagement();
    for (const id of ['c', 'a', 'b']) await management.ask('PUT', `/workflows/${id}?companyId=1`, pausing({ id }));
    await management.ask('PUT', '/workflows/other?companyId=2', pausing({ id: 'other' }));
    await management.ask('POST', '/workflows/b/publish?companyId=1');
    const first = await management.ask('GET', '/workflows?companyId=1&limit=2');
    expect(first.body).toMatchObject({
      results: [
        { workflowId: 'a', name: 'Pausing', kind: 'skill', publishedVersion: null, isPublished: false },
        { workflowId: 'b', publishedVersion: 1, isPublished: true },
      ],
      nextCursor: expect.any(String) as unknown,
    });
    const { nextCursor } = first.body as { readonly nextCursor: string };
    expect(await management.ask('GET', `/workflows?companyId=1&limit=2&cursor=${nextCursor}`)).toMatchObject({
      body: { results: [{ workflowId: 'c' }], nextCursor: null },
    });
  });

  it('says what to do when there is no company yet', async () => {
    await using management = await fakeManagement({ companies: [] });
    expect(await management.ask('GET', '/workflows')).toMatchObject({
      status: 404,
      body: { error: 'COMPANY_NOT_FOUND', message: expect.stringContaining('hilo import FILE') as unknown },
    });
  });

  it('needs no company where there is one', async () => {
    await using management = await fakeManagement({ companies: ['1'] });
    expect(await management.ask('PUT', '/workflows/pausing', pausing())).toMatchObject({ status: 200 });
    expect(await management.ask('GET', '/workflows')).toMatchObject({ body: { results: [{ workflowId: 'pausing' }] } });
  });
});

describe('canvases', () => {
  it('are checked and not kept', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    expect(await ask('POST', '/validate', pausing())).toEqual({ status: 200, body: { ok: true, problems: [] } });
    expect(await ask('POST', '/validate', { nodes: 7 })).toMatchObject({
      status: 200,
      body: { ok: false, problems: expect.arrayContaining([expect.objectContaining({ pointer: '/nodes' })]) as unknown },
    });
    expect(await ask('POST', '/validate', { ...pausing(), nmae: 'typo' })).toMatchObject({
      body: { ok: false, problems: [{ code: 'UNKNOWN_FIELD', pointer: '/nmae' }] },
    });
    expect(await ask('GET', '/workflows?companyId=1')).toMatchObject({ body: { results: [] } });
  });

  it('use the nodes of the catalogue, whose format is served too', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const { body } = await ask('GET', '/nodes');
    const { results } = body as { readonly results: readonly { readonly type: string; readonly schema: object }[] };
    expect(results.map(({ type }) => type)).toContain('webhook');
    expect(results.every(({ schema }) => typeof schema === 'object')).toBe(true);
    expect(await ask('GET', '/canvas.schema.json')).toMatchObject({ status: 200, body: { title: 'Hilo canvas' } });
  });
});

describe('a large canvas', () => {
  /** A long but not unusual canvas. */
  const long = (steps: number) => ({
    ...pausing({ id: 'long' }),
    nodes: [
      { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
      ...Array.from({ length: steps }, (_, n) => ({
        id: `s${n}`,
        type: 'set',
        data: { assignments: [{ path: `$context.v${n}`, value: '{{$webhook.order.body.user}}' }] },
      })),
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [
      { source: 'hook', sourceHandle: 'new', target: 's0' },
      ...Array.from({ length: steps }, (_, n) => ({ source: `s${n}`, target: n === steps - 1 ? 'done' : `s${n + 1}` })),
    ],
  });

  it('is read, looked up and checked in steps, between which others get their turn (P20)', async () => {
    await using management = await fakeManagement();
    const body = JSON.stringify(long(1_500));
    await management.ask('PUT', '/workflows/long?companyId=1', body);
    let turns = 0;
    let isDone = false;
    const take = (): void => {
      if (isDone) return;
      turns += 1;
      setImmediate(take);
    };
    setImmediate(take);
    expect(await management.ask('PUT', '/workflows/long?companyId=1', body)).toMatchObject({ status: 200 });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(3); // before it is looked up, before it is checked, and with the request itself
  });
});
