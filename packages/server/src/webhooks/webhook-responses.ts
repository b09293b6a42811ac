import type { Json } from '@hilo/engine/contract';

/** What a webhook that was called with `respond: "onFinish"` is answered. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

/** Brings the answer of a `respond` node, or the end of an execution, to the request that waits for it. */
export interface WebhookResponses {
  /**
   * Waits for an execution's response or end. A response is given to one who comes after it, at once.
   *
   * @returns `undefined` when neither came in time
   */
  wait(executionId: string, limitMs: number): WebhookResponse | Promise<WebhookResponse | { readonly ended: string } | undefined>;
  /** Called by the driver of `respond`. */
  respond(executionId: string, response: WebhookResponse): void;
}
