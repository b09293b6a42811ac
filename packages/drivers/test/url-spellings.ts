import fc from 'fast-check';

/** The same digit or dot, as URLs can be written. */
const disguises: { readonly [character: string]: readonly string[] } = {
  '.': ['.', '．', '。', '｡', '%2e', '%E3%80%82'],
  ...Object.fromEntries(
    Array.from('0123456789', (digit) => [
      digit,
      [digit, String.fromCodePoint(0xff10 + Number(digit)), `%3${digit}`, String.fromCodePoint(0x1d7ce + Number(digit))],
    ]),
  ),
};

const octet = fc.oneof(fc.constantFrom(0, 1, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255), fc.nat(255));
const ipv4 = fc.tuple(octet, octet, octet, octet);

const radix = (value: number, base: number): string =>
  base === 8
    ? `0${value.toString(8)}`
    : base === 16
      ? `0x${value.toString(16)}`
      : base === 17
        ? `0X${value.toString(16).toUpperCase()}`
        : String(value);
const base = fc.constantFrom(10, 10, 8, 16, 17);

/** An IPv4 address in one to four parts, each in any base. */
const ipv4Spelling = fc.tuple(ipv4, fc.integer({ min: 1, max: 4 }), fc.tuple(base, base, base, base)).map(([octets, parts, bases]) => {
  const last = octets.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0);
  return [...octets.slice(0, parts - 1), last].map((part, index) => radix(part, bases[index] ?? 10)).join('.');
});

const group = fc.oneof(
  fc.constantFrom('0', '0000', '1', 'ffff', 'FFFF', '64', 'ff9b', '2001', '2002', 'fe80', 'fd00', 'db8'),
  fc.nat(0xffff).map((part) => part.toString(16)),
);
const ipv6Prefix = fc.constantFrom(
  '::ffff:',
  '::FFFF:',
  '0:0:0:0:0:ffff:',
  '64:ff9b::',
  '64:ff9b:1::',
  '2002:',
  '::',
  '::ffff:0:',
  '2001::',
  '2001:db8::',
  'fe80::',
  '2606:4700::',
);
const ipv6Spelling = fc
  .oneof(
    fc.tuple(ipv6Prefix, ipv4).map(([prefix, octets]) => prefix + octets.join('.')),
    fc.tuple(ipv6Prefix, group, group).map(([prefix, high, low]) => `${prefix}${high}:${low}`),
    fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
    fc.array(group, { minLength: 1, maxLength: 6 }).map((groups) => `${groups.join(':')}::`),
    fc.ipV6(),
  )
  .chain((address) => fc.constantFrom(`[${address}]`, `[${address}]`, `[${address}%25eth0]`, `[${address}%lo]`, address));

const name = fc.constantFrom(
  'api.test',
  'localhost',
  'API.Test.',
  'bücher.test',
  'xn--bcher-kva.test',
  '127.0.0.1.nip.test',
  'a_b.test',
  '0x7f.test',
  '1.2.3.4.5',
  'ⓛocalhost',
  '',
);

/** A host with some of its characters in disguise. */
const disguised = fc.tuple(fc.oneof(ipv4Spelling, name), fc.array(fc.nat(11), { minLength: 16, maxLength: 16 })).map(([host, draws]) =>
  Array.from(host, (character, index) => {
    const draw = draws[index % draws.length] ?? 0;
    return disguises[character]?.[draw > 5 ? 0 : draw % 4] ?? character;
  }).join(''),
);

const host = fc
  .oneof(
    { weight: 3, arbitrary: ipv4Spelling },
    { weight: 3, arbitrary: disguised },
    { weight: 3, arbitrary: ipv6Spelling },
    { weight: 1, arbitrary: name },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  )
  .chain((spelling) =>
    fc.constantFrom(spelling, spelling, spelling, `${spelling}.`, `${spelling}..`, `\t${spelling}`, spelling.toUpperCase()),
  );

/** URLs as an attacker writes them: every base, digit, dot, slash and port that some parser reads otherwise. */
export const urlSpelling: fc.Arbitrary<string> = fc
  .record({
    scheme: fc.constantFrom('http', 'https', 'http', 'https', 'HTTPS', 'hTtP', 'ftp', 'file', 'h\nttp', ' http'),
    slashes: fc.constantFrom('://', '://', '://', '://', ':\\\\', ':/\\', ':', ':/', ':////', '//'),
    user: fc.constantFrom('', '', '', '', '', '', '', 'user@', ':p@', '@', 'a:b@', 'api.test@', '%61@'),
    host,
    port: fc.constantFrom('', '', '', '', '', ':', ':80', ':443', ':0080', ':8080', ':22', ':０', ':65536', ':4 43', ':80\t'),
    rest: fc.constantFrom('', '/', '/a', '?q', '#f', '\\a', '/@8.8.8.8', '#@8.8.8.8', '?@8.8.8.8/', '%2f', '\0', '/../', ' '),
  })
  .map(({ scheme, slashes, user, host: spelling, port, rest }) => scheme + slashes + user + spelling + port + rest);
