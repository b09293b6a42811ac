import { isTemplate, TimedDuration, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { OutputSchema } from './output-schema.ts';

const CredentialReference = z.strictObject({ credentialId: z.string().min(1).max(128) });

/** No expression: who chose the address would choose where the credential goes. */
const BaseUrl = z.url({ protocol: /^https?$/, error: 'A base URL is a whole address such as https://api.example.com/v1' }).max(2_000);
const Model = z.string().min(1).max(200);

export const AiTaskConfig = z.strictObject({
  /** A provider that speaks the wire format of OpenAI's chat completions. */
  baseUrl: BaseUrl,
  auth: CredentialReference.optional(),
  model: Model,
  /** Asked when the model fails, or its answer stays invalid. With an address of its own, it has its own credential, or none. */
  fallback: z.strictObject({ model: Model, baseUrl: BaseUrl.optional(), auth: CredentialReference.optional() }).optional(),
  /** What the model is to do. Values go into `input`, where the model takes them for data and not for orders (T15). */
  instructions: z
    .string()
    .min(1)
    .max(32_768)
    .refine((text) => !isTemplate(text), { error: 'Instructions hold no {{expressions}}: put values into "input"' }),
  input: ValueTemplate,
  schema: OutputSchema,
  maxOutputTokens: z.int().min(1).max(16_384).default(1_024),
  temperature: z.number().min(0).max(2).optional(),
  timeout: TimedDuration.optional(),
  saveAs: VariablePath.optional(),
});
export type AiTaskConfig = z.output<typeof AiTaskConfig>;

/** Who is asked, as the effect names them. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly credentialId?: string;
}

/** Who is asked first, and who instead where that fails. */
export function endpointsOf({ baseUrl, model, auth, fallback }: AiTaskConfig): readonly Endpoint[] {
  const first = endpoint(baseUrl, model, auth?.credentialId);
  if (fallback === undefined) return [first];
  const own = fallback.auth?.credentialId;
  return [first, endpoint(fallback.baseUrl ?? baseUrl, fallback.model, fallback.baseUrl === undefined ? (own ?? auth?.credentialId) : own)];
}

const endpoint = (baseUrl: string, model: string, credentialId: string | undefined): Endpoint => ({
  baseUrl,
  model,
  ...(credentialId !== undefined && { credentialId }),
});
