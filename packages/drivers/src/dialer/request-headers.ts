import { type DialerError, DriverError } from '../driver-error.ts';

/** Header names in small letters with their values. */
export type Headers = { readonly [name: string]: string };

/** Headers of the connection, which the dialer sets itself (RFC 9110, 7.6.1), and those with the host and the length of the request. */
const ofTheConnection = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What opens the metadata services of clouds. */
const ofMetadataServices = [
  'metadata',
  'metadata-flavor',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
  'x-google-metadata-request',
];

const refused: ReadonlySet<string> = new Set([...ofTheConnection, ...ofMetadataServices]);

/**
 * The caller's headers, with lower-case names.
 *
 * @throws {DriverError} `EGRESS_REFUSED` for a forbidden header: refused and never repaired (T11, T16)
 */
export function readHeaders(headers: Headers): Headers {
  const read = new Map<string, string>();
  for (const [asked, value] of Object.entries(headers)) {
    const name = asked.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,200}$/.test(name)) throw refusal('A header has a name that no header can have');
    if (refused.has(name)) throw refusal(`The header "${name}" cannot be set`);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw refusal(`The value of the header "${name}" has a character that no header can have`);
    if (read.has(name)) throw refusal(`The header "${name}" is given twice`);
    read.set(name, value);
  }
  return Object.fromEntries(read);
}

const refusal = (message: string): DialerError => new DriverError('EGRESS_REFUSED', message);
