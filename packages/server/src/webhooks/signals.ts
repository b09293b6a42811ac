import type { Json } from '@hilo/engine/contract';
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { Problem, said } from '../platform/http/openapi.ts';
import { invalidRequest } from '../platform/http/refusal.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { type GatewayAnswer, type GatewayCall, jsonAnswer } from './call.ts';
import { deliveryKey } from './delivery-key.ts';
import { readPayload } from './read-request.ts';

/** Where customers' systems send signals. */
export const signalPath = '/workflows/v2/signals/:name';

/** What a signal says besides its name. Its payload was parsed from JSON, and is judged by the engine. */
export const SignalBody = z.object({
  correlation: z.string('correlation is a text: that of the waits it answers, or "" where they name none'),
  payload: z.custom<Json>().default(null),
});

/** Which executions went on by a signal. */
export const Answered = z
  .object({ executionIds: z.array(z.string()).openapi({ description: 'Those that waited for it, and went on by it' }) })
  .openapi('SignalAnswered');

/** Takes a signal for every execution of the key's company that waits for it: answered when what it did is durable (P1, P7). */
export async function takeSignal(
  { engine }: Service,
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
      200: said('Durable: those that waited went on; with the same key within eight days, the same answer', Answered),
      400: said('The body is no signal, or its payload is larger than a variable', Problem),
      401: said('No valid API key', Problem),
      413: said('The body is larger than 1 MB', Problem),
      429: said('Too many requests: see Retry-After', Problem),
      503: said('Some may have gone on: send it again with the same key; see Retry-After', Problem),
    },
  });
}
