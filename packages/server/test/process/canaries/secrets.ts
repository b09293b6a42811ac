import { generateKeyPairSync } from 'node:crypto';

/** A secret that occurs nowhere else, with characters that URLs, JSON and base64 encode differently. */
export const canary = (name: string): string => `canary/${name}+7f3a&"9c"=%51`;

/** The same for what travels as a token, without quotes. */
export const token = (name: string): string => `canary/${name}+7f3a&9c=%51`;

const { privateKey: flowKeyPem, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** The keys of a bot's forms, as the service keeps them, and the public half. */
export const flowKey = { kept: JSON.stringify({ current: flowKeyPem }), publicKey };

/** Everything configured that is a secret, by its place. */
export const secrets = {
  client: canary('client'),
  apiKey: token('api-key'),
  otherKey: token('other-key'),
  log: canary('log'),
  custom: canary('custom'),
  accessToken: canary('access-token'),
  appSecret: canary('app-secret'),
  verifyToken: canary('verify-token'),
  messengerToken: canary('messenger-token'),
  botToken: canary('bot-token'),
  signingSecret: canary('signing-secret'),
  appPassword: canary('app-password'),
  consumerKey: canary('consumer-key'),
  consumerSecret: canary('consumer-secret'),
  runtimeToken: `hfn_rt_${token('runtime-token')}`,
  password: canary('password'),
  bearer: token('bearer'),
  value: token('value'),
  query: canary('query'),
  privateKey: canary('private-key'),
  passphrase: canary('passphrase'),
  adminToken: token('admin-token'),
  /** A line in the middle of the key: whoever shows the key shows it. */
  flowKey: flowKeyPem.split('\n')[9] ?? '',
} as const;

/** How a secret may be written so that it can be had back: as it is, and as URLs, JSON, hex and base64 write it. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encoded,
    encoded.toLowerCase(),
    encodeURI(secret),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => base64At(bytes, shift)),
  ];
}

/** Base64 of a secret at this offset after a group of three bytes, without the characters that it shares with its neighbours. */
function base64At(bytes: Buffer, shift: number): readonly string[] {
  const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3)).toString('base64');
  const own = whole.slice(shift === 0 ? 0 : 4);
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

/** The secrets that can be read in some bytes, by their names. */
export function readableIn(bytes: Buffer, known: { readonly [name: string]: string } = secrets): readonly string[] {
  const found = Object.entries(known).flatMap(([name, secret]) =>
    spellings(secret).flatMap((spelling) => {
      const at = bytes.indexOf(spelling);
      return at === -1 ? [] : [`${name}: …${bytes.subarray(Math.max(0, at - 80), at + spelling.length).toString()}`];
    }),
  );
  return [...new Set(found)];
}
