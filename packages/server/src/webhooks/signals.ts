import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { invalidRequest } from '../platform/http/errors.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import { type GatewayAnswer, type GatewayCall, jsonAnswer, readPayload, type WebhookParts } from './read-request.ts';
import { deliveryKey } from '../platform/http/delivery-key.ts';
import { SignalBody, Answered } from '../executions/executions.ts';

/** Where customers' systems send signals. */
export const signalPath = '/workflows/v2/signals/:name';

/** Takes a signal for every execution of the key's company that waits for it: answered when what it did is durable (P1, P7). */
export async function takeSignal(
  { engine }: WebhookParts,
  { admission }: Traffic,
  call: GatewayCall,
  { companyId, name }: { readonly companyId: string; readonly name: string },
): Promise<GatewayAnswer> {
  const entry = admission.enter({ kind: 'known', holder: companyId });
  try {
    const { data: signal, error } = SignalBody.safeParse(await readPayload(call, entry));
    if (error !== undefined) throw invalidRequest(error.issues[0]?.message ?? 'The body is no signal');
    const idempotencyKey = deliveryKey(call.headers);
    const { executionIds } = await engine.signal({ companyId, name, ...signal, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    return jsonAnswer(200, { executionIds });
  } finally {
    entry.leave();
  }
}

/** Writes the route into the description of the interface. */
export function describeSignals(registry: OpenAPIHono['openAPIRegistry'], headers: z.ZodObject): void {
  registry.registerPath({
    method: 'post',
    path: '/workflows/v2/signals/{name}',
    summary: 'Answers every execution that waits for an event of this name and correlation',
    tags: ['Signals'],
    security: [{ apiKey: [] }],
    request: {
      params: z.object({ name: z.string().openapi({ description: 'The name that wait-event waits for' }) }),
      headers,
      body: { content: { 'application/json': { schema: SignalBody.extend({ payload: z.unknown().optional() }) } } },
    },
    responses: {
      200: jsonResponse('Durable: those that waited went on; with the same key within eight days, the same answer', Answered),
      400: jsonResponse('The body is no signal, or its payload is larger than a variable', ErrorBody),
      401: jsonResponse('No valid API key', ErrorBody),
      413: jsonResponse('The body is larger than 1 MB', ErrorBody),
      429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
      503: jsonResponse('Some may have gone on: send it again with the same key; see Retry-After', ErrorBody),
    },
  });
}
