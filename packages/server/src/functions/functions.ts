import type { DeployedFunction, FunctionCall, FunctionResult } from '@hilo/drivers';
import type { JsonObject } from '@hilo/engine/contract';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';

/** What the surface of functions works with. */
export type FunctionParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & { readonly functions: Functions };

/** A tool of a function, as a client of its tool server sees it. */
export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: JsonObject;
}

/** A function as it is deployed, with its tools. */
export interface FoundFunction extends DeployedFunction {
  readonly name: string;
  readonly tools: readonly FunctionTool[];
}

/** A function as lists show it. */
export interface FunctionSummary {
  readonly companyId: string;
  readonly functionId: string;
  readonly name: string;
}

/** A runtime token as lists show it: never the token itself (TOK-01). */
export interface RuntimeToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** `revoking` until the redeploy has finished; the token is refused from then on (TOK-04). */
  readonly state: 'active' | 'revoking' | 'revoked';
  readonly createdAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}

/** The deployed functions of all companies, and the tokens of the older kind that open them. */
export interface Functions {
  /** Every function, or those of a company, by id. */
  list(companyId?: string): Promise<readonly FunctionSummary[]>;
  /** The company of a function; function ids are unique across companies. */
  owner(functionId: string): Promise<string | undefined>;
  /** A function of this company; another company's is unknown (P28). */
  find(companyId: string, functionId: string): Promise<FoundFunction | undefined>;
  /** The company whose function this token opens; it opens no other function (AUT-04). */
  companyOfToken(functionId: string, token: string): Promise<string | undefined>;
  call(deployed: DeployedFunction, call: FunctionCall): Promise<FunctionResult>;
  /** `undefined` when the company has no such function. */
  tokens(companyId: string, functionId: string): Promise<readonly RuntimeToken[] | undefined>;
  /**
   * Revokes a token and deploys its function again (TOK-03). Resolves when that is durable; the redeploy continues.
   *
   * @returns the token in its current state; `undefined` when there is none
   */
  revoke(companyId: string, functionId: string, tokenId: string): Promise<RuntimeToken | undefined>;
  /** Continues revocations that have not ended: after a start, and after an import. */
  settle(): Promise<void>;
  /** Resolves when no revocation is under way. */
  whenIdle(): Promise<void>;
  /** Ends every function. */
  close(): Promise<void>;
}
