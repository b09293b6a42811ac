import { globSync, readFileSync } from 'node:fs';
import { parseCanvas } from '@hilo/engine';
import { describeCanvas, diffCanvases } from '@hilo/engine/authoring';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { fakeManagement, pausing } from './fake-management.ts';

/** Calls with headers, which carry the author's revision. */
async function put(
  management: Awaited<ReturnType<typeof fakeManagement>>,
  canvas: object,
  headers: { readonly [name: string]: string } = {},
) {
  const response = await createManagement(management.service).request('/workflows/pausing?companyId=1', {
    method: 'PUT',
    body: JSON.stringify(canvas),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body: (await response.json()) as { readonly [field: string]: unknown },
  };
}
const at = (x: number) => pausing({ nodes: pausing().nodes.map((node) => ({ ...node, position: { x, y: 0 } })) });

describe('revisions of drafts', () => {
  it('grow with each save, and a save over another is 412 with the other draft', async () => {
    await using management = await fakeManagement();
    expect(await put(management, pausing(), { 'if-none-match': '*' })).toMatchObject({ status: 200, etag: '"1"', body: { revision: 1 } });
    expect(await put(management, pausing({ name: 'Ana' }), { 'if-match': '"1"' })).toMatchObject({ status: 200, etag: '"2"' });
    expect(await put(management, pausing({ name: 'Bea' }), { 'if-match': '"1"' })).toMatchObject({
      status: 412,
      etag: '"2"',
      body: { error: 'DRAFT_CHANGED', revision: 2, draft: { name: 'Ana' } },
    });
    expect(await put(management, pausing(), { 'if-none-match': '*' })).toMatchObject({ status: 412 });
    expect(await put(management, pausing({ name: 'Cleo' }))).toMatchObject({ status: 200, body: { revision: 3 } });
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({
      body: { revision: 3, canvas: { name: 'Cleo' } },
    });
  });

  it('count and keep positions too: two authors who only move cards do not overwrite each other', async () => {
    await using management = await fakeManagement();
    await put(management, at(8));
    expect(await put(management, at(16), { 'if-match': '"1"' })).toMatchObject({ status: 200, body: { revision: 2 } });
    expect(await put(management, at(24), { 'if-match': '"1"' })).toMatchObject({ status: 412 });
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({ body: { canvas: { nodes: at(16).nodes } } });
  });

  it('of several who save at once, one is written', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    const names = Array.from({ length: 8 }, (_, number) => `Author ${number}`);
    const answers = await Promise.all(names.map((name) => put(management, pausing({ name }), { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const written = names[answers.findIndex(({ status }) => status === 200)];
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({
      body: { revision: 2, canvas: { name: written } },
    });
  });

  it('a draft that was replaced without a save counts as the next revision', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    const { engine, store } = management.service;
    const { canvas } = (await store.canvases.draft('1', 'pausing'))!;
    await engine.saveDraft('1', { ...canvas, name: 'Imported' });
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({
      body: { revision: 2, canvas: { name: 'Imported' } },
    });
    expect(await put(management, pausing({ name: 'Old' }), { 'if-match': '"1"' })).toMatchObject({
      status: 412,
      body: { draft: { name: 'Imported' } },
    });
    expect(await put(management, pausing({ name: 'New' }), { 'if-match': '"2"' })).toMatchObject({ status: 200, body: { revision: 3 } });
  });

  it('a save that others are faster than every time is 503, and writes nothing', async () => {
    await using management = await fakeManagement();
    const { service } = management;
    await put(management, pausing({ name: 'Kept' }));
    const { runner } = service.store;
    const tooLate: typeof runner.write = async (calls) => ({ ...(await runner.write([])), failed: calls[0] });
    const app = createManagement({ ...service, store: { ...service.store, runner: { ...runner, write: tooLate } } });
    const answer = await app.request('/workflows/pausing?companyId=1', { method: 'PUT', body: JSON.stringify(pausing({ name: 'Late' })) });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({
      body: { revision: 1, canvas: { name: 'Kept' } },
    });
  });

  it('a save over a draft that is not there is 412, and a new one is made without If-Match', async () => {
    await using management = await fakeManagement();
    expect(await put(management, pausing(), { 'if-match': '"5"' })).toMatchObject({
      status: 412,
      body: { error: 'DRAFT_CHANGED', draft: null, revision: 0, savedBy: null },
    });
    expect(await put(management, pausing(), { 'if-match': '*' })).toMatchObject({ status: 412, body: { draft: null } });
    await put(management, pausing());
    expect(await put(management, pausing(), { 'if-match': '*' })).toMatchObject({ status: 200, body: { revision: 2 } });
    await management.ask('DELETE', '/workflows/pausing?companyId=1');
    expect(await put(management, pausing(), { 'if-match': '"1"' })).toMatchObject({ status: 412, body: { draft: null } });
    expect(await put(management, pausing())).toMatchObject({ status: 200, body: { revision: 1 } });
  });

  it('of several who save at first without a condition, all are kept, one after the other', async () => {
    await using management = await fakeManagement();
    const answers = await Promise.all(Array.from({ length: 4 }, (_, number) => put(management, pausing({ name: `Author ${number}` }))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('a draft that is removed beside a save does not come back', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    const { service } = management;
    const removals: number[] = [];
    const thenRemoveOnce = async <Result>(writing: Promise<Result>): Promise<Result> => {
      const result = await writing;
      if (removals.length === 0) removals.push((await management.ask('DELETE', '/workflows/pausing?companyId=1')).status);
      return result;
    };
    const { runner } = service.store;
    const store: typeof service.store = {
      ...service.store,
      runner: {
        ...runner,
        write: (calls) => thenRemoveOnce(runner.write(calls)),
        writeOne: (one) => thenRemoveOnce(runner.writeOne(one)),
      },
    };
    await put({ ...management, service: { ...service, store } }, pausing({ name: 'Ana' }), { 'if-match': '"1"' });
    expect(removals).toEqual([200]);
    expect(await management.ask('GET', '/workflows/pausing?companyId=1')).toMatchObject({ status: 404 });
  });

  it.each(['17', 'W/"1"', '"x"'])('If-Match %s is 400', async (value) => {
    await using management = await fakeManagement();
    expect(await put(management, pausing(), { 'if-match': value })).toMatchObject({ status: 400 });
  });
});

describe('publishing', () => {
  it('keeps the note of a version, and refuses a draft that moved on', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    expect(await management.ask('POST', '/workflows/pausing/publish?companyId=1', { revision: 7 })).toMatchObject({
      status: 412,
      body: { revision: 1 },
    });
    expect(await management.ask('POST', '/workflows/pausing/publish?companyId=1', { note: 'First', revision: 1 })).toMatchObject({
      status: 200,
      body: { version: 1, note: 'First' },
    });
    expect(await management.ask('GET', '/workflows/pausing/versions?companyId=1')).toMatchObject({
      body: { results: [{ version: 1, note: 'First' }] },
    });
    expect(await management.ask('POST', '/workflows/pausing/publish?companyId=1', { note: 7 })).toMatchObject({ status: 422 });
  });

  it('publishes the content whose revision it compared, whatever is saved meanwhile', async () => {
    await using management = await fakeManagement();
    await put(management, pausing({ name: 'Read by its author' }));
    const { service } = management;
    const { runner } = service.store;
    const saves: number[] = [];
    const readOne: typeof runner.readOne = async (one) => {
      const row = await runner.readOne(one);
      if (typeof row === 'object' && row !== null && 'savedBy' in row && saves.length === 0)
        saves.push((await put(management, pausing({ name: 'Saved after the comparison' }))).status);
      return row;
    };
    const published = await createManagement({ ...service, store: { ...service.store, runner: { ...runner, readOne } } }).request(
      '/workflows/pausing/publish?companyId=1',
      { method: 'POST', body: JSON.stringify({ revision: 1 }) },
    );
    expect([published.status, saves]).toEqual([200, [200]]);
    expect(await management.ask('GET', '/workflows/pausing/versions/1?companyId=1')).toMatchObject({
      body: { canvas: { name: 'Read by its author' } },
    });
  });

  it('reports how many executions wait in each version, and where', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    await management.ask('POST', '/workflows/pausing/publish?companyId=1');
    for (const user of ['5215512345678', '5215512345679'])
      await management.service.engine.receiveWebhook({
        companyId: '1',
        botId: 'bot_wa',
        workflowId: 'pausing',
        nodeId: 'hook',
        route: 'production',
        channel: 'whatsapp',
        request: { method: 'POST', body: { user }, query: {}, headers: {} },
      });
    await management.service.engine.whenIdle();
    expect(await management.ask('GET', '/workflows/pausing/population?companyId=1')).toMatchObject({
      body: { versions: [{ version: 1, running: 0, waiting: 2, nodes: [{ nodeId: 'wait', waiting: 2 }] }] },
    });
  });

  it('reports the difference between a version and the draft', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    await management.ask('POST', '/workflows/pausing/publish?companyId=1');
    await put(management, { ...at(80), name: 'Renamed' });
    expect(await management.ask('GET', '/workflows/pausing/diff?companyId=1&from=1&to=draft')).toEqual({
      status: 200,
      body: { nodes: [], edges: [], settings: [{ pointer: '/name', before: 'Pausing', after: 'Renamed' }] },
    });
    expect(await management.ask('GET', '/workflows/pausing/diff?companyId=1&from=9')).toMatchObject({ status: 404 });
    expect(await management.ask('GET', '/workflows/none/diff?companyId=1&from=1')).toMatchObject({
      status: 404,
      body: { error: 'WORKFLOW_NOT_FOUND' },
    });
    expect(await management.ask('GET', '/workflows/pausing/diff?companyId=1')).toMatchObject({ status: 422 });
  });
});

describe('transcripts', () => {
  it('are stored with the workflow of one company', async () => {
    await using management = await fakeManagement();
    await put(management, pausing());
    const path = '/workflows/pausing/transcripts';
    expect(await management.ask('PUT', `${path}/lost?companyId=1`, 'user: hi\n  bot: \u0000 <b>\n')).toMatchObject({ status: 200 });
    expect(await management.ask('GET', `${path}?companyId=1`)).toMatchObject({ body: { results: [{ name: 'lost' }] } });
    expect(await management.ask('GET', `${path}/lost?companyId=1`)).toEqual({ status: 200, body: 'user: hi\n  bot: \u0000 <b>\n' });
    expect(await management.ask('GET', `${path}/lost?companyId=2`)).toMatchObject({ status: 404 });
    expect(await management.ask('PUT', `${path}/a%2Fb?companyId=1`, 'x')).toMatchObject({ status: 422 });
    expect(await management.ask('DELETE', `${path}/lost?companyId=1`)).toMatchObject({ status: 200 });
    expect(await management.ask('DELETE', `${path}/lost?companyId=1`)).toMatchObject({ status: 404 });
  });
});

it('describes a canvas for an editor, and identifies the operator', async () => {
  await using management = await fakeManagement();
  expect(await management.ask('POST', '/describe?companyId=1', pausing())).toMatchObject({
    status: 200,
    body: { nodes: [{ nodeId: 'hook' }, { nodeId: 'wait' }, { nodeId: 'keep' }, { nodeId: 'done' }], problems: [] },
  });
  expect(await management.ask('GET', '/me')).toMatchObject({
    body: { companies: [{ id: '1' }, { id: '2' }], limits: { bodyBytes: 1_048_576, transcripts: 200 } },
  });
});

it('a transcript is replaced only as its author knows it, where the request says so', async () => {
  await using management = await fakeManagement();
  await put(management, pausing());
  const send = (content: string, headers: { readonly [name: string]: string } = {}) =>
    createManagement(management.service).request('/workflows/pausing/transcripts/a?companyId=1', {
      method: 'PUT',
      body: content,
      headers: { 'content-type': 'text/plain', ...headers },
    });
  const first = await send('user: hi', { 'if-none-match': '*' });
  const tag = first.headers.get('etag') ?? '';
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
  const again = await send('user: ho', { 'if-none-match': '*' });
  expect([again.status, await again.json()]).toMatchObject([412, { error: 'TRANSCRIPT_CHANGED' }]);
  expect((await send('user: ho', { 'if-match': '"0"' })).status).toBe(412);
  // Of several who replace the same one, one is kept.
  const rivals = await Promise.all(Array.from({ length: 6 }, async (_, number) => send(`user: ${number}`, { 'if-match': tag })));
  expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412]);
  const kept = await management.ask('GET', '/workflows/pausing/transcripts/a?companyId=1');
  expect(kept.body).toBe(`user: ${rivals.findIndex(({ status }) => status === 200)}`);
  expect((await send('user: whatever')).status).toBe(200);
  expect((await send('user: any', { 'if-match': '*' })).status).toBe(200);
});

describe('what a browser computes itself', () => {
  const folder = new URL('../../../../examples/workspace/canvases/', import.meta.url).pathname;
  const texts = globSync(`${folder}*.json`).map((path) => readFileSync(path, 'utf8'));
  const named = (text: string) => parseCanvas({ ...(JSON.parse(text) as object), id: 'one' }).canvas!;

  it('is described the same by the service', async () => {
    await using management = await fakeManagement();
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) {
      const { status, body } = await management.ask('POST', '/describe?companyId=1', JSON.parse(text));
      const { nodes, problems } = body as ReturnType<typeof describeCanvas>;
      const own = describeCanvas(text, { nodes: standardNodes, channels: ['whatsapp', 'slack'] });
      expect([status, nodes]).toEqual([200, JSON.parse(JSON.stringify(own.nodes))]);
      // What depends on the company comes on top.
      expect(problems).toEqual(expect.arrayContaining(JSON.parse(JSON.stringify(own.problems)) as unknown[]));
    }
  });

  it('is compared the same by the service', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    const [first = ''] = texts;
    const before = named(first);
    await service.engine.saveDraft('1', before);
    await service.store.canvases.publish('1', before, 'hash', 0);
    for (const text of texts) {
      const after = named(text);
      await service.engine.saveDraft('1', after);
      expect(await ask('GET', '/workflows/one/diff?companyId=1&from=1')).toEqual({
        status: 200,
        body: JSON.parse(JSON.stringify(diffCanvases(before, after))) as unknown,
      });
    }
  });
});
