import { call } from '@hilo/stores';
import type { DurableStore } from '@hilo/stores';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { pruneAudit } from '../../src/audit/audit.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { audit } from '../../src/platform/tables/audit.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { statement } from '../../src/platform/database/schema.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { HttpError } from '../../src/platform/http/errors.ts';
import { type Permission, permissions } from '../../src/platform/http/context.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { dumpTables } from '../data/table-dump.ts';
import { exampleKey } from '../service-process.ts';
import { describeOverEachStore } from '../rest/each-store.ts';

const act = (atMs: number) =>
  audit.insertOne({ companyId: '1', atMs, requestId: 'r', actor: 'a', via: 'http', action: 'x', outcome: 'asked' });

interface Row {
  readonly requestId: string;
  readonly actor: string;
  readonly via: string;
  readonly action: string;
  readonly object: { readonly kind: string; readonly id: string } | null;
  readonly before: object | null;
  readonly after: object | null;
  readonly outcome: string;
  readonly companyId: string | null;
}

/** Every row of the record, oldest first. */
const selectAll = statement()((db) => db.selectFrom('audit').selectAll().orderBy('id'));
const readRows = ({ store: { runner } }: { readonly store: Pick<DurableStore, 'runner'> }) => runner.read(call(selectAll, {}));

/** Calls management as an operator whom the host knows. */
function asOperator(
  service: RunningService,
  { name = 'maria', can = permissions }: { readonly name?: string; readonly can?: readonly Permission[] } = {},
) {
  const app = createApp({ ...service, authorize: () => ({ name, can, companies: 'all' }) });
  return {
    app,
    async ask(method: string, path: string, body?: unknown, headers: { readonly [name: string]: string } = {}) {
      const answer = await app.request(`http://hilo.test${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, text, headers: answer.headers };
    },
  };
}

/** The routes of management that may change something, each with a request to it. */
async function listActs(service: RunningService) {
  const app = createApp(service);
  const { paths = {} } = await describeInterface(app);
  const routes = listRoutes(app);
  return Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operationId = item[method]?.operationId;
      if (!path.startsWith('/admin/v1/') || operationId === undefined) return [];
      const { path: values = {}, query = {}, body } = routes.get(`${method.toUpperCase()} ${path}`)?.example ?? {};
      const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'x');
      const takesBody = item[method]?.requestBody !== undefined;
      const given = operationId === 'logIn' ? { token: service.settings.adminToken } : takesBody ? body : undefined;
      return [
        {
          operationId,
          method: method.toUpperCase(),
          address: `${address}?${new URLSearchParams(query).toString()}`.replace(/\?$/, ''),
          body: given,
        },
      ];
    }),
  );
}

/** Whether an operation only looks, and is no act that is on record by itself. */
const isLook = (app: ReturnType<typeof createApp>, operationId: string): boolean =>
  [...listRoutes(app).values()].some(
    (route) => route.operationId === operationId && route.permission === 'view' && route.onRecord !== true,
  );

describeOverEachStore('what an operator does', (on) => {
  it(
    'is on record twice for each route that may change something: before it, and with its status',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { ask } = asOperator(service);
      const acts = await listActs(service);
      expect(acts.length).toBeGreaterThan(20);
      for (const { operationId, method, address, body } of acts) {
        const before = (await readRows(service)).length;
        const { status, headers } = await ask(method, address, body);
        const rows = (await readRows(service)).slice(before);
        const found = rows.map(({ action, actor, via, outcome, request_id }) => ({ action, actor, via, outcome, request_id }));
        const actor = operationId === 'logIn' ? 'admin session' : 'operator maria';
        const row = { action: operationId, actor, via: 'http', request_id: headers.get('x-request-id') };
        const ended = operationId === 'logIn' || operationId === 'logOut' ? 200 : status;
        expect({ operationId, found }).toEqual({
          operationId,
          found: [
            { ...row, outcome: 'asked' },
            { ...row, outcome: String(ended) },
          ],
        });
      }
    }),
  );

  it(
    'is not done where it cannot be put on record, such as on a full disk (P38)',
    on(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { runner } = service.store;
      const isRefused = (calls: Parameters<typeof runner.write>[0]) => calls.some((one) => Object.is(one.statement, act(1).statement));
      const write: typeof runner.write = (calls) =>
        isRefused(calls) ? Promise.reject(new HttpError(503, 'STORE_UNAVAILABLE', 'the disk is full')) : runner.write(calls);
      const { ask } = asOperator({ ...service, store: { ...service.store, runner: { ...runner, write } } });
      const dump = async () => [
        await dumpTables(service.store),
        await service.store.canvases.published('1'),
        (await service.store.executions.list('1', { limit: 1_000 })).results,
        await service.exportWorkspace(),
      ];
      const before = await dump();
      for (const { operationId, method, address, body } of await listActs(service)) {
        const { status, headers } = await ask(method, address, body);
        expect({ operationId, status, retryAfter: headers.get('retry-after'), cookie: headers.get('set-cookie') }).toEqual({
          operationId,
          status: 503,
          retryAfter: '1',
          cookie: null,
        });
      }
      expect(await dump()).toEqual(before);
      expect(await readRows(service)).toEqual([]);
    }),
  );

  it(
    'is read by actor, action, object, time and request, page by page, and as lines',
    on(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const [maria, olga] = [asOperator(service), asOperator(service, { name: 'olga' })];
      const publish = '/admin/v1/workflows/order-status/publish?companyId=1';
      await maria.ask('POST', publish);
      const between = new Date(clock.now() + 500).toISOString();
      clock.advanceBy(1_000);
      await olga.ask('POST', '/admin/v1/workflows/order-status/archive?companyId=1');
      await olga.ask('POST', '/admin/v1/workflows/payment-once/archive?companyId=1');
      const list = async (query: string) => {
        const { status, text } = await maria.ask('GET', `/admin/v1/audit?${query}`);
        expect({ query, status, text: status === 200 ? '' : text }).toEqual({ query, status: 200, text: '' });
        return JSON.parse(text) as { readonly results: readonly Row[]; readonly nextCursor: string | null };
      };
      const all = (await list('')).results;
      expect(all).toHaveLength(6);
      expect(all[5]).toMatchObject({ actor: 'operator maria', action: 'publishWorkflow', outcome: 'asked', companyId: '1' });
      expect(all[4]).toMatchObject({ object: { kind: 'workflow', id: 'order-status' }, after: { version: 1 }, outcome: '200' });
      expect((await list('actor=operator+olga')).results).toEqual(all.slice(0, 4));
      expect((await list('action=archiveWorkflow&object=workflow:order-status')).results).toEqual(all.slice(2, 4));
      expect((await list('object=workflow')).results).toEqual(all);
      expect((await list(`from=${between}`)).results).toEqual(all.slice(0, 4));
      expect((await list(`to=${between}`)).results).toEqual(all.slice(4));
      expect((await list(`requestId=${all[0]?.requestId}`)).results).toEqual(all.slice(0, 2));
      expect((await list('companyId=2')).results).toEqual([]);
      const paged: Row[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof list>> = await list(`limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
        paged.push(...page.results);
        cursor = page.nextCursor;
      }
      expect(paged).toEqual(all);
      const exported = await maria.ask('GET', '/admin/v1/audit?actor=operator+olga', undefined, { accept: 'application/x-ndjson' });
      expect(exported.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(
        exported.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Row),
      ).toEqual(all.slice(0, 4));
      expect((await maria.ask('GET', '/admin/v1/audit?from=yesterday', undefined, { accept: 'application/x-ndjson' })).status).toBe(422);
      expect((await maria.ask('GET', '/admin/v1/audit?actr=x')).status).toBe(422);
      expect((await asOperator(service, { can: ['view', 'edit', 'publish'] }).ask('GET', '/admin/v1/audit')).status).toBe(403);
    }),
  );

  it(
    'is on record once an hour where it only looks, for each operator, company and operation',
    on(async ({ open, clock }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const operators = ['maria', 'olga'].map((name) => ({ name, ask: asOperator(service, { name }).ask }));
      const app = createApp(service);
      const looks = (await listActs(service)).filter(({ operationId }) => isLook(app, operationId));
      expect(looks.map(({ operationId }) => operationId)).toContain('sayAuthorHere');
      const hourMs = 3_600_000;
      clock.advanceBy(hourMs - (clock.now() % hourMs)); // from the beginning of an hour to the last instant of it
      for (const begun of [0, 1]) {
        for (const afterMs of [0, 1, hourMs - 2]) {
          clock.advanceBy(afterMs);
          for (const { ask } of operators) for (const { method, address, body } of looks) await ask(method, address, body);
        }
        const found = (await readRows(service)).map(({ actor, action, outcome }) => [actor, action, outcome === 'asked']);
        const once = operators.flatMap(({ name }) =>
          looks.flatMap(({ operationId }) => [true, false].map((isAsked) => [`operator ${name}`, operationId, isAsked])),
        );
        const all = Array.from({ length: begun + 1 }, () => once).flat();
        expect(found.map(String).toSorted()).toEqual(all.map(String).toSorted());
        clock.advanceBy(1);
      }
    }),
  );

  it.each([[999], [1_000], [1_001]])('is removed by age alone, %i rows in as many transactions as it takes', (count) =>
    on(async ({ open }) => {
      const { store } = await open({}, { runs: false }); // a service that runs prunes as well
      await store.runner.write([...Array.from({ length: count }, () => act(99)), act(100)]);
      expect(await pruneAudit(store, 100)).toBe(count);
      expect((await readRows({ store })).map(({ at_ms }) => at_ms)).toEqual([100]);
    })(),
  );
});

describe('the record of acts', () => {
  it(
    'has one row an hour of the logins of a network that were refused, without what was guessed',
    withPlace(async ({ open, clock }) => {
      const service = await open();
      const { app } = asOperator(service);
      const guess = async (remoteAddress: string) => {
        const body = JSON.stringify({ token: 'canary-of-a-guess' });
        const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        expect((await app.request('/admin/v1/login', asked, { incoming: { socket: { remoteAddress } } })).status).toBe(401);
      };
      for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.1', '2001:db8::1', '2001:db8::2']) await guess(address);
      clock.advanceBy(3_600_000);
      await guess('10.0.0.1');
      const rows = await readRows(service);
      expect(rows.map(({ object_id }) => object_id)).toEqual(['10.0.0.1', '10.0.0.2', '2001:db8:0:0::/64', '10.0.0.1']);
      const row = { actor: 'nobody', via: 'http', action: 'logIn', object_kind: 'address', outcome: '401' };
      expect(rows).toEqual(rows.map(() => expect.objectContaining(row) as unknown));
      expect(JSON.stringify(rows)).not.toContain('canary');
    }),
  );

  it(
    'keeps no secret that a caller wrote into a path, and no value of a record',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { ask } = asOperator(service);
      const secret = service.settings.adminToken;
      await ask('DELETE', `/admin/v1/companies/1/bots/${secret}`);
      await ask('PUT', '/admin/v1/companies/1/credentials/new', { id: 'new', kind: 'bearer', fields: { token: 'canary-of-a-credential' } });
      const rows = JSON.stringify(await readRows(service));
      expect(rows).toContain('[redacted]');
      expect(rows).toContain('fields');
      expect(rows).not.toContain(secret);
      expect(rows).not.toContain('canary-of-a-credential');
    }),
  );

  it(
    'says who intervened, in the history of the execution too',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { ask } = asOperator(service);
      const invoice = { user: { id: '5215512345678' }, number: 'F-7', amount: '120' };
      const address = '/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1';
      const begun = await ask('POST', address, invoice, { 'x-api-key': exampleKey });
      const { executionId } = JSON.parse(begun.text) as { readonly executionId: string };
      await service.engine.whenIdle();
      await ask('POST', `/admin/v1/executions/${executionId}/cancel`, { reason: 'a mistake' });
      const history = await ask('GET', `/admin/v1/executions/${executionId}/history`);
      expect(JSON.parse(history.text)).toMatchObject({
        entries: expect.arrayContaining([
          expect.objectContaining({ type: 'execution.cancelled', cause: 'a mistake', by: 'operator maria' }),
        ]) as unknown,
      });
    }),
  );
});

describe('law A1: for each change there is a row with its request, whatever fails', () => {
  const canvas = (text: string) => ({
    schemaVersion: 1,
    id: 'greet',
    name: text,
    nodes: [
      { id: 'begin', type: 'start', data: { keywords: ['hi'] } },
      { id: 'wait', type: 'wait-event', data: { name: 'told' } },
      { id: 'done', type: 'end', data: { label: text } },
    ],
    edges: [
      { source: 'begin', target: 'wait' },
      { source: 'wait', sourceHandle: 'received', target: 'done' },
    ],
  });
  type Step = (text: string, executionId: string) => readonly [method: string, path: string, body?: object];
  const save: Step = (text) => ['PUT', '/workflows/greet?companyId=1', canvas(text)];
  const publish: Step = () => ['POST', '/workflows/greet/publish?companyId=1'];
  /** Acts on a draft, its versions and its gate, on a company and a token, and on executions. */
  const steps: readonly Step[] = [
    save,
    publish,
    save,
    publish, // twice, so that there is something to act on
    () => ['POST', '/workflows/greet/versions/1/publish?companyId=1'],
    () => ['DELETE', '/workflows/greet?companyId=1'],
    ...['archive', 'restore', 'pause', 'unpause', 'unpublish', 'start', 'start'].map(
      (act): Step =>
        () => ['POST', `/workflows/greet/${act}?companyId=1`, {}],
    ),
    (_text, executionId) => ['POST', `/executions/${executionId}/cancel?companyId=1`, { reason: 'over' }],
    (_text, executionId) => ['POST', `/executions/${executionId}/retry?companyId=1`, {}],
    (_text, executionId) => ['POST', `/executions/${executionId}/fork?companyId=1`, { before: 1 }],
    (text) => ['PUT', '/companies/1', { name: text, kind: 'enterprise', plan: 'enterprise', settings: {} }],
    (text) => ['POST', '/tokens', { name: text, roles: ['publisher'], companies: ['1'] }],
  ];

  it('holds for acts of every kind of which any write fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ step: fc.constantFrom(...steps), text: fc.constantFrom('a', 'b', 'c') }), { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 7 })),
        (acts, chances) =>
          withPlace(async ({ open }) => {
            const service = await open();
            await service.importWorkspace({ workspace: { companies: [{ id: 1, name: 'One', plan: 'enterprise' }] } });
            const { runner } = service.store;
            const write: typeof runner.write = (calls) =>
              chances.next().value === 0 ? Promise.reject(new HttpError(503, 'STORE_UNAVAILABLE', 'no')) : runner.write(calls);
            const { ask } = asOperator({ ...service, store: { ...service.store, runner: { ...runner, write } } });
            const listExecutions = async () => (await service.store.executions.list('1', { limit: 100 })).results;
            const look = async () => {
              const { audit: _record, ...tables } = await dumpTables(service.store);
              const executions = (await listExecutions()).map(({ executionId, revision }) => [executionId, revision]);
              const versions = (await service.store.canvases.versions('1', 'greet')).map(({ version, hash }) => [version, hash]);
              const { canvases } = service.store;
              return JSON.stringify([
                tables,
                executions,
                versions,
                await canvases.draft('1', 'greet'),
                await canvases.latest('1', 'greet'),
              ]);
            };
            for (const { step, text } of [{ step: save, text: 'a' }, { step: publish, text: 'a' }, ...acts]) {
              await service.engine.whenIdle();
              const before = await look();
              const [newest] = await listExecutions();
              const [method, path, body] = step(text, newest?.executionId ?? 'none');
              const { headers } = await ask(method, `/admin/v1${path}`, body);
              await service.engine.whenIdle();
              await service.companies.refresh();
              if ((await look()) === before) continue;
              const [row] = (await readRows(service)).filter(({ request_id }) => request_id === headers.get('x-request-id'));
              expect({ path, ...row }).toMatchObject({ path, outcome: 'asked', actor: 'operator maria' });
            }
          })(),
      ),
      { numRuns: 12 },
    );
  });
});
