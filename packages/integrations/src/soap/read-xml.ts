// Reads the XML of SOAP, part by part so that others get their turn, and makes JSON of it.
import { setImmediate } from 'node:timers/promises';
import { type Json, limits } from '@hilo/engine/contract';
import type { SoapVersion } from '@hilo/nodes/effects';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { z } from 'zod';
import { DriverError } from '@hilo/drivers';

type Version = z.output<typeof SoapVersion>;

/** The namespace of each version's envelope. */
export const envelopeNamespaces: { readonly [V in Version]: string } = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

/** A parsed element. */
export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isNil: boolean;
  readonly children: XmlElement[];
  text: string;
}

/** How much is parsed before others get their turn (P20). */
const sliceChars = 8 * 1024;

/** A value may not be deeper. */
const maxDepth = limits.depth;

/**
 * Parses XML completely. Only the five predefined entities are supported, and a document type declaration is refused (T14). Excess depth,
 * elements or attributes fail as soon as they are found.
 *
 * @throws {DriverError}
 */
export async function readXml(text: string): Promise<XmlElement> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  const add = (more: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += more;
  };
  const counted = (): void => {
    count += 1;
    if (count > limits.keys) throw new DriverError('too-many', `The answer has more than ${limits.keys} elements and attributes`);
  };

  parser.on('doctype', () => {
    throw new DriverError('dtd', 'The answer declares a document type, which is never read');
  });
  parser.on('error', (error) => {
    throw new DriverError('malformed', `The answer is no well-formed XML: ${error.message.slice(0, 200)}`);
  });
  parser.on('attribute', counted);
  parser.on('opentagstart', counted);
  parser.on('opentag', (tag) => {
    if (open.length >= maxDepth) throw new DriverError('too-deep', `The elements of the answer are nested more than ${maxDepth} deep`);
    const element = createElement(tag);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  for (let from = 0; from < text.length; from += sliceChars) {
    if (from > 0) await setImmediate();
    parser.write(text.slice(from, from + sliceChars));
  }
  parser.close();
  if (root === undefined) throw new DriverError('malformed', 'The answer has no element');
  return root;
}

function createElement({ local, uri, attributes }: SaxesTagNS): XmlElement {
  const said = Object.values(attributes).filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns');
  const isOfInstance = (attribute: (typeof said)[number]): boolean => attribute.uri === instanceNamespace;
  return {
    name: local,
    namespace: uri,
    attributes: said.filter((attribute) => !isOfInstance(attribute)).map((attribute) => [attribute.local, attribute.value]),
    isNil: said.some((attribute) => isOfInstance(attribute) && attribute.local === 'nil' && /^\s*(?:true|1)\s*$/.test(attribute.value)),
    children: [],
    text: '',
  };
}

/**
 * An element as JSON: a text, or an object of `@attributes`, `#text` and elements where it has any; a list where several
 * have one name; null for `xsi:nil`. Names are without prefix, and values the texts they are.
 */
export function convertToJson({ attributes, isNil, children, text }: XmlElement): Json {
  if (isNil) return null;
  if (attributes.length === 0 && children.length === 0) return text;
  const members = new Map<string, Json>(attributes.map(([name, value]) => [`@${name}`, value]));
  if (/[^ \t\r\n]/.test(text)) members.set('#text', text); // the white space of XML, and no other
  for (const [name, items] of Map.groupBy(children, (child) => child.name)) {
    const values = items.map(convertToJson);
    const [only] = values;
    members.set(name, only === undefined || values.length > 1 ? values : only);
  }
  return Object.fromEntries(members);
}
