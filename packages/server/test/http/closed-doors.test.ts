// Who may not, is refused alike by every route, from what the routes say of themselves: a new route is held to it when it is written.
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import type { Auth, Route } from '../../src/platform/http/define-route.ts';
import { permissions } from '../../src/platform/http/context.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';

/** Another company's credential for a route, where companies have one; none where the address or the body is the credential. */
const foreign: { readonly [Name in Auth]: { readonly [header: string]: string } | undefined } = {
  basic: { authorization: `Basic ${btoa('other-client:other-secret')}` },
  apiKey: { 'x-api-key': 'hk_other_0123456789abcdef' },
  caller: { authorization: 'Bearer hk_other_0123456789abcdef' },
  operator: undefined,
  anyOperator: undefined,
  provider: undefined,
  payments: undefined,
  visitor: undefined,
  newVisitor: undefined,
  address: undefined,
  nobody: undefined,
};

/** Open by their nature: each is named here, so that a new one is a decision. */
const open: ReadonlySet<string> = new Set([
  'verifyProviderAddress',
  'startChatSession',
  'getChatFile',
  'followFileLink',
  'receiveCallback',
  'receiveCallbackWithDelete',
  'receiveCallbackWithGet',
  'receiveCallbackWithPatch',
  'receiveCallbackWithPut',
  'showChatPage',
  'getChatScript',
  'checkFunction',
  'showReturnedPage',
  'showTestPayment',
  'chooseTestPayment',
  'logIn',
  'getLiveness',
  'getReadiness',
  'getDocsIndex',
  'getDocs',
]);

type Headers = { readonly [header: string]: string };

interface Stage {
  readonly routes: readonly Route<never>[];
  /** Sends the example of a route. @returns the status */
  readonly send: (route: Route<never>, headers?: Headers) => Promise<number>;
  /** The same, with the answer. @param isNamed - whether the request names the company of the example */
  readonly ask: (
    route: Route<never>,
    isNamed: boolean,
  ) => Promise<{ readonly status: number; readonly text: string; readonly sent: string }>;
}

async function stage(service: RunningService, authorize?: Parameters<typeof createApp>[0]['authorize']): Promise<Stage> {
  const app = createApp(authorize === undefined ? service : { ...service, authorize });
  const request = async ({ method, path, example, body }: Route<never>, headers: Headers, isNamed = true) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(example.path?.[name] ?? 'none'));
    const query = new URLSearchParams(example.query);
    if (!isNamed) query.delete('companyId');
    const text = body === undefined || example.body === undefined ? undefined : example.body;
    const sent = text === undefined ? '' : typeof text === 'string' ? text : JSON.stringify(text);
    const url = `${address}${query.size === 0 ? '' : `?${query.toString()}`}`;
    const answer = await app.request(url, {
      method: method.toUpperCase(),
      headers: { 'content-type': example.contentType ?? 'application/json', ...example.headers, ...headers },
      ...(text !== undefined && { body: sent }),
    });
    return { answer, sent: `${decodeURIComponent(url)} ${sent}` };
  };
  return {
    routes: [...listRoutes(app).values()],
    async send(route, headers = {}) {
      const { answer } = await request(route, headers);
      await answer.body?.cancel();
      return answer.status;
    },
    async ask(route, isNamed) {
      const { answer, sent } = await request(route, { authorization: 'Bearer of-the-host' }, isNamed);
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (isStream) await answer.body?.cancel();
      return { status: answer.status, text: isStream ? '' : await answer.text(), sent };
    },
  };
}

/** The texts of a company that no answer to another may have: its longer names and ids. */
function listMarks(company: unknown): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, name);
    else if (typeof value === 'object' && value !== null) for (const [field, item] of Object.entries(value)) walk(item, field);
    else if (typeof value === 'string' && value.length >= 6 && /^(?:id|name|names|text)$/.test(name)) found.add(value);
  };
  walk(company, '');
  return [...found];
}

/** Refused for every request alike, and so it tells nothing of anybody. */
const alwaysRefused: ReadonlySet<string> = new Set(['createFunctionToken']);

/** Answers without an end. */
const streams: ReadonlySet<string> = new Set(['streamEvents', 'streamInbox']);

describe('every route', () => {
  it(
    'answers nobody without a credential, but for those that are open by their nature (P27)',
    withPlace(async ({ open: start }) => {
      const service = await start();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { routes, send } = await stage(service);
      expect(routes.length).toBeGreaterThan(90);
      expect(
        routes
          .filter(({ auth }) => ['nobody', 'address', 'newVisitor'].includes(auth))
          .map(({ operationId }) => operationId)
          .toSorted(),
      ).toEqual([...open].toSorted());
      const answered: string[] = [];
      for (const route of routes)
        if (!open.has(route.operationId)) {
          const statuses = [await send(route), await send(route, { authorization: 'Bearer wrong', 'x-api-key': 'wrong' })];
          // A provider's forms know a wrong signature by a status of their own.
          const refusal = route.operationId === 'exchangeFlowData' ? 432 : 401;
          if (statuses.some((status) => status !== refusal)) answered.push(`${route.operationId}: ${statuses.join(', ')}`);
        }
      expect(answered).toEqual([]);
      expect((await service.store.executions.list('1', { limit: 1 })).results).toEqual([]);
    }),
    120_000,
  );

  it(
    'knows nothing of another company, whatever its path names (P28)',
    withPlace(async ({ open: start }) => {
      const service = await start();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { routes, send } = await stage(service);
      // The name of a signal is no record of a company: it reaches what waits in the company of the key.
      const named = routes.filter(
        ({ auth, path, operationId }) => foreign[auth] !== undefined && path.includes('{') && operationId !== 'sendSignal',
      );
      expect(named.length).toBeGreaterThan(20);
      const statuses = await Promise.all(named.map(async (route) => [route.operationId, await send(route, foreign[route.auth])] as const));
      expect(statuses.filter(([, status]) => status !== 404)).toEqual([]);
    }),
    120_000,
  );

  it(
    'of management is closed to operators without its permission, and to no other (P27)',
    withPlace(async ({ open: start }) => {
      const service = await start();
      const guarded = (await stage(service)).routes.filter(({ auth }) => auth === 'operator');
      expect(guarded.length).toBeGreaterThan(40);
      for (const permission of permissions) {
        const having = await stage(service, () => ({ name: 'olga', can: [permission], companies: 'all' }));
        const own = guarded.filter((route) => route.permission === permission && !streams.has(route.operationId));
        for (const forAnswering of [undefined, true] as const) {
          const others = permissions.filter((other) => other !== permission && !(other === 'answer' && forAnswering === true));
          const without = await stage(service, () => ({ name: 'olga', can: others, companies: 'all' }));
          const closed = own.filter((route) => route.forAnswering === forAnswering);
          const refused = await Promise.all(closed.map((route) => without.send(route)));
          expect(closed.filter((_route, index) => refused[index] !== 403).map(({ operationId }) => operationId)).toEqual([]);
        }
        for (const route of own) expect([route.operationId, await having.send(route)]).not.toEqual([route.operationId, 403]);
      }
    }),
    120_000,
  );

  it(
    'of management is, to an operator of another company, as if there were no company of its example (P28)',
    withPlace(async ({ open: start }) => {
      const service = await start();
      const foreign = await stage(service, () => ({ name: 'olga', can: permissions, companies: ['2'] }));
      const nowhere = await stage(service, () => ({ name: 'nora', can: permissions, companies: [] }));
      // What a service tells without any company, such as the examples in its schemas, is of none.
      const general: string[] = [];
      for (const route of nowhere.routes)
        if (route.auth === 'operator' && route.method === 'get' && !route.path.includes('{'))
          general.push((await nowhere.ask(route, false)).text);
      await service.importWorkspace({ workspace: await inlineExample() });
      const describe = async (id: string) => JSON.stringify(await service.exportWorkspace(new Set([id])));
      const [before, other] = [await describe('1'), await describe('2')];
      const marks = listMarks(JSON.parse(before)).filter((mark) => ![other, ...general].some((text) => text.includes(mark)));
      expect(marks.length).toBeGreaterThan(30);
      const faults: string[] = [];
      for (const { routes, ask } of [foreign, nowhere])
        for (const route of routes.filter(({ auth, operationId }) => auth === 'operator' && !alwaysRefused.has(operationId)))
          for (const isNamed of [true, false]) {
            if (route.operationId === 'saveWorkflow' && !isNamed) continue; // it makes one of the only company
            const { status, text, sent } = await ask(route, isNamed);
            const namesOne = (isNamed && route.example.query?.['companyId'] !== undefined) || route.path.includes('{');
            if (namesOne && status !== 404) faults.push(`${route.operationId}: ${status}`);
            const told = status === 404 ? undefined : marks.find((mark) => text.includes(mark) && !sent.includes(mark));
            if (told !== undefined) faults.push(`${route.operationId} tells ${told}`);
          }
      expect(faults).toEqual([]);
      expect(await describe('1')).toBe(before);
    }),
    120_000,
  );

  it(
    'of management answers an operator of the company of its example as one of all companies, but for what is of all (P28)',
    withPlace(async ({ open: start, directory }) => {
      const statuses: (readonly string[])[] = [];
      const ofAll: string[] = [];
      for (const companies of ['all', ['1']] as const) {
        const service = await start({ data: `${directory}/${String(companies)}` });
        await service.importWorkspace({ workspace: await inlineExample() });
        const { routes, send } = await stage(service, () => ({ name: 'olga', can: permissions, companies }));
        const seen: string[] = [];
        for (const route of routes.filter(({ auth, operationId }) => auth.endsWith('perator') && !streams.has(operationId))) {
          const status = await send(route, { authorization: 'Bearer of-the-host' });
          if (route.ofAll === true) ofAll.push(`${route.operationId}: ${status}`);
          else seen.push(`${route.operationId}: ${status}`);
        }
        statuses.push(seen);
      }
      const [all = [], own = []] = statuses;
      // The example of an import brings a company that is not the operator's.
      expect(all.filter((status) => !own.includes(status))).toEqual(['importWorkspace: 200']);
      expect(own.filter((status) => !all.includes(status))).toEqual(['importWorkspace: 404']);
      expect(ofAll).toEqual(['rotateKeys: 200', 'getMetrics: 200', 'rotateKeys: 403', 'getMetrics: 403']);
    }),
    120_000,
  );

  it(
    'of management is closed to who only answers users, but for conversations',
    withPlace(async ({ open: start }) => {
      const service = await start();
      await service.importWorkspace({ workspace: await inlineExample() });
      const { routes, send } = await stage(service, () => ({ name: 'ana', can: ['answer'], companies: ['1'] }));
      const letIn: string[] = [];
      for (const route of routes.filter(({ auth, operationId }) => auth === 'operator' || operationId === 'getMetrics'))
        if ((await send(route)) !== 403) letIn.push(route.operationId);
      // The example of listBotMessages names no conversation.
      const others = letIn.filter((operation) => !/Conversation|Inbox/.test(operation));
      expect(others).toEqual(['getOperator', 'handInMessage', 'sendOperatorMessage', 'getFile']);
      expect(letIn.length).toBe(20);
    }),
    120_000,
  );
});
