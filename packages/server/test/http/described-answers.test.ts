import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { scheduledStarts } from '../../src/platform/tables/schedules.ts';
import { migrateJob } from '../../src/workflows/migrate-jobs.ts';
import type { RouteExample } from '../../src/platform/http/define-route.ts';
import { listRoutes } from '../../src/platform/http/mount-routes.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { type Described, type DescribedOperation, judgeBy } from './judge-answers.ts';

// Every operation of the interface's description is called with its example, without its credential, and with parameters and fields
// that are missing or wrong; each answer must be one that the description declares, and no answer is a fault of the service.

interface Route extends DescribedOperation {
  readonly shown: RouteExample;
}

/** One call of a route, and what is special about it. */
interface Call {
  readonly label: string;
  /** Path parameters, encoded. */
  readonly names: Texts;
  readonly query: string;
  readonly headers: Texts;
  readonly body: string | undefined;
  readonly hasCredential: boolean;
}

type Texts = { readonly [name: string]: string };

const strangeTexts = ['', '-1', '99999999999999999999', '%00', 'a'.repeat(300), '..%2F..', '__proto__'];
const strangeValues: readonly Json[] = [null, -1.5, '\u0000', [[]], { a: { b: 1 } }, '\ud800'];
const strangeBodies = ['', '{', 'null', '[]', '1', '{}', '['.repeat(200) + ']'.repeat(200), '{"__proto__":{"x":1}}', '{"unknownField":1}'];

const keys = { admin: 'admin-token-of-the-tests', platform: 'hk_acme_0123456789abcdef', client: 'acme-client:s3c:ret-of-acme' };

/** Headers of the credentials, by the name of the security scheme. */
const credentialsWith =
  (visitor: string) =>
  (scheme: string, body: string): Texts => {
    const signature = createHmac('sha256', 'inbound-secret-wa').update(body).digest('hex');
    const headers: { readonly [scheme: string]: Texts } = {
      apiKey: { 'x-api-key': keys.platform },
      platformKey: { authorization: `Bearer ${keys.platform}` },
      basic: { authorization: `Basic ${btoa(keys.client)}` },
      adminToken: { authorization: `Bearer ${keys.admin}` },
      providerSignature: { 'x-hub-signature-256': `sha256=${signature}` },
      visitor: { authorization: `Bearer ${visitor}` },
    };
    return headers[scheme] ?? {};
  };

const example = 'the example';

/** The calls of a route: its example first. @param ids - path parameters that exist, by name */
function* callsOf({ shown, ...route }: Route, ids: Texts): Generator<Call> {
  const given = { ...shown.path, ...ids };
  const names = Object.fromEntries(
    Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, encodeURIComponent(given[name] ?? 'unknown')]),
  );
  const takesBody = route.requestBody !== undefined && route.method !== 'get';
  const body = !takesBody || shown.body === undefined ? undefined : textOf(shown.body);
  const type = shown.contentType ?? Object.keys(route.requestBody?.content ?? {})[0] ?? 'application/json';
  const query = new URLSearchParams(shown.query).toString();
  const headers = { ...shown.headers, ...(body !== undefined && { 'content-type': type }) };
  const valid: Call = { label: example, names, query, headers, body, hasCredential: true };
  yield valid;
  yield { ...valid, label: 'no credential', hasCredential: false };
  yield { ...valid, label: 'an unknown query', query: `${query}&unknown=1&__proto__=2` };
  for (const name of Object.keys(names))
    for (const text of strangeTexts) {
      const value = text === '' ? 'unknown' : text.startsWith('%') || text.startsWith('..') ? text : encodeURIComponent(text);
      yield { ...valid, label: `${name} in the path: ${text.slice(0, 20)}`, names: { ...names, [name]: value } };
    }
  for (const { name } of route.parameters?.filter((parameter) => parameter.in === 'query') ?? []) {
    const withValues = (...values: readonly string[]): string => {
      const changed = new URLSearchParams(query);
      changed.delete(name);
      for (const value of values) changed.append(name, value);
      return changed.toString();
    };
    yield { ...valid, label: `no ${name} in the query`, query: withValues() };
    yield { ...valid, label: `${name} in the query twice`, query: withValues('1', '2') };
    for (const text of strangeTexts) yield { ...valid, label: `${name} in the query: ${text.slice(0, 20)}`, query: withValues(text) };
  }
  if (!takesBody) return;
  for (const etag of route.parameters?.some(({ name }) => name === 'if-match') === true ? ['"9"', '*', 'no ETag'] : [])
    for (const workflowId of [names['workflowId'] ?? '', 'unknown']) {
      const renamed = isJsonObject(shown.body as Json) ? textOf({ ...(shown.body as JsonObject), id: workflowId }) : body;
      const kept = { ...headers, 'if-match': etag };
      yield { ...valid, label: `If-Match: ${etag}, ${workflowId}`, names: { ...names, workflowId }, headers: kept, body: renamed };
    }
  yield { ...valid, label: 'a body of another type', headers: { ...headers, 'content-type': 'text/html' } };
  for (const text of strangeBodies) yield { ...valid, label: `the body ${text.slice(0, 30)}`, body: text };
  for (const [field, changed] of changedFields(shown.body)) yield { ...valid, label: `another ${field}`, body: textOf(changed) };
}

function textAt(answer: JsonObject, name: string): string {
  const text = answer[name];
  if (typeof text !== 'string') throw new Error(`${name} is no text: ${JSON.stringify(answer)}`);
  return text;
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Copies of a body in which one field, at most three levels deep, is missing or of another kind. */
function* changedFields(value: unknown, depth = 0): Generator<readonly [field: string, changed: unknown]> {
  if (!isJsonObject(value as Json) || depth > 2) return;
  const fields = value as JsonObject;
  for (const [name, inner] of Object.entries(fields)) {
    const { [name]: _left, ...others } = fields;
    yield [name, others];
    for (const strange of strangeValues) yield [`${name}: ${JSON.stringify(strange).slice(0, 20)}`, { ...fields, [name]: strange }];
    for (const [field, changed] of changedFields(inner, depth + 1)) yield [`${name}.${field}`, { ...fields, [name]: changed }];
  }
}

/** One call in so many is made, by the seed; all are, with HILO_CALLS=all. */
const oneIn = process.env['HILO_CALLS'] === 'all' ? 1 : inject('takesAll') ? 4 : 24;
const part = Math.abs(fc.readConfigureGlobal().seed ?? 0) % oneIn;

/** How the examples are answered that need more than is there. */
const refused: { readonly [route: string]: number } = {
  'patch /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}': 405,
  'delete /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}': 405,
  'patch /workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}': 405,
  'delete /workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}': 405,
  'patch /v1/webhook/{webhookId}': 405,
  'delete /v1/webhook/{webhookId}': 405,
  'get /channels/{botId}/webhook': 403, // the bot of the example is of a provider that does not ask
  'get /chat/{botId}/files/{fileId}': 404,
  'get /files/{token}': 404,
  'get /admin/v1/files/{id}': 404,
  'delete /admin/v1/companies/{companyId}/files/{id}': 404,
  'patch /admin/v1/workflows/{workflowId}/comments/{commentId}': 404,
  'delete /admin/v1/workflows/{workflowId}/comments/{commentId}': 404,
  ...Object.fromEntries(['get', 'post', 'put', 'patch', 'delete'].map((method) => [`${method} /workflows/v2/resume/{token}`, 404])),
  'get /payments/test/{checkoutId}': 404,
  'post /payments/test/{checkoutId}': 404,
  'post /payments/callbacks/{companyId}/{credentialId}': 401,
  'get /admin/v1/payments/{checkoutId}': 404,
  'post /admin/v1/conversations/{conversationId}/messages': 400, // the user has not written
  'post /admin/v1/executions/{executionId}/retry': 409, // that of the example is open
  'post /admin/v1/bots/{botId}/flow-key': 409, // the provider of the example has no forms
  'post /admin/v1/bots/{botId}/messages/{messageId}/again': 404, // nothing was set aside
  'post /channels/{botId}/flows/{workflowId}': 432, // nor does it sign what they ask
  'post /admin/v1/bots/{botId}/templates/sync': 409, // nor an interface for templates
  'post /admin/v1/companies/{companyId}/templates': 409,
  'post /admin/v1/companies/{companyId}/templates/{id}/submit': 409,
  'post /admin/v1/companies/{companyId}/credentials/{credentialId}/login': 404, // the company of the example logs in nowhere
  'post /admin/v1/credentials/login': 422,
  'post /admin/v1/mcp/tools': 409, // nor is there a server at the address of the example
  'post /admin/v1/functions/{functionId}/tokens': 410, // always (TOK-02)
  'post /admin/v1/jobs/{jobId}/undo': 409, // it has not ended
  'post /admin/v1/login': 401,
  'post /admin/v1/tokens/{adminTokenId}/revoke': 404, // the example has no token
};

it(
  'every answer is one that the description of the interface declares',
  { timeout: 300_000 },
  withPlace(async ({ open }) => {
    const service = await open({ rateLimit: 1_000_000 });
    await service.importWorkspace({ workspace: await inlineExample() });
    const script = new Uint8Array([0x3b]); // a clean checkout has not built the script of the chat
    const widget = { script, compressed: new Uint8Array(gzipSync(script)), etag: '"any"' };
    const app = createApp({ ...service, ...(service.chat !== undefined && { chat: { ...service.chat, widget } }) });
    const document = (await describeInterface(app)) as unknown as Described;
    const judge = judgeBy(document);

    const post = async (path: string, headers: Texts, body: Json): Promise<JsonObject> => {
      const response = await app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Json;
      if (!response.ok || !isJsonObject(answer)) throw new Error(`${path} ${response.status}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const user = { id: '5215512345678' };
    let headersOf = credentialsWith('');
    let made = 0;
    /** Ids of an execution, a message and a conversation that were made for one route. */
    const ids = async ({ security = [] }: Route): Promise<Texts> => {
      made += 1;
      // One for every route would be more than one network may begin in a second, on a fast machine.
      if (security.some((schemes) => 'visitor' in schemes))
        headersOf = credentialsWith(textAt(await post('/chat/bot_chat/session', {}, {}), 'token'));
      const execution = await post('/workflows/v2/webhooks/skill/payment-once/whatsapp/wo1', headersOf('apiKey', ''), {
        user,
        number: 'A-17',
        amount: '12.50',
        receipt: 'https://example.com/a-17.pdf',
      });
      const message = await post('/v1/bots/bot_wa/messages', headersOf('basic', ''), { type: 'text', userId: user.id, text: 'Hello' });
      const conversation = await post('/admin/v1/conversations?companyId=1', headersOf('adminToken', ''), {
        botId: 'bot_wa',
        userId: String(5_215_500_000_000 + made),
        operatorId: 10,
      });
      await service.store.runner.write(
        scheduledStarts.insert([
          {
            companyId: '1',
            id: '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e',
            workflowId: 'order-status',
            audience: null,
            botId: '',
            userId: '',
            inputs: {},
            status: 'waiting',
            dueAtMs: Date.UTC(2031, 11, 1),
            graceMs: 3_600_000,
            times: 1,
            createdBy: 'operator maria',
            createdAtMs: Date.UTC(2031, 2, 3),
          },
        ]),
      );
      const { jobId } = await service.jobs.ask(migrateJob, {
        companyId: '1',
        spec: { workflowId: 'order-status', migration: { from: 'any', to: 1 }, accept: ['same'] },
        createdBy: 'operator maria',
        notBeforeMs: Date.UTC(2099, 0, 1),
      });
      const [kept] = (await service.subscriptions?.all('1')) ?? [];
      const asked = { url: 'https://example.com/hook', events: ['job.ended'], paused: true };
      const subscriptionId = kept?.id ?? (await service.subscriptions?.add('1', asked))?.subscription.id ?? '';
      return {
        jobId,
        subscriptionId,
        startId: '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e',
        executionId: textAt(execution, 'executionId'),
        messageId: textAt(message, 'messageId'),
        conversationId: textAt(conversation, '_id'),
        webhookId: 'wo1',
        step: '0', // the only one for certain: over Restate a start is answered before its first advance
      };
    };

    const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, operation]): Route => ({
          ...operation,
          path,
          method,
          shown: listRoutes(app).get(`${method.toUpperCase()} ${path}`)?.example ?? {},
        }),
      ),
    );
    const findings = new Set<string>();
    const statuses = new Map<string, number>();
    let calls = 0;
    const send = async (route: Route, call: Call): Promise<void> => {
      calls += 1;
      const [scheme = ''] = Object.keys(route.security?.[0] ?? {});
      const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => call.names[name] ?? '');
      const response = await app.request(`${path}?${call.query}`, {
        method: route.method.toUpperCase(),
        headers: { ...(call.hasCredential && headersOf(scheme, call.body ?? '')), ...call.headers },
        ...(call.body !== undefined && { body: call.body }),
      });
      const name = `${route.method} ${route.path}`;
      if (!statuses.has(name)) statuses.set(name, response.status);
      const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
      const isStream = type === 'text/event-stream';
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      const problem = judge(route, response.status, type, text);
      if (problem !== undefined) findings.add(`${name}, ${call.label}: ${response.status} ${problem}: ${text.slice(0, 200)}`);
    };
    // What keeps comes before what reads, and what deletes last; and all examples before anything is sent that changes their workflows.
    const order = ['put', 'post', 'patch', 'get', 'delete'];
    const inOrder = routes.toSorted((left, right) => order.indexOf(left.method) - order.indexOf(right.method));
    for (const route of inOrder) for (const call of callsOf(route, await ids(route))) if (call.label === example) await send(route, call);
    for (const route of routes)
      for (const [index, call] of [...callsOf(route, await ids(route))].entries())
        if (call.label !== example && index % oneIn === part) await send(route, call);

    expect([...findings]).toEqual([]);
    expect(Object.fromEntries([...statuses].filter(([, status]) => status >= 300))).toEqual(refused);
    expect(calls).toBeGreaterThan(3_000 / oneIn);
  }),
);
