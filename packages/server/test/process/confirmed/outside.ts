/**
 * All that workflows of confirmed and filled-in things reach, in one server that has the service killed when a planned request arrives,
 * before or after it has answered: a model, a shop (over HTTP and the Model Context Protocol), a bridge of messages, and WhatsApp.
 */
import { getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import { type Received, startHttp } from '../../../../drivers/test/local-servers.ts';

/** What a request is, of whom, and the answer to it. */
interface Read {
  readonly kind: Asked['kind'];
  readonly userId: string;
  readonly answer: Json;
}

/** A request that was made. */
export interface Asked {
  /** `message`: to a user. `deed`: what must happen once, and only when it was agreed to. `look`: whatever only reads. */
  readonly kind: 'model' | 'message' | 'deed' | 'look' | 'other';
  readonly userId: string;
  readonly key: string;
  readonly body: string;
  /** Whether the user had agreed when it arrived. */
  readonly isAgreed: boolean;
}

/** The request of a user at which the service dies: the `nth` of its kind. */
export interface Death {
  readonly userId: string;
  readonly kind: Asked['kind'];
  readonly nth: number;
  readonly side: 'before' | 'after';
}

export interface Outside extends AsyncDisposable {
  readonly host: string;
  readonly asked: readonly Asked[];
  /** The deaths that came at a request, in order. */
  readonly died: readonly Death[];
}

const field = (body: Json, ...path: readonly string[]): string => {
  const value = getPath(body, path);
  return typeof value === 'string' ? value : '';
};

/** What the model answers: it orders what was asked for by the tool of that name, and ends the conversation with whatever came of it. */
function modelAnswers(body: JsonObject): JsonObject {
  const messages = body['messages'] as unknown as readonly { readonly role: string; readonly content: string }[];
  const { role = '', content = '' } = messages.at(-1) ?? {};
  const [, tool = '', sku = ''] = /^order by (\w+): (\S+)$/.exec(content) ?? [];
  const call =
    role === 'tool'
      ? { name: content.includes('did not agree') ? 'exit_left' : 'exit_ordered', arguments: '{}' }
      : { name: tool, arguments: JSON.stringify({ sku }) };
  const message = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
  return { id: 'c', created: 1, model: 'small', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
}

const mcpAnswers = (body: JsonObject): JsonObject => {
  const server = {
    protocolVersion: getPath(body, ['params', 'protocolVersion']) ?? '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'shop', version: '1' },
  };
  const results: { readonly [method: string]: JsonObject } = {
    initialize: server,
    'tools/call': { content: [{ type: 'text', text: 'It is ordered.' }] },
  };
  const result = results[field(body, 'method')];
  const answered = result === undefined ? { error: { code: -32601, message: 'No such method' } } : { result };
  return { jsonrpc: '2.0', id: body['id'] ?? 0, ...answered };
};

const skuOwner = (sku: string): string => sku.split('-')[0] ?? '';

function read({ url, body: text }: Received): Read {
  const body = text === '' ? {} : (JSON.parse(text) as JsonObject);
  const other = (answer: Json): Read => ({ kind: 'other', userId: '', answer });
  if (url.startsWith('/look/')) return { kind: 'look', userId: url.slice('/look/'.length), answer: { times: ['09:30'] } };
  if (url === '/shop') return { kind: 'deed', userId: skuOwner(field(body, 'sku')), answer: { ok: true } };
  if (url === '/bridge') return { kind: 'message', userId: field(body, 'userId'), answer: {} };
  if (url === '/mcp') {
    const isCall = body['method'] === 'tools/call';
    return { ...other(mcpAnswers(body)), ...(isCall && { kind: 'deed', userId: skuOwner(field(body, 'params', 'arguments', 'sku')) }) };
  }
  if (url.endsWith('/chat/completions'))
    return { kind: 'model', userId: /order by \w+: (\d+)/.exec(text)?.[1] ?? '', answer: modelAnswers(body) };
  return { kind: 'message', userId: field(body, 'to'), answer: { messages: [{ id: `wamid.${field(body, 'biz_opaque_callback_data')}` }] } };
}

/** @param plan - the deaths to come @param agreed - the users who have, by now @param kill - kills the service and starts it again */
export async function openOutside(plan: readonly Death[], agreed: ReadonlySet<string>, kill: () => void): Promise<Outside> {
  const asked: Asked[] = [];
  const died: Death[] = [];
  let registered: string | undefined;
  const { host, close } = await startHttp((received, response) => {
    const { method, url, headers, body } = received;
    response.setHeader('content-type', 'application/json');
    if (url.includes('/whatsapp_business_encryption')) {
      if (method === 'POST') registered = new URLSearchParams(body).get('business_public_key') ?? undefined;
      const state = { business_public_key: registered, business_public_key_signature_status: 'VALID' };
      return void response.end(JSON.stringify(method === 'POST' ? { success: true } : { data: [state] }));
    }
    const { kind, userId, answer } = read(received);
    asked.push({ kind, userId, key: String(headers['idempotency-key'] ?? ''), body, isAgreed: agreed.has(userId) });
    const count = asked.filter((one) => one.kind === kind && one.userId === userId).length;
    const death = plan.find((one) => one.userId === userId && one.kind === kind && one.nth === count);
    if (death !== undefined) died.push(death);
    if (death?.side === 'before') return kill();
    response.end(JSON.stringify(answer), () => {
      if (death !== undefined) kill();
    });
  });
  return { host, asked, died, [Symbol.asyncDispose]: close };
}
