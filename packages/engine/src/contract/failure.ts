import type { JsonObject } from './json.ts';

/** Why a visit or an execution failed: what `$error` holds, beside the node, its attempt and further details. */
export interface Failure {
  readonly cause: string;
  readonly message: string;
  readonly details?: JsonObject;
}
