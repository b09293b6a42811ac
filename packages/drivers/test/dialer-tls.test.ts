import type { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDialer } from '../src/index.ts';
import { createAuthority, createCertificate, type Pair } from './certificates.ts';
import { codeOf, dialer, during, failureOf, timeoutMs } from './dialers.ts';
import { type HttpServer, startHttp, startHttps, startTcp } from './local-servers.ts';

let ca: Pair;
let otherCa: Pair;
let server: Pair;
let client: Pair;
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([createAuthority('Test authority'), createAuthority('Another authority')]);
  [server, client] = await Promise.all([createCertificate(ca, ['api.test', 'other.test']), createCertificate(ca, ['the client'])]);
});

const secure = (pair: Pair): Promise<HttpServer> => during(startHttps(pair, (_request, response) => response.end('secret')));
const get = (port: number, options: { readonly ca?: string; readonly name?: string } = {}) => {
  const { name = 'api.test', ca: trusted } = options;
  return dialer({ allow: [`${name}:${port}`], ca: trusted }).request({ method: 'GET', url: `https://${name}:${port}/`, timeoutMs });
};

describe('TLS', () => {
  it('is trusted by the operator’s own authority', async () => {
    const { port } = await secure(server);
    expect((await get(port, { ca: ca.cert })).status).toBe(200);
    expect((await get(port, { ca: `${otherCa.cert}\n${ca.cert}`, name: '127.0.0.1' })).status).toBe(200);
  });

  it('is refused from an unknown authority, and nothing is sent', async () => {
    const { port, received } = await secure(server);
    expect(await codeOf(get(port))).toEqual(['TLS_FAILED', false]);
    expect(await codeOf(get(port, { ca: otherCa.cert }))).toEqual(['TLS_FAILED', false]);
    expect(received).toEqual([]);
  });

  it('is refused under another name, and after its time', async () => {
    const { port, received } = await secure(server);
    expect(await codeOf(get(port, { ca: ca.cert, name: 'stranger.test' }))).toEqual(['TLS_FAILED', false]);
    const old = await secure(await createCertificate(ca, ['api.test'], -1));
    expect(await codeOf(get(old.port, { ca: ca.cert }))).toEqual(['TLS_FAILED', false]);
    expect([...received, ...old.received]).toEqual([]);
  });

  it('is verified even where the environment says otherwise', async () => {
    const { port } = await secure(server);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await codeOf(get(port))).toEqual(['TLS_FAILED', false]);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('is TLS_FAILED with a server that speaks something else', async () => {
    const plain = await during(startTcp((socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))));
    expect(await codeOf(get(plain.port))).toEqual(['TLS_FAILED', false]);
    const silent = await during(startTcp((socket) => void socket.destroy()));
    expect(await codeOf(get(silent.port))).toEqual(['TLS_FAILED', false]);
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'does not begin with an authority that cannot be read: %j',
    (pem) => {
      expect(() => createDialer({ ca: pem })).toThrow('give them in PEM');
    },
  );

  it('never goes on without it: a redirect from https to http is refused (T11)', async () => {
    const plain = await during(startHttp((_request, response) => response.end()));
    const { port } = await during(
      startHttps(server, (_request, response) => response.writeHead(302, { location: `http://api.test:${plain.port}/` }).end()),
    );
    const { request } = dialer({ allow: [`api.test:${port}`, `api.test:${plain.port}`], ca: ca.cert });
    const failure = await failureOf(request({ method: 'GET', url: `https://api.test:${port}/`, timeoutMs }));
    expect([failure.code, failure.wasSent, failure.message]).toEqual([
      'EGRESS_REFUSED',
      true,
      `api.test:${port} redirects from https to http, which is not followed`,
    ]);
    expect(plain.connections).toEqual([]);
  });
});

describe('a client certificate', () => {
  /** A server that asks for a certificate and answers with the name on it. */
  const asking = (mustHave: boolean): Promise<HttpServer> =>
    during(
      startHttps({ ...server, ca: ca.cert, requestCert: true, rejectUnauthorized: mustHave }, ({ url }, response) => {
        const to = new URL(url, 'https://server').searchParams.get('to');
        const subject = (response.socket as TLSSocket).getPeerCertificate().subject as { readonly CN?: string } | undefined;
        response.writeHead(to === null ? 200 : 307, to === null ? {} : { location: to }).end(subject?.CN ?? 'nobody');
      }),
    );

  it('signs the call in, and only the calls that show it (TMO-04)', async () => {
    const { port } = await asking(false);
    const { request } = dialer({ allow: [`api.test:${port}`], ca: ca.cert });
    const name = async (clientCertificate: Pair | undefined) =>
      Buffer.from((await request({ method: 'GET', url: `https://api.test:${port}/`, timeoutMs, clientCertificate })).body).toString();
    const another = await createCertificate(ca, ['another client']);
    expect([await name(client), await name(undefined), await name(another), await name(client)]).toEqual([
      'the client',
      'nobody',
      'another client',
      'the client',
    ]);
  });

  it('is missed where a server insists on it', async () => {
    const { port, received } = await asking(true);
    const { request } = dialer({ allow: [`api.test:${port}`], ca: ca.cert });
    const { code } = await failureOf(request({ method: 'GET', url: `https://api.test:${port}/`, timeoutMs }));
    expect(['TLS_FAILED', 'RESET']).toContain(code); // which of the two depends on what arrives first
    expect(received).toEqual([]);
  });

  it('is not shown to another origin (T11)', async () => {
    const [home, other] = [await asking(false), await asking(false)];
    const { request } = dialer({ allow: [`api.test:${home.port}`, `other.test:${other.port}`], ca: ca.cert });
    const to = encodeURIComponent(`https://other.test:${other.port}/`);
    const { body, url } = await request({
      method: 'GET',
      url: `https://api.test:${home.port}/?to=${to}`,
      timeoutMs,
      clientCertificate: client,
    });
    expect([Buffer.from(body).toString(), url]).toEqual(['nobody', `https://other.test:${other.port}/`]);
  });

  it.each([
    ['that is none', () => ({ cert: 'canary', key: 'canary' })],
    ['with the key of another', () => ({ cert: client.cert, key: server.key })],
  ])('%s is TLS_FAILED, and says nothing of its key (P31)', async (_, pair) => {
    const clientCertificate = pair();
    const failure = await failureOf(dialer({}).request({ method: 'GET', url: 'https://api.test/', timeoutMs, clientCertificate }));
    expect([failure.code, failure.wasSent]).toEqual(['TLS_FAILED', false]);
    expect(failure.message).not.toContain(clientCertificate.key);
  });
});
