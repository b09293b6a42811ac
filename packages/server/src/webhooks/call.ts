import type { Entry } from '../platform/http/admission.ts';

/** A call of the gateway as either frame hands it over: its head was read once, its body is still to come. */
export interface GatewayCall {
  readonly method: string;
  /** By their names in lower case; of one that came more than once, the values with commas between them. */
  readonly headers: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  /**
   * Reads the body, counted as it comes.
   *
   * @throws {Refusal} 400, 413, 503 for one that is not taken
   */
  readonly readBody: (entry: Pick<Entry, 'take'>) => Promise<Uint8Array>;
}

/** What a call is answered, before a frame adds what every answer says. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Null for an answer without a body. */
  readonly text: string | null;
}

/** An answer in JSON. */
export const jsonAnswer = (status: number, body: unknown, headers: GatewayAnswer['headers'] = {}): GatewayAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  text: JSON.stringify(body),
});
