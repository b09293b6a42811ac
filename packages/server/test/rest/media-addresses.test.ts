import { createDialer, isDialerError } from '@hilo/drivers';
import { Message } from '@hilo/nodes';
import { createVirtualClock } from '@hilo/testing';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parseURL, serializeHost } from 'whatwg-url';
import { createMediaCheck } from '../../src/messages/media/media-check.ts';
import { fewRuns } from '../../../../scripts/vitest/part-of.ts';

/** Every call ends before its first byte is sent: the verdict depends on the URL alone. */
const dialer = createDialer();
const over = AbortSignal.abort();
const reaching: string[] = [];
const check = createMediaCheck(
  {
    async request(request) {
      try {
        return await dialer.request({ ...request, signal: over });
      } catch (error) {
        if (isDialerError(error) && error.code === 'TIMEOUT') reaching.push(request.url);
        throw error;
      }
    },
  },
  createVirtualClock(),
);

/** Whether a file at this address would be fetched, as the service decides it: by its schema, then by its way out. */
async function isFetched(mediaUrl: string): Promise<boolean> {
  if (!Message.safeParse({ type: 'image', mediaUrl }).success) return false;
  reaching.length = 0;
  const verdict = await check({ url: mediaUrl, type: 'image', channel: 'whatsapp', companyId: '1' });
  if (verdict.kind !== 'refused' || verdict.code !== 'INVALID_MEDIA_URL') throw new Error(`Nobody could have looked at ${mediaUrl}`);
  return reaching.length > 0;
}

/** An independent implementation: whatwg-url parses, ipaddr.js classifies, and the rules of MED-01 are repeated here. */
function mayBeFetched(text: string): boolean {
  if (Array.from(text).length > 2048 || !text.isWellFormed()) return false;
  for (const character of text) if (/[\s\\]/.test(character) || ipControl(character)) return false;
  if (text.slice(0, 8).toLowerCase() !== 'https://') return false;
  const authority = text.slice(8).split(/[/?#]/)[0] ?? '';
  if (authority === '' || authority.startsWith(':') || authority.includes('@')) return false;
  const url = parseURL(text);
  if (url === null || url.scheme !== 'https' || url.host === null || url.host === '') return false;
  if (url.port !== null && url.port !== 80 && url.port !== 443) return false;
  return typeof url.host === 'string' || isPublic(serializeHost(url.host).replace(/[[\]]/g, ''));
}

const ipControl = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
};

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (parsed instanceof ipaddr.IPv4) return ['unicast', 'as112', 'amt'].includes(range);
  const bytes = parsed.toByteArray();
  switch (range) {
    case 'ipv4Mapped':
      return isPublic(parsed.toIPv4Address().toString());
    case 'rfc6052':
      return bytes[5] !== 1 && isPublic(bytes.slice(12).join('.'));
    case 'as112v6':
      return bytes[0] === 0x26;
    default:
      return range === 'unicast' && (bytes[0] ?? 0) >> 5 === 1;
  }
}

const octet = fc.oneof(fc.constantFrom(0, 1, 8, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255), fc.nat(255));
const quad = fc.tuple(octet, octet, octet, octet);
const inBase = (value: number, base: number): string =>
  base === 8 ? `0${value.toString(8)}` : base === 16 ? `0x${value.toString(16)}` : `${value}`;
const ipv4 = fc
  .record({ quad, bases: fc.tuple(...[0, 1, 2, 3].map(() => fc.constantFrom(10, 10, 8, 16))), parts: fc.integer({ min: 1, max: 4 }) })
  .map(({ quad, bases, parts }) => {
    const last = quad.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0);
    return [...quad.slice(0, parts - 1), last].map((part, index) => inBase(part, bases[index] ?? 10)).join('.');
  });
const ipv6 = fc.oneof(
  fc.ipV6(),
  fc
    .tuple(fc.constantFrom('::ffff:', '64:ff9b::', '64:ff9b:1::', '::', '2002:7f00:1::'), quad)
    .map(([begin, parts]) => begin + parts.join('.')),
  fc
    .tuple(fc.constantFrom('fe80', 'fd00', 'ff02', '2001:db8', '2606:4700', '2002', '2001', '3fff', '100'), fc.nat(0xffff))
    .map(([begin, end]) => `${begin}::${end.toString(16)}`),
);
/** Digits and dots that browsers take for the usual ones. */
const disguised = (host: string, draws: readonly boolean[]): string =>
  Array.from(host, (character, index) => {
    if (draws[index % draws.length] !== true) return character;
    if (character === '.') return '。';
    return /\d/.test(character) ? String.fromCodePoint(0xff10 + Number(character)) : character;
  }).join('');
const host = fc.oneof(
  fc.domain(),
  ipv4,
  fc.tuple(ipv4, fc.array(fc.boolean(), { minLength: 4, maxLength: 9 })).map(([plain, draws]) => disguised(plain, draws)),
  ipv6.chain((address) => fc.constantFrom(`[${address}]`, `[${address}]`, `[${address}%251]`, address)),
  fc.domain(),
  fc.constantFrom(
    'localhost',
    'files.example',
    'FILES.example.',
    'münchen.example',
    '%31%32%37.0.0.1',
    '1.2.3.4.5',
    '256.1.1.1',
    'a_b.example',
    'xn--a',
    '',
    '.',
  ),
);
const spelling = fc
  .record({
    scheme: fc.constantFrom(
      ...Array.from({ length: 20 }, () => 'https'),
      'HTTPS',
      'hTTps',
      'http',
      'ftp',
      'file',
      'data',
      ' https',
      'ht\ttps',
    ),
    slashes: fc.constantFrom(...Array.from({ length: 12 }, () => '://'), ':/', ':', ':\\\\', ':///', '//'),
    user: fc.constantFrom(...Array.from({ length: 20 }, () => ''), 'user@', 'u:p@', '@', '%40@'),
    host,
    end: fc.constantFrom(...Array.from({ length: 12 }, () => ''), '.', '..', '\u00ad', '\u200b', '%2e'),
    port: fc.constantFrom(
      ...Array.from({ length: 14 }, () => ''),
      ':443',
      ':80',
      ':',
      ':0443',
      ':8443',
      ':22',
      ':0',
      ':65536',
      ':٤٤٣',
      ':4 4',
    ),
    rest: fc.constantFrom(
      '',
      '/',
      '/a.png',
      '/b.jpg',
      '/a%20b',
      '/a.png?x=1#y',
      '/?a=/@',
      '/😀',
      '?q',
      '#f',
      '/@8.8.8.8/',
      '\\@8.8.8.8',
      '/a b',
      '/\0',
      '/\u0085',
      '/\ud83d',
      `/${'x'.repeat(2_030)}`,
    ),
  })
  .map(({ scheme, slashes, user, host, end, port, rest }) => scheme + slashes + user + host + end + port + rest);

describe('the address of a file', () => {
  it('is fetched or not as a second implementation decides it, however it is spelled (MED-01, P30)', { timeout: 600_000 }, async () => {
    const seen = { fetched: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(spelling, async (url) => {
        const own = await isFetched(url);
        seen[own ? 'fetched' : 'refused'] += 1;
        if (own !== mayBeFetched(url)) throw new Error(`${JSON.stringify(url)} is ${own ? '' : 'not '}fetched here, and there otherwise`);
      }),
      fewRuns(20_000),
    );
    // Both verdicts are common, so that agreement is meaningful.
    const all = seen.fetched + seen.refused;
    expect(Math.min(seen.fetched, seen.refused) / all).toBeGreaterThan(0.05);
  });
});
