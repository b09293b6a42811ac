import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../stores/test/free-port.ts';
import { type HttpServer, type Received, startHttp } from '../../drivers/test/local-servers.ts';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

/** What a provider answers to a read. */
type Reply = readonly [status: number, body: JsonObject];

const graphError = (code: number, message: string): JsonObject => ({ error: { code, message, type: 'OAuthException' } });

/** The Graph API, which knows one account and one token. */
const graph =
  (account: JsonObject) =>
  ({ url, headers }: Received): Reply => {
    if (headers.authorization !== 'Bearer right') return [401, graphError(190, 'The session has been invalidated')];
    return url.startsWith('/v23.0/1065?')
      ? [200, { id: '1065', ...account }]
      : [400, graphError(100, "Object with ID '9' does not exist, or cannot be loaded due to missing permissions")];
  };

const page = { pageId: '1065', accessToken: 'right', appSecret: 's', verifyToken: 'v' };

interface Kind {
  readonly channel: string;
  readonly right: JsonObject;
  /** Fields of a bot whose token was revoked, and what the operator reads. */
  readonly revoked: readonly [fields: JsonObject, words: string];
  /** The same for the id of somebody else; left out where the workspace has no id of the provider's. */
  readonly wrong?: readonly [fields: JsonObject, words: string];
  /** How the provider knows a bot that works. */
  readonly name: string;
  answer(request: Received): Reply;
}

const invalidated = '(190) The session has been invalidated. Check the token';
const noSuchObject = "(100) Object with ID '9' does not exist";

const kinds: { readonly [kind: string]: Kind } = {
  'whatsapp-cloud': {
    channel: 'whatsapp',
    right: { phoneNumberId: '1065', accessToken: 'right', appSecret: 's', verifyToken: 'v' },
    revoked: [{ accessToken: 'old' }, invalidated],
    wrong: [{ phoneNumberId: '9' }, noSuchObject],
    name: '+52 55 1234 Acme',
    answer: graph({ display_phone_number: '+52 55 1234', verified_name: 'Acme' }),
  },
  messenger: {
    channel: 'facebook',
    right: page,
    revoked: [{ accessToken: 'old' }, invalidated],
    wrong: [{ pageId: '9' }, noSuchObject],
    name: 'Acme',
    answer: graph({ name: 'Acme' }),
  },
  instagram: {
    channel: 'instagram',
    right: page,
    revoked: [{ accessToken: 'old' }, invalidated],
    wrong: [{ pageId: '9' }, noSuchObject],
    name: 'Acme',
    answer: graph({ name: 'Acme' }),
  },
  slack: {
    channel: 'slack',
    right: { botToken: 'right', signingSecret: 's' },
    revoked: [{ botToken: 'old' }, 'token_revoked. Check the token'],
    name: 'hilo in Acme',
    answer: ({ headers }) =>
      headers.authorization === 'Bearer right'
        ? [200, { ok: true, user: 'hilo', team: 'Acme' }]
        : [200, { ok: false, error: 'token_revoked' }],
  },
  teams: {
    channel: 'teams',
    right: { appId: 'app', appPassword: 'right' },
    revoked: [
      { appPassword: 'old' },
      'invalid_client AADSTS7000222: The provided client secret keys are expired. Check appId, appPassword',
    ],
    wrong: [{ appId: 'nobody' }, 'unauthorized_client AADSTS700016: Application was not found. Check appId'],
    name: 'app',
    answer({ url, body }) {
      if (url === '/keys') return [200, { keys: [{ kty: 'RSA' }] }];
      const form = new URLSearchParams(body);
      if (form.get('client_id') !== 'app')
        return [400, { error: 'unauthorized_client', error_description: 'AADSTS700016: Application was not found.\r\nTrace ID: 1' }];
      return form.get('client_secret') === 'right'
        ? [200, { access_token: 'token', expires_in: 60 }]
        : [
            401,
            { error: 'invalid_client', error_description: 'AADSTS7000222: The provided client secret keys are expired.\r\nTrace ID: 1' },
          ];
    },
  },
  x: {
    channel: 'twitter',
    right: { consumerKey: 'k', consumerSecret: 's', accessToken: 'right' },
    revoked: [{ accessToken: 'old' }, 'Unauthorized. Check the token'],
    name: 'acme',
    answer: ({ headers }) =>
      headers.authorization === 'Bearer right'
        ? [200, { data: { id: '1', username: 'acme' } }]
        : [401, { title: 'Unauthorized', detail: 'Unauthorized', status: 401 }],
  },
};

describe('hilo channels check', () => {
  const data = emptyDirectory();
  let doubles: ReadonlyMap<string, HttpServer>;
  let egress = '';
  beforeAll(async () => {
    const started = Object.entries(kinds).map(async ([kind, { answer }]) => {
      const server = await startHttp((request, response) => {
        const [status, body] = answer(request);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      return [kind, server] as const;
    });
    doubles = new Map(await Promise.all(started));
    const nobody = `127.0.0.1:${await freePort()}`;
    egress = [nobody, ...[...doubles.values()].map(({ host }) => host)].join(',');
    const bots = Object.entries(kinds).flatMap(([kind, { channel, right, revoked, wrong }]) => {
      const bot = (id: string, fields: JsonObject, host = doubles.get(kind)?.host ?? ''): JsonObject => {
        const url = `http://${host}`;
        const addresses = kind === 'teams' ? { tokenUrl: `${url}/token`, keysUrl: `${url}/keys` } : { baseUrl: url };
        const provider = { kind, ...right, ...fields, ...addresses };
        return { id: `${kind}-${id}`, name: id, channel, connectedAt: '2026-01-01T00:00:00Z', provider };
      };
      return [
        bot('good', {}),
        bot('revoked', revoked[0]),
        bot('down', {}, nobody),
        ...(wrong === undefined ? [] : [bot('wrong', wrong[0])]),
      ];
    });
    const file = join(data.path, 'workspace.json');
    writeFileSync(file, JSON.stringify({ companies: [{ id: 1, name: 'One', plan: 'free', bots }] }));
    const { code, stderr } = await hiloHere(['import', file, '--data', data.path]);
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(async () => {
    await Promise.all([...doubles.values()].map((server) => server.close()));
    data[Symbol.dispose]();
  });

  const check = async (bot: string) => {
    const { code, stdout } = await hiloHere(['channels', 'check', bot, '--data', data.path], { env: { HILO_EGRESS_ALLOW: egress } });
    return { code, stdout };
  };

  it.each(Object.entries(kinds))('says of %s what is right, and what is wrong', async (kind, { name, revoked, wrong }) => {
    const right = await check(`${kind}-good`);
    expect(right).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✔ /) as unknown });
    expect(right.stdout).toContain(name);
    const says = async (id: string, words: string): Promise<void> => {
      const found = await check(`${kind}-${id}`);
      expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining(words) as unknown });
      expect(found.stdout).not.toMatch(/right|old/); // no secret is told
    };
    await says('revoked', revoked[1]);
    if (wrong !== undefined) await says('wrong', wrong[1]);
    await says('down', 'CONNECT_FAILED');
    await says('down', 'Check ');
    expect((await check(`${kind}-down`)).stdout).toContain('HILO_EGRESS_ALLOW');
  });

  it('is tried for each kind of provider that can be asked', () => {
    const table = readFileSync(new URL('../../../docs/channels/README.md', import.meta.url), 'utf8');
    const known = Array.from(table.matchAll(/^\| `([\w-]+)` \| `?\w+`? \| \[/gm), ([, kind]) => kind);
    expect(known.filter((kind) => !['web', 'custom', 'log'].includes(kind ?? ''))).toEqual(Object.keys(kinds));
  });
});
