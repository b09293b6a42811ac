import ipaddr from 'ipaddr.js';
import { parseURL, serializeHost } from 'whatwg-url';

/** What clouds answer inside of themselves. */
const insideClouds = [
  '168.63.129.16/32 161.26.0.0/16 166.8.0.0/14 199.36.153.4/30 199.36.153.8/30 34.126.0.0/18',
  '2001:4860:8040::/42 2600:2d00:2:1000::/64 2600:2d00:2:2000::/64',
]
  .join(' ')
  .split(' ')
  .map((network) => ipaddr.parseCIDR(network));

const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  insideClouds.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

/** Whether an address is global unicast, as ipaddr.js and the IANA registries have it: a second opinion on `isGlobalAddress`. */
export function isGlobalByRegistry(address: string): boolean {
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (parsed instanceof ipaddr.IPv4) return range === 'unicast' && !isInside(parsed);
  if (range === 'ipv4Mapped') return isGlobalByRegistry(parsed.toIPv4Address().toString());
  const bytes = parsed.toByteArray();
  if (range === 'rfc6052') return bytes[5] !== 1 && isGlobalByRegistry(bytes.slice(12).join('.'));
  return range === 'unicast' && (bytes[0] ?? 0) >> 5 === 1 && !isInside(parsed);
}

/** What becomes of a call by its URL alone, judged without any code of this package or of Node.js. */
export function secondOpinion(text: string): 'passes' | 'BAD_URL' | 'EGRESS_REFUSED' {
  const url = parseURL(text);
  if (url === null || (url.scheme !== 'http' && url.scheme !== 'https') || url.username !== '' || url.password !== '') return 'BAD_URL';
  const { host, port } = url;
  if (host === null || host === '') return 'BAD_URL';
  if (port !== null && port !== 80 && port !== 443) return 'EGRESS_REFUSED';
  if (typeof host === 'string') return 'passes';
  return isGlobalByRegistry(serializeHost(host).replace(/[[\]]/g, '')) ? 'passes' : 'EGRESS_REFUSED';
}
