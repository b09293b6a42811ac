import { z } from 'zod';
import { Duration } from './duration.ts';
import { Template } from './template.ts';

/** Tries again, durably, when a node would leave by `error`: the same idempotency key each time (P4). */
export const Retry = z.strictObject({
  /** Tries in all, the first one counted. */
  attempts: z.int().min(1).max(10),
  /** Before the second try, at most. */
  delay: Duration.prefault('PT1S'),
  /** Multiplies the delay after each further try. */
  factor: z.number().min(1).max(10).default(2),
  maxDelay: Duration.prefault('PT1H'),
  /** `full` pauses for a random part of the delay, so that not all who met the same trouble come back at once (P24); `none` for all of it. */
  jitter: z.enum(['full', 'none']).default('full'),
});
export type Retry = z.output<typeof Retry>;

/** Keeps the user's messages from the flow while an effect works (RET rules). */
export const HoldConfig = z.strictObject({
  enabled: z.boolean().default(true),
  /** Answers a message that comes meanwhile. */
  message: Template.optional(),
  onMessage: z.enum(['discard', 'queue']).default('discard'),
});
export type HoldConfig = z.output<typeof HoldConfig>;

/** The fields that `node.data` may have whatever the node is. */
export const CommonData = z.strictObject({
  label: z.string().max(200).optional(),
  notes: z.string().max(10_000).optional(),
  retry: Retry.optional(),
  hold: HoldConfig.optional(),
  /** Keeps this node's values out of the history. */
  mask: z.boolean().default(false),
  /** What `error` does: leave by its port, or end the execution whatever is connected. */
  onError: z.enum(['port', 'fail']).default('port'),
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
