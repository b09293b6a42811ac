/** Calls a tool of a server that speaks the Model Context Protocol. */
import { defineEffect, Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * Calls a tool of an MCP server once. `isError` is the word of the server: the tool ran and failed. `rejected` means that the server
 * refused the call; `unknown-tool`, that it has no such tool any more.
 */
export const callMcpTool = defineEffect('mcp.call', {
  request: z.strictObject({
    url: z.string(),
    /** What signs the call in; the driver alone sees the secret. */
    credentialId: z.string().exactOptional(),
    tool: z.string(),
    input: JsonObject,
    /** For the whole call, finding out how the server speaks counted. */
    timeoutMs: z.int().positive(),
  }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('returned'),
      /** Structured content, or texts; what is no text is named, such as `[image]`. */
      content: Json,
      isError: z.boolean(),
      tookMs: z.number().nonnegative(),
    }),
    z.strictObject({
      kind: z.literal('failed'),
      reason: z.enum(['timeout', 'unreachable', 'rejected', 'unknown-tool', 'malformed', 'too-large']),
      message: z.string(),
      /** Whether the tool may have done its work all the same (P5). */
      outcome: z.enum(['failed', 'unknown']).exactOptional(),
      tookMs: z.number().nonnegative(),
    }),
  ]),
  samples: (_request, { values, text }) => [
    ...values.map((content) => ({ kind: 'returned', content, isError: false, tookMs: 0 }) as const),
    { kind: 'returned', content: text, isError: true, tookMs: 0 } as const,
    { kind: 'failed', reason: 'timeout', message: text, outcome: 'unknown', tookMs: 0 } as const,
    { kind: 'failed', reason: 'unreachable', message: text, outcome: 'failed', tookMs: 0 } as const,
  ],
});
