import { defineEffect, Json } from '@hilo/engine/contract';
import { z } from 'zod';

/** Answers the webhook request that is still open (WEB-24, `respond: "onFinish"`); without one nothing happens. */
export const respondWebhook = defineEffect('webhook.respond', {
  request: z.strictObject({ status: z.int().min(200).max(599), headers: z.record(z.string(), z.string()), body: Json }),
  result: z.strictObject({ kind: z.literal('done') }),
  samples: () => [{ kind: 'done' } as const],
});
