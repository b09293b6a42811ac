import type { JsonObject } from '@hilo/engine/contract';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * What an operator may do: look, change drafts and their tests, publish, act upon what runs, talk to users and nothing else, and say who
 * else may.
 */
export const permissions = ['view', 'edit', 'publish', 'operate', 'answer', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** The companies of an operator: to them, there are no others. */
export type Reach = 'all' | ReadonlySet<string>;

/** The parts of the service that differ in credential and in the shape of their errors. */
export type Surface =
  | 'gateway'
  | 'callbacks'
  | 'legacy'
  | 'channels'
  | 'chat'
  | 'files'
  | 'payments'
  | 'rest'
  | 'functions'
  | 'management'
  | 'operations'
  | 'processes'
  | 'unknown';

/** What an act is done to. */
export interface ActedOn {
  /** Empty for what is no company's, such as a workspace. */
  readonly companyId?: string | undefined;
  /** Such as `workflow` or `execution`. */
  readonly kind?: string;
  readonly id?: string;
  /** Facts about it before and after: hashes, revisions and names, never a content and never a secret. */
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
}

/** What somebody may do in some companies. */
export interface OperatorGrant {
  readonly can: readonly Permission[];
  readonly reach: Reach;
}

/** Somebody who manages. */
export interface Operator extends OperatorGrant {
  /** Shown in logs and as the author of what they save. */
  readonly name: string;
  /** Where they may not do the same everywhere: what they may do where. `can` and `reach` are then all of these together. */
  readonly grants?: readonly OperatorGrant[];
}

/** What a request carries on its way through a surface. */
export interface HttpEnv {
  Bindings: {
    /** Node's own request, where a Node server listens; not there when a host calls `fetch` itself. */
    readonly incoming?: IncomingMessage;
    readonly outgoing?: ServerResponse;
    /** For whom a tool of the authoring server asks: management trusts it as it trusts its own authentication. */
    readonly operator?: Operator;
    /** The id of the request in which the authoring server asks. */
    readonly requestId?: string;
  };
  Variables: {
    requestId: string;
    surface: Surface;
    /** The address of the caller, where there is a connection: behind trusted proxies the one that they name. */
    clientAddress: string | undefined;
    /** The company of the credential (P28), never one that the request names. */
    companyId: string;
    /** Identifies the credential without revealing it. */
    credential: string;
    /** The operator's permissions, on management routes. */
    can: readonly Permission[];
    /** The operator's companies, on management routes; undefined behind the own authentication of a host, which lets in to all. */
    reach: Reach | undefined;
    /** Where the operator may not do the same in all of their companies: what they may do where. */
    grants: readonly OperatorGrant[] | undefined;
    /** Whether the operator may still do what they may at the beginning of the request, for what takes long. */
    isUnchanged: (() => Promise<boolean>) | undefined;
    /** What the act of a request of management is done to, as its handler adds it. */
    audit: ActedOn | undefined;
  };
}
