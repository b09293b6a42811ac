// Who may not, is refused alike by every route, from what the routes say of themselves: a new route is held to it when it is written.
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Auth, Route } from '../../src/platform/http/define-route.ts';
import { permissions } from '../../src/platform/http/context.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import type { RunningService } from '../../src/open-service.ts';
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
  'showChatPage',
  'getChatScript',
  'checkFunction',
  'showReturnedPage',
  'showTestPayment',
  'chooseTestPayment',
  'logIn',
  'getLiveness',
  'getReadiness',
]);

interface Stage {
  readonly routes: readonly Route<never>[];
  /** Sends the example of a route. */
  readonly send: (route: Route<never>, headers?: { readonly [header: string]: string }) => Promise<number>;
}

async function stage(service: RunningService, authorize?: Parameters<typeof createApp>[0]['authorize']): Promise<Stage> {
  const app = createApp(authorize === undefined ? service : { ...service, authorize });
  return {
    routes: [...listRoutes(app).values()],
    async send({ method, path, example, body }, headers = {}) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(example.path?.[name] ?? 'none'));
      const query = new URLSearchParams(example.query).toString();
      const text = body === undefined || example.body === undefined ? undefined : example.body;
      const { status, body: answer } = await app.request(`${address}${query === '' ? '' : `?${query}`}`, {
        method: method.toUpperCase(),
        headers: { 'content-type': example.contentType ?? 'application/json', ...example.headers, ...headers },
        ...(text !== undefined && { body: typeof text === 'string' ? text : JSON.stringify(text) }),
      });
      await answer?.cancel();
      return status;
    },
  };
}

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
          if (statuses.some((status) => status !== 401)) answered.push(`${route.operationId}: ${statuses.join(', ')}`);
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
        const others = permissions.filter((other) => other !== permission);
        const without = await stage(service, () => ({ name: 'olga', can: others }));
        const having = await stage(service, () => ({ name: 'olga', can: [permission] }));
        const own = guarded.filter((route) => route.permission === permission && route.operationId !== 'streamEvents');
        const refused = await Promise.all(own.map((route) => without.send(route)));
        expect(own.filter((_route, index) => refused[index] !== 403).map(({ operationId }) => operationId)).toEqual([]);
        for (const route of own) expect([route.operationId, await having.send(route)]).not.toEqual([route.operationId, 403]);
      }
    }),
    120_000,
  );
});
