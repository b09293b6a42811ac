import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../context.ts';
import type { FailedLogins } from '../failed-logins.ts';
import { type HttpError, unauthorized } from '../errors.ts';
import { findNetwork, readClientAddress } from '../socket-address.ts';

/** Finds the client of a Basic credential. */
interface Clients {
  readonly companies: {
    companyOfClient(clientId: string, clientSecret: string, network?: string): string | undefined | Promise<string | undefined>;
  };
}

/** Authenticates callers by client id and client secret (AUT-01, AUT-08). Guesses are delayed (T2). */
export const basicAuth =
  ({ companies }: Clients, failedLogins: FailedLogins): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const credentials = parseCredentials(c.req.header('authorization'));
    if (credentials === undefined) throw refusal();
    const { clientId, clientSecret } = credentials;
    const address = readClientAddress(c);
    const companyId = await companies.companyOfClient(clientId, clientSecret, findNetwork(address));
    if (companyId === undefined) {
      await failedLogins.count(address, clientId);
      throw refusal();
    }
    c.set('companyId', companyId);
    c.set('credential', `client ${clientId}`);
    return next();
  };

const refusal = (): HttpError =>
  unauthorized('Send a valid client id and client secret with Basic authentication', 'Basic realm="Hilo", charset="UTF-8"');

/** Strictly RFC 7617, which Hono's `basicAuth` is not: one header, canonical base64 of UTF-8 without control characters, split at the first colon. */
function parseCredentials(header: string | undefined): { readonly clientId: string; readonly clientSecret: string } | undefined {
  const base64 = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined; // Node's decoder accepts malformed base64
  const text = decodeUtf8(bytes);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1 || /\p{Cc}/u.test(text)) return undefined;
  return { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
