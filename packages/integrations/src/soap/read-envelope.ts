// Reads the envelope of a SOAP answer.
import { MIMEType } from 'node:util';
import { fits, type Json } from '@hilo/engine/contract';
import type { callSoap } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { DriverError } from '@hilo/drivers';
import { envelopeNamespaces, convertToJson, readXml, type XmlElement } from './read-xml.ts';

type Version = z.output<typeof callSoap.request>['version'];
type Fault = Extract<z.output<typeof callSoap.result>, { readonly kind: 'fault' }>['fault'];

/** The body of an envelope, and its fault if any. */
interface Envelope {
  readonly body: Json;
  readonly fault: Fault | undefined;
}

/** @throws {DriverError} */
export async function readEnvelope(text: string, version: Version): Promise<Envelope> {
  const root = await readXml(text);
  const { namespace } = root;
  if (root.name !== 'Envelope' || !Object.values(envelopeNamespaces).includes(namespace)) {
    throw new DriverError('no-envelope', `The answer is an element "${root.name.slice(0, 100)}" and no SOAP envelope`);
  }
  const element = findChild(root, 'Body', namespace);
  if (element === undefined) throw new DriverError('no-envelope', 'The envelope of the answer has no body');
  const fault = findChild(element, 'Fault', namespace);
  // A service that does not support the version of a call answers in one that it does.
  if (namespace !== envelopeNamespaces[version] && fault === undefined) {
    throw new DriverError('other-version', `The answer is of another version than ${version}: call the service in that one`);
  }
  const body = element.children.length === 0 ? {} : convertToJson(element);
  if (!fits(body)) throw new DriverError('too-deep', 'The answer has more levels or names than a value may have');
  return { body, fault: fault && (namespace === envelopeNamespaces['1.1'] ? fault11(fault) : fault12(fault, namespace)) };
}

/** SOAP 1.1, 4.4: its parts have no namespace, but those of services that add one are understood. */
function fault11(fault: XmlElement): Fault {
  const [code, message, actor, detail] = ['faultcode', 'faultstring', 'faultactor', 'detail'].map((name) => findChild(fault, name));
  return {
    code: local(code),
    message: sentence(message),
    ...(actor !== undefined && { actor: actor.text.trim() }),
    ...(detail !== undefined && { detail: convertToJson(detail) }),
  };
}

/** SOAP 1.2, 5.4. */
function fault12(fault: XmlElement, namespace: string): Fault {
  const [code, reason, role, detail] = ['Code', 'Reason', 'Role', 'Detail'].map((name) => findChild(fault, name, namespace));
  const subcode = code && findChild(code, 'Subcode', namespace);
  return {
    code: local(code && findChild(code, 'Value', namespace)),
    ...(subcode !== undefined && { subcode: local(findChild(subcode, 'Value', namespace)) }),
    message: sentence(reason && findChild(reason, 'Text', namespace)),
    ...(role !== undefined && { actor: role.text.trim() }),
    ...(detail !== undefined && { detail: convertToJson(detail) }),
  };
}

/** The first child of this name; of any namespace, where none is named. */
const findChild = ({ children }: XmlElement, name: string, namespace?: string): XmlElement | undefined =>
  children.find((child) => child.name === name && (namespace === undefined || child.namespace === namespace));

/** A qualified name without its prefix, which only the envelope explains. */
const local = (element: XmlElement | undefined): string => (element?.text ?? '').trim().replace(/^[^:]*:/, '');

const sentence = (element: XmlElement | undefined): string => {
  const text = (element?.text ?? '').trim();
  return text === '' ? 'The service answered with a fault and did not say why' : text.slice(0, 1_000);
};

/**
 * The text of an XML document (RFC 7303): the encoding is that of its byte order mark, the content type or its own declaration, in this
 * order, and otherwise UTF-8.
 *
 * @throws {DriverError} `not-xml` for another content type, `malformed` for bytes that do not decode
 */
export function decodeXml(bytes: Uint8Array, contentType: string | undefined): string {
  const type = parse(contentType);
  if (type !== undefined && type.subtype !== 'xml' && !type.subtype.endsWith('+xml')) {
    throw new DriverError('not-xml', `The answer is of type ${type.essence.slice(0, 100)} and no XML`);
  }
  const encoding = encodingOfMark(bytes) ?? type?.params.get('charset') ?? declaredEncoding(bytes) ?? 'utf-8';
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

const encodingOfMark = ([first, second]: Uint8Array): string | undefined =>
  first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : undefined;

const declaredEncoding = (bytes: Uint8Array): string | undefined =>
  /^<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1];
