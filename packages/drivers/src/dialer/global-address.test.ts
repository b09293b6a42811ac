import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isGlobalByRegistry } from '../../test/second-opinion.ts';
import { isGlobalAddress } from './global-address.ts';
import { fewRuns } from '../../../../scripts/vitest/part-of.ts';

/** Where something other than global unicast begins or ends, in the IANA registries. */
const rangesBegin = `
  0.0.0.0 1.0.0.0 10.0.0.0 11.0.0.0 100.64.0.0 100.128.0.0 127.0.0.0 128.0.0.0 169.254.0.0
  169.255.0.0 172.16.0.0 172.32.0.0 192.0.0.0 192.0.1.0 192.0.2.0 192.0.3.0 192.88.99.0 192.88.100.0
  192.168.0.0 192.169.0.0 198.18.0.0 198.20.0.0 198.51.100.0 198.51.101.0 203.0.113.0 203.0.114.0 224.0.0.0
  240.0.0.0 :: ::1 ::ffff:0:0 ::1:0:0:0 64:ff9b:: 64:ff9b:0:0:0:1:: 64:ff9b:1:: 64:ff9b:2::
  100:: 2000:: 2001:: 2001:200:: 2001:db8:: 2001:db9:: 2002:: 2003:: 3fff::
  168.63.129.16 168.63.129.17 161.26.0.0 161.27.0.0 166.8.0.0 166.12.0.0 199.36.153.4 199.36.153.12 34.126.0.0 34.126.64.0
  2600:2d00:2:1000:: 2600:2d00:2:1001:: 2600:2d00:2:2000:: 2600:2d00:2:2001:: 192.31.196.0 192.31.197.0 192.52.193.0 192.52.194.0 192.175.48.0 192.175.49.0
  2620:4f:8000:: 2620:4f:8001:: 3fff:1000:: 4000:: 5f00:: fc00:: fe80:: ff00::
`
  .trim()
  .split(/\s+/);

describe('isGlobalAddress', () => {
  it.each([
    ['this network', '0.0.0.0'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared (CGNAT)', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '::1'],
    ['link-local', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['unique-local', 'fd00:ec2::254'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.9'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['AS112', '192.31.196.0'],
    ['AS112', '192.31.196.255'],
    ['AMT', '192.52.193.1'],
    ['AS112', '192.175.48.42'],
    ['AS112', '2620:4f:8000::1'],
    ['AS112', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ["a cloud's host", '168.63.129.16'],
    ["a cloud's host, IPv4-mapped", '::ffff:168.63.129.16'],
    ["a cloud's host, NAT64", '64:ff9b::168.63.129.16'],
    ['AS112, NAT64', '64:ff9b::c0af:3001'],
    ['a service inside a cloud', '161.26.0.10'],
    ['a service inside a cloud', '166.8.0.1'],
    ['a service inside a cloud', '166.11.255.255'],
    ['a service inside a cloud', '199.36.153.4'],
    ['a service inside a cloud', '199.36.153.11'],
    ['a service inside a cloud', '34.126.63.255'],
    ['a service inside a cloud, IPv4-mapped', '::ffff:161.26.0.10'],
    ['a service inside a cloud, NAT64', '64:ff9b::161.26.0.10'],
    ['a service inside a cloud', '2600:2d00:2:1000::1'],
    ['a service inside a cloud', '2001:4860:8040::1'],
    ['a service inside a cloud', '2001:4860:807f:ffff::1'],
    ['a service inside a cloud', '2600:2d00:2:2000:ffff:ffff:ffff:ffff'],
    ['segment routing', '5f00::1'],
    ['discard-only', '100::1'],
    ['discard-only', '100:0:0:1::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:8.8.8.8'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['NAT64 of one network', '64:ff9b:1::8.8.8.8'],
    ['6to4', '2002:808:808::1'],
    ['ISATAP', '2606:4700::5efe:10.0.0.1'],
    ['ISATAP', '2606:4700:1:2:0:5efe:7f00:1'],
    ['ISATAP', '2606:4700:1:2:200:5efe:a9fe:a9fe'],
    ['ISATAP', '2606:4700:0000:0000:0000:5EFE:A00:1'],
    ['Teredo', '2001::1'],
    ['site-local', 'fec0::1'],
    ['unassigned', '4000::1'],
    ['no number of four parts', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['a zone', '2606:4700::1111%eth0'],
    ['brackets', '[2606:4700::1111]'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('refuses what is %s: %s (P30, T11)', (_, address) => {
    expect(isGlobalAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '168.63.129.15',
    '168.63.129.17',
    '192.31.195.255',
    '192.31.197.0',
    '192.52.192.255',
    '192.52.194.0',
    '192.175.47.255',
    '192.175.49.0',
    '2620:4f:7fff:ffff::1',
    '2620:4f:8001::1',
    '64:ff9b::168.63.129.15',
    '161.25.255.255',
    '161.27.0.0',
    '166.7.255.255',
    '166.12.0.0',
    '199.36.153.3',
    '199.36.153.12',
    '34.126.64.0',
    '2600:2d00:2:fff::1',
    '2001:4860:803f:ffff::1',
    '2001:4860:8080::1',
    '2001:4860:4860::8888',
    '2600:2d00:2:1001::1',
    '93.184.216.34',
    '223.255.255.255',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('lets %s pass', (address) => {
    expect(isGlobalAddress(address)).toBe(true);
  });

  it('agrees with a second implementation on every address, most of all at the edges of ranges (P30)', { timeout: 600_000 }, () => {
    const edges = rangesBegin.map((address) => ipaddr.parse(address).toByteArray());
    const edge = fc
      .tuple(fc.constantFrom(...edges), fc.integer({ min: -1, max: 1 }), fc.nat(127))
      .map(([bytes, step, bit]) => moved(bytes, step, bit));
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((drawn) => [...drawn]);
    const embedded = fc
      .tuple(
        fc.constantFrom('::ffff:0:0', '64:ff9b::', '::', '2002::'),
        fc.oneof(
          bytes(4),
          edge.filter(({ length }) => length === 4),
        ),
      )
      .map(([prefix, ipv4]) => [...ipaddr.IPv6.parse(prefix).toByteArray().slice(0, 12), ...ipv4]);
    fc.assert(
      fc.property(fc.oneof(bytes(4), bytes(16), edge, embedded), (parts) => {
        const address = ipaddr.fromByteArray(parts).toString();
        expect([address, isGlobalAddress(address)]).toEqual([address, isGlobalByRegistry(address)]);
      }),
      fewRuns(20_000),
    );
  });
});

/** An address one step from another, or with one bit turned. */
function moved(bytes: readonly number[], step: number, bit: number): number[] {
  const length = bytes.length;
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  value = step === 0 ? value ^ (1n << BigInt(bit % (length * 8))) : BigInt.asUintN(length * 8, value + BigInt(step));
  return Array.from({ length }, (_, index) => Number((value >> BigInt((length - 1 - index) * 8)) & 255n));
}
