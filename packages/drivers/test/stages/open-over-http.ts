import type { ServerResponse } from 'node:http';
import type { BoundDriver, JsonObject } from '@hilo/engine/contract';
import type { DriverStage, RemoteBehaviour } from '@hilo/testing/contracts';
import { createDialer, type Dialer, type FindCredential } from '../../src/index.ts';
import { type Received, startHttp } from '../local-servers.ts';

/** What every company 7 here signs in with. */
export const secret = 'tok-en-of-company-7';

interface OverHttp {
  /** The answer that is expected, for `answers`. */
  answers(request: Received, response: ServerResponse): void;
  /** An answer with what the request was signed in with, for `repeats`. */
  repeats(heard: string, response: ServerResponse): void;
  driver(parts: { readonly dialer: Dialer; readonly credential: FindCredential }): BoundDriver;
  /** A request to an address, less its time-out. */
  request(url: string): JsonObject;
  /** A credential of company 7; a bearer token where left out. */
  credential?(credentialId: string): JsonObject;
}

/** A driver that calls over HTTP, and a server that meets a call as the first part of its path says. */
export async function openOverHttp({ answers, repeats, driver, request, credential = bearer }: OverHttp): Promise<DriverStage> {
  const server = await startHttp((received, response) => {
    const [, behaviour] = received.url.split('/');
    switch (behaviour as RemoteBehaviour) {
      case 'answers':
        return answers(received, response);
      case 'babbles':
        return response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
      case 'breaks':
        response.writeHead(200, { 'content-length': '1000' }).write('half');
        return setImmediate(() => response.socket?.destroy());
      case 'floods':
        return response.end('x'.repeat(3_000_000));
      case 'repeats':
        return repeats(received.headers.authorization ?? '', response);
      case 'hangs':
        return undefined;
    }
  });
  const dialer = createDialer({ allow: [server.host] });
  const find: FindCredential = (companyId, id) => Promise.resolve(companyId === '7' ? credential(id) : undefined);
  return {
    driver: driver({ dialer, credential: find }),
    request: (behaviour, timeoutMs) => ({ ...request(`http://${server.host}/${behaviour}`), timeoutMs }),
    keys: () => server.received.map(({ headers }) => headers['idempotency-key']).map(String),
    requests: () => server.received.length,
    secrets: [secret, Buffer.from(secret).toString('base64url')],
    async close() {
      await server.close();
      await dialer.close();
    },
  };
}

const bearer = (): JsonObject => ({ kind: 'bearer', token: secret });
