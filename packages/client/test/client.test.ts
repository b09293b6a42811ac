// The client against the service itself: each call of docs/client.md arrives at its operation, and refusals say what they are.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../server/src/service/app.ts';
import type { RunningService } from '../../server/src/service/open-service.ts';
import { listRoutes } from '../../server/src/platform/http/mount-routes.ts';
import { inlineExample } from '../../server/test/data/inline-example.ts';
import { withPlace } from '../../server/test/data/open-for-test.ts';
import { createClient, type ClientOptions, type HiloClient, HiloRequestError } from '../src/index.ts';
import { operations } from '../src/operations.ts';

const acme = { apiKey: 'hk_acme_0123456789abcdef', client: { id: 'acme-client', secret: 's3c:ret-of-acme' } };

/** A client of a service with the example workspace, and the requests that it sent. */
async function stage(service: RunningService, options: Partial<ClientOptions> = {}) {
  await service.importWorkspace({ workspace: await inlineExample() });
  const app = createApp(service);
  const sent: Request[] = [];
  const answered: Response[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(request);
    const answer = await app.request(request);
    answered.push(answer);
    return answer;
  };
  const { adminToken } = service.settings;
  const hilo = createClient({ baseUrl: 'http://hilo.test/', ...acme, adminToken, visitorToken: 'none', fetch: send, ...options });
  return { hilo, sent, answered, routes: listRoutes(app) };
}

/** The calls of the page by operation, with what is given to each. */
function readCalls(): ReadonlyMap<string, unknown> {
  const page = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');
  const calls = page.matchAll(/^await hilo\.(\w+)\((.*)\);$/gm);
  return new Map(
    Array.from(calls, ([, name = '', text = '']) => {
      // Values are written as code: as JSON they have quotes of the other kind, and quoted names.
      const quoted = text.replaceAll(/'((?:[^'\\]|\\.)*)'/g, (_all, inner: string) => JSON.stringify(inner.replaceAll(/\\(.)/g, '$1')));
      const named = quoted.replaceAll(
        /("(?:[^"\\]|\\.)*")|([{,] ?)([A-Za-z_$][\w$]*):/g,
        (all, kept: string | undefined, before: string, key: string) => (kept === undefined ? `${before}"${key}":` : all),
      );
      return [name, text === '' ? {} : (JSON.parse(named) as unknown)] as const;
    }),
  );
}

const call = (hilo: HiloClient, name: string, request: unknown): Promise<unknown> =>
  Reflect.apply(Reflect.get(hilo, name) as (request: unknown) => Promise<unknown>, hilo, [request]);

describe('each operation of the client', () => {
  it(
    'is shown by docs/client.md with a call that arrives at its route, with a credential that is known there',
    withPlace(async ({ open }) => {
      const { hilo, sent, answered, routes } = await stage(await open());
      const calls = readCalls();
      expect([...calls.keys()].toSorted()).toEqual(Object.keys(operations).toSorted());
      for (const [name, request] of calls) {
        if (name === 'streamEvents') continue; // a stream without an end
        const outcome = await call(hilo, name, request).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(outcome === undefined || outcome instanceof HiloRequestError).toBe(true);
        const { status, message } = outcome instanceof HiloRequestError ? outcome : { status: 200, message: '' };
        const { pathname } = new URL(sent.at(-1)?.url ?? '');
        const route = [...routes].find(
          ([address, { operationId }]) => operationId === name && address.startsWith(`${sent.at(-1)?.method} `),
        );
        const pattern = new RegExp(`^${(route?.[1].path ?? '').replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
        expect({ name, path: pathname }).toEqual({ name, path: expect.stringMatching(pattern) as string });
        expect({ name, message }).not.toMatchObject({ message: expect.stringContaining('There is nothing at this address') as string });
        const isVisitor = route?.[1].auth === 'visitor' || route?.[1].auth === 'newVisitor'; // a session is made by another call
        expect({ name, status: isVisitor ? 0 : status }).not.toMatchObject({ status: 401 });
        expect({ name, status }).not.toMatchObject({ status: 500 });
        const { ok, headers } = answered.at(-1) ?? new Response();
        const isJson = ok && headers.get('content-type')?.startsWith('application/json') === true;
        const gives: unknown = isJson ? Reflect.get(operations, name) : { gives: 'json' };
        expect({ name, gives }).toMatchObject({ name, gives: { gives: 'json' } }); // also what was made (201)
      }
    }),
    120_000,
  );
});

describe('a client', () => {
  it(
    'answers with what the service answers, in each of its forms',
    withPlace(async ({ open }) => {
      const { hilo } = await stage(await open());
      const tags = await hilo.listTags({ path: { companyId: '1' }, query: { teams: [5] } });
      expect(tags.data.map(({ name }) => name)).toEqual(['VIP']);
      const stored = { path: { workflowId: 'order-status', name: 'first' }, query: { companyId: '1' } };
      expect(await hilo.saveTranscript({ ...stored, body: 'user: order\n' })).toEqual({ name: 'first' });
      expect(await hilo.getTranscript(stored)).toBe('user: order\n');
      expect((await hilo.getOperator()).name).toBe('admin token');
    }),
  );

  it(
    'repeats the values of a list, and encodes each part of a path',
    withPlace(async ({ open }) => {
      const { hilo, sent } = await stage(await open());
      await hilo.listTags({ path: { companyId: '1' }, query: { channels: ['web', 'whatsapp'], name: undefined } });
      expect(sent.at(-1)?.url).toBe('http://hilo.test/v1/company/1/tags?channels=web&channels=whatsapp');
      await expect(hilo.getRoom({ path: { roomId: 'a/b?c' } })).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND', status: 404 });
      expect(sent.at(-1)?.url).toBe('http://hilo.test/v1/rooms/a%2Fb%3Fc');
      await expect(hilo.getRoom({ path: { roomId: '' } })).rejects.toThrow(new TypeError('The path parameter roomId is missing'));
    }),
  );

  it(
    'tells refusals apart, in each shape that the service has for them',
    withPlace(async ({ open }) => {
      const { hilo } = await stage(await open());
      const refusal = async (asking: Promise<unknown>) => {
        const error: unknown = await asking.catch((refused: unknown) => refused);
        return error instanceof HiloRequestError ? [error.status, error.code, error.message] : error;
      };
      expect(await refusal(hilo.listTags({ path: { companyId: '2' } }))).toEqual([
        404,
        'COMPANY_NOT_FOUND',
        'listTags: There is no company "2"',
      ]);
      expect(await refusal(hilo.listCampaigns({ query: { limit: 0 } }))).toEqual([422, 'E0422', 'listCampaigns: limit is 1 to 50']);
    }),
  );

  it.each([
    [
      'sends its secret in UTF-8',
      { client: { id: 'a', secret: 'ñ€' } },
      'listTags',
      { authorization: `Basic ${Buffer.from('a:ñ€').toString('base64')}` },
    ],
    ['sends no credential that an operation does not ask for', {}, 'getLiveness', {}],
  ] as const)('%s', async (_what, options, name, headers) => {
    const seen: Headers[] = [];
    const send: typeof fetch = async (_address, init) => {
      seen.push(new Headers(init?.headers));
      return Response.json({});
    };
    const hilo = createClient({ baseUrl: 'http://hilo.test', ...acme, adminToken: 'secret', fetch: send, ...options });
    await call(hilo, name, { path: { companyId: '1' } });
    const { authorization, 'x-api-key': key } = Object.fromEntries(seen[0] ?? []);
    expect({ ...(authorization !== undefined && { authorization }), ...(key !== undefined && { key }) }).toEqual(headers);
  });

  it('says when a refused request may be sent again, and takes an answer that is no JSON', async () => {
    const send: typeof fetch = async () => new Response('<html>', { status: 502, headers: { 'retry-after': '3' } });
    const hilo = createClient({ baseUrl: 'http://hilo.test', fetch: send });
    await expect(hilo.getLiveness()).rejects.toMatchObject({ status: 502, code: 'HTTP_502', body: '<html>', retryAfterMs: 3_000 });
  });
});
