// The address of a caller: that of its connection, or behind proxies that the operator trusts the one that they name.
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Finds the address that limits by network count a request to. */
export interface ClientAddresses {
  /** Whether a connection is one of a proxy that is trusted. */
  isProxy(remoteAddress: string | undefined): boolean;
  /**
   * The caller of a request. `X-Forwarded-For` is believed from a trusted proxy alone, and from its end: each proxy appends whom it heard, so
   * that the last address which is no proxy's is the caller's, and whatever stands before it was written by the caller.
   *
   * @param forwardedFor - the header; several are joined with commas
   * @returns `undefined` without a connection
   */
  find(remoteAddress: string | undefined, forwardedFor: string | null | undefined): string | undefined;
}

/** A setting that lists proxies: addresses and networks such as 10.0.0.0/8. */
export const trustedProxyRule = {
  isMet: (text: string): boolean => readNetwork(text) !== undefined,
  sentence: 'is a list of addresses or networks of proxies, such as 127.0.0.1,10.0.0.0/8,fd00::/8; a network of all addresses is none',
} as const;

/** @param trusted - addresses and networks, each as {@link trustedProxyRule} has it */
export function createClientAddresses(trusted: readonly string[] = []): ClientAddresses {
  const proxies = new BlockList();
  for (const text of trusted) {
    const network = readNetwork(text);
    if (network !== undefined) proxies.addSubnet(network.address, network.bits, network.family);
  }
  const isProxy = (address: string | undefined): boolean => {
    if (trusted.length === 0) return false;
    const plain = simplify(address ?? '');
    return plain !== undefined && proxies.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
  };
  return {
    isProxy,
    find(remoteAddress, forwardedFor) {
      if (!isProxy(remoteAddress)) return remoteAddress;
      let found = remoteAddress;
      for (const entry of (forwardedFor ?? '').split(',').toReversed()) {
        const address = simplify(removePort(entry.trim()));
        if (address === undefined) return found; // what no proxy writes, and all before it, was written by somebody else
        found = address;
        if (!isProxy(address)) return address;
      }
      return found;
    },
  };
}

/** An address without its zone; one of IPv4 that is written as IPv6 as IPv4. `undefined` for what is no address. */
function simplify(text: string): string | undefined {
  const bare = text.split('%', 1).join('');
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}

/** Some proxies write the port as well: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
const removePort = (text: string): string => /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

function readNetwork(text: string) {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const count = bits === undefined ? longest : Number(bits);
  if (version === 0 || address.includes('%') || count < 1 || count > longest) return undefined;
  return { address, bits: count, family: version === 4 ? 'ipv4' : 'ipv6' } as const;
}
