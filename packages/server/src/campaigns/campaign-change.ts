import { instantMs } from '@hilo/engine/contract';
import { z } from 'zod';
import { isPlain } from '../tenants/workspace/fields.ts';

const zoned = 'scheduledAt is ISO 8601 with a time zone, such as 2031-03-01T09:00:00-05:00';

/**
 * What may be changed of a campaign (CAM-11, CAM-13). Fields that are not known are left alone (GEN-07).
 *
 * @param nowMs - what the date must be later than
 */
export const campaignChange = (nowMs: () => number) =>
  z
    .object({
      name: z
        .string('name is a text')
        .max(500, 'name has at most 500 characters')
        .refine((name) => name.trim() !== '', 'name is empty')
        .refine(isPlain, 'name holds NUL or half a character')
        .optional(),
      scheduledAt: z
        .string(zoned)
        .transform((text, context) => {
          const atMs = instantMs(text);
          if (atMs !== undefined && atMs > nowMs()) return atMs;
          context.addIssue(atMs === undefined ? zoned : 'scheduledAt is not later than now');
          return z.NEVER;
        })
        .optional(),
    })
    .refine(({ name, scheduledAt }) => name !== undefined || scheduledAt !== undefined, {
      error: 'give "name", "scheduledAt" or both',
      path: ['body'],
    });
