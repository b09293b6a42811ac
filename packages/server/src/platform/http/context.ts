import type { IncomingMessage, ServerResponse } from 'node:http';

/** What an operator may do: look, change drafts and their tests, publish, and act upon what runs. */
export const permissions = ['view', 'edit', 'publish', 'operate'] as const;
export type Permission = (typeof permissions)[number];

/** The parts of the service that differ in credential and in the shape of their errors (DESIGN.md, "The service"). */
export type Surface =
  | 'gateway'
  | 'legacy'
  | 'channels'
  | 'chat'
  | 'payments'
  | 'rest'
  | 'functions'
  | 'management'
  | 'operations'
  | 'unknown';

/** What a request carries on its way through a surface. */
export interface HttpEnv {
  Bindings: {
    /** Node's own request, where a Node server listens; not there when a host calls `fetch` itself. */
    readonly incoming?: IncomingMessage;
    readonly outgoing?: ServerResponse;
  };
  Variables: {
    requestId: string;
    surface: Surface;
    /** The company that the credential speaks for (P28): never one that the request names. */
    companyId: string;
    /** Which credential opened the door, in words that give nothing of it away. */
    credential: string;
    /** What the operator may do, where management asked who it is. */
    can: readonly Permission[];
  };
}
