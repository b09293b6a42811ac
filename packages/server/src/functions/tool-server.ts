import { isJsonObject, type Json } from '@hilo/engine/contract';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { FoundFunction, Functions } from './functions.ts';
import { answerInList, messageProblem } from './json-rpc.ts';
import { argumentsProblem, objectSchema } from './tool-arguments.ts';

/**
 * Answers one request to the tool server of a function (Model Context Protocol, streamable HTTP). Nothing is kept between
 * requests, so that any process may answer the next.
 *
 * @param body - of the request, parsed
 */
export async function answerToolClient(request: Request, body: Json, deployed: FoundFunction, call: Functions['call']): Promise<Response> {
  const problem = messageProblem(body);
  if (problem !== undefined) return problem;
  const { name, deployment, tools } = deployed;
  const server = new Server({ name, version: `1.${deployment}.0` }, { capabilities: { tools: {} } });
  server.setRequestHandler(AnyList, ({ params }) => {
    if (params?.['cursor'] !== undefined) throw new McpError(ErrorCode.InvalidParams, 'All tools are on one page: no cursor leads to more');
    return { tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: objectSchema(inputSchema) })) };
  });
  server.setRequestHandler(AnyCall, async (request): Promise<CallToolResult> => {
    const { params } = CallToolRequestSchema.parse(request);
    const tool = tools.find((candidate) => candidate.name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}"`);
    const given = (params.arguments ?? {}) as { readonly [name: string]: Json };
    const problem = argumentsProblem(tool.inputSchema, given);
    if (problem !== undefined) return failed(problem);
    const result = await call(deployed, { body: given, tool: tool.name });
    return result.kind === 'returned' ? returned(result.value) : failed(result.message);
  });
  // Nothing is kept between requests, so that it can only be about a call beside it, and the answer would wait for that one for ever.
  server.setNotificationHandler(CancelledNotificationSchema, () => undefined);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(asLibraryReads(request), { parsedBody: body });
    return Array.isArray(body) ? await answerInList(answer) : answer;
  } finally {
    await server.close();
  }
}

/** Parameters are judged once it is known what they are for: only then they are refused as what they are (-32602). */
const AnyCall = z.looseObject({ method: z.literal('tools/call') });
const AnyList = z.looseObject({ method: z.literal('tools/list'), params: z.looseObject({}).optional() });

/**
 * A request in the words that the library looks for: the body was read as JSON already, and whoever takes JSON, or anything,
 * takes what is answered here, which is never a stream.
 */
function asLibraryReads(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  if (/application\/(?:json|\*)|\*\/\*/i.test(headers.get('accept') ?? '*/*')) headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers });
}

const returned = (value: Json): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...(isJsonObject(value) && { structuredContent: { ...value } }),
});

/** A model reads this, and may do better. */
const failed = (message: string): CallToolResult => ({ content: [{ type: 'text', text: message }], isError: true });
