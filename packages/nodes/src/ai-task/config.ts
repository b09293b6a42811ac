// The data of the node `ai-task`.
import { isTemplate, TimedDuration, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { BaseUrl, CredentialReference, type Endpoint, MaxOutputTokens, ModelName, Temperature } from '../model-call/model.ts';
import { OutputSchema } from './output-schema.ts';

export const AiTaskConfig = z.strictObject({
  baseUrl: BaseUrl.meta({
    description: 'The address of a provider that speaks the format of chat completions, such as https://api.example.com/v1',
    examples: ['https://api.example.com/v1'],
  }),
  auth: CredentialReference.optional().meta({ description: 'The credential of the company that the model is called with' }),
  model: ModelName.meta({ description: 'The name of the model', examples: ['small-1'] }),
  /** The model that is called when the first one fails, or its answer stays invalid. With its own base URL, it needs its own credential, or has none. */
  fallback: z
    .strictObject({
      model: ModelName.meta({ description: 'The name of the other model', examples: ['large-1'] }),
      baseUrl: BaseUrl.optional().meta({
        description: 'The address of the other model, if it differs',
        examples: ['https://other.example.com/v1'],
      }),
      auth: CredentialReference.optional().meta({ description: 'The credential of the other model' }),
    })
    .optional()
    .meta({ description: 'The model to call when the first one fails, or its answer remains invalid' }),
  /** The instruction for the model. Values belong into `input`, which the model treats as data and not as instructions (T15). */
  instructions: z
    .string()
    .min(1)
    .max(32_768)
    .refine((text) => !isTemplate(text), { error: 'Instructions hold no {{expressions}}: put values into "input"' })
    .meta({
      description: 'The instructions for the model; put values into "input", where they count as data',
      examples: ['Say whether the message is a complaint, a question or praise.'],
    }),
  input: ValueTemplate.meta({ description: 'The data for the model, which never counts as instructions' }),
  schema: OutputSchema,
  maxOutputTokens: MaxOutputTokens,
  temperature: Temperature,
  timeout: TimedDuration.optional().meta({ description: 'How long the call may take in all' }),
  saveAs: VariablePath.optional().meta({ description: 'Where the answer is kept' }),
});
export type AiTaskConfig = z.output<typeof AiTaskConfig>;

/** The first model, and its fallback. */
export function listEndpoints({ baseUrl, model, auth, fallback, maxOutputTokens, temperature }: AiTaskConfig): readonly Endpoint[] {
  const create = (url: string, name: string, credentialId: string | undefined): Endpoint => ({
    baseUrl: url,
    model: name,
    ...(credentialId !== undefined && { credentialId }),
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
  });
  const first = create(baseUrl, model, auth?.credentialId);
  if (fallback === undefined) return [first];
  const own = fallback.auth?.credentialId;
  const credentialId = fallback.baseUrl === undefined ? (own ?? auth?.credentialId) : own;
  return [first, create(fallback.baseUrl ?? baseUrl, fallback.model, credentialId)];
}
