import { gunzipSync } from 'node:zlib';
import { CanvasProblem } from '../../src/platform/http/admin.ts';
import { storeUnavailable } from '@hilo/stores';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeInterface } from '../../src/operations/openapi.ts';
import { createOperations } from '../../src/operations/routes.ts';
import { ana, event, setStage, type Stage } from './calls.ts';
import { greeting, order } from './canvases.ts';
import { keys } from './fake-service.ts';

interface Described {
  readonly servers: readonly object[];
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: { readonly [name: string]: { readonly properties?: object } };
  };
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly operationId: string;
        readonly security: readonly object[];
        readonly responses: object;
        readonly 'x-codeSamples'?: readonly { readonly source: string }[];
      };
    };
  };
}

let stage: Stage;
const headers = { authorization: `Bearer ${keys.admin}` };

beforeAll(async () => {
  stage = await setStage();
  await stage.service.keep(order());
  await stage.service.keep(greeting);
});
afterAll(() => stage.service.close());

interface Schema {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly summary?: string } } };
}

describe('operations', () => {
  it('report health without a credential', async () => {
    for (const path of ['/health/live', '/health/ready'])
      expect(await stage.call(path)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it.each(['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html', 'application/json;q=0.5, text/html'])(
    'show a person what this is, and lead on: %s',
    async (accept) => {
      const response = await stage.app.request('/', { headers: { accept } });
      const text = await response.text();
      const links = [...text.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => `/${href}`);
      expect([response.status, links]).toEqual([200, ['/studio', '/docs', '/openapi.json', '/health/live']]);
      for (const link of links) expect([link, (await stage.app.request(link)).status]).not.toContain(404);
      expect(response.headers.get('vary')).toBe('accept');
      expect(text).not.toContain('<script');
    },
  );

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.5', 'image/png', ''])(
    'tell a machine that nothing is at the root: %s',
    async (accept) => {
      const response = await stage.app.request('/', { headers: accept === '' ? {} : { accept } });
      expect(response.headers.get('vary')).toBe('accept');
      expect([response.status, await response.json()]).toMatchObject([404, { error: 'NOT_FOUND' }]);
    },
  );

  it('answer coding agents with the documentation, and nothing of a company', async () => {
    const { call } = await setStage();
    const { status, body: index } = await call('/llms.txt');
    expect([status, index]).toEqual([200, expect.stringMatching(/^# Hilo\n[^]*\(nodes\/ask\.md\)/) as unknown]);
    const { body: whole } = await call('/llms-full.txt');
    expect(whole).toContain('<!-- nodes/ask -->');
    for (const name of ['acme', 'Acme']) expect(index).not.toContain(name);
  });

  it('are not ready while the store answers and keeps nothing, as on a full disk, and soon after it does again (P26)', async () => {
    const { service, call } = await setStage();
    const ask = async () => (await call('/health/ready')).status;
    const write = service.store.runner.write;
    let [isFull, writes] = [false, 0];
    service.store.runner.write = async (...probe) => {
      writes += 1;
      if (isFull) throw storeUnavailable('database or disk is full');
      return write(...probe);
    };
    expect([await ask(), await ask(), writes]).toEqual([200, 200, 1]);
    isFull = true;
    service.clock.advanceBy(1_000);
    expect(await Promise.all([ask(), ask()])).toEqual([503, 503]);
    expect(await call('/health/ready')).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } });
    expect((await call('/health/live')).status).toBe(200);
    isFull = false;
    service.clock.advanceBy(1_000);
    expect([await ask(), writes]).toEqual([200, 3]);
    await service.close();
  });

  it('are alive and not ready until what an earlier process left has had its turn, and what is sent meanwhile waits', async () => {
    const { service, call } = await setStage();
    await service.keep(order());
    const { executions } = service.store;
    const { promise: mayList, resolve: list } = Promise.withResolvers<void>();
    const unfinished = executions.unfinished.bind(executions);
    executions.unfinished = async (...page) => mayList.then(() => unfinished(...page));
    const { recovered } = await service.engine.begin();
    expect(await call('/health/live')).toMatchObject({ status: 200 });
    expect(await call('/health/ready')).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } });
    const hook = '/workflows/v2/webhooks/skill/order/whatsapp/hook';
    let isAnswered = false;
    const waiting = call(hook, { method: 'POST', headers: { 'x-api-key': keys.acme }, body: ana }).finally(() => (isAnswered = true));
    await call('/health/live');
    expect(isAnswered).toBe(false);
    list();
    expect((await waiting).status).not.toBe(503);
    await recovered;
    expect(await call('/health/ready')).toMatchObject({ status: 200 });
    await service.close();
  });

  it('are not ready while the store does not answer', async () => {
    const { service, call } = await setStage();
    const { promise } = Promise.withResolvers<never>();
    service.store.runner.write = () => promise;
    const answers = [call('/health/ready'), call('/health/ready')];
    await vi.waitFor(() => expect(service.clock.nextMs()).toBe(service.clock.now() + 2_000), 60_000);
    service.clock.advanceBy(2_000);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503]);
    await service.close();
  });

  it('follow the text format and the rules of Prometheus for names', async () => {
    const busy = await setStage();
    await busy.service.keep(order());
    await busy.hook('order/whatsapp/hook', { user: { id: ana } });
    // Before the delay of the event loop was measured once, and for a second scraper at the same time.
    const scrape = () => busy.call('/metrics', { headers });
    const [answer, second] = await Promise.all([scrape(), scrape()]);
    await busy.service.close();
    expect(problemsOf(String(second.body))).toEqual([]);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(String(answer.body)).toMatch(/\n$/);
    expect(problemsOf(String(answer.body))).toEqual([]);
    const wrong = '# HELP a_total b\n# TYPE a_total gauge\na_total{l="x"} 1\na_total{l="x"} one\nb_milliseconds 1\n';
    expect(problemsOf(wrong)).toEqual(['no sample: a_total{l="x"} one', 'b_milliseconds has no type', 'a_total is a gauge']);
  });

  it('count executions so that accepted is the sum of all statuses (P35)', async () => {
    await stage.hook('order/whatsapp/hook', { user: { id: ana } });
    await stage.deliver('bot_wa', event());
    await stage.service.engine.whenIdle();
    const [first] = (await stage.service.store.executions.list('1', { limit: 1 })).results;
    await stage.service.engine.cancel('1', first!.executionId);
    const { body } = await stage.call('/metrics', { headers });
    const metrics = String(body);
    expect(metrics).toContain('hilo_executions{company="1",status="cancelled"} 1');
    expect(metrics).toContain('hilo_executions{company="1",status="waiting"} 1');
    expect(metrics).toContain('hilo_executions_accepted{company="1"} 2');
    expect(metrics).toContain('hilo_queue_length 0');
    expect(metrics).toContain('hilo_executions_ended_total{company="1",status="cancelled"} 1');
    expect(metrics).toMatch(/hilo_store_commit_duration_seconds_count [1-9]/);
    expect(metrics).toMatch(/hilo_http_request_duration_seconds_count\{surface="gateway",status="200"\} 1/);
    expect(metrics).toMatch(/nodejs_eventloop_lag_p99_seconds/);
    const sum = [...metrics.matchAll(/hilo_executions\{company="1",status="\w+"\} (\d+)/g)].reduce(
      (total, [, count]) => total + Number(count),
      0,
    );
    expect(sum).toBe(2);
  });

  it('account for what retention removed (P35)', async () => {
    const { store, clock } = stage.service;
    const accounts = async () => {
      clock.advanceBy(5_000);
      const metrics = String((await stage.call('/metrics', { headers })).body);
      const sum = (name: string) =>
        [...metrics.matchAll(new RegExp(String.raw`^${name}\{company="1"[^}]*\} (\d+)$`, 'gm'))].reduce(
          (all, [, count]) => all + Number(count),
          0,
        );
      return { accepted: sum('hilo_executions_accepted'), there: sum('hilo_executions'), pruned: sum('hilo_executions_pruned') };
    };
    const before = await accounts();
    expect(before).toEqual({ accepted: before.there, there: before.there, pruned: 0 });
    expect(await store.prune({ nowMs: clock.now() + 1, completedForMs: 0, failedForMs: 0 })).toMatchObject({ executions: 1 });
    expect(await accounts()).toEqual({ accepted: before.accepted, there: before.there - 1, pruned: 1 });
  });

  it('count again only after five seconds', async () => {
    const accepted = async () =>
      /hilo_executions_accepted\{company="1"\} (\d+)/.exec(String((await stage.call('/metrics', { headers })).body))?.[1];
    const before = Number(await accepted());
    await stage.hook('order/whatsapp/hook', { user: { id: ana } });
    expect(Number(await accepted())).toBe(before);
    stage.service.clock.advanceBy(5_000);
    expect(Number(await accepted())).toBe(before + 1);
  });

  it('describe the interface in OpenAPI 3.1, version 1.0.0 (VER-01)', async () => {
    const { body } = await stage.call('/openapi.json', { headers });
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Hilo', version: '1.0.0' } });
    const { paths } = body as Schema;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}',
        '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}',
        '/v1/webhook/{webhookId}',
        '/channels/{botId}/webhook',
        '/admin/v1/workflows/{workflowId}',
        '/admin/v1/login',
        '/health/live',
        '/metrics',
      ]),
    );
    expect(Object.keys(paths['/v1/webhook/{webhookId}'] ?? {})).toEqual(['get', 'post', 'put', 'patch', 'delete']);
  });

  it.each(['/openapi.json', '/docs', '/docs/plain', '/llms.txt', '/llms-full.txt', '/admin/v1/nodes', '/admin/v1/canvas.schema.json'])(
    'compress %s for those who take it',
    async (path) => {
      const ask = (encoding: string) => stage.app.request(path, { headers: { ...headers, 'accept-encoding': encoding } });
      const [whole, packed] = [await ask('gzip;q=0, identity'), await ask('br, gzip;q=0.5')];
      expect([whole, packed].map((answer) => answer.headers.get('content-encoding'))).toEqual([null, 'gzip']);
      expect(packed.headers.get('vary')).toContain('Accept-Encoding');
      const [text, bytes] = [await whole.text(), Buffer.from(await packed.arrayBuffer())];
      expect(gunzipSync(bytes).toString()).toBe(text);
      expect(bytes.byteLength).toBeLessThan(text.length / 2);
    },
  );

  it('describe problems with their path, subject and fixes', async () => {
    const document = (await stage.call('/openapi.json', { headers })).body as Described;
    const described = Object.keys(document.components.schemas['CanvasProblem']?.properties ?? {});
    const canvas = {
      schemaVersion: 1,
      id: 'c',
      name: 'C',
      nodes: [
        { id: 'begin', type: 'start', data: {} },
        { id: 'tell', type: 'log', data: { name: '{{$context.nmae}}', naem: 1 } },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'tell' },
        { source: 'tell', target: 'done' },
      ],
      variables: { name: { type: 'string' } },
    };
    const answer = await stage.call('/admin/v1/validate?companyId=1', { method: 'POST', headers, body: JSON.stringify(canvas) });
    const { problems } = answer.body as { readonly problems: readonly object[] };
    const told = new Set(problems.flatMap((problem) => Object.keys(problem)));
    expect([...told]).toEqual(expect.arrayContaining(['code', 'way', 'subject', 'range', 'fixes']));
    expect([...told].filter((field) => !described.includes(field))).toEqual([]);
    for (const problem of problems) expect(CanvasProblem.strict().safeParse(problem).error?.issues ?? []).toEqual([]);
  });

  it('describe every route of the app, and none that is not there', async () => {
    const { paths } = (await stage.call('/openapi.json', { headers })).body as Schema;
    const described = new Set(
      Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)),
    );
    const served = stage.app.routes
      .filter(
        ({ method, path }) =>
          method !== 'ALL' &&
          path !== '/' &&
          !path.startsWith('/docs') &&
          !path.startsWith('/studio') &&
          path !== '/channels/:botId/webhook',
      )
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect([...new Set(served)].filter((route) => !described.has(route))).toEqual([]);
  });

  it('describe the credential of every route (VER-01)', async () => {
    const { components, paths, servers } = (await stage.call('/openapi.json', { headers })).body as Described;
    expect(servers).toEqual([expect.objectContaining({ url: '/' })]);
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, route: `${method} ${path}` })),
    );
    const schemes = Object.keys(components.securitySchemes);
    expect(
      operations.flatMap(({ security }) => security.flatMap((way) => Object.keys(way))).filter((name) => !schemes.includes(name)),
    ).toEqual([]);
    const [open, closed] = [true, false].map((isOpen) => operations.filter(({ security }) => (security.length === 0) === isOpen));
    // A callback has its token in the path; a provider that verifies an address names its token in the query.
    expect(open?.map(({ route }) => route)).toEqual([
      ...['get', 'post', 'put', 'patch', 'delete'].map((method) => `${method} /workflows/v2/resume/{token}`),
      'get /channels/{botId}/webhook',
      'post /admin/v1/login',
      'get /health/live',
      'get /health/ready',
      'get /llms.txt',
      'get /llms-full.txt',
    ]);
    // What is sealed for WhatsApp is refused as its protocol says, by 432.
    expect(closed?.filter(({ responses }) => !('401' in responses) && !('432' in responses)).map(({ route }) => route)).toEqual([]);
    const statusesOf = (path: string): readonly string[] => Object.keys(Object.values(paths[path] ?? {})[0]?.responses ?? {});
    expect(statusesOf('/channels/{botId}/webhook')).toContain('429');
    expect(statusesOf('/admin/v1/nodes')).toContain('429');
    expect(statusesOf('/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}')).toContain('422');
  });

  it.each(['/docs', '/docs/plain'])('show the description at %s as one page without scripts, hosts or leaks (T20)', async (path) => {
    const { status, body, headers: answered } = await stage.call(path, { headers });
    const text = String(body);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|src=|@import|(?<![a-z])url\(|href="http/i); // "resumeUrl(" is a word of it
    expect(answered.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });

  it('show every operation there, with its path, its command and its answers, and each schema that they name', async () => {
    const page = String((await stage.call('/docs', { headers })).body);
    const { paths, components } = (await stage.call('/openapi.json', { headers })).body as Described;
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const ids = [...page.matchAll(/<article id="([^"]+)">/g)].map(([, id = '']) => id);
    expect(ids.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    for (const path of Object.keys(paths)) expect(page).toContain(`<code>${path}</code>`);
    const shown = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const linked = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id);
    expect(linked.filter((id) => !shown.has(id))).toEqual([]);
    expect(Object.keys(components.schemas).filter((name) => !shown.has(`schema-${name}`))).toEqual([]);
    expect(page.match(/<b>200<\/b>/g)?.length).toBeGreaterThan(operations.length / 2);
  });

  it('send that page as one answer of at most 120 kB, and describe the interface once', async () => {
    let count = 0;
    const app = createOperations(stage.service, undefined, () => {
      count += 1;
      return describeInterface(stage.app);
    });
    const ask = (path: string) => app.request(path, { headers: { ...headers, 'accept-encoding': 'gzip' } });
    const [first, second] = [await ask('/docs'), await ask('/docs')];
    const [bytes, again] = [await first.arrayBuffer(), await second.arrayBuffer()];
    expect(bytes.byteLength).toBeLessThan(120_000); // 116,000 with some 200 operations; the viewer of before took 380,000 in three answers
    expect(again.byteLength).toBe(bytes.byteLength);
    for (const path of ['/openapi.json', '/docs/plain', '/openapi.json']) expect((await ask(path)).status).toBe(200);
    expect(count).toBe(1);
  });

  it('show a request to copy for every route', async () => {
    const { paths } = (await stage.call('/openapi.json', { headers })).body as Described;
    const without = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const [sample] = operation['x-codeSamples'] ?? [];
        const isWhole =
          sample?.source.startsWith('curl -sS ') === true && (!('requestBody' in operation) || sample.source.includes(' -d '));
        return isWhole ? [] : [`${method} ${path}: give it an example in operations/examples.ts`];
      }),
    );
    expect(without).toEqual([]);
  });
});

/** What breaks the text format of Prometheus 0.0.4, or what `promtool check metrics` complains of. */
function problemsOf(text: string): readonly string[] {
  const problems: string[] = [];
  const types = new Map<string, string>();
  const [helped, series, closed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let current = '';
  const enter = (family: string): void => {
    if (family === current) return;
    if (closed.has(family)) problems.push(`${family} is in several places`);
    closed.add(current);
    current = family;
  };
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, word, described = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
    if (word !== undefined) {
      enter(described);
      if (word === 'HELP') helped.add(described);
      else if (types.has(described)) problems.push(`${described} has two types`);
      else types.set(described, rest);
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/.exec(line);
    const [, name = '', labels = '', value = ''] = sample ?? [];
    if (sample === null || (Number.isNaN(Number(value)) && !/^(?:NaN|[+-]?Inf)$/.test(value))) {
      problems.push(`no sample: ${line}`);
      continue;
    }
    const family = ['', '_bucket', '_sum', '_count']
      .map((end) => (name.endsWith(end) ? name.slice(0, name.length - end.length) : ''))
      .find((one) => types.has(one));
    if (family === undefined) problems.push(`${name} has no type`);
    else enter(family);
    if (series.has(`${name}{${labels}}`)) problems.push(`${name}{${labels}} is there twice`);
    series.add(`${name}{${labels}}`);
  }
  for (const [name, type] of types) {
    if (!helped.has(name)) problems.push(`${name} has no help`);
    if ((type === 'counter') !== name.endsWith('_total')) problems.push(`${name} is a ${type}`);
    if (/_(?:milliseconds|ms|minutes|hours|days|kilobytes|megabytes|kb|mb)(?:_|$)/.test(name)) problems.push(`${name} has no base unit`);
    if (/(?:^|_)(?:gauge|counter|histogram|summary)(?:_|$)|[A-Z:]/.test(name)) problems.push(`${name} says its type, or has other letters`);
    if (type !== 'histogram' && type !== 'summary' && /_(?:bucket|count|sum)$/.test(name))
      problems.push(`${name} is no part of a histogram`);
  }
  return problems;
}
