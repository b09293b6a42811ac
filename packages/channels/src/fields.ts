// What the fields of a provider are made of: texts, secrets, addresses, and what may be left out.
import { z } from 'zod';

const Text = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'), {
  error: 'A text must not hold NUL or half a character',
});

/** A field of a provider: a text that is not empty. */
export const field = Text.min(1).max(2_048);

/** A secret of a provider. */
export const secret = Text.min(1).max(16_384);

export const url = z.url({ protocol: /^https?$/, error: 'It must be an http or https address' });

/** What may be absent, or null, which is the same. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

/** The version of an interface of Meta. */
export const apiVersion = z
  .string()
  .regex(/^v\d+\.\d+$/, 'A version looks like v23.0')
  .default('v23.0');
