import type { Variables } from '@hilo/engine/contract';
import type { z } from 'zod';
import type { httpRequest } from '../effects/http-request.ts';
import { renderFields } from '../render-fields.ts';
import { type ApiConfig, chooseBodyKind, checkBody, isHeaderValue, namedFile } from './config.ts';

/** A call with all of its values, or why it cannot be made. */
type Rendered =
  | { readonly kind: 'request'; readonly request: Omit<z.output<typeof httpRequest.request>, 'timeoutMs'> }
  | { readonly kind: 'refused'; readonly cause: string; readonly message: string };

/** Renders the request of an `api` node. */
export function renderRequest(config: ApiConfig, variables: Variables): Rendered {
  const headers = renderFields(config.headers, variables);
  const broken = findBrokenHeader(headers);
  if (broken !== undefined) return { kind: 'refused', cause: 'INVALID_HEADER', message: broken };
  const bodyKind = chooseBodyKind(config);
  const body = config.body?.(variables);
  const problem = body === undefined ? undefined : checkBody(bodyKind, body);
  if (problem !== undefined) return { kind: 'refused', cause: 'INVALID_BODY', message: problem };

  const { method, responseType, auth, clientCertificate } = config;
  return {
    kind: 'request',
    request: {
      method,
      url: addQuery(config.url(variables), renderFields(config.query, variables)),
      headers,
      bodyKind,
      ...(body !== undefined && { body: bodyKind === 'file' ? namedFile(body) : body }),
      responseType,
      ...(auth !== undefined && { credentialId: auth.credentialId }),
      ...(clientCertificate !== undefined && { clientCertificateId: clientCertificate.credentialId }),
    },
  };
}

/** Why headers cannot be sent, or `undefined`. */
export function findBrokenHeader(headers: { readonly [name: string]: string }): string | undefined {
  const broken = Object.keys(headers).find((name) => !isHeaderValue(headers[name] ?? ''));
  return broken === undefined ? undefined : `The value of header "${broken}" has a character that no header can have`;
}

/** A URL with names and values added to its query, encoded. A fragment is dropped: it is never sent. */
function addQuery(url: string, query: { readonly [name: string]: string }): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`);
  if (pairs.length === 0) return url;
  const [address = ''] = url.split('#', 1);
  return `${address}${address.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Half a surrogate pair has no encoding, and becomes U+FFFD as everywhere on the web. */
const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());
