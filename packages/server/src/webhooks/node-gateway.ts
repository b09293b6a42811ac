import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer } from '../platform/http/errors.ts';
import { companyOfKey, keyCredential } from '../platform/http/auth/api-key-auth.ts';
import { keyedAnswerHeaders, noteRequest, securityHeaders } from '../platform/http/envelope.ts';
import { readIncoming } from '../platform/http/read-body.ts';
import { hostOf } from '../platform/http/socket-address.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { type GatewayAnswer, type GatewayCall, jsonAnswer, type WebhookParts } from './read-request.ts';
import { type Target, targetOf } from './find-webhook.ts';
import { handleWebhook } from './handle-webhook.ts';

/** Answers a request of Node's own server, or leaves it alone. @returns whether it is answered here */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * The gateway's two webhook routes directly on Node.js requests and responses: the same authentication and handler as in the framework,
 * without the objects that it allocates for each request. Unusual URLs are left to the framework.
 */
export function createNodeGateway(service: WebhookParts, traffic: Traffic): NodeHandler {
  return (incoming, outgoing) => {
    const address = addressOf(incoming);
    if (address === undefined) return false;
    void answer(service, traffic, { incoming, outgoing, address });
    return true;
  };
}

interface Address extends Pick<Target, 'route' | 'workflowId' | 'nodeId'> {
  readonly channel: string;
  readonly path: string;
  /** With its question mark; empty without one. */
  readonly query: string;
}

/** Letters, digits and signs that no part of a path is read otherwise for: none is encoded. */
const webhookUrl =
  /^(\/workflows\/v2\/webhooks\/skill\/([\w.~:@!$&'()*+,;=-]+)\/([\w-]+)\/(test\/)?([\w.~:@!$&'()*+,;=-]+))(\?[\x21\x22\x24-\x7e]*)?$/;

function addressOf({ url = '', headers }: IncomingMessage): Address | undefined {
  const [, path, workflowId, channel, test, nodeId, query = ''] = webhookUrl.exec(url) ?? [];
  if (path === undefined || workflowId === undefined || channel === undefined || nodeId === undefined) return undefined;
  if (hostOf(headers.host) === undefined) return undefined;
  return { path, workflowId, channel, nodeId, query, route: test === undefined ? 'production' : 'test' };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly address: Address;
}

async function answer(service: WebhookParts, traffic: Traffic, { incoming, outgoing, address }: Exchange): Promise<void> {
  const [requestId, startedAt] = [randomUUID(), performance.now()];
  const method = incoming.method ?? 'GET';
  const answered = await handleAuthenticated(service, traffic, { incoming, outgoing, address }).catch((error: unknown): GatewayAnswer => {
    const { status, headers, body } = errorAnswer(error, service.log, { requestId, surface: 'gateway' });
    return jsonAnswer(status, body, headers);
  });
  const { status, headers, text } = answered;
  if (!incoming.complete) outgoing.shouldKeepAlive = false; // the rest of its body is not read: the connection ends with the answer
  outgoing.writeHead(status, {
    ...before,
    ...headers,
    ...after,
    'x-request-id': requestId,
    ...(mayHaveBody(status) && { 'content-length': Buffer.byteLength(text ?? '') }),
  });
  outgoing.end(text ?? undefined);
  noteRequest(service.log, traffic.requests, { requestId, surface: 'gateway', status, method, path: address.path, startedAt });
}

/** Behind the doors of every gateway route: the key, then how often it comes. */
async function handleAuthenticated(
  service: WebhookParts,
  traffic: Traffic,
  { incoming, outgoing, address }: Exchange,
): Promise<GatewayAnswer> {
  const headers = headersOf(incoming.rawHeaders);
  const key = headers['x-api-key'];
  const companyId = companyOfKey(service, key);
  if (traffic.rateLimit !== undefined) await traffic.rateLimit.consume(keyCredential(key));
  const call: GatewayCall = {
    method: incoming.method ?? 'GET',
    headers,
    query: new URLSearchParams(address.query),
    readBody: (entry) => readIncoming(incoming, outgoing, entry),
  };
  const { route, workflowId, channel, nodeId } = address;
  return handleWebhook(service, traffic, call, targetOf(service, companyId, { route, workflowId, channel, nodeId }));
}

/** As `Headers` has them, walked through once. */
function headersOf(raw: readonly string[]): GatewayCall['headers'] {
  const headers: { [name: string]: string } = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = known === undefined ? value : `${known}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}

/** Headers that an answer may override, and headers that it may not. */
const [before, after] = [Object.fromEntries(securityHeaders), Object.fromEntries(keyedAnswerHeaders)];

const mayHaveBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;
