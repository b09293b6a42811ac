import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { simple } from '../refusals.ts';
import { callOf, clients } from './campaigns-stage.ts';

const notJson = simple(400, 'INVALID_REQUEST', 'The body is JSON: send it as application/json');
const bodies = [
  ['PUT', '/v1/campaigns/camp_s', '{"name":"a"}'],
  ['POST', '/v1/bots/bot_wa/rooms/tags', '{"roomId":"room_ana","tags":[]}'],
  ['POST', '/v1/bots/bot_wa/messages', '{"type":"text","text":"x","userId":"5215512345678"}'],
] as const;

describe('every route of the REST API', () => {
  it(
    'with a body accepts it as JSON alone, and changes nothing otherwise (GEN-02)',
    withPlace(async ({ open }) => {
      const service = await open();
      await service.importWorkspace({ workspace: await inlineExample() });
      const app = createApp(service);
      const ask = async ([method, path, body]: (typeof bodies)[number], type: string) => {
        const headers = { authorization: `Basic ${btoa(clients.acme)}`, 'content-type': type };
        const response = await app.request(path, { method, headers, body });
        return { status: response.status, body: await response.json() };
      };
      const call = callOf(service);
      const before = [await call('GET /v1/campaigns'), await call('GET /v1/rooms/room_ana')];
      for (const each of bodies)
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
          expect(await ask(each, type)).toEqual(notJson);
      expect([await call('GET /v1/campaigns'), await call('GET /v1/rooms/room_ana')]).toEqual(before);
      for (const each of bodies) expect(await ask(each, 'application/vnd.acme+json; charset=utf-8')).toMatchObject({ status: 200 });
    }),
  );

  it(
    'names the required credentials with a 401 (AUT-01, AUT-08)',
    withPlace(async ({ open }) => {
      const app = createApp(await open());
      for (const headers of [{}, { authorization: `Basic ${btoa('nobody:x')}` }]) {
        const response = await app.request('/v1/campaigns', { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Basic realm="Hilo", charset="UTF-8"');
      }
    }),
  );

  it(
    'is described with what any request may come to (ERR-02, LIM-09)',
    withPlace(async ({ open }) => {
      const document = createApp(await open()).getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Hilo', version: '1.0.0' } });
      const routes = Object.entries(document.paths ?? {}).filter(([path]) => path.startsWith('/v1/') && !path.startsWith('/v1/webhook/'));
      const operations = routes.flatMap(([path, methods]) =>
        Object.entries(methods ?? {}).map(([method, operation]) => ({
          route: `${method} ${path}`,
          statuses: Object.keys((operation as { readonly responses: object }).responses),
        })),
      );
      expect(operations.length).toBeGreaterThanOrEqual(11);
      for (const { route, statuses } of operations)
        expect({ route, statuses }).toEqual({ route, statuses: expect.arrayContaining(['200', '401', '429', '500', '503']) as unknown });
    }),
  );
});
