// Ids of another company in every field of every request, as the description of the interface says which these are: they are answered as ids
// that nobody has. Paths whose ids come of requests, such as executions and messages, are asked in process/tenants.test.ts.
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { permissions } from '../../src/platform/http/context.ts';
import type { Route } from '../../src/platform/http/define-route.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { createApp } from '../../src/service/app.ts';
import { withPlace } from '../data/open-for-test.ts';
import {
  idsByField,
  isList,
  listOf,
  listPlaces,
  mirrorExample,
  type Place,
  put,
  readAt,
  rename,
  translate,
  writeText,
} from './two-companies.ts';

interface Asked {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly body: Json | undefined;
}

it(
  'an id of another company is answered as one that nobody has, in every field that holds one (P28)',
  withPlace(async ({ open }) => {
    const service = await open({}, { runs: false });
    const { ids, companies } = await mirrorExample();
    await service.importWorkspace({ workspace: { companies } });
    const app = createApp({ ...service, authorize: () => ({ name: 'olga', can: permissions, companies: ['2'] }) });
    const document = parseJsonText(await (await app.request('/openapi.json', { headers: { authorization: 'Bearer of-the-host' } })).text());
    if (!isJsonObject(document)) throw new Error('The interface has no description');

    const ask = async ({ method, path, example: { contentType = 'application/json' } }: Route<never>, asked: Asked) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(writeText(asked.path[name] ?? 'none')));
      const query = new URLSearchParams(Object.entries(asked.query).map(([name, value]) => [name, writeText(value)]));
      const authorization = path.startsWith('/v1/') ? `Basic ${btoa('acme-clientx:s3c:ret-of-acmex')}` : 'Bearer of-the-host';
      const answer = await app.request(`${address}?${query.toString()}`, {
        method: method.toUpperCase(),
        headers: { 'content-type': contentType, authorization, 'x-api-key': 'hk_acme_0123456789abcdefx' },
        ...(asked.body !== undefined && method !== 'get' && { body: JSON.stringify(asked.body) }),
      });
      if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true)
        return { status: answer.status, text: await answer.text() };
      await answer.body?.cancel();
      return { status: answer.status, text: '' };
    };

    const differing: object[] = [];
    const found = { path: 0, query: 0, body: 0 };
    const reached = new Set<number>();
    for (const route of listRoutes(app).values()) {
      if (!['operator', 'basic', 'apiKey', 'caller'].includes(route.auth)) continue;
      const { path = {}, query = {}, body } = route.example;
      const own: Asked = {
        path: translate(path, ids, 'other') as JsonObject,
        query: translate(query, ids, 'other') as JsonObject,
        body: body === undefined ? undefined : translate(parseJsonText(JSON.stringify(body)), ids, 'other'),
      };
      const schema = readAt(document, ['paths', route.path, route.method, 'requestBody', 'content', 'application/json', 'schema']);
      const places: readonly Place[] = [
        ...Object.keys(path).map((field) => ({ field, within: 'path', steps: [field] }) as const),
        ...route.queryNames.map((field) => ({ field, within: 'query', steps: [field] }) as const),
        ...listPlaces(schema, document),
      ];
      for (const { field, within, steps } of places) {
        const id = idsByField[field];
        if (id === undefined) continue;
        const answers = [];
        for (const owner of ['acme', 'nobody'] as const) {
          const given = rename(id, owner);
          const { status, text } = await ask(route, { ...own, [within]: put(own[within], steps, given) });
          reached.add(status);
          const hidden = listOf(isList(given) ? given : [given]).reduce<string>(
            (left, one) => left.replaceAll(new RegExp(`(?<![\\w-])${writeText(one)}(?![\\w-])`, 'g'), '<id>'),
            text,
          );
          answers.push(`${status} ${hidden.replaceAll(/"\w*[aA]t":"[^"]*"|[0-9a-f]{32}|[\w-]{21,43}/g, '')}`);
        }
        found[within] += 1;
        if (answers[0] !== answers[1]) differing.push({ route: route.operationId, within, steps, theirs: answers[0], unknown: answers[1] });
      }
    }
    expect(differing).toEqual([]);
    expect(found.path).toBeGreaterThan(30);
    expect(found.query).toBeGreaterThan(10);
    expect(found.body).toBeGreaterThan(25);
    expect([...reached]).toEqual(expect.arrayContaining([200, 202, 400, 404, 422]));
  }),
  120_000,
);
