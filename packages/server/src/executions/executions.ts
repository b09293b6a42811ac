// Signals to executions, in each interface.
import type { Engine, Signal } from '@hilo/engine';
import { Duration, type Json } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { formatInstant } from '../platform/http/admin.ts';

export { describeExecution } from './execution-pages.ts';
export { readObjects, writeTombstone } from './history-objects.ts';
export type { HistoryPlace } from './history-place.ts';
export { describeHistory } from './history-view.ts';
export { reportAgainMs, reportEnd } from './report-end.ts';

/** How the documents describe `ttl`. */
export const ttlField = {
  type: 'string',
  format: 'duration',
  description: 'How long it is held for the first wait that fits, where nothing waits for it; PT0S when left out, at most P30D',
  examples: ['PT1H'],
} as const;

/** How long a signal is held where nothing waits for it, in milliseconds. */
const Ttl = z
  .string('ttl is a duration, such as "PT1H": how long the signal is held where nothing waits for it')
  .transform((text, context): number => {
    const durationMs = text === 'PT0S' ? 0 : Duration.safeParse(text).data;
    if (durationMs !== undefined) return durationMs;
    context.addIssue(`ttl is "${text.slice(0, 60)}", which is no duration: write ISO 8601, such as PT1H or P1D, at most P30D`);
    return z.NEVER;
  })
  .openapi({ ...ttlField, examples: [...ttlField.examples] });

/** A signal's fields besides its name. The payload is JSON, and validated by the engine. */
export const SignalBody = z.object(
  {
    correlation: z.string('correlation is a text: that of the waits it answers, or "" where they name none'),
    payload: z.custom<Json>().default(null),
    ttl: Ttl.optional(),
  },
  'The signal is an object: { "correlation": "…", "payload": … }',
);

/** The executions that a signal resumed. */
export const Answered = z
  .object({
    executionIds: z.array(z.string()).openapi({ description: 'The executions that waited for it and were resumed' }),
    heldUntil: z
      .string()
      .optional()
      .openapi({
        format: 'date-time',
        examples: ['2031-03-14T16:00:00.000Z'],
        description: 'Until when it is held for the first wait that fits, where it has a ttl and resumed none',
      }),
  })
  .openapi('SignalAnswered');

/** Sends a signal as a route has read it. */
export async function sendSignal(
  engine: Pick<Engine, 'signal'>,
  { ttl, ...signal }: Omit<Signal, 'ttlMs'> & { readonly ttl?: number | undefined },
): Promise<z.output<typeof Answered>> {
  const { executionIds, heldUntilMs } = await engine.signal({ ...signal, ...(ttl !== undefined && { ttlMs: ttl }) });
  return { executionIds: [...executionIds], ...(heldUntilMs !== undefined && { heldUntil: formatInstant(heldUntilMs) }) };
}
