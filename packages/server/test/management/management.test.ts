import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/management/create-management.ts';
import { type FakeManagement, fakeManagement, pausing } from './fake-management.ts';

const hook = { companyId: '1', workflowId: 'pausing', nodeId: 'hook', channel: 'whatsapp', botId: 'bot_wa' } as const;

/** Publishes the canvas and starts it by its webhook. */
async function started({ ask, service }: FakeManagement, user = '51999000111'): Promise<string> {
  await ask('PUT', '/workflows/pausing?companyId=1', pausing());
  await ask('POST', '/workflows/pausing/publish?companyId=1');
  const request = { method: 'POST', headers: {}, query: {}, body: { user } };
  const { executionId } = await service.engine.receiveWebhook({ ...hook, route: 'production', request });
  await service.engine.whenIdle();
  return executionId;
}

describe('drafts', () => {
  it('keeps a canvas, problems and all, and gives it back with the addresses of its webhook (WEB-04)', async () => {
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

  it('gives no addresses where there is no webhook', async () => {
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
      nextCursor: 'b',
    });
    expect(await management.ask('GET', '/workflows?companyId=1&limit=2&cursor=b')).toMatchObject({
      body: { results: [{ workflowId: 'c' }], nextCursor: null },
    });
  });

  it('needs no company where there is one', async () => {
    await using management = await fakeManagement({ companies: ['1'] });
    expect(await management.ask('PUT', '/workflows/pausing', pausing())).toMatchObject({ status: 200 });
    expect(await management.ask('GET', '/workflows')).toMatchObject({ body: { results: [{ workflowId: 'pausing' }] } });
  });
});

describe('publishing', () => {
  it('makes versions, each with its own content, and the same content twice one version', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    await ask('PUT', '/workflows/pausing?companyId=1', pausing());
    const first = await ask('POST', '/workflows/pausing/publish?companyId=1');
    expect(first).toMatchObject({ status: 200, body: { workflowId: 'pausing', version: 1, warnings: [] } });
    expect(await ask('POST', '/workflows/pausing/publish?companyId=1')).toEqual(first);
    await ask('PUT', '/workflows/pausing?companyId=1', pausing({ name: 'Second' }));
    expect(await ask('POST', '/workflows/pausing/publish?companyId=1')).toMatchObject({ body: { version: 2 } });
    expect(await ask('GET', '/workflows/pausing/versions?companyId=1')).toMatchObject({
      body: { results: [{ version: 1, publishedAt: '2031-03-03T09:00:00.000Z' }, { version: 2 }], nextCursor: null },
    });
    expect(await ask('GET', '/workflows/pausing/versions/1?companyId=1')).toMatchObject({
      body: { version: 1, canvas: { name: 'Pausing' } },
    });
  });

  it('has no version of a workflow that was never published', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    await ask('PUT', '/workflows/pausing?companyId=1', pausing());
    expect(await ask('GET', '/workflows/pausing/versions?companyId=1')).toEqual({ status: 200, body: { results: [], nextCursor: null } });
  });

  it('warns of a webhook without methods, and publishes it (WEB-08)', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const [first, ...nodes] = pausing().nodes;
    const canvas = pausing({ nodes: [{ ...first, data: { variableName: 'order', userIdPath: 'user' } }, ...nodes] });
    await ask('PUT', '/workflows/pausing?companyId=1', canvas);
    expect(await ask('POST', '/workflows/pausing/publish?companyId=1')).toMatchObject({
      status: 200,
      body: { version: 1, warnings: [{ code: 'WEBHOOK_WITHOUT_METHODS', severity: 'warning' }] },
    });
  });

  it('refuses a draft with errors, and tells them all (ERR-01, ERR-05)', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    await ask('PUT', '/workflows/pausing?companyId=1', pausing({ edges: [] }));
    const { status, body } = await ask('POST', '/workflows/pausing/publish?companyId=1');
    expect(status).toBe(422);
    expect(body).toMatchObject({
      statusMessage: 'failed',
      status: 0,
      error: { code: 'E0422', key: 'VALIDATOR_ERROR' },
      validationError: { '/nodes/0': [{ en: 'PORT_WITHOUT_EDGE: Port "new" of "hook" leads nowhere' }] },
    });
    const { problems } = (await ask('POST', '/validate?companyId=1', pausing({ edges: [] }))).body as { readonly problems: unknown };
    expect(body).toMatchObject({ problems });
    expect(await ask('GET', '/workflows/pausing/versions?companyId=1')).toMatchObject({ body: { results: [] } });
  });

  const naming = (node: object) =>
    pausing({
      nodes: [
        { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
        { id: 'middle', ...node },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'hook', sourceHandle: 'new', target: 'middle' },
        { source: 'middle', sourceHandle: portOf(node), target: 'done' },
      ],
    });
  const portOf = (node: object): string => ('type' in node && node.type === 'template' ? 'sent' : 'success');

  it.for([
    ['a workflow', { type: 'workflow', data: { workflowId: 'called' } }],
    ['a template', { type: 'template', data: { templateId: 'tpl1', parameters: {} } }],
    ['a credential', { type: 'api', data: { url: 'https://api.example', auth: { credentialId: 'cred1' } } }],
  ] as const)('resolves %s against its own company alone (T19)', async ([, node]) => {
    await using management = await fakeManagement();
    const { ask } = management;
    await ask('PUT', '/workflows/called?companyId=1', pausing({ id: 'called' }));
    for (const [companyId, codes] of [
      ['1', []],
      ['2', ['UNRESOLVED_REFERENCE']],
    ] as const) {
      const { body } = await ask('PUT', `/workflows/pausing?companyId=${companyId}`, naming(node));
      const { problems } = body as { readonly problems: readonly { readonly code: string }[] };
      expect(problems.map(({ code }) => code)).toEqual(codes);
      expect(await ask('POST', `/workflows/pausing/publish?companyId=${companyId}`)).toMatchObject({
        status: codes.length === 0 ? 200 : 422,
      });
    }
  });

  it('holds messages to the limits of the channels that are connected (LIM-05)', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const canvas = naming({ type: 'message', data: { message: { type: 'text', text: 'x'.repeat(3_001) } } });
    const long = JSON.parse(JSON.stringify(canvas).replace('"success"', '"sent"')) as object;
    expect(await ask('POST', '/validate?companyId=1', long)).toMatchObject({ body: { ok: false, problems: [{ code: 'CHANNEL_LIMIT' }] } });
    expect(await ask('POST', '/validate?companyId=2', long)).toMatchObject({ body: { ok: true, problems: [] } });
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

  it('are made of the nodes of the catalogue, whose format is served too', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const { body } = await ask('GET', '/nodes');
    const { results } = body as { readonly results: readonly { readonly type: string; readonly schema: object }[] };
    expect(results.map(({ type }) => type)).toContain('webhook');
    expect(results.every(({ schema }) => typeof schema === 'object')).toBe(true);
    expect(await ask('GET', '/canvas.schema.json')).toMatchObject({ status: 200, body: { title: 'Hilo canvas' } });
  });
});

describe('executions', () => {
  it('are shown with their wait and their variables', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const { body } = await management.ask('GET', `/executions/${executionId}?companyId=1`);
    expect(body).toEqual({
      executionId,
      workflowId: 'pausing',
      version: 1,
      status: 'waiting',
      userId: '51999000111',
      botId: 'bot_wa',
      channel: 'whatsapp',
      parentExecutionId: null,
      wait: {
        id: expect.any(String) as unknown,
        kind: 'timer',
        nodeId: 'wait',
        openedAt: '2031-03-03T09:00:00.000Z',
        dueAt: '2031-03-03T10:00:00.000Z',
        onDue: 'timeout',
      },
      variables: expect.objectContaining({ $webhook: expect.anything() as unknown }) as unknown,
      createdAt: '2031-03-03T09:00:00.000Z',
      updatedAt: '2031-03-03T09:00:00.000Z',
    });
  });

  it('are listed newest first, filtered and in pages', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const ids = [
      await started(management, '51999000111'),
      await started(management, '51999000222'),
      await started(management, '51999000111'),
    ];
    const listed = async (query: string) => {
      const { body } = await ask('GET', `/executions?companyId=1${query}`);
      const { results, nextCursor } = body as {
        readonly results: readonly { readonly executionId: string }[];
        readonly nextCursor: string | null;
      };
      return { ids: results.map(({ executionId }) => executionId), nextCursor };
    };
    expect(await listed('')).toEqual({ ids: ids.toReversed(), nextCursor: null });
    expect((await listed('&userId=51999000222')).ids).toEqual([ids[1]]);
    expect((await listed('&status=completed')).ids).toEqual([]);
    expect((await listed('&workflowId=pausing&status=waiting')).ids).toHaveLength(3);
    const first = await listed('&limit=2');
    expect(first.ids).toEqual([ids[2], ids[1]]);
    expect(await listed(`&limit=2&cursor=${first.nextCursor}`)).toEqual({ ids: [ids[0]], nextCursor: null });
    expect(await ask('GET', '/executions?companyId=2')).toMatchObject({ body: { results: [] } });
  });

  it('tell what they did', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const { clock, engine } = management.service;
    (clock as unknown as { advanceBy(ms: number): void }).advanceBy(3_600_000);
    await engine.fireDueTimers();
    await engine.whenIdle();
    const { body } = await management.ask('GET', `/executions/${executionId}/history?companyId=1`);
    const { entries } = body as { readonly entries: readonly { readonly nodeId: string; readonly type: string }[] };
    expect(body).toMatchObject({ executionId });
    expect(entries.map(({ nodeId }) => nodeId)).toEqual(expect.arrayContaining(['hook', 'wait', 'keep', 'done']));
    expect(entries.find(({ nodeId }) => nodeId === 'keep')).toMatchObject({
      at: '2031-03-03T10:00:00.000Z',
      visitNumber: 1,
      port: 'next',
      writes: [{ path: '$context.paid', value: true }],
    });
    const known = ['at', 'nodeId', 'visitNumber', 'type', 'port', 'effect', 'cause', 'limitMs', 'configuredMs', 'appliedMs', 'writes'];
    expect([...new Set(entries.flatMap(Object.keys))].filter((name) => !known.includes(name))).toEqual([]);
    expect(await management.ask('GET', `/executions/${executionId}?companyId=1`)).toMatchObject({
      body: { status: 'completed', wait: null },
    });
  });

  it('end when they are cancelled, and cancelling twice is cancelling once', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const cancelled = await management.ask('POST', `/executions/${executionId}/cancel?companyId=1`, { reason: 'No longer needed' });
    expect(cancelled).toMatchObject({ status: 200, body: { executionId, status: 'cancelled', wait: null } });
    expect(await management.ask('POST', `/executions/${executionId}/cancel?companyId=1`)).toEqual(cancelled);
    const { body } = await management.ask('GET', `/executions/${executionId}/history?companyId=1`);
    const { entries } = body as { readonly entries: readonly object[] };
    expect(entries.at(-1)).toEqual({
      at: '2031-03-03T09:00:00.000Z',
      nodeId: 'wait',
      visitNumber: 1,
      type: 'execution.cancelled',
      cause: 'No longer needed',
    });
  });

  it('stay as they are when they are released and were not in quarantine (P17)', async () => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    expect(await management.ask('POST', `/executions/${executionId}/release?companyId=1`)).toEqual(
      await management.ask('GET', `/executions/${executionId}?companyId=1`),
    );
  });

  it.for(['', '/history', '/cancel', '/release'])('of another company are unknown%s (P28)', async (verb) => {
    await using management = await fakeManagement();
    const executionId = await started(management);
    const method = verb === '/cancel' || verb === '/release' ? 'POST' : 'GET';
    const other = await management.ask(method, `/executions/${executionId}${verb}?companyId=2`);
    const unknown = await management.ask(method, `/executions/${executionId.replace(/./, 'z')}${verb}?companyId=2`);
    expect(other.status).toBe(404);
    expect(JSON.stringify(other).replace(executionId, '')).toBe(JSON.stringify(unknown).replace(executionId.replace(/./, 'z'), ''));
  });
});

describe('messages', () => {
  const message = (number: number, userId: string) => ({
    messageId: `m${number}`,
    direction: 'outbound' as const,
    userId,
    message: { type: 'text', text: `Number ${number}` },
    idempotencyKey: `key-${number}`,
    status: 'sent' as const,
    createdAtMs: Date.UTC(2031, 0, number),
    executionId: number === 1 ? 'e1' : null,
    nodeId: number === 1 ? 'n1' : null,
  });

  it('are listed oldest first, by user and in pages', async () => {
    await using management = await fakeManagement();
    const { ask, logged } = management;
    logged.push(message(1, '51999000111'), message(2, '51999000222'), message(3, '51999000111'));
    const first = await ask('GET', '/bots/bot_wa/messages?userId=51999000111&limit=1');
    expect(first.body).toEqual({
      results: [
        {
          messageId: 'm1',
          direction: 'outbound',
          userId: '51999000111',
          message: { type: 'text', text: 'Number 1' },
          idempotencyKey: 'key-1',
          status: 'sent',
          createdAt: '2031-01-01T00:00:00.000Z',
          executionId: 'e1',
          nodeId: 'n1',
        },
      ],
      nextCursor: '1',
    });
    const { body } = await ask('GET', '/bots/bot_wa/messages?userId=51999000111&limit=1&cursor=1&companyId=1');
    expect(body).toMatchObject({ results: [{ messageId: 'm3' }], nextCursor: null });
    expect(JSON.stringify(body)).not.toContain('executionId');
  });
});

describe('the document', () => {
  it('has every route of the surface, with what it answers', async () => {
    await using management = await fakeManagement();
    const { paths } = createManagement(management.service).getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Hilo', version: '1.0.0' },
    });
    const documented = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method} ${path}`),
    );
    expect(documented).toEqual([
      'get /workflows',
      'get /workflows/{workflowId}',
      'put /workflows/{workflowId}',
      'post /workflows/{workflowId}/publish',
      'get /workflows/{workflowId}/versions',
      'get /workflows/{workflowId}/versions/{version}',
      'post /validate',
      'get /nodes',
      'get /canvas.schema.json',
      'get /executions',
      'get /executions/{executionId}',
      'get /executions/{executionId}/history',
      'post /executions/{executionId}/cancel',
      'post /executions/{executionId}/release',
      'get /bots/{botId}/messages',
      'post /conversations',
      'get /conversations/{conversationId}',
      'post /conversations/{conversationId}/messages',
      'post /conversations/{conversationId}/close',
      'post /conversations/{conversationId}/resolve',
      'post /conversations/{conversationId}/transfer',
      'post /conversations/{conversationId}/assign',
    ]);
    for (const methods of Object.values(paths ?? {})) {
      for (const operation of Object.values(methods ?? {}) as readonly { readonly responses: object }[])
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '401', '404', '422', '503']));
    }
  });
});
