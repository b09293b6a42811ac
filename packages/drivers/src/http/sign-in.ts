import { DriverError } from '../driver-error.ts';
import type { HttpCredential } from './credential.ts';

/** The address and headers of a call. */
export interface Addressed {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

/**
 * Puts a credential into a call, over whatever stands in its place.
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

/** The headers with this one; another spelling of its name gives way. */
export const withHeader = (headers: Addressed['headers'], name: string, value: string): Addressed['headers'] => ({
  ...Object.fromEntries(Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase())),
  [name]: value,
});

export const hasHeader = (headers: Addressed['headers'], name: string): boolean =>
  Object.keys(headers).some((other) => other.toLowerCase() === name);

/** An address with one more name and value in its query; one that is no URL stays as it is, for the dialer to refuse. */
function withQuery(text: string, name: string, value: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  const pair = `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`;
  url.search = url.search === '' ? pair : `${url.search}&${pair}`;
  return url.href;
}
