import type { JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import type { ClientCertificate } from '../dialer/connections.ts';
import { DriverError } from '../driver-error.ts';

const text = z.string().min(1);

/**
 * What signs a call in. Its store may keep more beside it, such as an id and a name.
 *
 * - `basic`: `username` and `password`
 * - `bearer`: `token`
 * - `api-key`: `value` under `name`, in a header or in the query
 * - `client-certificate`: `cert` and `key` in PEM, and the `passphrase` of the key
 */
export const HttpCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('basic'), username: z.string().regex(/^[^:]*$/, 'A user name has no ":"'), password: z.string() }),
  z.object({ kind: z.literal('bearer'), token: text }),
  z.object({ kind: z.literal('api-key'), name: text, value: text, in: z.enum(['header', 'query']).default('header') }),
  z.object({ kind: z.literal('client-certificate'), cert: text, key: text, passphrase: z.string().exactOptional() }),
]);
export type HttpCredential = z.output<typeof HttpCredential>;

/** The values behind a credential's id, as the company keeps them; `undefined` where it has none of this id (P28). */
export type FindCredential = (companyId: string, credentialId: string) => Promise<JsonObject | undefined>;

/**
 * Reads a credential in the form of a schema.
 *
 * @param problem - what is wrong with an invalid one, such as `cannot sign a call in`
 * @throws {DriverError} `CREDENTIAL_MISSING`, or `CREDENTIAL_INVALID` with the names of fields and never a value (P31)
 */
export async function parseCredential<Credential>(
  schema: z.ZodType<Credential>,
  [find, companyId, credentialId]: readonly [find: FindCredential, companyId: string, credentialId: string],
  problem: string,
): Promise<Credential> {
  const found = await find(companyId, credentialId);
  if (found === undefined) {
    throw new DriverError('CREDENTIAL_MISSING', `There is no credential "${credentialId}": create it, or name another`);
  }
  const { success, data, error } = schema.safeParse(found);
  if (success) return data;
  const fields = [...new Set(error.issues.map(({ path }) => `"${path.join('.')}"`))].join(', ');
  throw new DriverError('CREDENTIAL_INVALID', `The credential "${credentialId}" ${problem}: correct ${fields}`);
}

/** Reads a credential that signs calls in. @throws {DriverError} see {@link parseCredential} */
export const readCredential = (...place: [find: FindCredential, companyId: string, credentialId: string]): Promise<HttpCredential> =>
  parseCredential(HttpCredential, place, 'cannot sign a call in');

/** Reads a client certificate. @throws {DriverError} see {@link parseCredential} */
export async function readCertificate(find: FindCredential, companyId: string, credentialId: string): Promise<ClientCertificate> {
  const credential = await readCredential(find, companyId, credentialId);
  if (credential.kind === 'client-certificate') return credential;
  throw new DriverError('CREDENTIAL_INVALID', `The credential "${credentialId}" is no client certificate but of kind ${credential.kind}`);
}

/** The address and headers of a call. */
export interface Addressed {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

/**
 * Adds a credential to a call, replacing any value in its place.
 *
 * @throws {DriverError} when it is a client certificate, which has its own place
 */
export function signIn({ url, headers }: Addressed, credential: HttpCredential): Addressed {
  switch (credential.kind) {
    case 'basic': {
      const both = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
      return { url, headers: withHeader(headers, 'authorization', `Basic ${both}`) };
    }
    case 'bearer':
      return { url, headers: withHeader(headers, 'authorization', `Bearer ${credential.token}`) };
    case 'api-key':
      return credential.in === 'header'
        ? { url, headers: withHeader(headers, credential.name, credential.value) }
        : { url: withQuery(url, credential.name, credential.value), headers };
    case 'client-certificate':
      throw new DriverError('CREDENTIAL_INVALID', 'A client certificate goes into "clientCertificate" and not into "auth"');
  }
}

/** The headers with this one; another spelling of its name is removed. */
export const withHeader = (headers: Addressed['headers'], name: string, value: string): Addressed['headers'] => ({
  ...Object.fromEntries(Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase())),
  [name]: value,
});

export const hasHeader = (headers: Addressed['headers'], name: string): boolean =>
  Object.keys(headers).some((other) => other.toLowerCase() === name);

/** A URL with one more query parameter; a malformed one is unchanged, for the dialer to refuse. */
function withQuery(text: string, name: string, value: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  const pair = `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`;
  url.search = url.search === '' ? pair : `${url.search}&${pair}`;
  return url.href;
}
