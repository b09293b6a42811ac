// The parts of a service, as its surfaces see it.
import type { Accounts } from '../access/accounts.ts';
import type { PresentFile } from '../platform/name-files.ts';
import type { OpenIdLogin } from '../platform/http/auth/openid.ts';
import type { ChannelRegistry } from '../channels/channels.ts';
import type { Chat } from '../chat/chat.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { FileSeals } from '../files/file-seals.ts';
import type { Files } from '../files/files.ts';
import type { HistoryPlace } from '../executions/history-place.ts';
import type { InboxFeed } from '../conversations/inbox-feed.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { Hearing } from '../platform/events/telling.ts';
import type { Functions } from '../functions/functions.ts';
import type { KeyRotation } from '../keys/rotate-keys.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { MediaCheck } from '../messages/media/media-check.ts';
import type { MessageLog, Outbox } from '../messages/messages.ts';
import type { MetricsParts } from '../operations/metrics.ts';
import type { HistoryCounter } from '../numbers/count-histories.ts';
import type { Payments } from '../payments/payments.ts';
import type { AdminAuthParts } from '../platform/http/auth/admin-auth.ts';
import type { LoginCodes } from '../platform/http/auth/login.ts';
import type { Resource } from '../platform/define-resource.ts';
import type { Platform } from '../platform/platform.ts';
import type { Forwarding } from '../processes/forwarding.ts';
import type { ScheduleClock } from '../schedules/schedules.ts';
import type { OpenSettings } from './settings.ts';
import type { StudioApplication } from '../studio/application.ts';
import type { CredentialLogins } from '../tenants/credential-login.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { Shares } from '../tenants/company-limits.ts';
import type { WorkspaceTransfer } from '../tenants/workspace/admin-routes.ts';
import type { ResumeTokens } from '../webhooks/resume-tokens.ts';
import type { Requests } from '../workflows/request-routes.ts';
import type { ToolServers } from '../workflows/tool-servers.ts';
import type { CanvasWork } from '../platform/canvas-work/canvas-work.ts';
import type { SimulationWork } from '../platform/canvas-work/simulation-work.ts';

/** Everything that the surfaces use. Each of them takes a `Pick` of it, and none imports this. */
export interface Service extends Platform, Tenancy, AdminAuthParts, MetricsParts, WorkspaceTransfer {
  readonly settings: OpenSettings;
  readonly messages: MessageLog;
  /** The kinds of provider that bots may have. */
  readonly channels: ChannelRegistry;
  /** The way of every message to its channel. */
  readonly outbox: Outbox;
  /** The life of conversations between users and operators. */
  readonly conversations: Conversations;
  /** Tells the open inboxes of changes. */
  readonly inbox: InboxFeed;
  /** What companies may take. */
  readonly shares?: Shares;
  /** Where histories go; nowhere, when undefined. */
  readonly historyPlace?: HistoryPlace | undefined;
  /** Counts what executions do. */
  readonly historyCounter: HistoryCounter;
  /** Durable work over many things. */
  readonly jobs: Jobs;
  /** The clock by which starts fall due. */
  readonly schedules: ScheduleClock;
  /** Looks at files before they are sent. */
  readonly media: MediaCheck;
  /** Gives the file of a message an address where it has a handle. */
  readonly present?: PresentFile;
  /** Checks canvases, and whatever else takes long with them. */
  readonly canvasWork: CanvasWork;
  /** Plays scripts with canvases, for the authoring server. */
  readonly simulations: SimulationWork;
  /** Deployed functions; not there where a host has none. */
  readonly functions?: Functions;
  /** Files by their handles; not there where a host has none. */
  readonly files?: Files;
  /** The links to them. */
  readonly fileSeals?: FileSeals;
  /** The chat of the web channel; not there where a host has none. */
  readonly chat?: Chat;
  /** The tokens of callbacks; not there where a host has none. */
  readonly callbacks?: ResumeTokens;
  /** Makes a call of an API node for its author; not there where a host makes no calls. */
  readonly requests?: Requests;
  /** Lists the tools of MCP servers; not there where a host makes no calls. */
  readonly toolServers?: ToolServers;
  /** Logins with credentials; not there where a host makes no calls. */
  readonly credentialLogins?: CredentialLogins;
  /** Whether somebody hears an event, for what is read only to tell it. */
  readonly telling?: Hearing;
  /** Who is told of what happens; not there where a host keeps the companies. */
  readonly subscriptions?: Subscriptions;
  /** Payments that workflows ask for; not there where a host has none. */
  readonly payments?: Payments;
  /** Takes calls of other processes for lanes of this one; absent where no address is advertised. */
  readonly forwarding?: Forwarding | undefined;
  /** The built visual editor; without it, pages without scripts replace it. */
  readonly studio?: StudioApplication | undefined;
  /** Codes that log a browser in by a link; not there where a host makes none. */
  readonly loginCodes?: LoginCodes;
  /** Rotates the key that encrypts secrets; not there where a host keeps the companies. */
  readonly keys?: KeyRotation;
  /** Admin tokens and users; not there where a host makes none. */
  readonly accounts?: Accounts;
  /** Where people log in with an account of a provider. */
  readonly openId?: OpenIdLogin | undefined;
  /** What a host adds to the routes; nothing, when left out. */
  readonly resources?: readonly Pick<Resource<Service>, 'name' | 'routes' | 'jobs' | 'tables'>[];
  /** The address that links to pages of the service begin with. */
  readonly publicUrl?: { get(): string };
}
