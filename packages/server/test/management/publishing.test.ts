import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManagement } from '../../src/service/app.ts';
import { fakeManagement, pausing } from './fake-management.ts';

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

  it('refuses an agent that may move money without a question to the user', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const tool = { kind: 'function', name: 'pay', description: 'Pays', functionId: 'fn_echo', inputs: {}, risk: 'money' };
    const canvas = (confirm: object) => ({
      schemaVersion: 1,
      id: 'paying',
      name: 'Paying',
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['pay'] } },
        {
          id: 'talk',
          type: 'agent',
          data: {
            model: { baseUrl: 'https://models.example/v1', name: 'small' },
            instructions: 'Help.',
            tools: [{ ...tool, ...confirm }],
            exits: [{ name: 'done', when: 'They are content.' }],
          },
        },
        { id: 'stop', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'talk' },
        ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'stop' })),
      ],
    });
    const codes = async (confirm: object): Promise<readonly unknown[]> => {
      await ask('PUT', '/workflows/paying?companyId=1', canvas(confirm));
      const { status, body } = await ask('POST', '/workflows/paying/publish?companyId=1');
      return [status, JSON.stringify(body).includes('"UNCONFIRMED_TOOL"')];
    };
    expect(await codes({})).toEqual([422, true]);
    const [, isStillRefused] = await codes({ confirm: { text: 'Pay?', yes: 'Yes', no: 'No' } });
    expect(isStillRefused).toBe(false);
  });

  const talking = (id: string, data: object, more: object = {}) => ({
    schemaVersion: 1,
    id,
    name: id,
    nodes: [
      { id: 'begin', type: 'start', data: { label: 'Begin', ...data } },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [{ source: 'begin', target: 'done' }],
    ...more,
  });

  it('warns of a keyword and a fallback that another workflow of the company has, too', async () => {
    await using management = await fakeManagement();
    const publish = async (canvas: ReturnType<typeof talking>, company = '1'): Promise<unknown> => {
      await management.ask('PUT', `/workflows/${canvas.id}?companyId=${company}`, canvas);
      return (await management.ask('POST', `/workflows/${canvas.id}/publish?companyId=${company}`)).body;
    };
    expect(await publish(talking('sales', { keywords: ['buy', 'menú'], fallback: true }))).toMatchObject({ warnings: [] });
    expect(await publish(talking('sales', { keywords: ['Buy', 'menú'], fallback: true }))).toMatchObject({ warnings: [] });
    expect(await publish(talking('help', { keywords: ['help'] }))).toMatchObject({ warnings: [] });
    expect(await publish(talking('abroad', { keywords: ['buy'], fallback: true }), '2')).toMatchObject({ warnings: [] });
    expect(await publish(talking('second', { keywords: ['orders', 'MENU'], fallback: true }))).toMatchObject({
      version: 1,
      warnings: [
        { code: 'SAME_FALLBACK', severity: 'warning', nodeId: 'begin', pointer: '/nodes/0/data/fallback' },
        { code: 'SAME_KEYWORD', severity: 'warning', nodeId: 'begin', pointer: '/nodes/0/data/keywords/1' },
      ],
    });
  });

  it('refuses a keyword that interrupts for another workflow already, and names that', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const publish = async (canvas: ReturnType<typeof talking>) => {
      await ask('PUT', `/workflows/${canvas.id}?companyId=1`, canvas);
      return ask('POST', `/workflows/${canvas.id}/publish?companyId=1`);
    };
    expect(await publish(talking('stop', { keywords: ['stop'], interrupts: true }))).toMatchObject({ status: 200 });
    expect(await publish(talking('halt', { keywords: ['halt', 'STOP'], interrupts: true }))).toMatchObject({
      status: 422,
      body: {
        problems: [
          {
            code: 'SAME_INTERRUPT',
            severity: 'error',
            nodeId: 'begin',
            pointer: '/nodes/0/data/keywords/1',
            message: '"stop" interrupts for workflow "stop", too: only one of them can begin',
          },
        ],
      },
    });
    expect(await publish(talking('halt', { keywords: ['halt'], interrupts: true }))).toMatchObject({ status: 200 });
  });

  it('refuses a draft with errors, and lists them all (ERR-01, ERR-05)', async () => {
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

  it('warns of a group and a segment that are not there, of a credential of another kind, and of a setting that nobody gave', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const begun = (audience: object | string) => ({
      ...pausing({}),
      nodes: [
        { id: 'begin', type: 'start', data: { schedule: { cron: '0 9 * * *', for: audience } } },
        { id: 'done', type: 'end' },
      ],
      edges: [{ source: 'begin', target: 'done' }],
    });
    const warnings = async (canvas: object): Promise<readonly string[]> => {
      const { body } = await ask('POST', '/validate?companyId=1', canvas);
      const { ok, problems } = z.object({ ok: z.boolean(), problems: z.array(z.object({ message: z.string() })) }).parse(body);
      expect(ok).toBe(true);
      return problems.map(({ message }) => message);
    };
    expect(await warnings(begun({ segment: 'quiet' }))).toEqual(['There is no segment "quiet", so that nothing begins for it']);
    expect(await warnings(begun({ group: 'vip' }))).toEqual(['There is no group "vip", so that nothing begins for it']);
    const stored = await ask('PUT', '/companies/1/segments/quiet', { condition: '"vip" in user.groups' });
    expect(stored.status).toBe(200);
    expect(await warnings(begun({ segment: 'quiet' }))).toEqual([]);
    expect(await warnings(begun('company'))).toEqual([]);
    const connection = { credentialId: 'cred1' };
    const query = { type: 'database', data: { operation: 'query', connection, sql: 'select 1' } };
    const [otherKind = ''] = await warnings(naming(query));
    expect(otherKind).toContain('The credential "cred1" is of the kind "basic"');
    const reading = (url: string) => warnings(naming({ type: 'api', data: { url } }));
    expect(await reading('{{$company.settings.shop}}')).toEqual(['$company.settings.shop is never filled; the company has no settings']);
    expect(await reading('{{$company.settings.shop ?? "https://api.example"}}')).toEqual([]);
  });

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

  it('reports a template that the provider of its bot can never send', async () => {
    await using management = await fakeManagement();
    const { service } = management;
    const { companies } = service;
    const templates: typeof companies.templates = (companyId) =>
      companies.templates(companyId).map((found) => ({ ...found, components: [{ type: 'HEADER', format: 'PRODUCT' }] }));
    const botOf: typeof companies.botOf = (companyId, id) => {
      const found = companies.botOf(companyId, id);
      return found && { ...found, provider: { kind: 'whatsapp-cloud', fields: {} } };
    };
    const app = createManagement({ ...service, companies: { ...companies, templates, botOf } });
    const canvas = JSON.stringify(naming({ type: 'template', data: { templateId: 'tpl1', parameters: {} } }));
    const validated = await app.request('/validate?companyId=1', { method: 'POST', body: canvas });
    expect(await validated.json()).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'CHANNEL_LIMIT',
          pointer: '/nodes/1/data/templateId',
          message: expect.stringContaining(
            'The template "tpl1" can never be sent: The header of the template has the format "product"',
          ) as unknown,
        },
      ],
    });
    expect(await management.ask('POST', '/validate?companyId=1', canvas)).toMatchObject({ body: { ok: true } }); // a log takes it
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
