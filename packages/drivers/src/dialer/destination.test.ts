import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDialerError } from '../driver-error.ts';
import { secondOpinion } from '../../test/second-opinion.ts';
import { urlSpelling } from '../../test/url-spellings.ts';
import { checkDestination, readAllowList, readUrl } from './destination.ts';
import { fewRuns } from '../../../../scripts/vitest/part-of.ts';

const nothingListed = readAllowList([]);

/** What becomes of a call by its URL alone. */
function verdict(text: string, allow = nothingListed): string {
  try {
    checkDestination(readUrl(text), allow);
    return 'passes';
  } catch (error) {
    if (isDialerError(error)) return error.code;
    throw error;
  }
}

describe('the address of a call', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0X7F.1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://127.0.0.1:80/',
    'http://127.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'https://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:FFFF:7F00:0001]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    'ht\ntp://127.0.\t0.1/',
  ])('is refused however a private address is spelled: %j (P30, T11)', (url) => {
    expect(verdict(url)).toBe('EGRESS_REFUSED');
  });

  it.each(['https://8.8.8.8:8443/', 'http://api.test:22/', 'https://api.test:0/', 'http://api.test:6379/'])(
    'is refused for its port: %s (T11)',
    (url) => {
      expect(verdict(url)).toBe('EGRESS_REFUSED');
    },
  );

  it.each([
    '',
    'api.test',
    '/path',
    '//api.test/',
    'http://',
    'https:///',
    'ftp://api.test/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:1',
    'gopher://127.0.0.1/',
    'ws://api.test/',
    'unix:/var/run/docker.sock',
    'https://user@api.test/',
    'https://user:password@api.test/',
    'https://:password@api.test/',
    'http://api.test@127.0.0.1/',
    'http://[fe80::1%25eth0]/',
    'http://[::1%lo]/',
    'http://[::1/',
    'http://256.0.0.1/',
    'http://1.2.3.4.5/',
    'http://a^b/',
    'http://a b/',
    'http://api.test:65536/',
    'http://api.test:-1/',
    'http://%00/',
  ])('is no address of a call: %j (T11)', (url) => {
    expect(verdict(url)).toBe('BAD_URL');
  });

  it.each(['https://api.test/', 'http://api.test:80/', 'https://8.8.8.8/', 'http://[2606:4700::1111]:443/', 'http://localhost/'])(
    'passes, its name to be judged by what it resolves to: %s',
    (url) => {
      expect(verdict(url)).toBe('passes');
    },
  );

  it('is judged as a second implementation of URLs and addresses does, however it is spelled (P30, T11)', { timeout: 600_000 }, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(urlSpelling, (url) => {
        const own = verdict(url);
        seen.set(own, (seen.get(own) ?? 0) + 1);
        if (own !== secondOpinion(url)) throw new Error(`${JSON.stringify(url)} is ${own} here and ${secondOpinion(url)} there`);
      }),
      fewRuns(20_000),
    );
    expect([...seen.keys()].toSorted()).toEqual(['BAD_URL', 'EGRESS_REFUSED', 'passes']);
  });
});

describe('the list of what may be reached', () => {
  const listed = readAllowList(['127.0.0.1:4010', 'Orders.internal:443', '[::1]:80', '10.0.0.1:8080']);

  it('lets through what it names, however that is spelled (P30)', () => {
    const urls = [
      'http://127.0.0.1:4010/a',
      'http://2130706433:4010/',
      'https://orders.internal/',
      'http://[0:0::1]/',
      'https://10.0.0.1:8080/',
    ];
    expect(urls.map((url) => verdict(url, listed))).toEqual(urls.map(() => 'passes'));
  });

  it('lets through nothing beside that (P30)', () => {
    const urls = [
      'http://127.0.0.1:4011/',
      'http://127.0.0.1/',
      'http://127.0.0.2:4010/',
      'http://localhost:4010/',
      'https://[::1]/',
      'http://10.0.0.1/',
    ];
    expect(urls.map((url) => verdict(url, listed))).toEqual(urls.map(() => 'EGRESS_REFUSED'));
  });

  it.each([
    '',
    'localhost',
    ':80',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    'http://localhost:80',
    'a/b:80',
    'a@b:80',
    '::1:80',
    'a b:80',
  ])('refuses the entry %j', (entry) => {
    expect(() => readAllowList([entry])).toThrow('is no destination that can be allowed');
  });
});
