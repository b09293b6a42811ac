import { z } from 'zod';
import { Json, JsonObject } from './json.ts';

/** The schema of the methods that a webhook node may take. */
export const WebhookMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
export type WebhookMethod = z.output<typeof WebhookMethod>;

/** A request to a webhook route, as the gateway hands it over: its body parsed, its credentials checked. */
export const WebhookRequest = z.strictObject({
  method: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  query: JsonObject.default({}),
  body: Json.default(null),
});
export type WebhookRequest = z.output<typeof WebhookRequest>;

/** What `$webhook.<variableName>` holds (VAR-01). `isNewExecution === (mode === 'new')`, always. */
export interface WebhookData {
  readonly body: Json;
  readonly headers: { readonly [name: string]: string };
  readonly query: JsonObject;
  readonly method: string;
  readonly mode: 'new' | 'resume';
  readonly executionId: string;
  readonly isNewExecution: boolean;
}
