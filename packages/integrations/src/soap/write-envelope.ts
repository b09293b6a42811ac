import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import type { callSoap } from '@hilo/nodes/effects';
import XMLBuilder from 'fast-xml-builder';
import type { z } from 'zod';
import { envelopeNamespaces, instanceNamespace } from './read-xml.ts';

/** An element in the library's form: its name has its content, and `:@` its attributes. */
type Node = { readonly [name: string]: readonly Node[] | string | { readonly [attribute: string]: string } };

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  processEntities: false, // see `formatText`
  sanitizeName(name) {
    throw new TypeError(`"${name}" is no name of XML`); // the node has looked at each name
  },
});

type Asked = Pick<z.output<typeof callSoap.request>, 'version' | 'namespaces' | 'header' | 'body'>;

/** Writes an envelope. Every value is a text in it, and never markup. @param security - a further element of its header */
export function writeEnvelope({ version, namespaces, header = {}, body }: Asked, security: JsonObject | undefined): string {
  const declared = Object.entries({
    soap: envelopeNamespaces[version],
    xsi: instanceNamespace,
    xsd: 'http://www.w3.org/2001/XMLSchema',
    ...namespaces,
  }).map(([prefix, namespace]): [string, string] => [`@xmlns:${prefix}`, namespace]);
  const inHeader = { ...security, ...header };
  const envelope: JsonObject = {
    'soap:Envelope': {
      ...Object.fromEntries(declared),
      ...(Object.keys(inHeader).length > 0 && { 'soap:Header': inHeader }),
      'soap:Body': body,
    },
  };
  return `<?xml version="1.0" encoding="utf-8"?>${builder.build(createElements(envelope))}`;
}

const createElements = (object: JsonObject): readonly Node[] =>
  Object.entries(object).flatMap(([key, value]) => {
    if (key === '#text') return [{ '#text': formatText(value) }];
    if (key.startsWith('@')) return [];
    return (Array.isArray(value) ? (value as readonly Json[]) : [value]).map((item) => createElement(key, item));
  });

function createElement(name: string, value: Json): Node {
  if (value === null) return { [name]: [], ':@': { 'xsi:nil': 'true' } };
  if (!isJsonObject(value)) return { [name]: [{ '#text': formatText(value) }] };
  const attributes = Object.entries(value).filter(([key]) => key.startsWith('@'));
  return { [name]: createElements(value), ':@': Object.fromEntries(attributes.map(([key, item]) => [key.slice(1), formatText(item)])) };
}

/** A value as text. Line ends and tabs are written as numbers: else a reader may make others of them. */
const formatText = (value: Json): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
