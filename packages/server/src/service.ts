import type { Engine } from '@hilo/engine';
import type { Clock, JsonObject, NodeDefinition } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { ChannelRegistry } from './channels/registry.ts';
import type { LoginCodes } from './platform/http/auth/login-codes.ts';
import type { Functions } from './functions/functions.ts';
import type { Conversations } from './conversations/conversations.ts';
import type { Outbox } from './messages/outbox.ts';
import type { Payments } from './payments/payments.ts';
import type { MediaCheck } from './messages/media/media-check.ts';
import type { CommitTimes } from './platform/database/commit-times.ts';
import type { ImportProgress, ImportSummary } from './tenants/workspace/import-workspace.ts';
import type { WorkspaceSource } from './tenants/workspace/source.ts';
import type { Companies } from './tenants/companies.ts';
import type { LimitReports } from './platform/logging/limit-reports.ts';
import type { Authorize } from './host-parts.ts';
import type { Logger } from './platform/logging/logger.ts';
import type { MessageLog } from './messages/message-log.ts';
import type { OpenSettings } from './settings.ts';
import type { StudioApplication } from './studio/application.ts';
import type { WebhookResponses } from './webhooks/webhook-responses.ts';

/** All that a surface works with. */
export interface Service {
  readonly settings: OpenSettings;
  readonly engine: Engine;
  readonly store: DurableStore;
  /** What canvases are made of: the standard nodes, and those of the host. */
  readonly nodes: readonly NodeDefinition[];
  /** The effects that there are drivers for. */
  readonly effects: ReadonlySet<string>;
  readonly companies: Companies;
  readonly messages: MessageLog;
  /** Lets operators in besides the admin token. */
  readonly authorize?: Authorize | undefined;
  /** The kinds of provider that bots may have. */
  readonly channels: ChannelRegistry;
  /** The way of every message to its channel. */
  readonly outbox: Outbox;
  /** The life of conversations between users and operators. */
  readonly conversations: Conversations;
  /** Looks at files before they are sent. */
  readonly media: MediaCheck;
  readonly responses: WebhookResponses;
  /** Deployed functions; not there where a host has none. */
  readonly functions?: Functions;
  /** Payments that workflows ask for; not there where a host has none. */
  readonly payments?: Payments;
  /** The visual editor as it was built; without it, pages that need no script stand in for it. */
  readonly studio?: StudioApplication | undefined;
  /** Codes that log a browser in by a link; not there where a host makes none. */
  readonly loginCodes?: LoginCodes;
  readonly log: Logger;
  /** How long the store's commits take; without it `/metrics` does not say. */
  readonly commitTimes?: CommitTimes;
  /** Bounds that work ran into; without it `/metrics` does not say. */
  readonly limitReports?: LimitReports;
  /** The store's clock: what is due, open or over is judged by it. */
  readonly clock: Clock;
  /** False from the first signal to stop: nothing new is accepted. */
  readonly isAccepting: () => boolean;
  /** Brings in a workspace, all of it or nothing; not there where companies are somebody else's to keep. @throws {WorkspaceRefused} */
  readonly importWorkspace?: (source: WorkspaceSource, onProgress?: (progress: ImportProgress) => void) => Promise<ImportSummary>;
  /** All that is configured, without a secret. */
  readonly exportWorkspace?: () => Promise<JsonObject>;
}
