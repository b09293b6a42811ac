// Whoever may operate a company widens by no file what they may not by a call: roles × what a company has, by an import and by its own route.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { createApp } from '../../src/service/app.ts';
import { type Role, roleNames } from '../../src/access/roles.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { withPlace } from '../data/open-for-test.ts';

const canvas = (text: string): JsonObject => ({
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});
const subscription = {
  id: 'ours',
  url: 'https://hooks.example.com/a',
  events: ['message.*'],
  secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
};
/** Secrets that are kept as slow hashes are given once. */
const company: JsonObject = {
  id: 1,
  name: 'Acme',
  plan: 'builder',
  limits: { startsPerMinute: 10, openExecutions: 5 },
  keepDays: { messages: 30 },
  clients: [{ clientId: 'own' }],
  apiKeys: [{ id: 'key', key: 'own-api-key-0123456789' }],
  eventSubscriptions: [subscription],
  workflows: [{ canvas: canvas('Hello'), publish: true }],
};

type Wants = 'edit' | 'publish' | 'admin' | 'all';

/** What differs from the company's own fields, and who may bring it: by an import, and by the route of the company. */
const fields: readonly (readonly [string, JsonObject, Wants])[] = [
  ['plan', { plan: 'enterprise' }, 'all'],
  ['a lesser plan', { plan: 'free' }, 'all'],
  ['kind', { kind: 'enterprise' }, 'all'],
  ['a limit', { limits: { startsPerMinute: 11, openExecutions: 5 } }, 'all'],
  ['one limit less', { limits: { startsPerMinute: 10 } }, 'all'],
  ['retention', { keepDays: { messages: 31 } }, 'admin'],
  ['other retention', { keepDays: { messages: 30, histories: 1 } }, 'admin'],
];

const otherSecret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
/** What differs in the lists of the company, which an import alone brings. */
const items: readonly (readonly [string, JsonObject, Wants])[] = [
  ['a client', { clients: [{ clientId: 'other', clientSecret: 'other-client-secret' }] }, 'admin'],
  ['a secret of a client', { clients: [{ clientId: 'own', clientSecret: 'other-client-secret' }] }, 'admin'],
  ['an API key', { apiKeys: [{ id: 'key2', key: 'other-api-key-0123456789' }] }, 'admin'],
  ['another key of the same id', { apiKeys: [{ id: 'key', key: 'third-api-key-0123456789' }] }, 'admin'],
  ['a subscriber', { eventSubscriptions: [{ ...subscription, id: 'theirs' }] }, 'admin'],
  ['an address', { eventSubscriptions: [{ ...subscription, url: 'https://hooks.example.com/b' }] }, 'admin'],
  ['a secret', { eventSubscriptions: [{ ...subscription, secret: otherSecret }] }, 'admin'],
  ['a draft', { workflows: [{ canvas: canvas('Hello'), publish: true, draft: canvas('Bye') }] }, 'edit'],
  ['a test', { workflows: [{ canvas: canvas('Hello'), publish: true, transcripts: { one: 'user: hi\n' } }] }, 'edit'],
  ['a published version', { workflows: [{ canvas: canvas('Bye'), publish: true }] }, 'publish'],
];

const openCompany = async (service: RunningService) => {
  const clients = [{ clientId: 'own', clientSecret: 'own-client-secret-1' }];
  await service.importWorkspace({ workspace: { companies: [{ ...company, clients }] } });
  const app = createApp(service);
  const call =
    (token: string) =>
    async (method: 'POST' | 'PUT', path: string, body: JsonObject): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await app.request(`http://hilo.test/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    };
  const { accounts } = service;
  if (accounts === undefined) throw new Error('The service has no accounts');
  const ofRoles = async (roles: readonly Role[], companies: readonly string[] | 'all') =>
    call((await accounts.addToken(roles.join('-'), { roles, companies })).token);
  return { ofRoles };
};

/** The company's fields without what it has lists of. */
const own = { name: 'Acme', plan: 'builder', limits: { startsPerMinute: 10, openExecutions: 5 }, keepDays: { messages: 30 } };

describe('an operator who brings a company', () => {
  it(
    'changes of it what their permissions let them change, and nothing else',
    withPlace(async ({ open }) => {
      const service = await open();
      const { ofRoles } = await openCompany(service);
      const before = JSON.stringify(await service.exportWorkspace());
      const ask = await ofRoles(['operator'], ['1']);
      expect((await ask('POST', '/workspace', { companies: [company] })).status).toBe(200);
      expect((await ask('PUT', '/companies/1', own)).status).toBe(200);
      for (const [what, change] of [...fields, ...items]) {
        const { status, text } = await ask('POST', '/workspace', { companies: [{ ...company, ...change }] });
        expect([what, status, text]).toEqual([what, 403, expect.stringMatching(/can be changed with the permission \\"\w+\\"/)]);
      }
      for (const [what, change] of fields)
        expect([what, (await ask('PUT', '/companies/1', { ...own, ...change })).status]).toEqual([what, 403]);
      // What they leave out stays.
      expect((await ask('PUT', '/companies/1', { name: 'Acme', plan: 'builder' })).status).toBe(200);
      expect(JSON.stringify(await service.exportWorkspace())).toBe(before);
    }),
  );

  it(
    'is let in by no other role, whatever they bring',
    withPlace(async ({ open }) => {
      const { ofRoles } = await openCompany(await open());
      for (const role of roleNames.filter((name) => name !== 'admin' && name !== 'operator')) {
        const ask = await ofRoles([role], ['1']);
        expect([role, (await ask('POST', '/workspace', { companies: [company] })).status]).toEqual([role, 403]);
        expect([role, (await ask('PUT', '/companies/1', own)).status]).toEqual([role, 403]);
      }
    }),
  );

  it(
    'with the permission brings it',
    withPlace(async ({ open }) => {
      const service = await open();
      const { ofRoles } = await openCompany(service);
      const asks = {
        edit: await ofRoles(['operator', 'editor'], ['1']),
        publish: await ofRoles(['operator', 'publisher'], ['1']),
        admin: await ofRoles(['admin'], ['1']),
        all: await ofRoles(['admin'], 'all'),
      };
      const lets = { edit: ['edit', 'publish'], publish: ['edit', 'publish'], admin: ['publish', 'admin'], all: ['admin', 'all'] } as const;
      for (const [what, change, wants] of [...fields, ...items])
        for (const who of lets[wants]) {
          const { status } = await asks[who]('POST', '/workspace', { companies: [{ ...company, ...change }] });
          const isTheirs = who === wants || wants === 'edit';
          expect([what, who, status]).toEqual([what, who, isTheirs ? 200 : 403]);
          if (isTheirs) await service.importWorkspace({ workspace: { companies: [company] } });
        }
    }),
  );

  it(
    'of all companies and without `admin` adds one that begins as everybody does',
    withPlace(async ({ open }) => {
      const { ofRoles } = await openCompany(await open());
      const ask = await ofRoles(['operator'], 'all');
      const add = async (fieldsOf: JsonObject) =>
        (await ask('POST', '/workspace', { companies: [{ id: 2, name: 'New', ...fieldsOf }] })).status;
      expect(await add({ plan: 'growth' })).toBe(403);
      expect(await add({ plan: 'free', kind: 'enterprise' })).toBe(403);
      expect(await add({ plan: 'free', limits: { startsPerMinute: 1 } })).toBe(403);
      expect(await add({ plan: 'free' })).toBe(200);
      expect(await add({ plan: 'free', keepDays: { messages: 1 } })).toBe(403);
    }),
  );
});
