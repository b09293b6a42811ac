import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';

/** Where the connection comes from: the socket's own word, never a header's (T25). Unknown where no Node server listens. */
export const socketAddress = (c: Context<HttpEnv>): string | undefined => c.env?.incoming?.socket?.remoteAddress;

/**
 * Whom an address stands for, where many from one may not crowd out others: itself, or of IPv6 the network of 64 bits, of which a caller
 * has every address. Behind a proxy everybody is the proxy: a bound for each network leaves room for one that stands for all.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined || isIP(address) !== 6) return v4 ?? address;
  const [begin = '', end] = address.toLowerCase().split('%', 1).join('').split('::');
  const groups = begin === '' ? [] : begin.split(':');
  const after = end === undefined || end === '' ? [] : end.split(':');
  const left = end === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  return `${[...groups, ...left, ...after].slice(0, 4).join(':')}::/64`;
}

/** The name or address of a Host header, without its port. */
export const hostOf = (header: string | undefined): string | undefined =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase();
