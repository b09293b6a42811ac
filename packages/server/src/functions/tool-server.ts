import { isJsonObject, type Json } from '@hilo/engine/contract';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { FoundFunction, Functions } from './functions.ts';
import { argumentsProblem, objectSchema } from './tool-arguments.ts';

/**
 * Answers one request to the tool server of a function (Model Context Protocol, streamable HTTP). Nothing is kept between
 * requests, so that any process may answer the next.
 *
 * @param body - of the request, parsed
 */
export async function answerToolClient(request: Request, body: Json, deployed: FoundFunction, call: Functions['call']): Promise<Response> {
  const { name, deployment, tools } = deployed;
  const server = new Server({ name, version: `1.${deployment}.0` }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: objectSchema(inputSchema) })),
  }));
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
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

/** The library judges the parameters of a call once it knows that it is one: only then they are refused as what they are (-32602). */
const AnyCall = z.looseObject({ method: z.literal('tools/call') });

const returned = (value: Json): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  ...(isJsonObject(value) && { structuredContent: { ...value } }),
});

/** A model reads this, and may do better. */
const failed = (message: string): CallToolResult => ({ content: [{ type: 'text', text: message }], isError: true });
