import type { JsonObject } from '@hilo/engine/contract';

/** What was sent and received, as `GET /admin/v1/bots/{botId}/messages` shows it. */
export interface LoggedMessage {
  readonly messageId: string;
  readonly direction: 'outbound' | 'inbound';
  readonly userId: string;
  readonly message: JsonObject;
  /** Of an outbound message: the same for every attempt. */
  readonly idempotencyKey: string | null;
  readonly status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
  readonly createdAtMs: number;
  readonly executionId: string | null;
  readonly nodeId: string | null;
  /** Why it failed, or why no workflow took it: a code. */
  readonly cause: string | null;
}

/** A message on its way out. */
export interface OutboundMessage {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly message: JsonObject;
  readonly idempotencyKey: string;
  readonly executionId?: string;
  readonly nodeId?: string;
}

/** Keeps every message of every bot. */
export interface MessageLog {
  /** Keeps a message that is sent; the same key again is the same message. @returns its id */
  sent(message: OutboundMessage): Promise<string>;
  /** Keeps why no workflow took a user's message. */
  unmatched(message: {
    readonly companyId: string;
    readonly botId: string;
    readonly messageId: string;
    readonly cause: string;
  }): Promise<void>;
  /** Oldest first. */
  list(
    companyId: string,
    botId: string,
    filter: { readonly userId?: string; readonly limit: number; readonly cursor?: string },
  ): Promise<{ readonly results: readonly LoggedMessage[]; readonly nextCursor: string | null }>;
}
