// Functions as tools of a model (MCP).
import { escapeUnseen, getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import {
  type CallToolResult,
  createMcpHandler,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCNotification,
  isLegacyRequest,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { addLibraryHeaders, answerWhole, refuseLongNames } from '../platform/http/mcp-messages.ts';
import type { FoundFunction, Functions } from './functions.ts';

/**
 * Answers one request to the tool server of a function (Model Context Protocol, streamable HTTP, in both of its generations). Nothing is
 * kept between requests, so that any process may answer the next.
 *
 * @param body - of the request, parsed
 */
export async function answerToolClient(request: Request, body: Json, deployed: FoundFunction, call: Functions['call']): Promise<Response> {
  refuseLongNames(body);
  const problem = checkMessage(body);
  if (problem !== undefined) return problem;
  if (!acceptsJson(request)) return notAcceptable();
  const asked = addLibraryHeaders(request);
  if (!(await isLegacyRequest(asked, body))) {
    // Nobody is told of changes: another deployment is another server, and a stream would outlive it.
    const handler = createMcpHandler(() => createToolServer(deployed, call), { legacy: 'reject', maxSubscriptions: 0 });
    try {
      return await answerWhole(await handler.fetch(asked, { parsedBody: body }));
    } finally {
      await handler.close();
    }
  }
  const server = createToolServer(deployed, call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(asked, { parsedBody: body });
    return Array.isArray(body) ? await answerInList(answer) : answer;
  } finally {
    await server.close();
  }
}

/** The tools of a function, for one request. */
function createToolServer(deployed: FoundFunction, call: Functions['call']): Server {
  const { name, deployment, tools } = deployed;
  const server = new Server({ name, version: `1.${deployment}.0` }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', { params: AnyList }, ({ cursor }) => {
    if (cursor !== undefined) throw invalidParams('All tools are on one page: no cursor leads to more');
    return { tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: requireObject(inputSchema) })) };
  });
  server.setRequestHandler('tools/call', { params: z.unknown() }, async (params): Promise<CallToolResult> => {
    const { success, data } = Call.safeParse(params);
    if (!success) throw invalidParams('A call has the name of a tool, and arguments that are an object');
    const tool = tools.find((candidate) => candidate.name === data.name);
    if (tool === undefined) throw invalidParams(`There is no tool "${data.name}"`);
    const given = (data.arguments ?? {}) as { readonly [name: string]: Json };
    const problem = checkArguments(tool.inputSchema, given);
    if (problem !== undefined) return describeError(problem);
    const result = await call(deployed, { body: given, tool: tool.name });
    return result.kind === 'returned' ? describeResult(result.value) : describeError(result.message);
  });
  // Requests share no state, so the cancelled call can only be in the same batch, whose answer would wait for it for ever.
  server.setNotificationHandler('notifications/cancelled', () => undefined);
  return server;
}

const AnyList = z.looseObject({ cursor: z.unknown().optional() }).default({});
const Call = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

const invalidParams = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Whether the client can read the answer, which is never a stream. */
const acceptsJson = ({ headers }: Request): boolean => /application\/(?:json|\*)|\*\/\*/i.test(headers.get('accept') ?? '*/*');

const notAcceptable = (): Response =>
  problem(406, null, ProtocolErrorCode.InvalidRequest, 'The answer is JSON, which the client does not accept');

const describeResult = (value: Json): CallToolResult => ({
  content: [{ type: 'text', text: escapeUnseen(JSON.stringify(value)) }],
  ...(isJsonObject(value) && { structuredContent: { ...value } }),
});

/** A model reads this, and may do better. */
const describeError = (message: string): CallToolResult => ({ content: [{ type: 'text', text: escapeUnseen(message) }], isError: true });

/**
 * The answer to a body that is no valid JSON-RPC 2.0; `undefined` for a valid one. The library reports each of these as a parse error,
 * answers an empty batch with nothing, and two requests with one id with one answer.
 */
export function checkMessage(body: Json): Response | undefined {
  const messages: readonly Json[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0) return invalidRequest('A batch has at least one message');
  if (!messages.every((message) => isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)))
    return invalidRequest('This is no message of JSON-RPC 2.0');
  const requests = messages.filter((message) => isJSONRPCRequest(message));
  if (new Set(requests.map(({ id }) => id)).size < requests.length) return invalidRequest('Two requests of a batch have the same id');
  const unclear = requests.find((request) => request.method === 'initialize' && !isSpecType.InitializeRequest(request));
  return (
    unclear && problem(200, unclear.id, ProtocolErrorCode.InvalidParams, 'A client names its protocolVersion, capabilities and clientInfo')
  );
}

/** The answer to a batch is a list, even with one entry, which the library unwraps. */
async function answerInList(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer;
  const answered: unknown = await answer.json();
  return Response.json(Array.isArray(answered) ? answered : [answered]);
}

const invalidRequest = (message: string): Response => problem(400, null, ProtocolErrorCode.InvalidRequest, message);

const problem = (status: number, id: string | number | null, code: ProtocolErrorCode, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });

/**
 * What is wrong with the arguments of a tool, or `undefined`. The function checks patterns itself: a company's regular expression
 * never runs in this process (T18). It also checks schemas with unsupported keywords, and those that could take too long (P20).
 */
export function checkArguments(inputSchema: JsonObject, given: JsonObject): string | undefined {
  if (measureSchema(inputSchema) * countValues(given) > maxChecks) return undefined;
  const { error } = compileSchema(inputSchema).safeParse(given);
  return error?.issues.map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`).join('; ');
}

/** A schema as clients see it: arguments are an object, whether it says so or not. */
const requireObject = (inputSchema: JsonObject): JsonObject & { readonly type: 'object' } => ({ ...inputSchema, type: 'object' });

function compileSchema(inputSchema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(removePatterns(requireObject(inputSchema)) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.unknown();
  }
}

/** Every part of a schema looks at every value once at most. These many checks take some 50 ms. */
const maxChecks = 50_000;

const countValues = (value: Json): number =>
  typeof value !== 'object' || value === null ? 1 : Object.values(value).reduce<number>((sum, item: Json) => sum + countValues(item), 1);

/** The number of parts of a schema, each reference counted with its definition; infinite for a recursive schema. */
function measureSchema(schema: JsonObject): number {
  const sizes = new Map<string, number>();
  const measureReference = (reference: string): number => {
    const known = sizes.get(reference);
    if (known !== undefined) return known;
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
    const definition = getPath(schema, [place, name]);
    sizes.set(reference, Infinity); // as long as it is not known
    const size = definition === undefined ? Infinity : measurePart(definition);
    sizes.set(reference, size);
    return size;
  };
  const measurePart = (part: Json): number => {
    if (typeof part !== 'object' || part === null) return 1;
    const $ref = isJsonObject(part) ? part['$ref'] : undefined;
    const behind = typeof $ref === 'string' ? measureReference($ref) : 0;
    return Object.values(part).reduce<number>((sum, item: Json) => sum + measurePart(item), 1 + behind);
  };
  const { $defs: _, definitions: __, ...inside } = schema; // reached by references alone
  return measurePart(inside);
}

function removePatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(removePatterns);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => !(patterns.has(name) && isPattern(name, value)));
  return Object.fromEntries(kept.map(([name, value]) => [name, removePatterns(value)]));
}

const patterns: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format']);

/** A property of the arguments may have such a name, too: its value is a schema. */
const isPattern = (name: string, value: Json): boolean => name === 'patternProperties' || typeof value === 'string';
