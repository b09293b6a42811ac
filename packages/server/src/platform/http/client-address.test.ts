import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClientAddresses, trustedProxyRule } from './client-address.ts';

const { find } = createClientAddresses(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);

describe('the address of a caller (T25)', () => {
  it.each([
    ['a caller without a proxy', '198.51.100.7', undefined, '198.51.100.7'],
    ['a caller that claims another', '198.51.100.7', '203.0.113.1', '198.51.100.7'],
    ['a caller that claims to be a proxy', '198.51.100.7', '127.0.0.1', '198.51.100.7'],
    ['one proxy', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['one proxy, on a socket of IPv6', '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['one proxy and a claim', '127.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['one proxy and a claim to be a proxy', '127.0.0.1', '203.0.113.1, 10.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['two proxies', '127.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['two proxies and a claim', '127.0.0.1', '203.0.113.1, 198.51.100.7,10.0.0.2', '198.51.100.7'],
    ['three proxies, one by IPv6', '127.0.0.1', '198.51.100.7, fd00::1, 10.0.0.2', '198.51.100.7'],
    ['proxies alone', '127.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['no header', '127.0.0.1', undefined, '127.0.0.1'],
    ['an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['blanks', '127.0.0.1', ' , ', '127.0.0.1'],
    ['a name', '127.0.0.1', '198.51.100.7, unknown', '127.0.0.1'],
    ['a hidden name', '127.0.0.1', '_hidden', '127.0.0.1'],
    ['what is no address, behind one that is', '127.0.0.1', 'x, 198.51.100.7', '198.51.100.7'],
    ['an address that a library would complete', '127.0.0.1', '127.1', '127.0.0.1'],
    ['an octal address', '127.0.0.1', '0177.0.0.1', '127.0.0.1'],
    ['a number', '127.0.0.1', '2130706433', '127.0.0.1'],
    ['a port', '127.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['IPv6', '127.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['IPv6 with a port', '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['IPv6 with a zone', '127.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['IPv4 written as IPv6', '127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['a proxy written as IPv6', '127.0.0.1', '198.51.100.7, ::ffff:10.0.0.2', '198.51.100.7'],
    ['no connection', undefined, '198.51.100.7', undefined],
  ])('is known with %s', (_what, remote, header, found) => {
    expect(find(remote, header)).toBe(found);
  });

  it('is never chosen by the caller, whatever it writes before what the proxies append', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f.:,[\] %]{0,60}$/), fc.ipV4(), fc.nat(3), (claim, caller, hops) => {
        fc.pre(!/^(?:10|127\.0\.0\.1$)/.test(caller));
        const header = [claim, caller, ...Array.from({ length: hops }, (_, index) => `10.0.0.${index}`)].join(', ');
        expect(find('127.0.0.1', header)).toBe(caller);
        expect(find(caller, header)).toBe(caller);
      }),
    ));

  it('is that of the connection where no proxy is trusted', () => {
    expect(createClientAddresses().find('127.0.0.1', '198.51.100.7')).toBe('127.0.0.1');
  });
});

describe('a list of proxies', () => {
  it.each(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/1', '10.0.0.1/32', '::1/128'])('takes %s', (text) => {
    expect(trustedProxyRule.isMet(text)).toBe(true);
  });
  it.each([
    '',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '::1/129',
    '10.0.0',
    '127.1',
    'fe80::1%eth0',
    '1.2.3.4/-1',
    '*',
  ])('refuses "%s"', (text) => {
    expect(trustedProxyRule.isMet(text)).toBe(false);
  });
});
