// Written by npm run generate from the routes of the service: change those.
// biome-ignore-all format: one operation a line
import type { RequestOptions } from './request-options.ts';

type WebhookAccepted = { readonly success: true; readonly executionId: string; readonly mode: "new" | "resume"; readonly isNewExecution: boolean; readonly ignored?: true; readonly status?: string };

type SignalAnswered = { readonly executionIds: readonly (string)[]; readonly heldUntil?: string };

type WorkflowSummary = { readonly workflowId: string; readonly hash: string; readonly publishedVersion: number | null; readonly isPublished: boolean; readonly gate: { readonly state: "paused" | "unpublished"; readonly says?: { readonly [name: string]: unknown } | null; readonly children: "run" | "refuse"; readonly at: string; readonly by: string | null; readonly until: string | null } | null; readonly name: string; readonly folder: string; readonly kind: "skill" | "tool"; readonly revision: number; readonly updatedAt: string | null; readonly savedBy: string | null; readonly errors: number; readonly warnings: number; readonly running: number; readonly waiting: number; readonly failed24h: number };

type CanvasProblem = { readonly code: string; readonly severity: "error" | "warning"; readonly nodeId?: string; readonly pointer: string; readonly places?: readonly (string)[]; readonly message: string; readonly hint: string; readonly way?: readonly ({ readonly nodeId: string; readonly port?: string })[]; readonly follows?: string; readonly subject?: string; readonly range?: { readonly start: number; readonly end: number }; readonly fixes?: readonly ({ readonly label: string; readonly patch: readonly ({ readonly op: "add" | "replace"; readonly path: string; readonly value?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null } | { readonly op: "remove"; readonly path: string })[] })[]; readonly dialogue?: { readonly script: string; readonly transcript: string } | null };

type Draft = { readonly workflowId: string; readonly hash: string; readonly publishedVersion: number | null; readonly isPublished: boolean; readonly isArchived: boolean; readonly gate: { readonly state: "paused" | "unpublished"; readonly says?: { readonly [name: string]: unknown } | null; readonly children: "run" | "refuse"; readonly at: string; readonly by: string | null; readonly until: string | null } | null; readonly canvas?: { readonly [name: string]: unknown }; readonly problems: readonly (CanvasProblem)[]; readonly urls: { readonly production: { readonly whatsapp?: string; readonly web?: string; readonly instagram?: string; readonly facebook?: string; readonly slack?: string; readonly teams?: string; readonly twitter?: string; readonly custom?: string }; readonly test: { readonly whatsapp?: string; readonly web?: string; readonly instagram?: string; readonly facebook?: string; readonly slack?: string; readonly teams?: string; readonly twitter?: string; readonly custom?: string } } | null };

type PublishedVersion = { readonly workflowId: string; readonly version: number; readonly hash: string; readonly publishedAt: string };

type AuthorHere = { readonly name: string; readonly nodeId: string | null };

type WorkflowComment = { readonly id: string; readonly nodeId: string | null; readonly text: string; readonly by: string; readonly at: string; readonly doneAt: string | null; readonly doneBy: string | null };

type NodeEntry = { readonly [name: string]: unknown };

type Execution = { readonly executionId: string; readonly workflowId: string; readonly version: number | "draft"; readonly status: "running" | "waiting" | "completed" | "failed" | "cancelled" | "expired" | "quarantined"; readonly userId: string | null; readonly userNames?: string | null; readonly botId: string | null; readonly channel: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | null; readonly parentExecutionId: string | null; readonly wait: { readonly id: string; readonly kind: "reply" | "webhook" | "external" | "timer" | "child" | "event" | "handoff" | "payment" | "retry"; readonly nodeId: string; readonly openedAt: string; readonly dueAt: string | null; readonly onDue: "timeout" | "expire"; readonly correlation?: { readonly name: string; readonly value: string }; readonly childExecutionId?: string } | null; readonly variables?: { readonly [name: string]: unknown }; readonly createdAt: string; readonly updatedAt: string; readonly endedAt: string | null; readonly cause: string | null; readonly continuedAs: string | null; readonly forkedFrom: string | null };

type History = { readonly executionId: string; readonly entries: readonly ({ readonly step: number; readonly event: number; readonly at: string; readonly nodeId: string; readonly visitNumber: number; readonly type: string; readonly port?: string; readonly heard?: { readonly [name: string]: unknown }; readonly from?: string; readonly by?: string; readonly migrated?: { readonly from: number | "draft"; readonly to: number | "draft"; readonly job?: string; readonly isProved: boolean }; readonly forked?: { readonly from: string; readonly event: number }; readonly continued?: { readonly as: string }; readonly effect?: { readonly type: string; readonly key: string; readonly request?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly result?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly outcome?: string }; readonly cause?: string; readonly limitMs?: number; readonly configuredMs?: number | null; readonly appliedMs?: number; readonly writes?: readonly ({ readonly path: string; readonly value?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly ttlMs?: number })[] })[] };

type ExecutionState = { readonly variables?: { readonly [name: string]: unknown }; readonly wait: { readonly id: string; readonly kind: "reply" | "webhook" | "external" | "timer" | "child" | "event" | "handoff" | "payment" | "retry"; readonly nodeId: string; readonly openedAt: string; readonly dueAt: string | null; readonly onDue: "timeout" | "expire"; readonly correlation?: { readonly name: string; readonly value: string }; readonly childExecutionId?: string } | null; readonly step: number; readonly at: string; readonly nodeId: string | null };

type ExecutionContinued = { readonly executionId: string };

type ReplayedExecution = { readonly executionId: string; readonly outcome: { readonly kind: "equal" | "differs" | "unknown" | "unreadable"; readonly index?: number; readonly how?: "start" | "request" | "order" | "extra" | "missing" | "end" | "drawn"; readonly group?: string; readonly why?: string; readonly before?: { readonly nodeId: string; readonly what: string; readonly value?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null }; readonly after?: { readonly nodeId: string; readonly what: string; readonly value?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null } }; readonly before: readonly ({ readonly nodeId: string; readonly what: string; readonly value?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly at: string })[]; readonly after: readonly ({ readonly nodeId: string; readonly what: string; readonly value?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly at: string })[] };

type LoggedMessage = { readonly messageId: string; readonly direction: "outbound" | "inbound"; readonly userId: string; readonly message?: { readonly [name: string]: unknown }; readonly idempotencyKey: string | null; readonly status: "queued" | "sent" | "delivered" | "read" | "failed" | "received"; readonly createdAt: string; readonly executionId?: string; readonly nodeId?: string; readonly cause?: string; readonly explanation?: string };

type ChannelCheck = { readonly botId: string; readonly kind: string; readonly isWorking: boolean | null; readonly message: string };

type AuditRecord = { readonly at: string; readonly requestId: string; readonly companyId: string | null; readonly actor: string; readonly via: "http" | "socket" | "store" | "host" | "provider"; readonly action: string; readonly object: { readonly kind: string; readonly id: string } | null; readonly before?: { readonly [name: string]: unknown } | null; readonly after?: { readonly [name: string]: unknown } | null; readonly outcome: string };

type Job = { readonly jobId: string; readonly companyId: string; readonly kind: string; readonly spec?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly status: "waiting" | "running" | "paused" | "done" | "cancelled"; readonly cursor: number; readonly counts: { readonly [name: string]: number }; readonly atLeast: boolean; readonly problems: readonly ({ readonly code: string; readonly message: string; readonly executionId: string })[]; readonly failure: { readonly code: string; readonly message: string } | null; readonly rate: number; readonly atMost: number | null; readonly notBefore: string; readonly createdBy: string; readonly createdAt: string; readonly endedAt: string | null };

type Schedule = { readonly workflowId: string; readonly nodeId: string; readonly cron: string | null; readonly field: string | null; readonly timeZone: string | null; readonly audience?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly graceMs: number; readonly isPaused: boolean; readonly nextAt: string | null; readonly through: string | null };

type Start = { readonly startId: string | null; readonly workflowId: string; readonly nodeId: string | null; readonly status: "waiting" | "running" | "started" | "missed" | "cancelled" | "failed"; readonly at: string; readonly audience?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null; readonly botId: string | null; readonly userId: string | null; readonly inputs?: { readonly [name: string]: unknown }; readonly executionId: string | null; readonly jobId: string | null; readonly counts: { readonly [name: string]: number }; readonly times: number; readonly reason: string | null; readonly createdBy: string; readonly createdAt: string; readonly endedAt: string | null };

type Conversation = { readonly _id: string; readonly operator: { readonly id: number; readonly names: string; readonly email: string } | null; readonly user: { readonly id: string; readonly names: string }; readonly bot: { readonly id: string; readonly name: string }; readonly company: { readonly name: string }; readonly assignationMethod: { readonly teamName: string | null }; readonly state: "active" | "closed" | "resolved" | "expired" | "transferred"; readonly wasReplied: boolean; readonly childConversation: string | null; readonly parentConversation: string | null; readonly endedReason: string | null; readonly startAt: string; readonly endAt: string | null; readonly firstRepliedAtOperator: string | null; readonly origin: string; readonly timeRepliedOperator: number | null; readonly conversationDuration: number; readonly avgOperatorResponseTime: number | null };

type OperatorMessage = { readonly success: true; readonly messageId: string | null; readonly leavesAt?: string };

type InboxConversation = (Conversation) & ({ readonly channel: string | null; readonly waitingSince: string | null; readonly unread: number; readonly lastMessage: { readonly by: "user" | "bot" | "operator"; readonly type: string; readonly text: string; readonly at: string } | null });

type InboxDetails = { readonly conversation: InboxConversation; readonly window: { readonly isOpen: boolean; readonly until: string | null }; readonly templates: readonly ({ readonly id: string; readonly name: string; readonly language: string; readonly body: string; readonly parameters: readonly (string)[] })[]; readonly execution: { readonly executionId: string; readonly workflowId: string; readonly status: string; readonly variables?: { readonly [name: string]: unknown } } | null; readonly tags: readonly (number)[]; readonly contact: { readonly id: string; readonly fields?: { readonly [name: string]: unknown }; readonly groups: readonly (string)[]; readonly marketing: "unknown" | "granted" | "revoked" } | null; readonly fields: readonly ({ readonly key: string; readonly label: string })[] };

type InboxMessage = { readonly messageId: string; readonly by: "user" | "bot" | "operator"; readonly message?: { readonly [name: string]: unknown }; readonly status: "queued" | "sent" | "delivered" | "read" | "failed" | "received"; readonly createdAt: string; readonly cause: string | null; readonly executionId: string | null };

type Contact = { readonly id: string; readonly identities: readonly ({ readonly botId?: string; readonly kind: "phone" | "bsuid" | "provider"; readonly value: string; readonly since: string })[]; readonly names?: string; readonly locale?: string; readonly timeZone?: string; readonly fields?: { readonly [name: string]: unknown }; readonly groups: readonly (string)[]; readonly consent: { readonly marketing: "unknown" | "granted" | "revoked"; readonly at?: string; readonly source?: string; readonly evidence?: string }; readonly firstSeenAt: string; readonly lastInboundAt?: string; readonly lastOutboundAt?: string };

type ContactGroup = { readonly name: string; readonly contacts: number };

type Segment = { readonly name: string; readonly condition: string; readonly createdAt: string; readonly updatedAt: string };

type SegmentPreview = { readonly contacts: number; readonly examples: readonly (Contact)[] };

type CampaignDryRun = { readonly recipients: number; readonly duplicates: number; readonly noConsent: number; readonly missingParameters: readonly ({ readonly user: string; readonly parameter: string })[] };

type Campaign = { readonly id: string; readonly name: string; readonly elementName: string; readonly botId: string; readonly status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "SCHEDULED" | "CANCELLED"; readonly totalMessages: number; readonly deliveredMessages: number; readonly failedMessages: number; readonly skipped?: { readonly consent: number }; readonly paused?: { readonly at: string; readonly reason: string }; readonly createdAt: string; readonly completedAt: string | null; readonly scheduledAt: string | null };

type AddedRecipients = { readonly added: number; readonly duplicates: number };

type CampaignReport = { readonly recipients: number; readonly pending: number; readonly sent: number; readonly delivered: number; readonly read: number; readonly failed: { readonly [name: string]: number }; readonly skipped: { readonly consent: number }; readonly replied: number };

type ExportedContact = { readonly exportedAt: string; readonly companyId: string; readonly contact?: { readonly [name: string]: unknown }; readonly memory: readonly ({ readonly [name: string]: unknown })[]; readonly executions: readonly ({ readonly [name: string]: unknown })[]; readonly executionsNamingThem: readonly ({ readonly [name: string]: unknown })[]; readonly signals: readonly ({ readonly [name: string]: unknown })[]; readonly messages: readonly ({ readonly [name: string]: unknown })[]; readonly files: readonly ({ readonly [name: string]: unknown })[]; readonly audit: readonly ({ readonly [name: string]: unknown })[]; readonly historyObjects: readonly (string)[] };

type EventSubscription = { readonly id: string; readonly url: string; readonly events: readonly (string)[]; readonly paused: boolean; readonly createdAt?: string };

type EventDelivery = { readonly id: string; readonly type: "message.received" | "message.sent" | "message.status" | "execution.started" | "execution.ended" | "execution.failed" | "contact.created" | "contact.updated" | "contact.consentChanged" | "conversation.opened" | "conversation.assigned" | "conversation.ended" | "workflow.published" | "campaign.started" | "campaign.ended" | "job.ended"; readonly timestamp: string; readonly data?: { readonly [name: string]: unknown }; readonly state: "pending" | "delivered" | "parked"; readonly attempts: number; readonly nextAttemptAt: string | null; readonly endedAt: string | null; readonly lastAnswer: { readonly at: string; readonly tookMs: number; readonly status: number | null; readonly code: string | null; readonly text: string } | null };

type UploadedFile = { readonly id: string; readonly name: string; readonly type: string; readonly bytes: number; readonly createdAt: string };

type FlowKey = { readonly fingerprint: string; readonly publicKey: string; readonly isRegistered: boolean; readonly status: string };

type CompanyTemplate = { readonly id: string; readonly botId: string; readonly elementName: string; readonly language: string; readonly category: string; readonly status: string; readonly reason: string | null; readonly quality: string | null; readonly notice: string | null; readonly categoryToCome: string | null; readonly statusAt: string | null; readonly providerId: string | null; readonly parameters: readonly (string)[]; readonly body: string | null };

type SyncedTemplates = { readonly botId: string; readonly listed: number; readonly added: readonly (string)[]; readonly changed: readonly (string)[]; readonly missing: readonly (string)[]; readonly leftOut: number };

type ImportSummary = { readonly [name: string]: unknown };

type FunctionSummary = { readonly companyId: string; readonly functionId: string; readonly name: string };

type RuntimeToken = { readonly id: string; readonly name: string; readonly prefix: string; readonly state: "active" | "revoking" | "revoked"; readonly lastUsedAt: string | null; readonly createdAt: string | null };

type AdminToken = { readonly id: string; readonly name: string; readonly roles: readonly ("viewer" | "editor" | "publisher" | "operator" | "answerer" | "admin")[]; readonly companies: "all" | readonly (string)[]; readonly createdAt: string; readonly lastUsedAt: string | null; readonly prefix: string; readonly revokedAt: string | null };

type ServiceUser = { readonly name: string; readonly roles: readonly ("viewer" | "editor" | "publisher" | "operator" | "answerer" | "admin")[]; readonly companies: "all" | readonly (string)[]; readonly createdAt: string; readonly lastUsedAt: string | null; readonly grants?: readonly ({ readonly roles: readonly ("viewer" | "editor" | "publisher" | "operator" | "answerer" | "admin")[]; readonly companies: "all" | readonly (string)[] })[] };

type ToolOfServer = { readonly name: string; readonly description: string; readonly schema: { readonly [name: string]: unknown }; readonly readOnly: boolean };

type Payment = { readonly checkoutId: string; readonly workflowId: string; readonly nodeId: string; readonly executionId: string; readonly provider: string; readonly credentialId: string | null; readonly amount: number; readonly currency: string; readonly description: string; readonly status: "requested" | "open" | "pending" | "approved" | "rejected" | "expired"; readonly isLate: boolean | null; readonly reference: string | null; readonly url: string | null; readonly createdAt: string; readonly expiresAt: string; readonly changedAt: string | null };

type PaymentWithEvents = (Payment) & ({ readonly events: readonly ({ readonly status: string; readonly at: string })[] });

type Health = { readonly status: "ok" };

type Readiness = { readonly status: "ok"; readonly details: { readonly refusedBots: number } };

type Sent = { readonly success: true; readonly messageId: string };

type MessageStatus = { readonly messageId: string; readonly status: "queued" | "sent" | "delivered" | "read" | "failed"; readonly error?: { readonly code: string; readonly message: string }; readonly updatedAt: string };

type TemplateSend = { readonly type: "template"; readonly templateId: string; readonly userId: string; readonly parameters?: { readonly [name: string]: string | number }; readonly botId?: string };

type Pagination = { readonly limit: number; readonly page: number; readonly total: number; readonly offset: number; readonly totalPages: number };

type Tag = { readonly id: number; readonly name: string; readonly color: string; readonly textColor: string; readonly language: string; readonly teams: readonly (number)[]; readonly channels: readonly ("whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom")[] };

type Room = { readonly id: string; readonly botId: string; readonly user: { readonly id: string; readonly names: string | null }; readonly tags: readonly (Tag)[] };

type OperatorStatistics = { readonly _id: number; readonly total: number; readonly actual: number; readonly attended: number; readonly expired: number; readonly lastMessageOperator: number; readonly lastMessageUser: number; readonly lastMessageBot: number; readonly notAttended: number; readonly avgReplyTime: number; readonly avgOperatorResponseTime: number; readonly transfered: number; readonly avgConversationTime: number; readonly operator: { readonly id: number; readonly names: string; readonly email: string; readonly companyId: number } | null };

/** The operations of a service: each sends one request, and throws `HiloRequestError` for every refusal. */
export interface HiloClient {
  /** Resumes the wait that the address stands for, once */
  receiveCallbackWithGet(request: RequestOptions & { readonly path: { readonly token: string } }): Promise<WebhookAccepted>;
  /** Resumes the wait that the address stands for, once */
  receiveCallbackWithPut(request: RequestOptions & { readonly path: { readonly token: string }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Resumes the wait that the address stands for, once */
  receiveCallback(request: RequestOptions & { readonly path: { readonly token: string }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Resumes the wait that the address stands for, once */
  receiveCallbackWithPatch(request: RequestOptions & { readonly path: { readonly token: string }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Resumes the wait that the address stands for, once */
  receiveCallbackWithDelete(request: RequestOptions & { readonly path: { readonly token: string }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Resumes every execution that waits for an event with this name and correlation */
  sendSignal(request: RequestOptions & { readonly path: { readonly name: string }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly correlation: string; readonly payload?: unknown; readonly ttl?: string } }): Promise<SignalAnswered>;
  /** Starts or resumes an execution of the published version */
  startWorkflowWithGet(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined } }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the published version */
  startWorkflowWithPut(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the published version */
  startWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the published version */
  startWorkflowWithPatch(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the published version */
  startWorkflowWithDelete(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the draft */
  testWorkflowWithGet(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly testUserId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined } }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the draft */
  testWorkflowWithPut(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly testUserId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the draft */
  testWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly testUserId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the draft */
  testWorkflowWithPatch(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly testUserId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution of the draft */
  testWorkflowWithDelete(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly channel: string; readonly nodeId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly testUserId?: string | number | boolean | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution by the id of a webhook on the earlier host */
  startWorkflowOfWebhookWithGet(request: RequestOptions & { readonly path: { readonly webhookId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined } }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution by the id of a webhook on the earlier host */
  startWorkflowOfWebhookWithPut(request: RequestOptions & { readonly path: { readonly webhookId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution by the id of a webhook on the earlier host */
  startWorkflowOfWebhook(request: RequestOptions & { readonly path: { readonly webhookId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution by the id of a webhook on the earlier host */
  startWorkflowOfWebhookWithPatch(request: RequestOptions & { readonly path: { readonly webhookId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Starts or resumes an execution by the id of a webhook on the earlier host */
  startWorkflowOfWebhookWithDelete(request: RequestOptions & { readonly path: { readonly webhookId: string }; readonly query?: { readonly executionId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined }; readonly headers?: { readonly 'webhook-id'?: string | undefined; readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<WebhookAccepted>;
  /** Answers the challenge with which a provider verifies the address of a bot: Meta sends hub.challenge, X sends crc_token */
  verifyProviderAddress(request: RequestOptions & { readonly path: { readonly botId: string }; readonly query?: { readonly 'hub.mode'?: string | number | boolean | undefined; readonly 'hub.verify_token'?: string | number | boolean | undefined; readonly 'hub.challenge'?: string | number | boolean | undefined; readonly crc_token?: string | number | boolean | undefined } }): Promise<string>;
  /** Starts or renews a session; anonymous without a token */
  startChatSession(request: RequestOptions & { readonly path: { readonly botId: string }; readonly body?: { readonly draft?: string } }): Promise<{ readonly token: string; readonly user: { readonly id: string }; readonly bot: { readonly name: string }; readonly expiresAt: string }>;
  /** Messages of the visitor as server-sent events, after Last-Event-ID */
  streamChatEvents(request: RequestOptions & { readonly path: { readonly botId: string } }): Promise<Response>;
  /** Receives a message; a repeated id is the same message */
  sendChatMessage(request: RequestOptions & { readonly path: { readonly botId: string }; readonly body?: { readonly id: string; readonly type: "text" | "button" | "location" | "form"; readonly text?: string; readonly payload?: string; readonly coordinates?: { readonly lat: number; readonly long: number }; readonly of?: string; readonly values?: { readonly [name: string]: unknown } } }): Promise<{ readonly success: true; readonly outcome?: string; readonly mediaUrl?: string }>;
  /** Takes a file of at most 5 MB, named by X-Message-ID and X-Filename */
  uploadChatFile(request: RequestOptions & { readonly path: { readonly botId: string }; readonly body: Blob | string }): Promise<{ readonly success: true; readonly outcome?: string; readonly mediaUrl?: string }>;
  /** Marks messages as read */
  markChatRead(request: RequestOptions & { readonly path: { readonly botId: string }; readonly body?: { readonly upTo: string } }): Promise<{ readonly success: true; readonly outcome?: string; readonly mediaUrl?: string }>;
  /** A file that a visitor sent, for any holder of its address */
  getChatFile(request: RequestOptions & { readonly path: { readonly botId: string; readonly fileId: string } }): Promise<Response>;
  /** A file, for whoever was given its link */
  followFileLink(request: RequestOptions & { readonly path: { readonly token: string } }): Promise<Response>;
  /** Calls a deployed function with the body */
  callFunction(request: RequestOptions & { readonly path: { readonly functionId: string }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: unknown }): Promise<unknown>;
  /** The tools of a function, for clients of the Model Context Protocol (streamable HTTP) */
  callFunctionTools(request: RequestOptions & { readonly path: { readonly functionId: string }; readonly body?: unknown }): Promise<unknown>;
  /** Whether a function is deployed; needs no credential */
  checkFunction(request: RequestOptions & { readonly path: { readonly functionId: string } }): Promise<{ readonly status: "ok" }>;
  /** The workflows of a company, by id or in another order */
  listWorkflows(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly q?: string | number | boolean | undefined; readonly archived?: "true" | "false" | undefined; readonly sort?: "workflowId" | "-workflowId" | "name" | "-name" | "updatedAt" | "-updatedAt" | "waiting" | "-waiting" | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (WorkflowSummary)[]; readonly nextCursor: string | null }>;
  /** The draft, with its problems and the addresses of its webhook */
  getWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<(Draft) & ({ readonly revision: number; readonly savedAt: string | null; readonly savedBy: string | null; readonly lock: { readonly by: string; readonly at: string; readonly isMine: boolean } | null })>;
  /** Stores a canvas as the draft, even with problems; creates the workflow if there is none */
  saveWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined }; readonly body?: { readonly $schema?: string; readonly schemaVersion: number; readonly id: string; readonly name: string; readonly description?: string; readonly kind?: string; readonly settings?: { readonly [name: string]: unknown }; readonly variables?: { readonly [name: string]: unknown }; readonly nodes: readonly ({ readonly [name: string]: unknown })[]; readonly edges?: readonly ({ readonly [name: string]: unknown })[]; readonly viewport?: { readonly [name: string]: unknown } } }): Promise<(Draft) & ({ readonly revision: number; readonly savedAt: string | null; readonly savedBy: string | null; readonly lock: { readonly by: string; readonly at: string; readonly isMine: boolean } | null })>;
  /** Removes a workflow: its draft, its versions and its transcripts; its executions keep their history */
  deleteWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly force?: "true" | "false" | undefined } }): Promise<{ readonly workflowId: string; readonly cancelled: number }>;
  /** Takes a workflow out of lists and out of publication; its executions continue */
  archiveWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly workflowId: string; readonly isArchived: boolean }>;
  /** Puts an archived workflow back into lists; publishing it lets it be started again */
  restoreWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly workflowId: string; readonly isArchived: boolean }>;
  /** Publishes the draft as the next version; a draft that equals the latest version creates none */
  publishWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly note?: string; readonly revision?: number; readonly at?: string } }): Promise<(PublishedVersion) & ({ readonly note: string; readonly publishedBy: string | null; readonly warnings: readonly (CanvasProblem)[] }) | { readonly jobId: string }>;
  /** Every published version, the first one first */
  listVersions(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly ((PublishedVersion) & ({ readonly note: string; readonly publishedBy: string | null }))[]; readonly nextCursor: string | null }>;
  /** One published version with its canvas */
  getVersion(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly version: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<(PublishedVersion) & ({ readonly note: string; readonly publishedBy: string | null; readonly canvas?: { readonly [name: string]: unknown } })>;
  /** The operator of the request, their permissions and companies */
  getOperator(request?: RequestOptions): Promise<{ readonly name: string; readonly can: readonly (string)[]; readonly companies: readonly ({ readonly id: string; readonly name: string; readonly can?: readonly (string)[] })[]; readonly limits: { readonly bodyBytes: number; readonly transcripts: number } }>;
  /** The number of executions in each version, by node */
  getPopulation(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly versions: readonly ({ readonly version: number; readonly running: number; readonly waiting: number; readonly quarantined: number; readonly nodes: readonly ({ readonly nodeId: string; readonly waiting: number; readonly oldest: string })[] })[] }>;
  /** The differences between two versions, except layout */
  compareVersions(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query: { readonly companyId?: string | number | boolean | undefined; readonly from: string | number | boolean; readonly to?: string | number | boolean | undefined } }): Promise<{ readonly [name: string]: unknown }>;
  /** The data that an editor shows for each node of a canvas, and its problems; stores nothing */
  describeCanvas(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly [name: string]: unknown } }): Promise<{ readonly nodes: readonly ({ readonly [name: string]: unknown })[]; readonly problems: readonly (CanvasProblem)[] }>;
  /** The transcripts that are stored with a workflow as tests, by name */
  listTranscripts(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly ({ readonly name: string; readonly updatedAt: string })[]; readonly nextCursor: string | null }>;
  /** One transcript */
  getTranscript(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly name: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<string>;
  /** Stores a transcript under a name */
  saveTranscript(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly name: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined }; readonly body: string }): Promise<{ readonly name: string }>;
  /** Removes a transcript */
  deleteTranscript(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly name: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly name: string }>;
  /** Says that its caller has a workflow open, and who else has */
  sayAuthorHere(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly tab: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly nodeId?: string | null } }): Promise<{ readonly results: readonly (AuthorHere)[]; readonly nextCursor: string | null; readonly lock: { readonly by: string; readonly at: string; readonly isMine: boolean } | null }>;
  /** Says that its caller has closed a workflow */
  sayAuthorGone(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly tab: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly tab: string }>;
  /** The comments on a workflow and on its nodes, oldest first */
  listWorkflowComments(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (WorkflowComment)[]; readonly nextCursor: string | null }>;
  /** Comments on a workflow, or on one of its nodes */
  addWorkflowComment(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly nodeId?: string | null; readonly text: string } }): Promise<WorkflowComment>;
  /** Marks a comment as done, or as open again */
  markWorkflowComment(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly commentId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly isDone: boolean } }): Promise<WorkflowComment>;
  /** Removes a comment */
  removeWorkflowComment(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly commentId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly id: string }>;
  /** Puts a workflow into a folder of the list, or takes it out */
  setWorkflowFolder(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly folder: string } }): Promise<{ readonly workflowId: string; readonly folder: string }>;
  /** Keeps a workflow for its caller: nobody else saves, publishes, archives or removes it until it is unlocked */
  lockWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly tab?: string } }): Promise<{ readonly by: string; readonly at: string; readonly isMine: boolean }>;
  /** Takes the lock of a workflow away */
  unlockWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly force?: "true" | "false" | undefined } }): Promise<{ readonly workflowId: string }>;
  /** What executions did over a stretch of time, by node */
  getNumbers(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly version?: number | `${number}` | undefined; readonly from?: string | number | boolean | undefined; readonly to?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined; readonly by?: "node" | "port" | undefined } }): Promise<{ readonly workflowId: string; readonly from: string; readonly to: string; readonly version: number | null; readonly versions: readonly (number)[]; readonly channel: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | null; readonly channels: readonly ("whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom")[]; readonly countedAt: string | null; readonly isBehind: boolean; readonly entered: number; readonly ended: { readonly completed: number; readonly failed: number; readonly cancelled: number; readonly expired: number }; readonly nodes: readonly ({ readonly nodeId: string; readonly visits: number; readonly standing: number; readonly ended: { readonly completed: number; readonly failed: number; readonly cancelled: number; readonly expired: number }; readonly p50Ms: number | null; readonly p95Ms: number | null; readonly causes: readonly ({ readonly cause: string; readonly count: number })[]; readonly ports?: readonly ({ readonly port: string; readonly count: number; readonly p50Ms: number | null; readonly p95Ms: number | null })[] })[] }>;
  /** A company at a glance: what waits, its bots, and how the week went */
  getOverview(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly companyId: string; readonly at: string; readonly conversations: { readonly open: number; readonly waiting: number; readonly oldestWaitingSince: string | null }; readonly executions: { readonly running: number; readonly waiting: number; readonly failed24h: number; readonly causes: readonly ({ readonly cause: string; readonly count: number })[] }; readonly bots: readonly ({ readonly id: string; readonly name: string; readonly channel: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom"; readonly provider: string; readonly environment: "live" | "test"; readonly messages: { readonly received: number; readonly sent: number; readonly isPartial: boolean; readonly days: readonly ({ readonly date: string; readonly received: number; readonly sent: number })[] }; readonly answers: { readonly fallback: { readonly workflowId: string; readonly name: string } | null; readonly keywords: readonly ({ readonly workflowId: string; readonly name: string; readonly keyword: string })[] } })[]; readonly week: { readonly from: string; readonly to: string; readonly began: number; readonly completed: number; readonly failed: number; readonly handedOff: number; readonly medianReplyMs: number | null }; readonly weekBefore: { readonly from: string; readonly to: string; readonly began: number; readonly completed: number; readonly failed: number; readonly handedOff: number; readonly medianReplyMs: number | null } }>;
  /** The names that canvases of a company can refer to: bots, templates, credentials, workflows …; no secrets */
  listReferences(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly bots: readonly ({ readonly id: string; readonly name: string; readonly channel: string })[]; readonly templates: readonly ({ readonly id: string; readonly name: string; readonly parameters: number; readonly isApproved: boolean; readonly body: string | null })[]; readonly credentials: readonly ({ readonly id: string; readonly name: string; readonly kind: string })[]; readonly workflows: readonly ({ readonly id: string; readonly name: string; readonly kind: "skill" | "tool"; readonly inputs?: { readonly [name: string]: unknown }; readonly outputs?: { readonly [name: string]: unknown } })[]; readonly functions: readonly ({ readonly id: string; readonly name: string; readonly tools: readonly ({ readonly name: string; readonly description: string; readonly inputSchema?: { readonly [name: string]: unknown } })[] })[]; readonly tags: readonly ({ readonly id: string; readonly name: string })[]; readonly teams: readonly ({ readonly id: string; readonly name: string })[]; readonly operators: readonly ({ readonly id: string; readonly name: string })[]; readonly settings?: { readonly [name: string]: unknown }; readonly company: { readonly name: string; readonly plan: string; readonly kind: "self-service" | "enterprise"; readonly timeZone?: string; readonly locale?: string } }>;
  /** Checks a canvas as publishing would, and stores nothing */
  validateCanvas(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly dialogues?: "true" | "false" | undefined }; readonly body?: { readonly [name: string]: unknown } }): Promise<{ readonly ok: boolean; readonly problems: readonly (CanvasProblem)[] }>;
  /** The catalogue: what a front end needs to draw the palette, a node and its form */
  listNodes(request?: RequestOptions): Promise<{ readonly results: readonly (NodeEntry)[]; readonly nextCursor: string | null }>;
  /** The JSON Schema of a canvas, for editors */
  getCanvasSchema(request?: RequestOptions): Promise<{ readonly [name: string]: unknown }>;
  /** Executions of a company or of all, newest first; a child is a separate execution */
  listExecutions(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly workflowId?: string | number | boolean | undefined; readonly status?: "running" | "waiting" | "completed" | "failed" | "cancelled" | "expired" | "quarantined" | undefined; readonly userId?: string | number | boolean | undefined; readonly version?: string | number | boolean | undefined; readonly nodeId?: string | number | boolean | undefined; readonly cause?: string | number | boolean | undefined; readonly channel?: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | undefined; readonly botId?: string | number | boolean | undefined; readonly from?: string | number | boolean | undefined; readonly to?: string | number | boolean | undefined; readonly fields?: "all" | "summary" | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly ({ readonly executionId: string; readonly workflowId: string; readonly version: number | "draft"; readonly status: "running" | "waiting" | "completed" | "failed" | "cancelled" | "expired" | "quarantined"; readonly userId: string | null; readonly userNames?: string | null; readonly botId: string | null; readonly channel: "whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom" | null; readonly parentExecutionId: string | null; readonly wait: { readonly id: string; readonly kind: "reply" | "webhook" | "external" | "timer" | "child" | "event" | "handoff" | "payment" | "retry"; readonly nodeId: string; readonly openedAt: string; readonly dueAt: string | null; readonly onDue: "timeout" | "expire"; readonly correlation?: { readonly name: string; readonly value: string }; readonly childExecutionId?: string } | null; readonly variables?: { readonly [name: string]: unknown }; readonly createdAt: string; readonly updatedAt: string; readonly endedAt: string | null; readonly cause: string | null; readonly continuedAs: string | null; readonly forkedFrom: string | null })[]; readonly nextCursor: string | null }>;
  /** An execution with its variables and its open wait */
  getExecution(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Execution>;
  /** The history of an execution: visits, effects, causes and writes, in order */
  getHistory(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<History>;
  /** An execution as it was after a step of its history */
  getStateAtStep(request: RequestOptions & { readonly path: { readonly executionId: string; readonly step: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<ExecutionState>;
  /** Ends an execution at once, and its children with it; one that has ended stays as it is */
  cancelExecution(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly reason?: string } }): Promise<Execution>;
  /** Resumes a quarantined execution where it stopped; any other is unchanged */
  releaseExecution(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Execution>;
  /** Continues a failed, expired or cancelled execution as a new one: what was done is not done again */
  retryExecution(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly version?: number | "same" | "latest"; readonly set?: { readonly [name: string]: unknown }; readonly effect?: "auto" | "repeat" | "keep"; readonly keys?: "auto" | "new" | "same"; readonly again?: boolean } }): Promise<ExecutionContinued>;
  /** Begins a copy of an execution where it stood before an event of its history */
  forkExecution(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly before: number; readonly version?: number | "same" | "latest"; readonly set?: { readonly [name: string]: unknown }; readonly enter?: string; readonly ends?: boolean } }): Promise<ExecutionContinued>;
  /** An execution as it was, and on the draft or a version of its workflow */
  replayExecution(request: RequestOptions & { readonly path: { readonly executionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly against?: string | number | boolean | undefined } }): Promise<ReplayedExecution>;
  /** Events of one execution, or of a workflow, as server-sent events */
  streamEvents(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly executionId?: string | number | boolean | undefined; readonly workflowId?: string | number | boolean | undefined }; readonly headers?: { readonly 'last-event-id'?: string | undefined } }): Promise<Response>;
  /** Resumes every execution that waits for an event with this name and correlation */
  sendSignalAsOperator(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly companyId?: string | number; readonly name: string; readonly correlation: string; readonly payload?: unknown; readonly ttl?: string } }): Promise<SignalAnswered>;
  /** Starts an execution of the published version, without a webhook or a message */
  startExecution(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly inputs?: { readonly [name: string]: unknown }; readonly user?: { readonly id: string }; readonly botId?: string } }): Promise<{ readonly executionId: string }>;
  /** The messages that a bot sent and received, oldest or newest first */
  listBotMessages(request: RequestOptions & { readonly path: { readonly botId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly userId?: string | number | boolean | undefined; readonly conversationId?: string | number | boolean | undefined; readonly status?: "queued" | "sent" | "delivered" | "read" | "failed" | "received" | undefined; readonly cause?: string | number | boolean | undefined; readonly since?: string | number | boolean | undefined; readonly order?: "asc" | "desc" | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (LoggedMessage)[]; readonly nextCursor: string | null }>;
  /** Makes the cheapest read of a bot's provider with its credentials; sends no message */
  checkBot(request: RequestOptions & { readonly path: { readonly botId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<ChannelCheck>;
  /** Hands a message of a user in again that was set aside */
  handInMessage(request: RequestOptions & { readonly path: { readonly botId: string; readonly messageId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly messageId: string; readonly outcome: "started" | "resumed" | "unmatched" | "held" | "queued" | "duplicate" | "noted" }>;
  /** Makes a link by which the draft is tried in the web chat of a bot, on any device */
  makeDraftLink(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly botId?: string } }): Promise<{ readonly botId: string; readonly path: string; readonly expiresAt: string }>;
  /** What operators did, newest first: a row before each act, and one with its status after it */
  listAudit(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly actor?: string | number | boolean | undefined; readonly action?: string | number | boolean | undefined; readonly object?: string | number | boolean | undefined; readonly requestId?: string | number | boolean | undefined; readonly from?: string | number | boolean | undefined; readonly to?: string | number | boolean | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (AuditRecord)[]; readonly nextCursor: string | null }>;
  /** Lets nothing start a workflow until it is unpaused; what is open goes on */
  pauseWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly says?: string | { readonly [name: string]: unknown }; readonly children?: "run" | "refuse"; readonly until?: string } }): Promise<{ readonly workflowId: string; readonly gate: { readonly state: "paused" | "unpublished"; readonly says?: { readonly [name: string]: unknown } | null; readonly children: "run" | "refuse"; readonly at: string; readonly by: string | null; readonly until: string | null } | null }>;
  /** Lets a paused workflow be started again, in exactly the version that was the latest */
  unpauseWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly workflowId: string; readonly gate: { readonly state: "paused" | "unpublished"; readonly says?: { readonly [name: string]: unknown } | null; readonly children: "run" | "refuse"; readonly at: string; readonly by: string | null; readonly until: string | null } | null }>;
  /** Takes a workflow out of publication: for what would start it, as if there were none; what is open goes on */
  unpublishWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly workflowId: string; readonly gate: { readonly state: "paused" | "unpublished"; readonly says?: { readonly [name: string]: unknown } | null; readonly children: "run" | "refuse"; readonly at: string; readonly by: string | null; readonly until: string | null } | null }>;
  /** Publishes the content of an earlier version as the next one: numbers only grow, and the draft stays as it is */
  publishVersionAgain(request: RequestOptions & { readonly path: { readonly workflowId: string; readonly version: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly note?: string } }): Promise<(PublishedVersion) & ({ readonly note: string; readonly publishedBy: string | null; readonly warnings: readonly (CanvasProblem)[] })>;
  /** What a migration would do with each waiting execution; changes nothing */
  planMigration(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly items?: "true" | "false" | undefined }; readonly body?: { readonly from: number | "any"; readonly to: number; readonly nodes?: { readonly [name: string]: string }; readonly at?: { readonly [name: string]: unknown }; readonly set?: { readonly [name: string]: unknown } } }): Promise<Response>;
  /** Asks for a job that migrates the waiting executions on which the verdict is accepted; the others stay */
  migrateExecutions(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly migration: { readonly from: number | "any"; readonly to: number; readonly nodes?: { readonly [name: string]: string }; readonly at?: { readonly [name: string]: unknown }; readonly set?: { readonly [name: string]: unknown } }; readonly planId?: string; readonly accept?: readonly ("same" | "changed" | "enters" | "cancels")[]; readonly rate?: number } }): Promise<{ readonly jobId: string }>;
  /** Replays the newest ended conversations of the published version on another content; performs and keeps nothing */
  replayWorkflow(request: RequestOptions & { readonly path: { readonly workflowId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly against?: "draft" | number | { readonly [name: string]: unknown }; readonly last?: number; readonly since?: string; readonly ignore?: readonly (string)[] } }): Promise<Response>;
  /** Counts the executions that a filter names; changes nothing */
  planBulk(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly filter: { readonly workflowId?: string; readonly version?: number | "draft"; readonly status?: string; readonly cause?: string; readonly nodeId?: string; readonly failedNodeId?: string; readonly from?: string; readonly to?: string; readonly channel?: string; readonly botId?: string; readonly userId?: string; readonly olderThan?: string }; readonly action?: { readonly [name: string]: unknown } } }): Promise<Response>;
  /** Asks for a job that acts on the executions that a filter names, and on no more than were planned */
  actInBulk(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly filter: { readonly workflowId?: string; readonly version?: number | "draft"; readonly status?: string; readonly cause?: string; readonly nodeId?: string; readonly failedNodeId?: string; readonly from?: string; readonly to?: string; readonly channel?: string; readonly botId?: string; readonly userId?: string; readonly olderThan?: string }; readonly action: { readonly [name: string]: unknown }; readonly atMost: number; readonly rate?: number } }): Promise<{ readonly jobId: string }>;
  /** Jobs of a company or of all, newest first */
  listJobs(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly status?: "waiting" | "running" | "paused" | "done" | "cancelled" | undefined; readonly kind?: string | number | boolean | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Job)[]; readonly nextCursor: string | null }>;
  /** A job, and how far it is */
  getJob(request: RequestOptions & { readonly path: { readonly jobId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Job>;
  /** Changes the rate of a job */
  changeJob(request: RequestOptions & { readonly path: { readonly jobId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly rate: number } }): Promise<Job>;
  /** Lets a job act no more until it is resumed */
  pauseJob(request: RequestOptions & { readonly path: { readonly jobId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Job>;
  /** Lets a paused job go on where it stopped */
  resumeJob(request: RequestOptions & { readonly path: { readonly jobId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Job>;
  /** Ends a job where it stands */
  cancelJob(request: RequestOptions & { readonly path: { readonly jobId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Job>;
  /** Asks for a job that takes back what another has done */
  undoJob(request: RequestOptions & { readonly path: { readonly jobId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly jobId: string }>;
  /** The schedules of published workflows, and when each is due next */
  listSchedules(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly results: readonly (Schedule)[] }>;
  /** Starts that wait, were made, or were missed: the latest due time first */
  listStarts(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly status?: "waiting" | "running" | "started" | "missed" | "cancelled" | "failed" | undefined; readonly workflowId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Start)[]; readonly nextCursor: string | null }>;
  /** Starts an execution of a published workflow, now or at an instant */
  createStart(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly workflowId: string; readonly nodeId?: string; readonly inputs?: { readonly [name: string]: unknown }; readonly user?: { readonly id: string }; readonly botId?: string; readonly at?: string; readonly graceMs?: number } }): Promise<Start>;
  /** A start, and what became of it */
  getStart(request: RequestOptions & { readonly path: { readonly companyId: string; readonly startId: string } }): Promise<Start>;
  /** Cancels a start that waits for its time, or the rest of one that is made for many */
  cancelStart(request: RequestOptions & { readonly path: { readonly companyId: string; readonly startId: string } }): Promise<Start>;
  /** Conversations of a company, newest first */
  listConversations(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly botId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly operatorId?: number | `${number}` | undefined; readonly state?: "active" | "closed" | "resolved" | "expired" | "transferred" | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Conversation)[]; readonly nextCursor: string | null }>;
  /** Starts a conversation of an operator with a user */
  openConversation(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly botId: string; readonly userId: string; readonly operatorId?: number; readonly teamId?: number; readonly origin?: string } }): Promise<Conversation>;
  /** A conversation in its current state */
  getConversation(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Conversation>;
  /** Sends a message of the operator, in order with all other messages to the user */
  sendOperatorMessage(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly type: "text"; readonly text: string; readonly previewUrl?: boolean; readonly buttons?: { readonly title?: string; readonly buttonText?: { readonly type: "text"; readonly text?: string }; readonly options: readonly ({ readonly title: string; readonly description?: string; readonly payload?: string })[] } } | { readonly type: "quick_reply"; readonly text: string; readonly title?: string; readonly quick_replies: readonly ({ readonly title: string })[] } | { readonly type: "image"; readonly mediaUrl: string; readonly text?: string } | { readonly type: "audio"; readonly mediaUrl: string } | { readonly type: "video"; readonly mediaUrl: string; readonly text?: string } | { readonly type: "file"; readonly mediaUrl: string; readonly text?: string; readonly filename?: string } | { readonly type: "sticker"; readonly mediaUrl: string } | { readonly type: "location"; readonly coordinates: { readonly lat: number; readonly long: number } } | { readonly type: "contacts"; readonly contacts: readonly ({ readonly name?: { readonly formatted_name?: string; readonly first_name?: string; readonly last_name?: string; readonly middle_name?: string }; readonly phones?: readonly ({ readonly phone?: string; readonly type?: string; readonly wa_id?: string })[]; readonly emails?: readonly ({ readonly email?: string; readonly type?: string })[]; readonly addresses?: readonly ({ readonly street?: string; readonly city?: string; readonly state?: string; readonly zip?: string; readonly country?: string; readonly country_code?: string; readonly type?: string })[] })[] } | { readonly type: "location_request"; readonly text: string } | { readonly type: "contact_info_request"; readonly text: string } | { readonly type: "cta_url"; readonly title: string; readonly text: string; readonly caption: string; readonly parameters: { readonly url: string; readonly display_text: string } } | { readonly type: "voice_call"; readonly header?: string; readonly text: string; readonly parameters: { readonly display_text: string } } | { readonly type: "flow"; readonly title: string; readonly text: string; readonly caption: string; readonly parameters: { readonly flow_id?: string; readonly flow_name?: string; readonly flow_cta?: string; readonly flow_action?: string; readonly flow_action_payload?: { readonly screen?: string }; readonly flow_message_version?: string; readonly mode?: "draft" | "published" } } | { readonly type: "carousel" | "CAROUSEL"; readonly text: string; readonly parameters: { readonly cards: readonly ({ readonly card_index: number; readonly type: "cta_url"; readonly header: { readonly image: { readonly link: string } }; readonly body: { readonly text: string }; readonly action: { readonly name: "cta_url"; readonly parameters: { readonly display_text: string; readonly url: string } } })[] } } }): Promise<OperatorMessage>;
  /** Closes a conversation */
  closeConversation(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly reason?: string } }): Promise<Conversation>;
  /** Closes a conversation whose matter is settled */
  resolveConversation(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly reason?: string } }): Promise<Conversation>;
  /** Hands the user over to another operator or team, in a conversation of their own */
  transferConversation(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly operatorId?: number; readonly teamId?: number } }): Promise<Conversation>;
  /** Lets another operator continue the same conversation */
  assignConversation(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly operatorId?: number; readonly teamId?: number } }): Promise<Conversation>;
  /** Open conversations: who has waited longest for an answer comes first */
  listInbox(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly whose?: "all" | "unassigned" | "operator" | "team" | undefined; readonly operatorId?: number | `${number}` | undefined; readonly teamName?: string | number | boolean | undefined; readonly q?: string | number | boolean | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (InboxConversation)[]; readonly nextCursor: string | null; readonly counts: { readonly open: number; readonly waiting: number; readonly withoutOperator: { readonly open: number; readonly waiting: number }; readonly operators: readonly ({ readonly open: number; readonly waiting: number; readonly operatorId: number })[]; readonly teams: readonly ({ readonly open: number; readonly waiting: number; readonly teamName: string })[] } }>;
  /** Who answers: the operators and their teams, and the tags that conversations can have */
  listInboxPeople(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly operatorId: number | null; readonly operators: readonly ({ readonly id: number; readonly names: string; readonly email: string; readonly teams: readonly (number)[] })[]; readonly teams: readonly ({ readonly id: number; readonly name: string })[]; readonly tags: readonly ({ readonly id: number; readonly name: string; readonly color: string; readonly textColor: string })[] }>;
  /** A server-sent event whenever something in the inbox has changed */
  streamInbox(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<Response>;
  /** A conversation with what a person needs who answers it */
  getInboxConversation(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<InboxDetails>;
  /** What the user and the bot have said to each other, the newest first */
  listInboxMessages(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (InboxMessage)[]; readonly nextCursor: string | null }>;
  /** Notes up to where the operator of the request has read a conversation */
  markInboxRead(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly until?: string } }): Promise<{ readonly until: string }>;
  /** Replaces the tags of the room of a conversation */
  setInboxTags(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly tags: readonly (number)[] } }): Promise<{ readonly tags: readonly (number)[] }>;
  /** Sends a template in a conversation: what can be sent once the window of the channel is closed */
  sendInboxTemplate(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly templateId: string; readonly parameters?: { readonly [name: string]: unknown } } }): Promise<{ readonly success: true; readonly messageId: string }>;
  /** Contacts of a company: users of its workspace, imported people, and everybody who wrote */
  listContacts(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly query?: string | number | boolean | undefined; readonly group?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Contact)[]; readonly nextCursor: string | null }>;
  /** Brings contacts in from a CSV of up to 1 GB: a line with the counts after every 10,000 rows, and at the end */
  importContacts(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly map?: string | number | boolean | undefined; readonly dryRun?: "true" | "false" | undefined }; readonly body: string }): Promise<Response>;
  /** A contact, by its id, phone:DIGITS, bsuid:ID or BOT:ID */
  getContact(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string } }): Promise<Contact>;
  /** Makes a contact, or replaces its names, fields and groups */
  saveContact(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string }; readonly body?: { readonly names?: string | null; readonly locale?: string | null; readonly timeZone?: string | null; readonly fields?: { readonly [name: string]: unknown }; readonly groups?: readonly (string)[]; readonly consent?: { readonly marketing: "unknown" | "granted" | "revoked"; readonly evidence?: string; readonly at?: string; readonly source?: string }; readonly id?: string; readonly identities?: readonly (unknown)[]; readonly firstSeenAt?: string; readonly lastInboundAt?: string; readonly lastOutboundAt?: string } }): Promise<Contact>;
  /** Changes what is given of a contact; fields that are left out stay */
  changeContact(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string }; readonly body?: { readonly names?: string | null; readonly locale?: string | null; readonly timeZone?: string | null; readonly fields?: { readonly [name: string]: unknown }; readonly groups?: readonly (string)[]; readonly consent?: { readonly marketing: "unknown" | "granted" | "revoked"; readonly evidence?: string; readonly at?: string; readonly source?: string }; readonly id?: string; readonly identities?: readonly (unknown)[]; readonly firstSeenAt?: string; readonly lastInboundAt?: string; readonly lastOutboundAt?: string } }): Promise<Contact>;
  /** Asks for a job that erases a person: the contact, and all that is kept of them */
  eraseContact(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string } }): Promise<{ readonly jobId: string }>;
  /** The groups of a company, and how many contacts each has */
  listContactGroups(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly results: readonly (ContactGroup)[] }>;
  /** Adds a contact to a group; the group is made with its first contact */
  addContactToGroup(request: RequestOptions & { readonly path: { readonly companyId: string; readonly group: string; readonly id: string } }): Promise<{ readonly id: string; readonly groups: readonly (string)[] }>;
  /** Takes a contact out of a group */
  removeContactFromGroup(request: RequestOptions & { readonly path: { readonly companyId: string; readonly group: string; readonly id: string } }): Promise<{ readonly id: string; readonly groups: readonly (string)[] }>;
  /** Removes a group; its contacts stay */
  removeContactGroup(request: RequestOptions & { readonly path: { readonly companyId: string; readonly group: string } }): Promise<ContactGroup>;
  /** The segments of a company: saved conditions over contacts */
  listSegments(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly results: readonly (Segment)[] }>;
  /** Counts whom a condition fits, with ten examples; saves nothing */
  previewSegment(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly body?: { readonly condition: string } }): Promise<SegmentPreview>;
  /** A segment by its name, with its condition */
  getSegment(request: RequestOptions & { readonly path: { readonly companyId: string; readonly segment: string } }): Promise<Segment>;
  /** Saves a segment, or replaces its condition */
  saveSegment(request: RequestOptions & { readonly path: { readonly companyId: string; readonly segment: string }; readonly body?: { readonly condition: string } }): Promise<Segment>;
  /** Removes a segment; its contacts stay */
  removeSegment(request: RequestOptions & { readonly path: { readonly companyId: string; readonly segment: string } }): Promise<Segment>;
  /** Counts who is in a segment, with ten examples */
  previewSavedSegment(request: RequestOptions & { readonly path: { readonly companyId: string; readonly segment: string } }): Promise<SegmentPreview>;
  /** The contacts that are in a segment now */
  listSegmentContacts(request: RequestOptions & { readonly path: { readonly companyId: string; readonly segment: string }; readonly query?: { readonly limit?: number | `${number}` | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Contact)[]; readonly nextCursor: string | null }>;
  /** The campaigns of a company, newest first */
  listCompanyCampaigns(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly limit?: number | `${number}` | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Campaign)[]; readonly nextCursor: string | null }>;
  /** Makes a campaign for users, a group, a segment or the rows of a CSV */
  makeCompanyCampaign(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly dryRun?: "true" | "false" | undefined }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly name: string; readonly botId: string; readonly templateId: string; readonly audience: { readonly users?: readonly (string)[]; readonly group?: string; readonly segment?: string; readonly csv?: string }; readonly parameters?: { readonly [name: string]: string }; readonly scheduledAt?: string; readonly perSecond?: number } }): Promise<CampaignDryRun | Campaign>;
  /** A campaign, with its counts as of now */
  getCompanyCampaign(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string } }): Promise<Campaign>;
  /** Changes the name or the date of a campaign that is still scheduled */
  changeCompanyCampaign(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string }; readonly body?: { readonly name?: string; readonly scheduledAt?: string } }): Promise<Campaign>;
  /** Adds recipients to a campaign that is SCHEDULED */
  addCompanyCampaignRecipients(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string }; readonly body?: { readonly audience: { readonly users?: readonly (string)[]; readonly group?: string; readonly segment?: string; readonly csv?: string }; readonly parameters?: { readonly [name: string]: string } } }): Promise<AddedRecipients>;
  /** Pauses a campaign: nothing more of it is sent until it is resumed */
  pauseCompanyCampaign(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string } }): Promise<Campaign>;
  /** Goes on with a campaign that is paused */
  resumeCompanyCampaign(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string } }): Promise<Campaign>;
  /** Cancels a campaign that is still scheduled: it reaches no recipient */
  cancelCompanyCampaign(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string } }): Promise<Campaign>;
  /** What became of each recipient, as CSV */
  getCompanyCampaignResults(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string } }): Promise<Response>;
  /** What became of the recipients, counted */
  getCompanyCampaignReport(request: RequestOptions & { readonly path: { readonly companyId: string; readonly campaignId: string } }): Promise<CampaignReport>;
  /** Everything that is kept of a person, as one JSON file */
  exportContact(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string } }): Promise<ExportedContact>;
  /** Who is told of what happens in a company */
  listEventSubscriptions(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly results: readonly (EventSubscription)[]; readonly nextCursor: string | null }>;
  /** Subscribes an address to events */
  addEventSubscription(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly body?: { readonly url: string; readonly events: readonly (string)[]; readonly secret?: string; readonly paused?: boolean } }): Promise<(EventSubscription) & ({ readonly secret?: string })>;
  /** A subscription, and how much waits for it */
  getEventSubscription(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string } }): Promise<(EventSubscription) & ({ readonly pending: number; readonly parked: number })>;
  /** Changes a subscription; what is left out stays */
  changeEventSubscription(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string }; readonly body?: { readonly url?: string; readonly events?: readonly (string)[]; readonly secret?: string; readonly paused?: boolean } }): Promise<(EventSubscription) & ({ readonly pending: number; readonly parked: number })>;
  /** Removes a subscription with its secret and all that is on its way to it */
  removeEventSubscription(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string } }): Promise<{ readonly id: string }>;
  /** Lets nothing be sent to a subscription until it is resumed */
  pauseEventSubscription(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string } }): Promise<(EventSubscription) & ({ readonly pending: number; readonly parked: number })>;
  /** Sends again to a paused subscription */
  resumeEventSubscription(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string } }): Promise<(EventSubscription) & ({ readonly pending: number; readonly parked: number })>;
  /** What was to be told to a subscription, the newest first, each with the last answer */
  listEventDeliveries(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string }; readonly query?: { readonly state?: "pending" | "delivered" | "parked" | undefined; readonly limit?: number | `${number}` | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (EventDelivery)[]; readonly nextCursor: string | null }>;
  /** Sends what happened since an instant once more, also what was delivered or parked */
  replayEvents(request: RequestOptions & { readonly path: { readonly companyId: string; readonly subscriptionId: string }; readonly query: { readonly from: string | number | boolean } }): Promise<{ readonly replayed: number }>;
  /** The same for all subscriptions of a company */
  replayAllEvents(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query: { readonly from: string | number | boolean } }): Promise<{ readonly replayed: number }>;
  /** The files that were uploaded for the canvases of a company, oldest first */
  listUploadedFiles(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly results: readonly (UploadedFile)[]; readonly nextCursor: string | null }>;
  /** Keeps a file of up to 25 MB for the canvases of a company, named by X-Filename */
  uploadFile(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly headers?: { readonly 'x-filename'?: string | undefined }; readonly body: Blob | string }): Promise<UploadedFile>;
  /** Removes an uploaded file */
  removeUploadedFile(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string } }): Promise<{ readonly id: string }>;
  /** Makes the key that a bot's forms are sealed for, and registers it at the provider */
  makeFlowKey(request: RequestOptions & { readonly path: { readonly botId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly rotate?: boolean } }): Promise<FlowKey>;
  /** The templates of a company with their status, category, quality and language */
  listTemplates(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly limit?: number | `${number}` | undefined; readonly botId?: string | number | boolean | undefined; readonly status?: string | number | boolean | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (CompanyTemplate)[]; readonly nextCursor: string | null }>;
  /** Adds a template and submits it to the provider of its bot */
  createTemplate(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly body?: { readonly id?: string; readonly botId: string; readonly elementName: string; readonly language: string; readonly category: "UTILITY" | "MARKETING" | "AUTHENTICATION"; readonly body?: string; readonly components?: readonly ({ readonly [name: string]: unknown })[] | { readonly [name: string]: unknown } } }): Promise<CompanyTemplate>;
  /** Brings the templates of a bot up to date with its provider, and adds those that the company does not have */
  syncTemplates(request: RequestOptions & { readonly path: { readonly botId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<SyncedTemplates>;
  /** Submits a template of the company to the provider of its bot */
  submitTemplate(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string } }): Promise<CompanyTemplate>;
  /** Removes a template, and deletes it at the provider of its bot */
  deleteTemplate(request: RequestOptions & { readonly path: { readonly companyId: string; readonly id: string }; readonly query?: { readonly atProvider?: "delete" | "keep" | undefined } }): Promise<{ readonly id: string; readonly isDeletedAtProvider?: true }>;
  /** The configuration of the companies of the operator in the format of a workspace file, without secrets */
  exportWorkspace(request?: RequestOptions): Promise<{ readonly [name: string]: unknown }>;
  /** Brings a workspace of up to 1 GB in, or nothing where it has a problem; twice is the same as once, and completes what was cut off */
  importWorkspace(request?: RequestOptions & { readonly query?: { readonly overwrite?: "true" | "false" | undefined }; readonly body?: { readonly $schema?: unknown; readonly companies: unknown } }): Promise<ImportSummary>;
  /** What a company is, without what it has lists of, and the schema of that */
  getCompany(request: RequestOptions & { readonly path: { readonly companyId: string } }): Promise<{ readonly company?: { readonly [name: string]: unknown }; readonly schema?: { readonly [name: string]: unknown } }>;
  /** Changes what a company is, validated as in a workspace; its bots, people and workflows stay */
  saveCompany(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly body?: { readonly id?: unknown; readonly name: unknown; readonly kind?: unknown; readonly plan: unknown; readonly timeZone?: unknown; readonly locale?: unknown; readonly failureWorkflowId?: unknown; readonly fields?: unknown; readonly consent?: unknown; readonly settings?: unknown; readonly limits?: unknown; readonly keepDays?: unknown; readonly takeover?: unknown } }): Promise<{ readonly [name: string]: unknown }>;
  /** All bots, templates, credentials, teams, operators or tags of a company, without secrets, and the schema of one */
  listRecords(request: RequestOptions & { readonly path: { readonly companyId: string; readonly kind: string } }): Promise<{ readonly results: readonly ({ readonly [name: string]: unknown })[]; readonly schema?: { readonly [name: string]: unknown } }>;
  /** Adds or replaces one bot, user, template, credential, team, operator or tag, as in a workspace; a secret that is left out stays unchanged */
  saveRecord(request: RequestOptions & { readonly path: { readonly companyId: string; readonly kind: string; readonly id: string }; readonly body?: { readonly id?: unknown; readonly name: unknown; readonly channel: unknown; readonly connectedAt: unknown; readonly provider: unknown; readonly settings?: unknown } | { readonly id?: unknown; readonly names?: unknown; readonly phone?: unknown; readonly bsuid?: unknown; readonly timeZone?: unknown; readonly locale?: unknown; readonly lastMessageAt?: unknown } | { readonly id?: unknown; readonly botId: unknown; readonly elementName: unknown; readonly language: unknown; readonly category: unknown; readonly status: unknown; readonly body?: unknown; readonly components?: unknown } | { readonly id?: unknown; readonly kind?: unknown; readonly username?: unknown; readonly password?: unknown; readonly token?: unknown; readonly in?: unknown; readonly name?: unknown; readonly value?: unknown; readonly cert?: unknown; readonly key?: unknown; readonly passphrase?: unknown; readonly tokenUrl?: unknown; readonly authorizationUrl?: unknown; readonly clientId?: unknown; readonly clientSecret?: unknown; readonly refreshToken?: unknown; readonly scope?: unknown; readonly audience?: unknown; readonly clientAuth?: unknown; readonly secretKey?: unknown; readonly webhookSecret?: unknown; readonly baseUrl?: unknown; readonly host?: unknown; readonly port?: unknown; readonly database?: unknown; readonly tls?: unknown; readonly readOnly?: unknown; readonly schema?: unknown; readonly file?: unknown } | { readonly id?: unknown; readonly name: unknown } | { readonly id?: unknown; readonly names: unknown; readonly email: unknown; readonly teamIds?: unknown; readonly leftAt?: unknown } | { readonly id?: unknown; readonly name: unknown; readonly color: unknown; readonly textColor?: unknown; readonly language?: unknown; readonly teams?: unknown; readonly channels?: unknown } }): Promise<{ readonly [name: string]: unknown }>;
  /** Removes one bot, user, template, credential, team, operator or tag; its history stays */
  deleteRecord(request: RequestOptions & { readonly path: { readonly companyId: string; readonly kind: string; readonly id: string } }): Promise<{ readonly id: string }>;
  /** Begins a login with a credential of kind oauth2: the address at which a person agrees */
  beginCredentialLogin(request: RequestOptions & { readonly path: { readonly companyId: string; readonly credentialId: string } }): Promise<{ readonly url: string; readonly expiresAt: string }>;
  /** Ends a login with a credential: exchanges the code for a refresh token, which is kept encrypted */
  finishCredentialLogin(request?: RequestOptions & { readonly body?: { readonly code: string; readonly state: string } }): Promise<{ readonly companyId: string; readonly credentialId: string }>;
  /** The deployed functions, of a company or of all, by id */
  listFunctions(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (FunctionSummary)[]; readonly nextCursor: string | null }>;
  /** The list of runtime tokens of a function, without the tokens themselves */
  listFunctionTokens(request: RequestOptions & { readonly path: { readonly functionId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (RuntimeToken)[]; readonly nextCursor: string | null }>;
  /** Revokes a token and deploys its function again; a revoked one stays as it is */
  revokeFunctionToken(request: RequestOptions & { readonly path: { readonly functionId: string; readonly tokenId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<RuntimeToken>;
  /** Admin tokens without the tokens themselves, the oldest first */
  listAdminTokens(request?: RequestOptions): Promise<{ readonly results: readonly (AdminToken)[]; readonly nextCursor: string | null }>;
  /** Makes an admin token with a name, roles and companies */
  addAdminToken(request?: RequestOptions & { readonly body?: { readonly name: string; readonly roles: readonly ("viewer" | "editor" | "publisher" | "operator" | "answerer" | "admin")[]; readonly companies: "all" | readonly (string)[] } }): Promise<(AdminToken) & ({ readonly token: string })>;
  /** Revokes an admin token; a revoked one stays as it is */
  revokeAdminToken(request: RequestOptions & { readonly path: { readonly adminTokenId: string } }): Promise<AdminToken>;
  /** The users of the service, who log in by a link, in the order in which they were added */
  listServiceUsers(request?: RequestOptions): Promise<{ readonly results: readonly (ServiceUser)[]; readonly nextCursor: string | null }>;
  /** Adds a user of the service, or changes their roles and companies */
  saveServiceUser(request: RequestOptions & { readonly path: { readonly userName: string }; readonly body?: { readonly roles: readonly ("viewer" | "editor" | "publisher" | "operator" | "answerer" | "admin")[]; readonly companies: "all" | readonly (string)[] } }): Promise<ServiceUser>;
  /** Removes a user of the service; their sessions and links end */
  deleteServiceUser(request: RequestOptions & { readonly path: { readonly userName: string } }): Promise<{ readonly name: string }>;
  /** Makes a link that logs a user in to the studio: once, within 24 hours */
  makeLoginLink(request: RequestOptions & { readonly path: { readonly userName: string } }): Promise<{ readonly url: string; readonly expiresAt: string }>;
  /** A file by its handle: what a user sent, or an answer that a canvas kept */
  getFile(request: RequestOptions & { readonly path: { readonly id: string } }): Promise<Response>;
  /** Keeps a file of up to 25 MB that an operator sends to the user of a conversation, named by X-Filename */
  keepConversationFile(request: RequestOptions & { readonly path: { readonly conversationId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly headers?: { readonly 'x-filename'?: string | undefined }; readonly body: Blob | string }): Promise<UploadedFile>;
  /** Encrypts the secrets of all companies with another key, while the service runs */
  rotateKeys(request?: RequestOptions): Promise<{ readonly keyId: string; readonly reencrypted: number }>;
  /** Makes the call of an API node once, outside of any conversation */
  sendRequest(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly data: { readonly [name: string]: unknown }; readonly variables?: { readonly [name: string]: unknown } } }): Promise<{ readonly method: string | null; readonly url: string | null; readonly port: string; readonly response: { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly body?: { readonly [name: string]: unknown } | readonly (unknown)[] | string | number | boolean | null } | null; readonly failure: { readonly cause: string; readonly message: string } | null }>;
  /** The tools of an MCP server, to be added to an agent */
  listServerTools(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly url: string; readonly credentialId?: string } }): Promise<{ readonly tools: readonly (ToolOfServer)[] }>;
  /** Payments of an execution, of a workflow or of the company, newest first */
  listPayments(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined; readonly limit?: number | `${number}` | undefined; readonly workflowId?: string | number | boolean | undefined; readonly executionId?: string | number | boolean | undefined; readonly cursor?: string | number | boolean | undefined } }): Promise<{ readonly results: readonly (Payment)[]; readonly nextCursor: string | null }>;
  /** A payment with all events of its provider, including those after the execution stopped waiting */
  getPayment(request: RequestOptions & { readonly path: { readonly checkoutId: string }; readonly query?: { readonly companyId?: string | number | boolean | undefined } }): Promise<PaymentWithEvents>;
  /** The authoring server: tools of the Model Context Protocol for coding agents */
  callAuthoringServer(request?: RequestOptions & { readonly query?: { readonly companyId?: string | number | boolean | undefined }; readonly body?: { readonly [name: string]: unknown } }): Promise<unknown>;
  /** Liveness: whether the process runs */
  getLiveness(request?: RequestOptions): Promise<Health>;
  /** Readiness: whether the store accepts writes and the service is not stopping */
  getReadiness(request?: RequestOptions): Promise<Readiness>;
  /** Metrics for Prometheus */
  getMetrics(request?: RequestOptions): Promise<string>;
  /** This OpenAPI document */
  getOpenApi(request?: RequestOptions): Promise<Record<string, never>>;
  /** Every page of the documentation, with its first sentence */
  getDocsIndex(request?: RequestOptions): Promise<string>;
  /** The whole documentation as one text */
  getDocs(request?: RequestOptions): Promise<string>;
  /** Sends a message to a user of a bot */
  sendMessage(request: RequestOptions & { readonly path: { readonly botId: string }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body: { readonly userId: string; readonly botId?: string; readonly type: "text"; readonly text: string; readonly previewUrl?: boolean; readonly buttons?: { readonly title?: string; readonly buttonText?: { readonly type: "text"; readonly text?: string }; readonly options: readonly ({ readonly title: string; readonly description?: string; readonly payload?: string })[] } } | { readonly userId: string; readonly botId?: string; readonly type: "quick_reply"; readonly text: string; readonly title?: string; readonly quick_replies: readonly ({ readonly title: string })[] } | { readonly userId: string; readonly botId?: string; readonly type: "image"; readonly mediaUrl: string; readonly text?: string } | { readonly userId: string; readonly botId?: string; readonly type: "audio"; readonly mediaUrl: string } | { readonly userId: string; readonly botId?: string; readonly type: "video"; readonly mediaUrl: string; readonly text?: string } | { readonly userId: string; readonly botId?: string; readonly type: "file"; readonly mediaUrl: string; readonly text?: string; readonly filename?: string } | { readonly userId: string; readonly botId?: string; readonly type: "sticker"; readonly mediaUrl: string } | { readonly userId: string; readonly botId?: string; readonly type: "location"; readonly coordinates: { readonly lat: number; readonly long: number } } | { readonly userId: string; readonly botId?: string; readonly type: "contacts"; readonly contacts: readonly ({ readonly name?: { readonly formatted_name?: string; readonly first_name?: string; readonly last_name?: string; readonly middle_name?: string }; readonly phones?: readonly ({ readonly phone?: string; readonly type?: string; readonly wa_id?: string })[]; readonly emails?: readonly ({ readonly email?: string; readonly type?: string })[]; readonly addresses?: readonly ({ readonly street?: string; readonly city?: string; readonly state?: string; readonly zip?: string; readonly country?: string; readonly country_code?: string; readonly type?: string })[] })[] } | { readonly userId: string; readonly botId?: string; readonly type: "location_request"; readonly text: string } | { readonly userId: string; readonly botId?: string; readonly type: "contact_info_request"; readonly text: string } | { readonly userId: string; readonly botId?: string; readonly type: "cta_url"; readonly title: string; readonly text: string; readonly caption: string; readonly parameters: { readonly url: string; readonly display_text: string } } | { readonly userId: string; readonly botId?: string; readonly type: "voice_call"; readonly header?: string; readonly text: string; readonly parameters: { readonly display_text: string } } | { readonly userId: string; readonly botId?: string; readonly type: "flow"; readonly title: string; readonly text: string; readonly caption: string; readonly parameters: { readonly flow_id?: string; readonly flow_name?: string; readonly flow_cta?: string; readonly flow_action?: string; readonly flow_action_payload?: { readonly screen?: string }; readonly flow_message_version?: string; readonly mode?: "draft" | "published" } } | { readonly userId: string; readonly botId?: string; readonly type: "carousel" | "CAROUSEL"; readonly text: string; readonly parameters: { readonly cards: readonly ({ readonly card_index: number; readonly type: "cta_url"; readonly header: { readonly image: { readonly link: string } }; readonly body: { readonly text: string }; readonly action: { readonly name: "cta_url"; readonly parameters: { readonly display_text: string; readonly url: string } } })[] } } }): Promise<Sent>;
  /** The status of a sent message */
  getMessageStatus(request: RequestOptions & { readonly path: { readonly botId: string; readonly messageId: string } }): Promise<MessageStatus>;
  /** Sends a template to a recipient of a campaign */
  sendTemplate(request: RequestOptions & { readonly path: { readonly botId: string; readonly campaignId: string }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body: TemplateSend }): Promise<Sent>;
  /** Campaigns, newest first */
  listCampaigns(request?: RequestOptions & { readonly query?: { readonly limit?: number | `${number}` | undefined; readonly page?: number | `${number}` | undefined; readonly status?: "COMPLETED" | "PENDING" | "IN_PROGRESS" | "SCHEDULED" | undefined } }): Promise<{ readonly message: readonly (string)[]; readonly status: "success"; readonly data: { readonly results: readonly (Campaign)[]; readonly pagination: Pagination } }>;
  /** Makes a campaign for users, a group, a segment or the rows of a CSV */
  makeCampaign(request?: RequestOptions & { readonly query?: { readonly dryRun?: "true" | "false" | undefined }; readonly headers?: { readonly 'idempotency-key'?: string | undefined }; readonly body?: { readonly name: string; readonly botId: string; readonly templateId: string; readonly audience: { readonly users?: readonly (string)[]; readonly group?: string; readonly segment?: string; readonly csv?: string }; readonly parameters?: { readonly [name: string]: string }; readonly scheduledAt?: string; readonly perSecond?: number } }): Promise<CampaignDryRun | Campaign>;
  /** Adds recipients to a campaign that is SCHEDULED */
  addCampaignRecipients(request: RequestOptions & { readonly path: { readonly campaignId: string }; readonly body?: { readonly audience: { readonly users?: readonly (string)[]; readonly group?: string; readonly segment?: string; readonly csv?: string }; readonly parameters?: { readonly [name: string]: string } } }): Promise<AddedRecipients>;
  /** Pauses a campaign: nothing more of it is sent until it is resumed */
  pauseCampaign(request: RequestOptions & { readonly path: { readonly campaignId: string } }): Promise<Campaign>;
  /** Goes on with a campaign that is paused */
  resumeCampaign(request: RequestOptions & { readonly path: { readonly campaignId: string } }): Promise<Campaign>;
  /** What became of each recipient, as CSV */
  getCampaignResults(request: RequestOptions & { readonly path: { readonly campaignId: string } }): Promise<Response>;
  /** What became of the recipients, counted */
  getCampaignReport(request: RequestOptions & { readonly path: { readonly campaignId: string } }): Promise<CampaignReport>;
  /** Changes the name or the date of a campaign that is still scheduled */
  updateCampaign(request: RequestOptions & { readonly path: { readonly campaignId: string }; readonly body?: { readonly name?: string; readonly scheduledAt?: string } }): Promise<{ readonly message: readonly (string)[]; readonly statusMessage: "success"; readonly status: 1; readonly data: Campaign }>;
  /** Cancels a campaign that is still scheduled: it reaches no recipient */
  cancelCampaign(request: RequestOptions & { readonly path: { readonly campaignId: string } }): Promise<{ readonly message: readonly (string)[]; readonly statusMessage: "success"; readonly status: 1 }>;
  /** The tags of the company, by their ids */
  listTags(request: RequestOptions & { readonly path: { readonly companyId: string }; readonly query?: { readonly name?: string | number | boolean | undefined; readonly language?: string | number | boolean | undefined; readonly teams?: readonly (number)[] | undefined; readonly channels?: readonly ("whatsapp" | "web" | "instagram" | "facebook" | "slack" | "teams" | "twitter" | "custom")[] | undefined } }): Promise<{ readonly message: readonly (string)[]; readonly statusMessage: "success"; readonly status: 1; readonly data: readonly (Tag)[] }>;
  /** A room: whose it is, and its tags */
  getRoom(request: RequestOptions & { readonly path: { readonly roomId: string } }): Promise<{ readonly message: readonly (string)[]; readonly statusMessage: "success"; readonly status: 1; readonly data: Room }>;
  /** Replaces all tags of a room; an empty list removes them */
  setRoomTags(request: RequestOptions & { readonly path: { readonly botId: string }; readonly body?: { readonly roomId: string; readonly tags: readonly (number)[]; readonly ifTags?: readonly (number)[] } }): Promise<{ readonly message: readonly (string)[]; readonly statusMessage: "success"; readonly status: 1; readonly data: { readonly roomId: string; readonly tags: readonly (number)[] } }>;
  /** Statistics of the conversations that began in a range, of one operator or of all */
  getStatistics(request: RequestOptions & { readonly query: { readonly startAt: string | number | boolean; readonly endAt: string | number | boolean; readonly operatorId?: number | `${number}` | undefined } }): Promise<OperatorStatistics>;
  /** Conversations that began in a range, newest first */
  reportConversations(request: RequestOptions & { readonly query: { readonly limit?: number | `${number}` | undefined; readonly page?: number | `${number}` | undefined; readonly startAt: string | number | boolean; readonly endAt: string | number | boolean; readonly botId?: string | number | boolean | undefined; readonly userId?: string | number | boolean | undefined; readonly operatorId?: number | `${number}` | undefined; readonly conversationId?: string | number | boolean | undefined; readonly state?: "active" | "closed" | "resolved" | "expired" | "transferred" | undefined } }): Promise<{ readonly pagination: Pagination; readonly _metadata: { readonly [name: string]: unknown }; readonly results: readonly (Conversation)[]; readonly links: readonly ({ readonly number: number; readonly url: string })[] }>;
}

/** How each operation is sent: method, path, credential, type of the body, and what its answer is read as. */
export const operations = {
  receiveCallbackWithGet: { method: 'GET', path: '/workflows/v2/resume/{token}', credential: 'none', gives: 'json' },
  receiveCallbackWithPut: { method: 'PUT', path: '/workflows/v2/resume/{token}', credential: 'none', gives: 'json', takes: 'application/json' },
  receiveCallback: { method: 'POST', path: '/workflows/v2/resume/{token}', credential: 'none', gives: 'json', takes: 'application/json' },
  receiveCallbackWithPatch: { method: 'PATCH', path: '/workflows/v2/resume/{token}', credential: 'none', gives: 'json', takes: 'application/json' },
  receiveCallbackWithDelete: { method: 'DELETE', path: '/workflows/v2/resume/{token}', credential: 'none', gives: 'json', takes: 'application/json' },
  sendSignal: { method: 'POST', path: '/workflows/v2/signals/{name}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowWithGet: { method: 'GET', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}', credential: 'apiKey', gives: 'json' },
  startWorkflowWithPut: { method: 'PUT', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflow: { method: 'POST', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowWithPatch: { method: 'PATCH', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowWithDelete: { method: 'DELETE', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  testWorkflowWithGet: { method: 'GET', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}', credential: 'apiKey', gives: 'json' },
  testWorkflowWithPut: { method: 'PUT', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  testWorkflow: { method: 'POST', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  testWorkflowWithPatch: { method: 'PATCH', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  testWorkflowWithDelete: { method: 'DELETE', path: '/workflows/v2/webhooks/skill/{workflowId}/{channel}/test/{nodeId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowOfWebhookWithGet: { method: 'GET', path: '/v1/webhook/{webhookId}', credential: 'apiKey', gives: 'json' },
  startWorkflowOfWebhookWithPut: { method: 'PUT', path: '/v1/webhook/{webhookId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowOfWebhook: { method: 'POST', path: '/v1/webhook/{webhookId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowOfWebhookWithPatch: { method: 'PATCH', path: '/v1/webhook/{webhookId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  startWorkflowOfWebhookWithDelete: { method: 'DELETE', path: '/v1/webhook/{webhookId}', credential: 'apiKey', gives: 'json', takes: 'application/json' },
  verifyProviderAddress: { method: 'GET', path: '/channels/{botId}/webhook', credential: 'none', gives: 'text' },
  startChatSession: { method: 'POST', path: '/chat/{botId}/session', credential: 'visitorToken', gives: 'json', takes: 'application/json' },
  streamChatEvents: { method: 'GET', path: '/chat/{botId}/events', credential: 'visitorToken', gives: 'response' },
  sendChatMessage: { method: 'POST', path: '/chat/{botId}/messages', credential: 'visitorToken', gives: 'json', takes: 'application/json' },
  uploadChatFile: { method: 'POST', path: '/chat/{botId}/files', credential: 'visitorToken', gives: 'json', takes: '*/*' },
  markChatRead: { method: 'POST', path: '/chat/{botId}/read', credential: 'visitorToken', gives: 'json', takes: 'application/json' },
  getChatFile: { method: 'GET', path: '/chat/{botId}/files/{fileId}', credential: 'none', gives: 'response' },
  followFileLink: { method: 'GET', path: '/files/{token}', credential: 'none', gives: 'response' },
  callFunction: { method: 'POST', path: '/functions/{functionId}', credential: 'bearerKey', gives: 'json', takes: 'application/json' },
  callFunctionTools: { method: 'POST', path: '/functions/{functionId}/mcp', credential: 'bearerKey', gives: 'json', takes: 'application/json' },
  checkFunction: { method: 'GET', path: '/functions/{functionId}/__health', credential: 'none', gives: 'json' },
  listWorkflows: { method: 'GET', path: '/admin/v1/workflows', credential: 'adminToken', gives: 'json' },
  getWorkflow: { method: 'GET', path: '/admin/v1/workflows/{workflowId}', credential: 'adminToken', gives: 'json' },
  saveWorkflow: { method: 'PUT', path: '/admin/v1/workflows/{workflowId}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  deleteWorkflow: { method: 'DELETE', path: '/admin/v1/workflows/{workflowId}', credential: 'adminToken', gives: 'json' },
  archiveWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/archive', credential: 'adminToken', gives: 'json' },
  restoreWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/restore', credential: 'adminToken', gives: 'json' },
  publishWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/publish', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listVersions: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/versions', credential: 'adminToken', gives: 'json' },
  getVersion: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/versions/{version}', credential: 'adminToken', gives: 'json' },
  getOperator: { method: 'GET', path: '/admin/v1/me', credential: 'adminToken', gives: 'json' },
  getPopulation: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/population', credential: 'adminToken', gives: 'json' },
  compareVersions: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/diff', credential: 'adminToken', gives: 'json' },
  describeCanvas: { method: 'POST', path: '/admin/v1/describe', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listTranscripts: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/transcripts', credential: 'adminToken', gives: 'json' },
  getTranscript: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/transcripts/{name}', credential: 'adminToken', gives: 'text' },
  saveTranscript: { method: 'PUT', path: '/admin/v1/workflows/{workflowId}/transcripts/{name}', credential: 'adminToken', gives: 'json', takes: 'text/plain' },
  deleteTranscript: { method: 'DELETE', path: '/admin/v1/workflows/{workflowId}/transcripts/{name}', credential: 'adminToken', gives: 'json' },
  sayAuthorHere: { method: 'PUT', path: '/admin/v1/workflows/{workflowId}/authors/{tab}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  sayAuthorGone: { method: 'DELETE', path: '/admin/v1/workflows/{workflowId}/authors/{tab}', credential: 'adminToken', gives: 'json' },
  listWorkflowComments: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/comments', credential: 'adminToken', gives: 'json' },
  addWorkflowComment: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/comments', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  markWorkflowComment: { method: 'PATCH', path: '/admin/v1/workflows/{workflowId}/comments/{commentId}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  removeWorkflowComment: { method: 'DELETE', path: '/admin/v1/workflows/{workflowId}/comments/{commentId}', credential: 'adminToken', gives: 'json' },
  setWorkflowFolder: { method: 'PUT', path: '/admin/v1/workflows/{workflowId}/folder', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  lockWorkflow: { method: 'PUT', path: '/admin/v1/workflows/{workflowId}/lock', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  unlockWorkflow: { method: 'DELETE', path: '/admin/v1/workflows/{workflowId}/lock', credential: 'adminToken', gives: 'json' },
  getNumbers: { method: 'GET', path: '/admin/v1/workflows/{workflowId}/numbers', credential: 'adminToken', gives: 'json' },
  getOverview: { method: 'GET', path: '/admin/v1/companies/{companyId}/overview', credential: 'adminToken', gives: 'json' },
  listReferences: { method: 'GET', path: '/admin/v1/references', credential: 'adminToken', gives: 'json' },
  validateCanvas: { method: 'POST', path: '/admin/v1/validate', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listNodes: { method: 'GET', path: '/admin/v1/nodes', credential: 'adminToken', gives: 'json' },
  getCanvasSchema: { method: 'GET', path: '/admin/v1/canvas.schema.json', credential: 'adminToken', gives: 'json' },
  listExecutions: { method: 'GET', path: '/admin/v1/executions', credential: 'adminToken', gives: 'json' },
  getExecution: { method: 'GET', path: '/admin/v1/executions/{executionId}', credential: 'adminToken', gives: 'json' },
  getHistory: { method: 'GET', path: '/admin/v1/executions/{executionId}/history', credential: 'adminToken', gives: 'json' },
  getStateAtStep: { method: 'GET', path: '/admin/v1/executions/{executionId}/states/{step}', credential: 'adminToken', gives: 'json' },
  cancelExecution: { method: 'POST', path: '/admin/v1/executions/{executionId}/cancel', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  releaseExecution: { method: 'POST', path: '/admin/v1/executions/{executionId}/release', credential: 'adminToken', gives: 'json' },
  retryExecution: { method: 'POST', path: '/admin/v1/executions/{executionId}/retry', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  forkExecution: { method: 'POST', path: '/admin/v1/executions/{executionId}/fork', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  replayExecution: { method: 'GET', path: '/admin/v1/executions/{executionId}/replay', credential: 'adminToken', gives: 'json' },
  streamEvents: { method: 'GET', path: '/admin/v1/events', credential: 'adminToken', gives: 'response' },
  sendSignalAsOperator: { method: 'POST', path: '/admin/v1/signals', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  startExecution: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/start', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listBotMessages: { method: 'GET', path: '/admin/v1/bots/{botId}/messages', credential: 'adminToken', gives: 'json' },
  checkBot: { method: 'POST', path: '/admin/v1/bots/{botId}/check', credential: 'adminToken', gives: 'json' },
  handInMessage: { method: 'POST', path: '/admin/v1/bots/{botId}/messages/{messageId}/again', credential: 'adminToken', gives: 'json' },
  makeDraftLink: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/draft-links', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listAudit: { method: 'GET', path: '/admin/v1/audit', credential: 'adminToken', gives: 'json' },
  pauseWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/pause', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  unpauseWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/unpause', credential: 'adminToken', gives: 'json' },
  unpublishWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/unpublish', credential: 'adminToken', gives: 'json' },
  publishVersionAgain: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/versions/{version}/publish', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  planMigration: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/migrations/plan', credential: 'adminToken', gives: 'response', takes: 'application/json' },
  migrateExecutions: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/migrations', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  replayWorkflow: { method: 'POST', path: '/admin/v1/workflows/{workflowId}/replays', credential: 'adminToken', gives: 'response', takes: 'application/json' },
  planBulk: { method: 'POST', path: '/admin/v1/executions/bulk/plan', credential: 'adminToken', gives: 'response', takes: 'application/json' },
  actInBulk: { method: 'POST', path: '/admin/v1/executions/bulk', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listJobs: { method: 'GET', path: '/admin/v1/jobs', credential: 'adminToken', gives: 'json' },
  getJob: { method: 'GET', path: '/admin/v1/jobs/{jobId}', credential: 'adminToken', gives: 'json' },
  changeJob: { method: 'PATCH', path: '/admin/v1/jobs/{jobId}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  pauseJob: { method: 'POST', path: '/admin/v1/jobs/{jobId}/pause', credential: 'adminToken', gives: 'json' },
  resumeJob: { method: 'POST', path: '/admin/v1/jobs/{jobId}/resume', credential: 'adminToken', gives: 'json' },
  cancelJob: { method: 'POST', path: '/admin/v1/jobs/{jobId}/cancel', credential: 'adminToken', gives: 'json' },
  undoJob: { method: 'POST', path: '/admin/v1/jobs/{jobId}/undo', credential: 'adminToken', gives: 'json' },
  listSchedules: { method: 'GET', path: '/admin/v1/companies/{companyId}/schedules', credential: 'adminToken', gives: 'json' },
  listStarts: { method: 'GET', path: '/admin/v1/companies/{companyId}/starts', credential: 'adminToken', gives: 'json' },
  createStart: { method: 'POST', path: '/admin/v1/companies/{companyId}/starts', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getStart: { method: 'GET', path: '/admin/v1/companies/{companyId}/starts/{startId}', credential: 'adminToken', gives: 'json' },
  cancelStart: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/starts/{startId}', credential: 'adminToken', gives: 'json' },
  listConversations: { method: 'GET', path: '/admin/v1/conversations', credential: 'adminToken', gives: 'json' },
  openConversation: { method: 'POST', path: '/admin/v1/conversations', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getConversation: { method: 'GET', path: '/admin/v1/conversations/{conversationId}', credential: 'adminToken', gives: 'json' },
  sendOperatorMessage: { method: 'POST', path: '/admin/v1/conversations/{conversationId}/messages', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  closeConversation: { method: 'POST', path: '/admin/v1/conversations/{conversationId}/close', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  resolveConversation: { method: 'POST', path: '/admin/v1/conversations/{conversationId}/resolve', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  transferConversation: { method: 'POST', path: '/admin/v1/conversations/{conversationId}/transfer', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  assignConversation: { method: 'POST', path: '/admin/v1/conversations/{conversationId}/assign', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listInbox: { method: 'GET', path: '/admin/v1/inbox', credential: 'adminToken', gives: 'json' },
  listInboxPeople: { method: 'GET', path: '/admin/v1/inbox/people', credential: 'adminToken', gives: 'json' },
  streamInbox: { method: 'GET', path: '/admin/v1/inbox/events', credential: 'adminToken', gives: 'response' },
  getInboxConversation: { method: 'GET', path: '/admin/v1/inbox/{conversationId}', credential: 'adminToken', gives: 'json' },
  listInboxMessages: { method: 'GET', path: '/admin/v1/inbox/{conversationId}/messages', credential: 'adminToken', gives: 'json' },
  markInboxRead: { method: 'POST', path: '/admin/v1/inbox/{conversationId}/read', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  setInboxTags: { method: 'PUT', path: '/admin/v1/inbox/{conversationId}/tags', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  sendInboxTemplate: { method: 'POST', path: '/admin/v1/inbox/{conversationId}/templates', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listContacts: { method: 'GET', path: '/admin/v1/companies/{companyId}/contacts', credential: 'adminToken', gives: 'json' },
  importContacts: { method: 'POST', path: '/admin/v1/companies/{companyId}/contacts/import', credential: 'adminToken', gives: 'response', takes: 'text/csv' },
  getContact: { method: 'GET', path: '/admin/v1/companies/{companyId}/contacts/{id}', credential: 'adminToken', gives: 'json' },
  saveContact: { method: 'PUT', path: '/admin/v1/companies/{companyId}/contacts/{id}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  changeContact: { method: 'PATCH', path: '/admin/v1/companies/{companyId}/contacts/{id}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  eraseContact: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/contacts/{id}', credential: 'adminToken', gives: 'json' },
  listContactGroups: { method: 'GET', path: '/admin/v1/companies/{companyId}/groups', credential: 'adminToken', gives: 'json' },
  addContactToGroup: { method: 'PUT', path: '/admin/v1/companies/{companyId}/groups/{group}/contacts/{id}', credential: 'adminToken', gives: 'json' },
  removeContactFromGroup: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/groups/{group}/contacts/{id}', credential: 'adminToken', gives: 'json' },
  removeContactGroup: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/groups/{group}', credential: 'adminToken', gives: 'json' },
  listSegments: { method: 'GET', path: '/admin/v1/companies/{companyId}/segments', credential: 'adminToken', gives: 'json' },
  previewSegment: { method: 'POST', path: '/admin/v1/companies/{companyId}/segments/preview', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getSegment: { method: 'GET', path: '/admin/v1/companies/{companyId}/segments/{segment}', credential: 'adminToken', gives: 'json' },
  saveSegment: { method: 'PUT', path: '/admin/v1/companies/{companyId}/segments/{segment}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  removeSegment: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/segments/{segment}', credential: 'adminToken', gives: 'json' },
  previewSavedSegment: { method: 'GET', path: '/admin/v1/companies/{companyId}/segments/{segment}/preview', credential: 'adminToken', gives: 'json' },
  listSegmentContacts: { method: 'GET', path: '/admin/v1/companies/{companyId}/segments/{segment}/contacts', credential: 'adminToken', gives: 'json' },
  listCompanyCampaigns: { method: 'GET', path: '/admin/v1/companies/{companyId}/campaigns', credential: 'adminToken', gives: 'json' },
  makeCompanyCampaign: { method: 'POST', path: '/admin/v1/companies/{companyId}/campaigns', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getCompanyCampaign: { method: 'GET', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}', credential: 'adminToken', gives: 'json' },
  changeCompanyCampaign: { method: 'PATCH', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  addCompanyCampaignRecipients: { method: 'POST', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/recipients', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  pauseCompanyCampaign: { method: 'POST', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/pause', credential: 'adminToken', gives: 'json' },
  resumeCompanyCampaign: { method: 'POST', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/resume', credential: 'adminToken', gives: 'json' },
  cancelCompanyCampaign: { method: 'POST', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/cancel', credential: 'adminToken', gives: 'json' },
  getCompanyCampaignResults: { method: 'GET', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/results', credential: 'adminToken', gives: 'response' },
  getCompanyCampaignReport: { method: 'GET', path: '/admin/v1/companies/{companyId}/campaigns/{campaignId}/report', credential: 'adminToken', gives: 'json' },
  exportContact: { method: 'POST', path: '/admin/v1/companies/{companyId}/contacts/{id}/export', credential: 'adminToken', gives: 'json' },
  listEventSubscriptions: { method: 'GET', path: '/admin/v1/companies/{companyId}/event-subscriptions', credential: 'adminToken', gives: 'json' },
  addEventSubscription: { method: 'POST', path: '/admin/v1/companies/{companyId}/event-subscriptions', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getEventSubscription: { method: 'GET', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}', credential: 'adminToken', gives: 'json' },
  changeEventSubscription: { method: 'PATCH', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  removeEventSubscription: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}', credential: 'adminToken', gives: 'json' },
  pauseEventSubscription: { method: 'POST', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/pause', credential: 'adminToken', gives: 'json' },
  resumeEventSubscription: { method: 'POST', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/resume', credential: 'adminToken', gives: 'json' },
  listEventDeliveries: { method: 'GET', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/deliveries', credential: 'adminToken', gives: 'json' },
  replayEvents: { method: 'POST', path: '/admin/v1/companies/{companyId}/event-subscriptions/{subscriptionId}/replay', credential: 'adminToken', gives: 'json' },
  replayAllEvents: { method: 'POST', path: '/admin/v1/companies/{companyId}/replay', credential: 'adminToken', gives: 'json' },
  listUploadedFiles: { method: 'GET', path: '/admin/v1/companies/{companyId}/files', credential: 'adminToken', gives: 'json' },
  uploadFile: { method: 'POST', path: '/admin/v1/companies/{companyId}/files', credential: 'adminToken', gives: 'json', takes: '*/*' },
  removeUploadedFile: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/files/{id}', credential: 'adminToken', gives: 'json' },
  makeFlowKey: { method: 'POST', path: '/admin/v1/bots/{botId}/flow-key', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listTemplates: { method: 'GET', path: '/admin/v1/companies/{companyId}/templates', credential: 'adminToken', gives: 'json' },
  createTemplate: { method: 'POST', path: '/admin/v1/companies/{companyId}/templates', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  syncTemplates: { method: 'POST', path: '/admin/v1/bots/{botId}/templates/sync', credential: 'adminToken', gives: 'json' },
  submitTemplate: { method: 'POST', path: '/admin/v1/companies/{companyId}/templates/{id}/submit', credential: 'adminToken', gives: 'json' },
  deleteTemplate: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/templates/{id}', credential: 'adminToken', gives: 'json' },
  exportWorkspace: { method: 'GET', path: '/admin/v1/workspace', credential: 'adminToken', gives: 'json' },
  importWorkspace: { method: 'POST', path: '/admin/v1/workspace', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getCompany: { method: 'GET', path: '/admin/v1/companies/{companyId}', credential: 'adminToken', gives: 'json' },
  saveCompany: { method: 'PUT', path: '/admin/v1/companies/{companyId}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listRecords: { method: 'GET', path: '/admin/v1/companies/{companyId}/records/{kind}', credential: 'adminToken', gives: 'json' },
  saveRecord: { method: 'PUT', path: '/admin/v1/companies/{companyId}/{kind}/{id}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  deleteRecord: { method: 'DELETE', path: '/admin/v1/companies/{companyId}/{kind}/{id}', credential: 'adminToken', gives: 'json' },
  beginCredentialLogin: { method: 'POST', path: '/admin/v1/companies/{companyId}/credentials/{credentialId}/login', credential: 'adminToken', gives: 'json' },
  finishCredentialLogin: { method: 'POST', path: '/admin/v1/credentials/login', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listFunctions: { method: 'GET', path: '/admin/v1/functions', credential: 'adminToken', gives: 'json' },
  listFunctionTokens: { method: 'GET', path: '/admin/v1/functions/{functionId}/tokens', credential: 'adminToken', gives: 'json' },
  revokeFunctionToken: { method: 'POST', path: '/admin/v1/functions/{functionId}/tokens/{tokenId}/revoke', credential: 'adminToken', gives: 'json' },
  listAdminTokens: { method: 'GET', path: '/admin/v1/tokens', credential: 'adminToken', gives: 'json' },
  addAdminToken: { method: 'POST', path: '/admin/v1/tokens', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  revokeAdminToken: { method: 'POST', path: '/admin/v1/tokens/{adminTokenId}/revoke', credential: 'adminToken', gives: 'json' },
  listServiceUsers: { method: 'GET', path: '/admin/v1/users', credential: 'adminToken', gives: 'json' },
  saveServiceUser: { method: 'PUT', path: '/admin/v1/users/{userName}', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  deleteServiceUser: { method: 'DELETE', path: '/admin/v1/users/{userName}', credential: 'adminToken', gives: 'json' },
  makeLoginLink: { method: 'POST', path: '/admin/v1/users/{userName}/login-link', credential: 'adminToken', gives: 'json' },
  getFile: { method: 'GET', path: '/admin/v1/files/{id}', credential: 'adminToken', gives: 'response' },
  keepConversationFile: { method: 'POST', path: '/admin/v1/conversations/{conversationId}/files', credential: 'adminToken', gives: 'json', takes: '*/*' },
  rotateKeys: { method: 'POST', path: '/admin/v1/keys/rotate', credential: 'adminToken', gives: 'json' },
  sendRequest: { method: 'POST', path: '/admin/v1/requests', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listServerTools: { method: 'POST', path: '/admin/v1/mcp/tools', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  listPayments: { method: 'GET', path: '/admin/v1/payments', credential: 'adminToken', gives: 'json' },
  getPayment: { method: 'GET', path: '/admin/v1/payments/{checkoutId}', credential: 'adminToken', gives: 'json' },
  callAuthoringServer: { method: 'POST', path: '/admin/v1/mcp', credential: 'adminToken', gives: 'json', takes: 'application/json' },
  getLiveness: { method: 'GET', path: '/health/live', credential: 'none', gives: 'json' },
  getReadiness: { method: 'GET', path: '/health/ready', credential: 'none', gives: 'json' },
  getMetrics: { method: 'GET', path: '/metrics', credential: 'adminToken', gives: 'text' },
  getOpenApi: { method: 'GET', path: '/openapi.json', credential: 'adminToken', gives: 'json' },
  getDocsIndex: { method: 'GET', path: '/llms.txt', credential: 'none', gives: 'text' },
  getDocs: { method: 'GET', path: '/llms-full.txt', credential: 'none', gives: 'text' },
  sendMessage: { method: 'POST', path: '/v1/bots/{botId}/messages', credential: 'client', gives: 'json', takes: 'application/json' },
  getMessageStatus: { method: 'GET', path: '/v1/bots/{botId}/messages/{messageId}', credential: 'client', gives: 'json' },
  sendTemplate: { method: 'POST', path: '/v1/bots/{botId}/campaigns/{campaignId}/template-messages', credential: 'client', gives: 'json', takes: 'application/json' },
  listCampaigns: { method: 'GET', path: '/v1/campaigns', credential: 'client', gives: 'json' },
  makeCampaign: { method: 'POST', path: '/v1/campaigns', credential: 'client', gives: 'json', takes: 'application/json' },
  addCampaignRecipients: { method: 'POST', path: '/v1/campaigns/{campaignId}/recipients', credential: 'client', gives: 'json', takes: 'application/json' },
  pauseCampaign: { method: 'POST', path: '/v1/campaigns/{campaignId}/pause', credential: 'client', gives: 'json' },
  resumeCampaign: { method: 'POST', path: '/v1/campaigns/{campaignId}/resume', credential: 'client', gives: 'json' },
  getCampaignResults: { method: 'GET', path: '/v1/campaigns/{campaignId}/results', credential: 'client', gives: 'response' },
  getCampaignReport: { method: 'GET', path: '/v1/campaigns/{campaignId}/report', credential: 'client', gives: 'json' },
  updateCampaign: { method: 'PUT', path: '/v1/campaigns/{campaignId}', credential: 'client', gives: 'json', takes: 'application/json' },
  cancelCampaign: { method: 'DELETE', path: '/v1/campaigns/{campaignId}', credential: 'client', gives: 'json' },
  listTags: { method: 'GET', path: '/v1/company/{companyId}/tags', credential: 'client', gives: 'json' },
  getRoom: { method: 'GET', path: '/v1/rooms/{roomId}', credential: 'client', gives: 'json' },
  setRoomTags: { method: 'POST', path: '/v1/bots/{botId}/rooms/tags', credential: 'client', gives: 'json', takes: 'application/json' },
  getStatistics: { method: 'GET', path: '/v1/metrics/conversations/external/stats', credential: 'client', gives: 'json' },
  reportConversations: { method: 'GET', path: '/v1/external/conversations', credential: 'client', gives: 'json' },
} as const;
