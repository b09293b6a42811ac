// Every door by which calls leave, against names and redirects that lead elsewhere. What is dialed is seen at the socket, whatever the doors
// believe, and connections are made to this machine alone.
import { isIP, Socket, type TcpSocketConnectOpts } from 'node:net';
import { channelAdapters } from '@hilo/channels';
import { createDialer, createHttpDriver, createSocketDialer, type Dialer, type DialerRequest, isGlobalAddress } from '@hilo/drivers';
import type { BoundDriver, JsonObject } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import {
  createDatabaseDriver,
  createMcpDriver,
  createModelDriver,
  createSoapDriver,
  createStripeProvider,
  listMcpTools,
} from '@hilo/integrations';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFetches } from '../../../drivers/src/functions/function-fetches.ts';
import { type HttpServer, startHttp } from '../../../drivers/test/local-servers.ts';
import { driverContext } from '../../../testing/src/contracts/driver-context.ts';
import { createMediaCheck } from '../../src/messages/media/media-check.ts';
import { openS3Bucket } from '../../src/platform/s3-bucket.ts';
import { requestToken } from '../../src/tenants/access-tokens.ts';
import { createOpenIdLogin } from '../../src/access/openid-login.ts';

const canary = 'canary-of-company-7';

/** What was dialed: by address, or by what a name had. */
const watch = { home: new Set<number>(), dialed: new Array<string>() };

/**
 * Stands at the socket, below every door. Files of tests share a process, in which the doors have found `node:net` before: a mock of the module
 * would not be theirs.
 */
function watchSockets(): Disposable {
  const { prototype } = Socket;
  const connect = Reflect.get(prototype, 'connect') as (this: Socket, ...args: readonly unknown[]) => Socket;
  const watching = vi.spyOn(prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args;
    const options = (Array.isArray(first) ? first[0] : first) as TcpSocketConnectOpts;
    if (options.host === '127.0.0.1' && watch.home.has(options.port)) return connect.apply(this, args);
    const end = (error: Error | null, addresses: readonly string[]): void => {
      watch.dialed.push(...addresses);
      this.destroy(error ?? new Error('Nobody is connected to in this test'));
    };
    const host = options.host ?? '';
    if (isIP(host) !== 0) setImmediate(end, null, [host]);
    else
      options.lookup?.(host, { all: true }, (error, found) => {
        end(error, typeof found === 'string' ? [found] : found.map(({ address }) => address));
      });
    return this;
  });
  return { [Symbol.dispose]: () => watching.mockRestore() };
}

/** Names whose servers are an attacker's: what they answer, one time after the other. */
const names: { readonly [name: string]: readonly (readonly string[])[] } = {
  'rebinds.test': [['93.184.216.34'], ['127.0.0.1'], ['169.254.169.254']],
  'mixed.test': [['10.0.0.1', '93.184.216.34', '::1', 'fd00::1']],
  'mapped.test': [['::ffff:169.254.169.254', '::ffff:7f00:1']],
  'nat64.test': [['64:ff9b::10.0.0.1', '64:ff9b:1::7f00:1']],
  'shared.test': [['100.64.0.1', '0.0.0.0', '198.18.0.1']],
  'link.test': [['fe80::1%eth0', '169.254.0.1']],
  'tunnels.test': [['2002:7f00:1::', '2001:0:7f00:1::', '2001:470:1f0b::5efe:7f00:1']],
  'junk.test': [['', 'localhost', '127.1', '93.184.216.34.evil', '0x7f.1']],
};

/** Addresses that lead inside, or nowhere. */
const inside = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127.0.0.1./',
  'http://[::]/',
  'http://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'http://93.184.216.34@127.0.0.1/',
  'http://93.184.216.34:80\\@127.0.0.1/',
  'http://127.0.0.1:6379/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:80/_x',
  'data:text/plain,x',
  ...Object.keys(names).map((name) => `http://${name}/`),
];
/** What only a redirect can say. */
const relative = [
  '//127.0.0.1/',
  '\\\\127.0.0.1\\',
  '/\\127.0.0.1',
  'http:\\\\127.1',
  '//user@127.0.0.1/',
  '//①②⑦.1/',
  'http://[',
  '//rebinds.test',
];

interface Parts {
  readonly dialer: Dialer;
  readonly allow: readonly string[];
  readonly resolve: (name: string) => Promise<readonly string[]>;
}
type Door = (url: string, parts: Parts) => Promise<unknown>;

const signal = AbortSignal.timeout(600_000);
const timeoutMs = 20_000;
const bearer = () => Promise.resolve({ kind: 'bearer', token: canary });
const run = async ({ effect, perform }: BoundDriver, request: JsonObject): Promise<unknown> =>
  perform(effect.request.parse({ timeoutMs, ...request }) as never, driverContext());
const call = { headers: {}, bodyKind: 'none', responseType: 'auto' } as const;
const soap = { version: '1.1', action: '', headers: {}, namespaces: {}, body: { Ask: 'x' }, credentialId: 'key' } as const;
const prompt = { model: 'm', messages: [{ role: 'user', text: canary }], maxOutputTokens: 9, credentialId: 'key' } as const;

/** A bot of the kind `custom`, whose receiver a company names. */
function customBot(url: string, { request }: Dialer) {
  const facts = { companyId: '7', id: 'bot', channel: 'custom', userIdFormat: 'open' } as const;
  const bot = channelAdapters.find(({ kind }) => kind === 'custom')?.connect(facts, { url, appSecret: canary });
  if (bot === undefined || 'unfitFields' in bot) throw new Error('The bot cannot work');
  const host = {
    clock: systemClock,
    dialer: { request: (asked: Partial<DialerRequest>) => request({ method: 'GET', url, timeoutMs, maxRedirects: 0, ...asked }) },
  };
  return { bot, host };
}

/** A function that calls what it is told to. */
async function callByFunction(url: string, { dialer }: Parts): Promise<unknown> {
  const answered = Promise.withResolvers<unknown>();
  const limits = { fetches: 1, fetchBytes: 100_000, callMs: timeoutMs };
  const fetches = createFetches({ dialer, scope: '7', limits, mayLog: () => false, answer: answered.resolve });
  fetches.begin({
    type: 'fetch',
    id: 1,
    method: 'POST',
    url,
    headers: { authorization: canary, 'x-own': canary },
    body: '',
    follows: true,
  });
  return answered.promise;
}

/** A database at the host and port of an address. */
async function queryAt(kind: 'postgresql' | 'mysql', url: string, { allow, resolve }: Parts): Promise<unknown> {
  const { hostname = '', port = '' } = URL.parse(url) ?? {};
  const server = { host: hostname.replace(/^\[|\]$/g, '') || 'none.test', ...(port !== '' && { port: Number(port) }) };
  const driver = createDatabaseDriver({
    sockets: createSocketDialer({ allow, resolve }),
    credential: () => Promise.resolve({ kind, ...server, database: 'd', username: 'u', password: canary, tls: 'off' }),
  });
  const query = { operation: 'query', sql: 'select 1', parameters: [], readOnly: true, maxRows: 1, credentialId: 'db', timeoutMs: 1_000 };
  return run(driver, query).finally(driver.close);
}

/** A login at a provider whose endpoints are where it says. */
async function logIn(url: string, egressAllow: readonly string[]): Promise<unknown> {
  const login = createOpenIdLogin(
    { oidcIssuer: url, oidcClientId: 'hilo', oidcClientSecret: canary, egressAllow },
    {
      accounts: { saveUser: () => Promise.reject(new Error('Nobody logs in')), ofSession: () => Promise.resolve(undefined) },
      publicUrl: { get: () => 'http://hilo.test' },
      clock: systemClock,
      log: { warn: () => {} },
      ca: undefined,
    },
  );
  return login?.begin('studio/').finally(() => void login.close());
}

/** The doors whose addresses a company, or a user of it, names. */
const doors: { readonly [name: string]: Door } = {
  'an API node': (url, { dialer }) =>
    run(createHttpDriver({ dialer, credential: bearer }), {
      ...call,
      method: 'POST',
      url,
      bodyKind: 'json',
      body: canary,
      credentialId: 'key',
    }),
  'an API node with a key in the query': (url, { dialer }) =>
    run(createHttpDriver({ dialer, credential: () => Promise.resolve({ kind: 'api-key', name: 'k', value: canary, in: 'query' }) }), {
      ...call,
      method: 'GET',
      url,
      credentialId: 'key',
    }),
  'a file that an API node sends': (url, { dialer, allow }) =>
    run(createHttpDriver({ dialer, credential: bearer }), {
      ...call,
      method: 'POST',
      url: `http://${allow[0]}/end`,
      bodyKind: 'file',
      body: { url },
    }),
  'a SOAP node': (url, { dialer }) => run(createSoapDriver({ dialer, credential: bearer }), { ...soap, url }),
  ...Object.fromEntries(
    ['openai-compatible', 'anthropic'].map((provider): [string, Door] => [
      `a model of ${provider}`,
      (baseUrl, { dialer }) => run(createModelDriver({ dialer, credential: bearer, clock: systemClock }), { ...prompt, provider, baseUrl }),
    ]),
  ),
  'a tool over MCP': (url, { dialer }) =>
    run(createMcpDriver({ dialer, credential: bearer }), { url, tool: 'pay', input: { with: canary }, credentialId: 'key' }),
  'the tools of an MCP server': (url, { dialer }) =>
    listMcpTools({ dialer, credential: bearer, clock: systemClock }, { companyId: '7', url, credentialId: 'key' }),
  'a function': callByFunction,
  'a message to the receiver of a bot': (url, { dialer }) => {
    const { bot, host } = customBot(url, dialer);
    const message = { type: 'text', text: canary };
    return bot.send({ messageId: 'm', idempotencyKey: 'k', recipient: { id: 'u' }, message }, host);
  },
  'a file that a user sent': (url, { dialer }) => {
    const { bot, host } = customBot(url, dialer);
    return bot.fetchFile({ message: { type: 'image', mediaUrl: url.replace(/^http:/, 'https:') } }, host);
  },
  'a file of a message': (url, { dialer }) =>
    createMediaCheck(dialer, systemClock)({ type: 'image', url, channel: 'whatsapp', companyId: '7' }),
  'the token of a credential': (tokenUrl, { dialer }) =>
    requestToken(
      { kind: 'oauth2', tokenUrl, clientId: 'hilo', clientSecret: canary, clientAuth: 'body' },
      { grant_type: 'refresh_token', refresh_token: canary },
      { dialer, clock: systemClock, companyId: '7', credentialId: 'key' },
    ),
  'a payment': (baseUrl, { dialer }) =>
    createStripeProvider({ dialer }).createCheckout(
      {
        checkoutId: 'p',
        amount: 1,
        currency: 'MXN',
        description: canary,
        createdAtMs: 0,
        expiresAtMs: 3_600_000,
        returnUrl: 'https://b.test/',
      },
      {
        credential: { kind: 'stripe', secretKey: canary, webhookSecret: 'w', baseUrl },
        companyId: '7',
        idempotencyKey: 'k',
        timeoutMs,
        signal,
      },
    ),
};

/** Doors that know no redirects. */
const plainDoors: { readonly [name: string]: Door } = {
  ...doors,
  PostgreSQL: (url, parts) => queryAt('postgresql', url, parts),
  MySQL: (url, parts) => queryAt('mysql', url, parts),
};

/** The doors whose addresses the operator names: what answers there may lead elsewhere all the same. */
const ownDoors: { readonly [name: string]: Door } = {
  ...doors,
  'a login with OpenID Connect': (url, { allow }) => logIn(url, allow),
  'a bucket': async (url) => {
    const bucket = openS3Bucket(
      's3://bucket/files',
      '--files',
      { s3Endpoint: url, s3KeyId: 'k', s3Secret: canary },
      { clock: systemClock },
    );
    return bucket.request({ method: 'PUT', name: 'one', content: Buffer.from(canary) }).finally(() => void bucket.close());
  },
};

describe('a door out', () => {
  let home: HttpServer;
  let thief: HttpServer;
  let leads = '';
  let parts: Parts;
  const asked = new Map<string, number>();

  let watching: Disposable;
  beforeAll(async () => {
    home = await startHttp(({ url }, response) => {
      if (url.startsWith('/end')) response.end('{}');
      else response.writeHead(307, { location: Buffer.from(leads).toString('latin1') }).end(JSON.stringify({ location: leads }));
    });
    thief = await startHttp((_request, response) => response.end('{}'));
    for (const { port } of [home, thief]) watch.home.add(port);
    watching = watchSockets();
    const allow = [home.host, thief.host];
    const resolve = (name: string): Promise<readonly string[]> => {
      const count = asked.get(name) ?? 0;
      asked.set(name, count + 1);
      const answers = names[name] ?? [];
      return Promise.resolve(answers[count % answers.length] ?? []);
    };
    parts = { allow, resolve, dialer: createDialer({ allow, resolve }) };
  });
  beforeEach(() => {
    watch.dialed.length = 0;
  });
  afterAll(async () => {
    watching[Symbol.dispose]();
    await parts.dialer.close();
    await Promise.all([home.close(), thief.close()]);
  });

  /** What came of a call, in words. */
  const told = async (door: Door, url: string): Promise<string> => {
    try {
      return JSON.stringify(await door(url, parts));
    } catch (error) {
      return String(error);
    }
  };

  it.each(Object.entries(plainDoors))(
    'leads to no address but public ones, whatever a name or an address says: %s (P30, T11)',
    async (_name, door) => {
      for (const url of inside) {
        for (let time = 1; time <= (url.includes('rebinds') ? 3 : 1); time += 1) {
          const outcome = await told(door, url);
          expect({ url, time, dialed: watch.dialed.filter((address) => !isGlobalAddress(address)) }).toEqual({ url, time, dialed: [] });
          expect(outcome).not.toContain(canary);
          expect(outcome).not.toContain('169.254.');
        }
      }
      expect(watch.dialed).toContain('93.184.216.34'); // the socket was seen
    },
  );

  it.each(Object.entries(ownDoors))(
    'follows no redirect inside, and takes no secret to another host: %s (P31, T11)',
    async (_name, door) => {
      for (leads of [...inside, ...relative, `http://${home.host.replace('127.0.0.1', 'a@127.0.0.1')}/`]) {
        const outcome = await told(door, `http://${home.host}/`);
        expect({ leads, dialed: watch.dialed.filter((address) => !isGlobalAddress(address)) }).toEqual({ leads, dialed: [] });
        expect(outcome).not.toContain(canary);
      }
      leads = `http://${thief.host}/stolen`;
      await told(door, `http://${home.host}/`);
      expect(JSON.stringify(thief.received)).not.toContain(canary);
    },
  );
});
