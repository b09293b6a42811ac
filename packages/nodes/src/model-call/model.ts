/** The models that a node names: how its config describes them, and how a call does. */
import type { Reference } from '@hilo/engine/contract';
import { z } from 'zod';
import { signingIn } from '../credential-kinds.ts';
import { modelProviders } from '../effects/ask-model.ts';

export const CredentialReference = z.strictObject({
  credentialId: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: 'The id of a credential of the company', examples: ['model-key'] }),
});

/** No expression: who chose the address would choose where the credential goes. */
export const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'A base URL is a whole address such as https://api.example.com/v1' })
  .max(2_000);
export const ModelName = z.string().min(1).max(200);

export const MaxOutputTokens = z.int().min(1).max(16_384).default(1_024).meta({ description: 'How long the answer may be' });
export const Temperature = z
  .number()
  .min(0)
  .max(2)
  .optional()
  .meta({ description: 'The sampling temperature; the default of the provider, when left out' });

const Price = z.number().min(0).max(10_000);

/** A currency of prices and budgets. What is none is compared with no other. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, { error: 'A currency has three capital letters, such as USD', abort: true });

/** A model, with what it costs. */
export const Model = z.strictObject({
  provider: z.enum(modelProviders).optional().meta({
    description:
      'The wire format of the provider; that of chat completions, which most speak, when left out. The others need their package',
  }),
  baseUrl: BaseUrl.meta({ description: 'The address of the provider', examples: ['https://api.example.com/v1'] }),
  name: ModelName.meta({ description: 'The name of the model', examples: ['small-1'] }),
  auth: CredentialReference.optional().meta({ description: 'The credential of the company that the model is called with' }),
  temperature: Temperature,
  maxOutputTokens: MaxOutputTokens,
  price: z
    .strictObject({
      input: Price.meta({ description: 'For a million tokens that it reads' }),
      output: Price.meta({ description: 'For a million tokens that it writes' }),
      currency: Currency.meta({ description: 'The currency of the prices', examples: ['USD'] }),
    })
    .optional()
    .meta({ description: 'What the provider charges' }),
});
export type Model = z.output<typeof Model>;

/** A model in the terms of a call, with the bounds of its answer. */
export interface Endpoint {
  readonly provider?: NonNullable<Model['provider']>;
  readonly baseUrl: string;
  readonly model: string;
  readonly credentialId?: string;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
}

export const endpointOf = ({ provider, baseUrl, name, auth, temperature, maxOutputTokens }: Model): Endpoint => ({
  ...(provider !== undefined && { provider }),
  baseUrl,
  model: name,
  ...(auth !== undefined && { credentialId: auth.credentialId }),
  maxOutputTokens,
  ...(temperature !== undefined && { temperature }),
});

/** The credentials of models that a node names, by the field of each. */
export const listCredentials = (models: {
  readonly [field: string]: { readonly auth?: { readonly credentialId: string } | undefined } | undefined;
}): readonly Reference[] =>
  Object.entries(models).flatMap(([field, model]) =>
    model?.auth === undefined
      ? []
      : [{ kind: 'credential', suits: signingIn, id: model.auth.credentialId, at: [field, 'auth', 'credentialId'] }],
  );
