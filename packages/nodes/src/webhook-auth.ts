// How a webhook node knows its callers: by the API key of the company, or by itself.
import { z } from 'zod';

const secret = z
  .string()
  .min(1)
  .meta({ description: 'The id of a credential of the company', examples: ['shop-events'] });
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'A header has 1 to 64 letters, digits or "-"');

/** What a provider signs with its own form of signature. */
const webhookPresets = ['stripe', 'github', 'shopify', 'twilio', 'standard-webhooks'] as const;

const Signed = z
  .strictObject({
    kind: z.literal('hmac').meta({ description: 'A signature of the body, by a secret that both know' }),
    secret,
    preset: z
      .enum(webhookPresets)
      .optional()
      .meta({ description: 'The provider whose form of signature it is; it replaces the fields below' }),
    header: headerName.optional().meta({ description: 'The header with the signature of the body', examples: ['x-signature'] }),
    algorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256').meta({ description: 'The hash of the HMAC' }),
    encoding: z.enum(['hex', 'base64']).default('hex').meta({ description: 'How the signature is written' }),
    prefix: z
      .string()
      .max(32)
      .optional()
      .meta({ description: 'What stands before the signature', examples: ['sha256='] }),
    timestamp: headerName.optional().meta({
      description:
        'The header with the seconds since 1970 at which it was signed: then "TIMESTAMP.BODY" is signed, and old requests are refused',
      examples: ['x-signed-at'],
    }),
    toleranceS: z.int().min(1).max(86_400).default(300).meta({ description: 'How old a signature with a time may be, in seconds' }),
  })
  .refine(({ preset, header }) => preset !== undefined || header !== undefined, {
    path: ['header'],
    error: 'Name the header with the signature, or a preset',
  });

/** The field `auth` of a webhook. */
export const WebhookAuth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apiKey').meta({ description: 'The API key of the company' }) }),
  Signed,
  z.strictObject({ kind: z.literal('basic').meta({ description: 'A user and a password, by Basic authentication' }), secret }),
  z.strictObject({
    kind: z.literal('query').meta({ description: 'A secret in the query of the address' }),
    name: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'The query parameter with the secret', examples: ['token'] }),
    secret,
  }),
]);
export type WebhookAuth = z.output<typeof WebhookAuth>;
