import { MIMEType } from 'node:util';
import { DriverError } from '../driver-error.ts';

/**
 * The text of an XML document (RFC 7303): its byte order mark, the content type and its own declaration say the encoding,
 * in this order, and it is UTF-8 otherwise.
 *
 * @throws {DriverError} `not-xml` for another content type, `malformed` for bytes that are no such text
 */
export function decodeXml(bytes: Uint8Array, contentType: string | undefined): string {
  const type = parse(contentType);
  if (type !== undefined && type.subtype !== 'xml' && !type.subtype.endsWith('+xml')) {
    throw new DriverError('not-xml', `The answer is of type ${type.essence.slice(0, 100)} and no XML`);
  }
  const encoding = marked(bytes) ?? type?.params.get('charset') ?? declared(bytes) ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DriverError('malformed', `The answer is no text in ${encoding.slice(0, 40)}`, { cause: error });
  }
}

function parse(contentType: string | undefined): MIMEType | undefined {
  try {
    return contentType === undefined ? undefined : new MIMEType(contentType);
  } catch {
    return undefined; // no type: what it holds decides
  }
}

const marked = ([first, second]: Uint8Array): string | undefined =>
  first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : undefined;

const declared = (bytes: Uint8Array): string | undefined =>
  /^<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1];
