import { z } from 'zod';
import { Duration } from './duration.ts';
import { Template } from './template.ts';

/** HTTP statuses by which the other side refuses a request for what it is: the same request is refused again. */
export const refusedForGood = [400, 401, 403, 404, 409, 410, 422] as const;

/** Tries again, durably, when a node would leave by `error`: the same idempotency key each time (P4). */
const Retry = z.strictObject({
  attempts: z.int().min(1).max(10).meta({ description: 'The number of attempts, including the first' }),
  delay: Duration.prefault('PT1S').meta({ description: 'The maximum pause before the second attempt' }),
  factor: z.number().min(1).max(10).default(2).meta({ description: 'Multiplies the pause after each further attempt' }),
  maxDelay: Duration.prefault('PT1H').meta({ description: 'The maximum pause, whatever the factor and the other side request' }),
  on: z
    .array(z.int().min(400).max(599))
    .max(20)
    .default([])
    .meta({
      description: `HTTP statuses to try again though another try seldom mends them: ${refusedForGood.join(', ')} are not tried again otherwise`,
      examples: [[404, 409]],
    }),
  jitter: z.enum(['full', 'none']).default('full').meta({
    description: 'Whether a pause is a random part of its length (full), so that not all calls are repeated at once, or all of it (none)',
  }),
});
/** Keeps the user's messages from the flow while an effect works (RET rules). */
export const HoldConfig = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: 'Whether the user is held while the node works' }),
  message: Template.optional().meta({
    description: 'The answer to a message that arrives meanwhile; none, when left out',
    examples: ['One moment, please.'],
  }),
  onMessage: z
    .enum(['discard', 'queue'])
    .default('discard')
    .meta({ description: 'Whether a message that comes meanwhile is dropped, or kept for the next wait' }),
});
export type HoldConfig = z.output<typeof HoldConfig>;

/** The fields of `node.data` that every node may have. */
export const CommonData = z.strictObject({
  label: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The name of the node on the canvas', examples: ['Ask for the name'] }),
  notes: z
    .string()
    .max(10_000)
    .optional()
    .meta({ description: 'A comment for readers of the canvas', examples: ['Agreed with support on 3 March'] }),
  retry: Retry.optional().meta({ description: 'Tries again, with the same idempotency key, before the node leaves by "error"' }),
  hold: HoldConfig.optional().meta({ description: 'Holds the messages of the user back from the flow while the node works' }),
  mask: z.boolean().default(false).meta({ description: 'Keeps the values of this node out of the history' }),
  onError: z
    .enum(['port', 'fail'])
    .default('port')
    .meta({ description: 'Whether an error leaves by its port, or always fails the execution' }),
});
export type CommonData = z.output<typeof CommonData>;

const commonFields: ReadonlySet<string> = new Set(Object.keys(CommonData.shape));

/** Divides a node's data into what every node has and what its own config is. */
export function divideData(data: { readonly [field: string]: unknown }): {
  readonly common: Record<string, unknown>;
  readonly config: Record<string, unknown>;
} {
  const common: Record<string, unknown> = {};
  const config: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(data)) (commonFields.has(field) ? common : config)[field] = value;
  return { common, config };
}
