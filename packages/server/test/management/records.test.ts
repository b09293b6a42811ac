import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { root } from '../hilo-process.ts';
import { fieldText } from '../../../studio/src/forms/field-text.ts';
import { settingsHints, settingsTexts } from '../../../studio/src/settings/settings-texts.ts';
import { withPlace } from '../data/open-for-test.ts';

const example = join(root, 'examples/workspace/workspace.json');

/** Asks management of a service over the example workspace. */
const asking = (service: RunningService) => async (method: 'PUT' | 'DELETE' | 'POST' | 'GET', path: string, body?: object | string) => {
  const answer = await createManagement(service).request(path, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
};

/** Fields and choices of a schema, by their dotted names, that a form has no Spanish words for; ids are not in it, and some choose by a list of their own. */
function unsaid(schema: Json | undefined, kind: keyof typeof settingsTexts): readonly string[] {
  const [texts, hints] = [settingsTexts[kind], settingsHints[kind]];
  const named = new Set<string>();
  const walk = (part: Json | undefined, at: string): void => {
    if (!isJsonObject(part)) return;
    const { properties, items } = part;
    for (const list of [part['oneOf'], part['anyOf']]) if (Array.isArray(list)) for (const one of list as readonly Json[]) walk(one, at);
    if (Array.isArray(part['enum']))
      for (const value of part['enum'] as readonly Json[]) if (typeof value === 'string') named.add(`${at}=${value}`);
    walk(items, at);
    for (const [name, field] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const place = at === '' ? name : `${at}.${name}`;
      named.add(place);
      walk(field, place);
    }
  };
  walk(schema, '');
  const isOwn = (place: string): boolean => ['id', 'connectedAt'].includes(place) || Object.hasOwn(hints, place.split('=')[0] ?? '');
  return [...named].filter((place) => fieldText(texts, place, 'es') === undefined && !isOwn(place));
}

const bot = {
  name: 'Acme Help',
  channel: 'web',
  connectedAt: '2026-02-01T00:00:00.000Z',
  provider: { kind: 'log', appSecret: 'inbound-secret-help' },
};

it(
  'people, teams, tags and the company itself are listed with their schema, changed one by one, and stay while something has them',
  { timeout: 120_000 },
  withPlace(async ({ open }) => {
    const service = await open({ workspace: example });
    const ask = asking(service);
    const list = async (kind: string) =>
      (await ask('GET', `/companies/1/records/${kind}`)).body as { readonly results: readonly JsonObject[]; readonly schema: JsonObject };
    expect(await ask('PUT', '/companies/1/teams/70', { name: 'Night' })).toMatchObject({ status: 200, body: { id: 70, name: 'Night' } });
    const olga = { names: 'Olga', email: 'olga@example.com', teamIds: [70] };
    expect(await ask('PUT', '/companies/1/operators/71', olga)).toMatchObject({
      status: 200,
      body: { id: 71, names: 'Olga', teamIds: [70] },
    });
    expect(await ask('PUT', '/companies/1/tags/72', { name: 'VIP', color: '#7c3aed' })).toMatchObject({ status: 200 });
    expect((await list('teams')).results).toContainEqual({ id: 70, name: 'Night' });
    expect((await list('operators')).schema).toMatchObject({ properties: { names: {}, email: {} } });
    const bots = await list('bots');
    expect(bots.results.length).toBeGreaterThan(0);
    expect(JSON.stringify(bots.results)).not.toContain('secret');
    expect(bots.schema).toMatchObject({ properties: { provider: { oneOf: expect.any(Array) as unknown } } });
    // The studio has words for each field and each choice of a form, and is not left with the English of the schema.
    for (const kind of ['bots', 'templates', 'credentials', 'operators', 'teams', 'tags'] as const)
      expect([kind, unsaid((await list(kind)).schema, kind)]).toEqual([kind, []]);
    // A schema refers to nothing that is not in it, and a company has all that a workspace may say of it.
    const company = (await ask('GET', '/companies/1')).body as {
      readonly company: JsonObject;
      readonly schema: { readonly properties: JsonObject };
    };
    expect(JSON.stringify([bots.schema, company.schema])).not.toContain('$ref');
    expect(unsaid(company.schema, 'company')).toEqual([]);
    expect(Object.keys(company.schema.properties)).toEqual(
      expect.arrayContaining(['name', 'plan', 'fields', 'consent', 'limits', 'takeover']),
    );
    expect(await ask('PUT', '/companies/1/teams/x', { name: 'Night' })).toMatchObject({ status: 422 });
    expect(await ask('DELETE', '/companies/1/teams/70')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('operator 71') as string },
    });
    for (const place of ['operators/71', 'teams/70', 'tags/72']) {
      expect(await ask('DELETE', `/companies/1/${place}`)).toMatchObject({ status: 200 });
      expect(await ask('DELETE', `/companies/1/${place}`)).toMatchObject({ status: 404 });
    }

    const before = (await ask('GET', '/companies/1')).body as { readonly company: JsonObject; readonly schema: JsonObject };
    expect(before.schema).toMatchObject({ properties: { name: {}, plan: {}, settings: {} } });
    expect(before.company).not.toHaveProperty('bots');
    const changed = { ...before.company, name: 'Acme at night', timeZone: 'America/Lima' };
    expect(await ask('PUT', '/companies/1', changed)).toMatchObject({
      status: 200,
      body: { name: 'Acme at night', timeZone: 'America/Lima' },
    });
    expect(await ask('PUT', '/companies/1', { ...changed, plan: 'golden' })).toMatchObject({
      status: 422,
      body: { problems: [{ pointer: '/plan' }] },
    });
    expect(await ask('PUT', '/companies/1', { ...changed, id: 2 })).toMatchObject({ status: 400 });
    expect(await ask('GET', '/companies/77')).toMatchObject({ status: 404 });
    expect((await list('bots')).results).toEqual(bots.results);
  }),
);

describe('records of a company one by one', { timeout: 120_000 }, () => {
  it(
    'are added, replaced and removed, and count at once',
    withPlace(async ({ open }) => {
      const service = await open({ workspace: example });
      const ask = asking(service);
      expect(await ask('PUT', '/companies/1/bots/bot_help', bot)).toMatchObject({
        status: 200,
        body: { id: 'bot_help', name: 'Acme Help', provider: { kind: 'log' } },
      });
      expect(service.companies.botOf('1', 'bot_help')?.provider.fields).toMatchObject({ appSecret: 'inbound-secret-help' });

      const { appSecret: _kept, ...provider } = bot.provider;
      const renamed = await ask('PUT', '/companies/1/bots/bot_help', { ...bot, id: 'bot_help', name: 'Help', provider });
      expect(JSON.stringify(renamed)).not.toContain('inbound-secret');
      expect(service.companies.botOf('1', 'bot_help')).toMatchObject({
        name: 'Help',
        provider: { fields: { appSecret: 'inbound-secret-help' } },
      });

      const template = {
        botId: 'bot_help',
        elementName: 'welcome',
        language: 'en',
        category: 'UTILITY',
        status: 'APPROVED',
        body: 'Hi {{name}}.',
      };
      expect(await ask('PUT', '/companies/1/templates/tpl_help', template)).toMatchObject({ status: 200, body: { id: 'tpl_help' } });
      expect(service.companies.template('1', 'tpl_help')?.elementName).toBe('welcome');
      expect(await ask('DELETE', '/companies/1/bots/bot_help')).toMatchObject({
        status: 409,
        body: { error: 'RECORD_IN_USE', message: expect.stringContaining('template tpl_help') as string },
      });
      expect(await ask('DELETE', '/companies/1/templates/tpl_help')).toEqual({ status: 200, body: { id: 'tpl_help' } });

      const user = { names: 'Iris', phone: '51999000777', timeZone: 'America/Lima' };
      expect(await ask('PUT', '/companies/1/users/51999000777', user)).toEqual({ status: 200, body: { id: '51999000777', ...user } });
      const credential = { kind: 'basic', username: 'iris', password: 'a-secret-of-iris' };
      expect(await ask('PUT', '/companies/1/credentials/help-basic', credential)).toEqual({
        status: 200,
        body: { id: 'help-basic', kind: 'basic', username: 'iris' },
      });
      expect(await service.companies.credential('1', 'help-basic')).toMatchObject({ password: 'a-secret-of-iris' });

      for (const path of ['users/51999000777', 'credentials/help-basic', 'bots/bot_help'])
        expect((await ask('DELETE', `/companies/1/${path}`)).status).toBe(200);
      expect(service.companies.bot('bot_help')).toBeUndefined();
      expect(service.companies.secrets()).not.toContain('a-secret-of-iris');
      expect(service.companies.secrets()).not.toContain('inbound-secret-help');
      for (const path of ['users/51999000777', 'credentials/help-basic', 'bots/bot_help', 'templates/tpl_help'])
        expect(await ask('DELETE', `/companies/1/${path}`)).toMatchObject({ status: 404, body: { error: 'RECORD_NOT_FOUND' } });
    }),
  );

  it(
    'leave everything else of the company as it is',
    withPlace(async ({ open }) => {
      const service = await open({ workspace: example });
      const before = await service.exportWorkspace();
      const ask = asking(service);
      await ask('PUT', '/companies/1/bots/bot_help', bot);
      expect(await service.exportWorkspace()).not.toEqual(before);
      await ask('DELETE', '/companies/1/bots/bot_help');
      expect(await service.exportWorkspace()).toEqual(before);
    }),
  );

  it(
    'stay while something needs them',
    withPlace(async ({ open }) => {
      const service = await open({ workspace: example });
      const ask = asking(service);
      expect(await ask('DELETE', '/companies/1/templates/tpl1')).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('workflow payment-reminder') as string },
      });
      await service.engine.startWorkflow({
        origin: { companyId: '1', botId: 'bot_web', userId: '5215512345678', channel: 'web', route: 'production' },
        workflowId: 'order-status',
        inputs: {},
      });
      for (const path of ['bots/bot_web', 'users/5215512345678'])
        expect(await ask('DELETE', `/companies/1/${path}`)).toMatchObject({
          status: 409,
          body: { error: 'RECORD_IN_USE', message: expect.stringContaining('execution ') as string },
        });
      expect(service.companies.bot('bot_web')).toBeDefined();
    }),
  );

  it(
    'are refused with the place in the record, and nothing is written then',
    withPlace(async ({ open }) => {
      const service = await open({ workspace: example });
      const before = await service.exportWorkspace();
      const ask = asking(service);
      const refusals: readonly (readonly [string, object | string, number, string])[] = [
        ['/companies/1/bots/bot_help', { ...bot, provider: { kind: 'pigeon' } }, 422, '/provider'],
        ['/companies/1/bots/bot_help', { ...bot, colour: 'red' }, 422, '/colour'],
        ['/companies/1/bots/bot_c2', bot, 422, 'bot_c2'], // of another company
        [
          '/companies/1/templates/tpl9',
          { botId: 'bot_none', elementName: 'a', language: 'en', category: 'UTILITY', status: 'APPROVED', body: 'Hi' },
          422,
          '/botId',
        ],
        ['/companies/1/users/51999000777', { phone: '51999000777', timeZone: 'Mars/Base' }, 422, '/timeZone'],
        ['/companies/1/credentials/c9', { kind: 'basic', username: 'a' }, 422, '/password'],
        ['/companies/1/bots/bot_help', { ...bot, id: 'bot_other' }, 400, 'bot_help'],
        ['/companies/1/bots/bot_help', '[]', 400, 'object'],
        ['/companies/1/bots/bot_help', '{', 400, 'JSON'],
        ['/companies/9/bots/bot_help', bot, 404, 'COMPANY_NOT_FOUND'],
        ['/companies/1/campaigns/c1', {}, 422, 'kind'],
      ];
      for (const [path, body, status, named] of refusals) {
        const answer = await ask('PUT', path, body);
        expect([path, answer.status]).toEqual([path, status]);
        expect(JSON.stringify(answer.body)).toContain(named);
      }
      expect(await ask('DELETE', '/companies/2/bots/bot_web')).toMatchObject({ status: 404 });
      expect(await service.exportWorkspace()).toEqual(before);
    }),
  );
});
