// Calls of webhooks without an API key: those of nodes that verify their callers by themselves.
import { createHash } from 'node:crypto';
import { WebhookAuth } from '@hilo/nodes';
import type { HttpAnswer, HttpCall } from '../platform/http/call.ts';
import { unauthorized } from '../platform/http/errors.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { findTarget } from './find-webhook.ts';
import { handleWebhook } from './handle-webhook.ts';
import type { WebhookParts } from './read-request.ts';
import { verifyRequest } from './verify-request.ts';

/** What the address of a call names. */
export interface UnkeyedPlace {
  readonly workflowId: string;
  readonly channel: string;
  readonly nodeId: string;
  /** The address as the caller has it, with its query. */
  readonly url: string;
}

/** So many companies are looked through for the webhook of an address that names none. */
const maxCompanies = 20;

/** The query parameter that names the company: an address names none. */
const companyParameter = 'companyId';

/**
 * Answers a call without an API key.
 *
 * @returns `undefined` where no webhook of this address verifies its callers by itself
 * @throws {HttpError | HiloError} 401 for a call that is not proved, and the refusals of a webhook
 */
export async function takeUnkeyed(
  service: WebhookParts,
  traffic: Traffic,
  call: HttpCall,
  place: UnkeyedPlace,
): Promise<HttpAnswer | undefined> {
  await traffic.rateLimit?.consume(`webhooks without a key ${call.clientAddress ?? ''}`);
  const named = call.query.get(companyParameter);
  const all = service.companies.all().map(({ id }) => id);
  const asked = named === null ? (all.length > maxCompanies ? [] : all) : all.filter((id) => id === named);
  const found = (await Promise.all(asked.map(async (companyId) => findAuth(service, companyId, place)))).filter((one) => one !== undefined);
  if (found.length === 0) return undefined;
  const entry = traffic.admission.enter({ kind: 'anonymous', address: call.clientAddress });
  let body: Uint8Array;
  try {
    body = await call.readBody(entry);
  } finally {
    entry.leave();
  }
  for (const { companyId, auth } of found) {
    const credential = await service.companies.credential(companyId, auth.secret);
    const request = { headers: call.headers, query: call.query, body, url: place.url };
    const proof = credential === undefined ? undefined : verifyRequest(auth, credential, request, service.clock.now());
    if (proof === undefined) continue;
    const target = findTarget(service, companyId, { ...place, route: 'production' });
    const query = new URLSearchParams(call.query);
    for (const secret of [companyParameter, ...(auth.kind === 'query' ? [auth.name] : [])]) query.delete(secret);
    const { signature } = proof;
    const key = signature === undefined ? undefined : `signed-${createHash('sha256').update(signature).digest('hex')}`;
    return handleWebhook(service, traffic, { ...call, query, readBody: async () => body }, target, { key });
  }
  throw unauthorized('The request is not signed as this webhook asks, or its signature is too old');
}

/** How the published webhook of an address verifies its callers, where it does so by itself. */
async function findAuth({ store }: WebhookParts, companyId: string, { workflowId, nodeId }: UnkeyedPlace) {
  const latest = await store.canvases.latest(companyId, workflowId);
  const node = latest?.canvas.nodes.find(({ id, type }) => id === nodeId && type === 'webhook');
  const { data: auth } = WebhookAuth.safeParse(node?.data['auth']);
  return auth === undefined || auth.kind === 'apiKey' ? undefined : { companyId, auth };
}
