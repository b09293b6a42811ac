import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameIn, webAddressFault, webAddressMax } from './web-address.ts';

const fault = (url: string) => webAddressFault(url, ['https']);
const ofLength = (length: number) => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`;

/** Addresses, and addresses with something put into them. */
const url = fc
  .tuple(
    fc.webUrl({ validSchemes: ['https', 'http', 'ftp'], withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.nat(),
  )
  .map(([url, noise, at]) => url.slice(0, at % url.length) + noise + url.slice(at % url.length));

describe('webAddressFault', () => {
  it('passes only what a browser reads the same way: https, a host, no credentials (MED-01)', () =>
    fc.assert(
      fc.property(url, (text) => {
        fc.pre(fault(text) === undefined);
        const { protocol, username, password, hostname } = new URL(text);
        expect({ protocol, username, password }).toEqual({ protocol: 'https:', username: '', password: '' });
        expect(hostname).not.toBe('');
      }),
      { numRuns: 1_000 },
    ));

  it('passes every https address as it is usually written', () =>
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true }), (url) => {
        expect(fault(url)).toBeUndefined();
      }),
    ));

  it.each([
    'https://files.example/a.png',
    'HTTPS://files.example:8443/a.png?x=1#y',
    'https://ejemplo.com/año/niño.png',
    'https://münchen.example/',
    'https://[2001:db8::1]/a.png',
    'https://files.example/@user/a.png',
    'https://files.example',
  ])('passes %s', (url) => expect(fault(url)).toBeUndefined());

  it.each([
    ['http://files.example/a.png', 'begins with http'],
    ['ftp://files.example/a.png', 'begins with ftp'],
    ['data:image/png;base64,AAAA', 'not a whole address'],
    ['javascript:alert(1)', 'not a whole address'],
    ['//files.example/a.png', 'not a whole address'],
    ['https:files.example/a.png', 'not a whole address'],
    ['https:/files.example/a.png', 'not a whole address'],
    ['a.png', 'not a whole address'],
    ['', 'not a whole address'],
    ['https://', 'no host'],
    ['https:///a.png', 'no host'],
    ['https://:443/a.png', 'no host'],
    ['https://?x', 'no host'],
    ['https://256.256.256.256/', 'no host'],
    ['https://files.example:99999/', 'no host'],
    ['https://user@files.example/', 'user name'],
    ['https://user:word@files.example/', 'user name'],
    ['https://@files.example/', 'user name'],
    ['https://files.example/a b.png', 'percent-encoded'],
    [' https://files.example/a.png', 'percent-encoded'],
    ['https://files.example/a\n.png', 'percent-encoded'],
    ['https://files.example/\u0000', 'percent-encoded'],
    ['https://files.example/\u0085', 'percent-encoded'],
    ['https://files.example\\@evil.example/', 'percent-encoded'],
    ['https://files.example/\ud83d', 'percent-encoded'],
  ])('refuses %j, saying "%s" (MED-01)', (url, saying) => expect(fault(url)).toContain(saying));

  it.each([
    [webAddressMax - 1, true],
    [webAddressMax, true],
    [webAddressMax + 1, false],
  ])('says of %i characters whether they pass: %s (MED-01)', (length, passes) => {
    expect(fault(ofLength(length)) === undefined).toBe(passes);
  });
});

describe('fileNameIn', () => {
  it.each([
    ['https://a.example/files/report.pdf', 'report.pdf'],
    ['https://a.example/report%20of%20May.pdf?token=a/b#page/2', 'report of May.pdf'],
    ['https://a.example/r%C3%A9sum%C3%A9.pdf', 'résumé.pdf'],
    ['https://a.example/50%25.pdf', '50%.pdf'],
    ['https://a.example/50%.pdf', '50%.pdf'],
    ['https://a.example/..%2F..%2Fetc%2Fpasswd', '..%2F..%2Fetc%2Fpasswd'],
    ['https://a.example/a%0Ab.pdf', 'a%0Ab.pdf'],
    ['https://a.example/', undefined],
    ['https://a.example/files/', undefined],
    ['https://a.example', undefined],
    ['https://a.example?file=/report.pdf', undefined],
  ])('finds in %s the name %j (MSG-24)', (url, name) => expect(fileNameIn(url)).toBe(name));
});
