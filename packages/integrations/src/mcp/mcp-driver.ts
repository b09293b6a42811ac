/** Calls tools of MCP servers for agents, and lists them for authors. */
import { type BoundDriver, type Clock, drive, isWithin, type Json, JsonObject } from '@hilo/engine/contract';
import { systemClock } from '@hilo/engine/node';
import { callMcpTool } from '@hilo/nodes/effects';
import type { CallToolResult, PriorDiscovery } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type Dialer, DriverError, type FindCredential, isDialerError } from '@hilo/drivers';
import { readCredential, unreachable, type Withhold, withholding } from '@hilo/drivers/kit';
import { maxAnswerBytes } from '../kept-answer.ts';
import { type McpVisit, visitMcpServer } from './mcp-client.ts';

/** The parts of the driver of MCP servers. */
export interface McpDriverOptions {
  readonly dialer: Pick<Dialer, 'request'>;
  readonly credential: FindCredential;
  readonly clock?: Clock;
}

type Result = z.output<typeof callMcpTool.result>;
type Failed = Omit<Extract<Result, { readonly kind: 'failed' }>, 'tookMs'>;

/**
 * Performs `mcp.call`: authenticates the call, makes it once with its `Idempotency-Key`, and reads texts. No redirect is followed, and no
 * tools are listed: what an agent may call is what its canvas says.
 *
 * The driver throws a `DriverError` when the company has no such credential, or an unsuitable one.
 */
export function createMcpDriver({ dialer, credential, clock = systemClock }: McpDriverOptions): BoundDriver {
  const known = createKnownServers(clock);
  return drive(callMcpTool, async (request, { origin: { companyId }, idempotencyKey, signal }): Promise<Result> => {
    const beganMs = clock.now();
    const { url, credentialId, tool, input, timeoutMs } = request;
    const signer = credentialId === undefined ? undefined : await readCredential(credential, companyId, credentialId);
    const withhold = withholding(signer);
    const tookMs = (): number => Math.max(0, clock.now() - beganMs);
    const key = JSON.stringify([companyId, url, credentialId ?? null]);
    const leftMs = (): number => Math.max(1, timeoutMs - tookMs());
    const visit = visitMcpServer({ dialer, scope: companyId, url, signer, signal, leftMs, prior: known.get(key) });
    try {
      const answer = await visit.call(tool, input, idempotencyKey);
      known.set(key, visit.found());
      const content = withhold.value(readContent(answer));
      if (Buffer.byteLength(JSON.stringify(content)) > maxAnswerBytes)
        return { ...tooLarge(`The tool answered with more than the ${maxAnswerBytes} bytes that are kept`), tookMs: tookMs() };
      return { kind: 'returned', content, isError: answer.isError === true, tookMs: tookMs() };
    } catch (error) {
      known.set(key, undefined); // it may speak otherwise by now
      return { ...describeFailure(error, visit, withhold), tookMs: tookMs() };
    }
  });
}

const tooLarge = (message: string): Failed => ({ kind: 'failed', reason: 'too-large', message, outcome: 'unknown' });

/** How servers speak, so that a call is one request; each is found out anew after an hour. */
function createKnownServers(clock: Clock): {
  readonly get: (key: string) => PriorDiscovery | undefined;
  readonly set: (key: string, found: PriorDiscovery | undefined) => void;
} {
  const known = new Map<string, { readonly found: PriorDiscovery; readonly atMs: number }>();
  return {
    get(key) {
      const one = known.get(key);
      return one === undefined || !isWithin(one.atMs, knownForMs, clock.now()) ? undefined : one.found;
    },
    set(key, found) {
      const before = known.get(key);
      known.delete(key);
      if (found === undefined) return;
      const isNew = before === undefined || !isWithin(before.atMs, knownForMs, clock.now());
      known.set(key, { found, atMs: isNew ? clock.now() : before.atMs });
      const [oldest] = known.keys();
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    },
  };
}

const knownForMs = 3_600_000;
const mostKnown = 500;

/** What a model reads of an answer. */
function readContent({ structuredContent, content }: CallToolResult): Json {
  const structured = JsonObject.safeParse(structuredContent);
  return structured.success ? structured.data : content.map(readBlock).join('\n');
}

function readBlock(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[link ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[link ${block.resource.uri}]`;
    default:
      return `[${block.type}]`;
  }
}

/** An error of JSON-RPC, as the library throws it. */
const RpcError = z.object({ code: z.int(), message: z.string() });

const methodNotFound = -32_601;
const invalidParams = -32_602;

/** Why there is no answer: the dialer knows it, or else the server said it. */
function describeFailure(error: unknown, { outcome, isBegun }: Pick<McpVisit, 'outcome' | 'isBegun'>, withhold: Withhold): Failed {
  const got = outcome();
  if (got === undefined) throw error;
  // Before the call itself nothing can have happened.
  const doubt = { outcome: isBegun() ? ('unknown' as const) : ('failed' as const) };
  if (isDialerError(got)) {
    if (got.code === 'TOO_LARGE') return { ...tooLarge(got.message), ...doubt };
    const { reason, outcome: known } = unreachable(got);
    const happened = isBegun() ? known : 'failed';
    return {
      kind: 'failed',
      reason: reason === 'timeout' ? 'timeout' : 'unreachable',
      message: got.message,
      ...(happened !== undefined && { outcome: happened }),
    };
  }
  const failed = (reason: Failed['reason'], message: string, more: Pick<Failed, 'outcome'>): Failed => ({
    kind: 'failed',
    reason,
    message,
    ...more,
  });
  if (got.status >= 300) {
    const isKnown = got.status < 500;
    return failed('rejected', `The MCP server answered with status ${got.status}`, isKnown ? { outcome: 'failed' } : doubt);
  }
  const said = RpcError.safeParse(error).data;
  if (said === undefined) return failed('malformed', 'The answer of the server is none of the Model Context Protocol', doubt);
  const message = withhold.text(said.message).slice(0, 500);
  const isMissing = said.code === methodNotFound || (said.code === invalidParams && /unknown|not found|no (?:such )?tool/i.test(message));
  return failed(isMissing ? 'unknown-tool' : 'rejected', message, { outcome: 'failed' });
}

/** A tool as an author adds it to an agent. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly readOnly: boolean;
}

/**
 * Lists the tools of a server, for an author.
 *
 * @returns the tools, or why there is no list
 * @throws {DriverError} when the company has no such credential, or an unsuitable one
 */
export async function listMcpTools(
  { dialer, credential, clock = systemClock }: McpDriverOptions,
  { companyId, url, credentialId, timeoutMs = 20_000 }: ListToolsRequest,
): Promise<{ readonly kind: 'listed'; readonly tools: readonly ListedTool[] } | Failed> {
  const beganMs = clock.now();
  const signer = credentialId === undefined ? undefined : await readCredential(credential, companyId, credentialId);
  const withhold = withholding(signer);
  const visit = visitMcpServer({
    dialer,
    scope: companyId,
    url,
    signer,
    signal: new AbortController().signal,
    leftMs: () => Math.max(1, timeoutMs - Math.max(0, clock.now() - beganMs)),
    prior: undefined,
  });
  try {
    const tools = await visit.list();
    return {
      kind: 'listed',
      tools: tools.map(({ name, description = '', inputSchema, annotations }) => ({
        name,
        description: withhold.text(description).slice(0, 1_000),
        schema: withhold.object(JsonObject.parse(inputSchema)),
        readOnly: annotations?.readOnlyHint === true,
      })),
    };
  } catch (error) {
    if (error instanceof DriverError && visit.outcome() === undefined) throw error;
    return describeFailure(error, visit, withhold);
  }
}

/** Which server is asked for its tools, for whom. */
export interface ListToolsRequest {
  readonly companyId: string;
  readonly url: string;
  readonly credentialId?: string | undefined;
  readonly timeoutMs?: number;
}
