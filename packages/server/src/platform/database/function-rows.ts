import type { Generated } from 'kysely';

export type FunctionRow = {
  /** Unique among all companies: paths name no company. */
  readonly function_id: string;
  readonly company_id: string;
  readonly name: string;
  /** The module as it was deployed. */
  readonly source: string;
  /** JSON. */
  readonly tools: string;
};

export interface FunctionTable extends FunctionRow {
  /** Grows with each redeploy. */
  readonly deployment: Generated<number>;
}

export type RuntimeTokenRow = {
  readonly company_id: string;
  readonly function_id: string;
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256; unique among all companies. */
  readonly hash: string;
  readonly created_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  /** When it is or was revoked; it is refused from the end of the redeploy on (TOK-04). */
  readonly revoked_at_ms: number | null;
};

export interface RuntimeTokenTable extends RuntimeTokenRow {
  /** The end of the redeploy that its revocation brought about: from then on it is refused. */
  readonly redeployed_at_ms: Generated<number | null>;
}
