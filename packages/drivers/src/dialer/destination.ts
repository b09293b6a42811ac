import { isIP } from 'node:net';
import { DriverError } from '../driver-error.ts';
import { isGlobalAddress } from './global-address.ts';

/** The `host:port` pairs that calls may reach at any address. */
export type AllowList = ReadonlySet<string>;

/**
 * Reads the operator's list.
 *
 * @param entries - `host:port`, an IPv6 address in brackets; a host allows the name as calls spell it, not its addresses
 * @throws {Error} at an entry that is no `host:port`
 */
export function readAllowList(entries: readonly string[]): AllowList {
  return new Set(
    entries.map((entry) => {
      const [, host = '', port = ''] = /^([^/?#@\s]+):(\d{1,5})$/.exec(entry) ?? [];
      const url = URL.parse(`http://${host}`);
      if (url === null || url.port !== '' || Number(port) < 1 || Number(port) > 65_535) {
        throw new Error(`"${entry}" is no destination that can be allowed: write a host and a port, such as 127.0.0.1:4010`);
      }
      return `${url.hostname}:${Number(port)}`;
    }),
  );
}

/**
 * Parses the URL of a call once, by the URL standard: everything later works on the result (T11).
 *
 * @param base - the source of a redirect, whose target may be relative
 * @throws {DriverError} `BAD_URL`
 */
export function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null) throw new DriverError('BAD_URL', 'The address is not a valid URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new DriverError('BAD_URL', `An address begins with https:// or http://, and this one with ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new DriverError('BAD_URL', `The address of ${url.host} holds a user name or password: use a credential instead`);
  }
  return url;
}

/** The port a call goes to. */
export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** A host without the brackets that an IPv6 address has in a URL. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether the operator permits calls to this host and port at any address. */
export const isListed = ({ hostname, port }: { readonly hostname: string; readonly port: number }, allow: AllowList): boolean =>
  allow.has(`${hostname}:${port}`);

/**
 * Checks that a call may go to this host and port, as far as the URL tells: the addresses of a name are checked when they are connected
 * to.
 *
 * @throws {DriverError} `EGRESS_REFUSED`
 */
export function checkDestination(url: URL, allow: AllowList): void {
  const port = portOf(url);
  if (isListed({ hostname: url.hostname, port }, allow)) return;
  if (port !== 80 && port !== 443) {
    throw new DriverError('EGRESS_REFUSED', `Calls go to the ports 80 and 443, and that of ${url.host} is not listed`);
  }
  const host = bare(url.hostname);
  if (isIP(host) !== 0) checkAddress(host, host);
}

/** @throws {DriverError} `EGRESS_REFUSED` when the address is not on the public internet; the message names only what the call named */
export function checkAddress(address: string, hostname: string): void {
  if (isGlobalAddress(address)) return;
  const which = address === hostname ? `${address} is no` : `${hostname} has no`;
  throw new DriverError('EGRESS_REFUSED', `${which} public address: only those can be called`, { logOnly: { address } });
}
