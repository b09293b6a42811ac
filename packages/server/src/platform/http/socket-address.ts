import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import type { HttpEnv } from './context.ts';

/** The remote address of the connection. Undefined without a Node.js server. */
export const readSocketAddress = (c: Context<HttpEnv>): string | undefined => c.env?.incoming?.socket?.remoteAddress;

/** The address of the caller, which limits by network count: what its envelope found, else that of the connection (T25). */
export const readClientAddress = (c: Context<HttpEnv>): string | undefined => c.get('clientAddress') ?? readSocketAddress(c);

/**
 * The network that limits count by: an IPv4 address, or the /64 of an IPv6 address, because one client has all addresses of it.
 * Behind a proxy that is not trusted all clients are one network, so a limit by network must leave room for that.
 */
export function findNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const bare = address.split('%', 1).join(''); // without the zone of a link-local address
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare); // an IPv4 address that is written as IPv6 becomes IPv4
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The clients that a /48 counts as: whoever makes addresses up often has one, and others share one of their provider. */
const clientsOfSite = 16;

/** A network, and as how many clients it counts. */
export interface CountedNetwork {
  readonly network: string;
  readonly clients: number;
}

/** The networks whose sums a caller counts into: its own, and for IPv6 the /48 around it, which has 65,536 of them. */
export function findNetworks(address: string): readonly CountedNetwork[] {
  const own = { network: findNetwork(address), clients: 1 };
  const [, site] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(own.network) ?? [];
  return site === undefined ? [own] : [own, { network: `${site}::/48`, clients: clientsOfSite }];
}

/** The name or address of a Host header, without its port. */
export const parseHost = (header: string | undefined): string | undefined =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase();
