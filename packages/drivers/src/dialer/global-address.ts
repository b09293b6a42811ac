import { BlockList, isIP, SocketAddress } from 'node:net';

/** IPv4 that is global unicast: what the IANA special-purpose registry leaves between 0.0.0.0 and 223.255.255.255. */
const globalIpv4 = [
  ['1.0.0.0', '9.255.255.255'], // after "this network", before 10/8
  ['11.0.0.0', '100.63.255.255'], // before shared address space (carrier-grade NAT)
  ['100.128.0.0', '126.255.255.255'], // before loopback
  ['128.0.0.0', '169.253.255.255'], // before link-local
  ['169.255.0.0', '172.15.255.255'], // before 172.16/12
  ['172.32.0.0', '191.255.255.255'], // before protocol assignments
  ['192.0.1.0', '192.0.1.255'], // before documentation
  ['192.0.3.0', '192.31.195.255'], // before AS112
  ['192.31.197.0', '192.52.192.255'], // before AMT
  ['192.52.194.0', '192.88.98.255'], // before the 6to4 relays
  ['192.88.100.0', '192.167.255.255'], // before 192.168/16
  ['192.169.0.0', '192.175.47.255'], // before AS112
  ['192.175.49.0', '198.17.255.255'], // before benchmarking
  ['198.20.0.0', '198.51.99.255'], // before documentation
  ['198.51.101.0', '203.0.112.255'], // before documentation
  ['203.0.114.0', '223.255.255.255'], // before multicast and reserved ranges
] as const;

/** IPv6 that is global unicast: 2000::/3 without protocol assignments (Teredo too), documentation, 6to4 and AS112. */
const globalIpv6 = [
  ['2000::', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:200::', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db9::', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2003::', '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8001::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff:1000::', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const;

/**
 * Ranges that registries know as public and that a cloud answers inside of itself, to its own machines: what stands there trusts the
 * network that a call comes from. Names of the internet that lead there are of no use to a caller outside.
 */
const insideClouds = [
  ['168.63.129.16', 32], // Azure: the host of a virtual machine
  ['161.26.0.0', 16], // IBM: services of its private network
  ['166.8.0.0', 14], // IBM: endpoints of services in its private network
  ['199.36.153.4', 30], // Google: restricted.googleapis.com
  ['199.36.153.8', 30], // Google: private.googleapis.com
  ['34.126.0.0', 18], // Google: its interfaces, by direct connectivity
  ['2001:4860:8040::', 42], // Google: the same
  ['2600:2d00:2:1000::', 64], // Google: restricted.googleapis.com
  ['2600:2d00:2:2000::', 64], // Google: private.googleapis.com
] as const;

const inside = new BlockList();
for (const [network, bits] of insideClouds) {
  const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  inside.addSubnet(network, bits, family);
  if (family === 'ipv4') inside.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
}

// The list contains reachable ranges, so that a forgotten one is refused. It is Node's own, and reads an address as its sockets do.
const reachable = new BlockList();
for (const [first, last] of globalIpv4) {
  reachable.addRange(first, last, 'ipv4'); // judges ::ffff:0:0/96 as well, by the IPv4 address inside
  reachable.addRange(`64:ff9b::${first}`, `64:ff9b::${last}`, 'ipv6'); // NAT64, by the same
}
for (const [first, last] of globalIpv6) reachable.addRange(first, last, 'ipv6');

/** The end of an address of ISATAP, whatever its prefix: a machine with such a tunnel sends to the IPv4 address in the last 32 bits. */
const isatap = /(?:::|:0:|:200:)5efe:[\da-f]{1,4}:[\da-f]{1,4}$/;

/**
 * Whether an address is on the public internet (P30, T11). IPv4-mapped and NAT64 addresses are judged by the IPv4 address inside; anything
 * else but global unicast, an address of a tunnel, and one that a cloud answers inside of itself, is not.
 *
 * @param address - as sockets report it: without brackets. One with a zone is never global.
 */
export function isGlobalAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  const of = family === 4 ? 'ipv4' : 'ipv6';
  if (!reachable.check(address, of) || inside.check(address, of)) return false;
  return family === 4 || !isatap.test(new SocketAddress({ address, family: 'ipv6' }).address);
}
