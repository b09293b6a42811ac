/** One visit to an MCP server through the dialer: finds out how it speaks, calls a tool or lists all, and goes. */
import { isJsonObject, type Json, type JsonObject, limits, parseForeignJson, type AbortSignal as Signal } from '@hilo/engine/contract';
import type { CallToolResult, Client, PriorDiscovery, Tool } from '@modelcontextprotocol/client';
import { createDialerFetch, type DialerFetch } from '../ai/dialer-fetch.ts';
import type { Dialer, HttpCredential } from '@hilo/drivers';
import { type Addressed, signIn } from '@hilo/drivers/kit';

export interface McpVisitOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  /** The company that makes the call. */
  readonly scope: string;
  readonly url: string;
  readonly signer: HttpCredential | undefined;
  readonly signal: Signal;
  /** What is left of the time of the whole visit. */
  readonly leftMs: () => number;
  /** How the server speaks, where that is known. */
  readonly prior: PriorDiscovery | undefined;
}

/** A visit, which is over with its one request. */
export interface McpVisit {
  /** Calls a tool. @throws what the library throws: {@link McpVisit.outcome} says what happened on the way */
  call(tool: string, input: JsonObject, idempotencyKey: string): Promise<CallToolResult>;
  /** All tools of the server. @throws as `call` does */
  list(): Promise<readonly Tool[]>;
  /** The last answer, or why there was none. */
  readonly outcome: DialerFetch['outcome'];
  /** Whether the request itself was begun, and not only the words before it. */
  isBegun(): boolean;
  /** How the server speaks, as it turned out; `undefined` before. */
  found(): PriorDiscovery | undefined;
}

/** The library waits a little longer than the dialer, whose reasons are known. */
const patienceMs = 5_000;

export function visitMcpServer({ dialer, scope, url, signer, signal, leftMs, prior }: McpVisitOptions): McpVisit {
  const { fetch, outcome } = createDialerFetch({
    dialer,
    scope,
    leftMs,
    signal,
    sign: (call: Addressed) => (signer === undefined ? call : signIn(call, signer)),
  });
  let isBegun = false;
  let found: PriorDiscovery | undefined;

  async function visit<Result>(request: (client: Client, options: { readonly timeout: number }) => Promise<Result>): Promise<Result> {
    const library = await import('@modelcontextprotocol/client');
    const timeout = (): number => Math.max(1, leftMs()) + patienceMs;
    // No capabilities: a server can have nothing sampled, and ask nobody.
    const client = new library.Client(
      { name: 'hilo', version: '1' },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: timeout() } } },
    );
    const transport = new library.StreamableHTTPClientTransport(new URL(url), { fetch: answerWhole(fetch) });
    try {
      await client.connect(transport, { timeout: timeout(), ...(prior !== undefined && { prior }) });
      const discover = client.getDiscoverResult();
      found = discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover };
      isBegun = true;
      return await request(client, { timeout: timeout() });
    } finally {
      await client.close();
    }
  }

  return {
    outcome,
    isBegun: () => isBegun,
    found: () => found,
    call: (name, input, idempotencyKey) =>
      visit((client, options) =>
        client.callTool(
          { name, arguments: { ...input } },
          // With a definition at hand, the library lists no tools.
          { ...options, headers: { 'idempotency-key': idempotencyKey }, toolDefinition: { name, inputSchema: { type: 'object' } } },
        ),
      ),
    list: () => visit(async (client, options) => (await client.listTools(undefined, { ...options, cacheMode: 'bypass' })).tools),
  };
}

/**
 * A `fetch` whose answers are JSON: of a stream, which ends with the answer, the answer alone. Streams that a server would send by itself
 * are not opened, and for the answer to another request nobody waits.
 */
const answerWhole =
  (fetch: DialerFetch['fetch']): DialerFetch['fetch'] =>
  async (address, init = {}) => {
    if (init.method !== 'POST') return new Response(null, { status: 405 });
    const answer = await fetch(address, init);
    const id = readId(init.body);
    const type = answer.headers.get('content-type') ?? '';
    const isStream = /^text\/event-stream\b/i.test(type);
    if (!answer.ok || id === undefined || !(isStream || /^application\/json\b/i.test(type))) return answer;
    const text = await answer.text();
    const response = isStream ? findResponse(text) : readMessage(text);
    if (!isJsonObject(response) || response['id'] !== id) throw new TypeError('The server gave no answer to what it was asked');
    const headers = new Headers(answer.headers);
    headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(response), { status: answer.status, headers });
  };

/** The id of a request; a notice has none. */
function readId(body: unknown): Json | undefined {
  const message = typeof body === 'string' ? readMessage(body) : null;
  return isJsonObject(message) ? message['id'] : undefined;
}

/** What a message of a server may have: its list of tools has a schema for each. */
const messageBounds = { depth: limits.depth, keys: 40_000 };

/** A message of a server; null for what is none. */
const readMessage = (text: string): Json => parseForeignJson(text, messageBounds) ?? null;

/** The answer among the messages of a stream: the others are notices, and requests that this client refuses. */
function findResponse(stream: string): Json {
  for (const event of stream.split(/\r?\n\r?\n/)) {
    const data = event
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
      .join('\n');
    const message = readMessage(data);
    if (isJsonObject(message) && !('method' in message)) return message;
  }
  return null;
}
