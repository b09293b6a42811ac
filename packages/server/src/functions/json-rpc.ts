import type { Json } from '@hilo/engine/contract';
import { ErrorCode, InitializeRequestSchema, isJSONRPCRequest, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * What keeps a body from being messages of JSON-RPC 2.0 that can be answered, as the answer that says so; `undefined` where
 * nothing does. The library calls every such body a parse error, answers an empty batch with nothing, and two requests with
 * one id with one answer.
 */
export function messageProblem(body: Json): Response | undefined {
  const messages: readonly Json[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0) return invalidRequest('A batch has at least one message');
  if (!messages.every((message) => JSONRPCMessageSchema.safeParse(message).success))
    return invalidRequest('This is no message of JSON-RPC 2.0');
  const requests = messages.filter((message) => isJSONRPCRequest(message));
  if (new Set(requests.map(({ id }) => id)).size < requests.length) return invalidRequest('Two requests of a batch have the same id');
  const unclear = requests.find((request) => request.method === 'initialize' && !InitializeRequestSchema.safeParse(request).success);
  return unclear && problem(200, unclear.id, ErrorCode.InvalidParams, 'A client names its protocolVersion, capabilities and clientInfo');
}

/** The answer to a batch: a list, though it be of one, which the library leaves bare. */
export async function answerInList(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer;
  const said: unknown = await answer.json();
  return Response.json(Array.isArray(said) ? said : [said]);
}

const invalidRequest = (message: string): Response => problem(400, null, ErrorCode.InvalidRequest, message);

const problem = (status: number, id: string | number | null, code: ErrorCode, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
