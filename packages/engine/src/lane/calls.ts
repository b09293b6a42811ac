// The calls on a lane and their answers, as JSON, so that they can be forwarded to its owner or recorded before they are decided.
import type { Channel, Consent, Origin, Settled, Trigger } from '../contract/execution.ts';
import { type ErrorCode, HiloError } from '../contract/errors.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { MigratingKind, Migration, Verdict } from '../contract/migration.ts';
import type { ContactChange, DueWait, ExecutionRecord, InboxItem } from '../contract/store.ts';
import type { WebhookRequest } from '../contract/webhook.ts';
import type { RoutedMessage } from './message-events.ts';

/** A user's message, from any channel (EVT-02). */
export interface InboundMessage {
  readonly companyId: string;
  readonly botId: string;
  /** The provider's delivery id: repetitions have one consequence (P10). */
  readonly eventId: string;
  readonly user: {
    readonly id: string;
    readonly phone?: string | null;
    readonly bsuid?: string | null;
    readonly names?: string | null;
    /** Their IANA time zone and their locale, when the channel knows them. */
    readonly timeZone?: string | null;
    readonly locale?: string | null;
  };
  readonly message: JsonObject;
  /**
   * When the user wrote it, as the channel tells, in milliseconds since the Unix epoch: `$message.at`. One that is not credible (before
   * the year 2000, as a time in another unit is, or in the future), or that is left out, is the time of arrival.
   */
  readonly atMs?: number;
  /**
   * The messages one of which it names in `message.replyTo`, by the `messageId` that drivers gave; empty where that names none of ours.
   * Left out, `replyTo` itself is compared, and an unknown one is that of the newest question.
   */
  readonly repliesTo?: readonly string[];
  /** What the whole message says to marketing messages: it is kept, and nothing is routed. */
  readonly consent?: Consent['marketing'];
  /** It was set aside before and is handed in again: its own id is known already, and repetitions have the `eventId` alone in common. */
  readonly isAgain?: boolean;
  /** The user came by a link or an advertisement and wrote nothing: it answers nothing, and only starts the workflow of its reference. */
  readonly isOpening?: boolean;
  /** The workflow whose draft is tried: it is started as it is saved then, and nothing that is published. */
  readonly draft?: string;
}

/**
 * The outcome of a message at acceptance. `queued`: it is processed later, since an effect or another message of its user is in
 * progress; `duplicate`: this delivery was accepted before, and has no consequence now; `held`: an operator or a node has the user, and
 * no workflow gets the message.
 */
export type MessageOutcome = RoutedMessage | 'queued' | 'duplicate';

/** A request to a webhook route, its credentials checked and its channel resolved to a bot by the caller. */
export interface WebhookCall {
  readonly companyId: string;
  readonly workflowId: string;
  readonly nodeId: string;
  readonly route: 'production' | 'test';
  readonly channel: Channel;
  readonly botId?: string;
  readonly request: WebhookRequest;
  /** On the test route: the user the tester speaks for (WEB-13). */
  readonly testUserId?: string;
  /** How user ids are judged (UID-05); `strict` by default. */
  readonly userIdFormat?: 'strict' | 'open';
  /** The same key within eight days gives the same answer, and has no second consequence (WEB-27, P10). */
  readonly idempotencyKey?: string;
}

/** A request that names an execution. */
export interface ResumingRequest extends Pick<WebhookCall, 'companyId' | 'workflowId' | 'nodeId' | 'request' | 'idempotencyKey'> {
  /** The visit of the node that it is for, where it came by the address of a callback. */
  readonly visit?: number;
}

/** The result of an accepted call (WEB-24). */
export interface WebhookAccepted {
  readonly executionId: string;
  readonly mode: 'new' | 'resume';
  readonly isNewExecution: boolean;
  /** A resume after the first under `oneTimeOnly`: answered, and without consequence (WEB-15). */
  readonly ignored?: true;
  readonly respond: 'onAccept' | 'onFinish';
}

/** The answers for callers. */
export interface Started {
  readonly executionId: string;
}

/** A start with a pinned canvas and an admitted request: the rest is done in its lane. */
export interface StartCall {
  readonly type: 'start';
  readonly executionId: string;
  readonly origin: Origin;
  readonly canvasHash: string;
  readonly version: number | 'draft';
  readonly entry: string;
  readonly trigger: Trigger;
  /** Delivery ids that make a repetition the same start (P10). */
  readonly keys: readonly string[];
  readonly contacts: readonly ContactChange[];
}

/** A signal for one wait. */
export interface SignalCall {
  readonly type: 'signal';
  readonly companyId: string;
  readonly executionId: string;
  readonly waitId: string;
  readonly payload: Json;
  readonly keys: readonly string[];
  /** The execution that sent it, where one did. */
  readonly from?: string | undefined;
}

/** An execution to end at once. */
export interface CancelCall {
  readonly type: 'cancel';
  readonly companyId: string;
  readonly executionId: string;
  readonly reason: string;
  readonly by?: string;
  readonly job?: string;
}

/** A quarantined execution to let go on. */
export interface ReleaseCall {
  readonly type: 'release';
  readonly companyId: string;
  readonly executionId: string;
  readonly by?: string;
  readonly job?: string;
}

/** An execution to take to another version of its workflow, where the verdict on it is one of `accept`. */
export interface MigrateCall {
  readonly type: 'migrate';
  readonly companyId: string;
  readonly executionId: string;
  readonly migration: Migration;
  /** The content of the version that it leaves; `null` for any. */
  readonly fromHash: string | null;
  /** The content of the version that it comes to. */
  readonly canvasHash: string;
  readonly accept: readonly MigratingKind[];
  readonly by?: string;
  readonly job?: string;
}

/** An execution to take back from where the job `undoes` took it. */
export interface UndoMigrationCall {
  readonly type: 'undoMigration';
  readonly companyId: string;
  readonly executionId: string;
  readonly undoes: string;
  readonly by?: string;
  readonly job?: string;
}

/** What an execution that continues another is to be. */
export interface ContinueOptions {
  /** The version of its workflow that it is in: a number, `latest`, or `same`, the default. */
  readonly version?: number | 'same' | 'latest' | undefined;
  /** Values for variables of `$context` and `$memory` that it does not have; `{{expressions}}` read its own. */
  readonly set?: JsonObject | undefined;
  /** The operator, for the histories of both. */
  readonly by?: string | undefined;
  /** The job that continues it with others. */
  readonly job?: string | undefined;
}

/** An execution that failed, expired or was cancelled, to be continued as a new one. */
export interface RetryCall extends ContinueOptions {
  readonly type: 'retry';
  readonly companyId: string;
  readonly executionId: string;
  /** Whether the effect that was answered last is performed again; `auto`, the default: where its node failed by the answer. */
  readonly effect?: 'auto' | 'repeat' | 'keep' | undefined;
  /** The key of an effect that is performed again; `auto`, the default: the same where its outcome is unknown. */
  readonly keys?: 'auto' | 'new' | 'same' | undefined;
  /** Once more, where it was continued before. */
  readonly again?: boolean | undefined;
}

/** An execution to be copied as it stood before an event of its history. */
export interface ForkCall extends ContinueOptions {
  readonly type: 'fork';
  readonly companyId: string;
  readonly executionId: string;
  /** The index of the event in its history. */
  readonly before: number;
  /** The node at which the copy goes on; where it stood, when left out. */
  readonly enter?: string | undefined;
  /** Cancels the original in the same commit. */
  readonly ends?: boolean | undefined;
}

/** The verdict on an execution, and its revision where it was migrated. */
export type Migrated = Verdict & { readonly revision?: number };

/** The calls on one lane, as JSON, so that they can be forwarded to its owner. */
export type LaneCall =
  | StartCall
  | SignalCall
  | { readonly type: 'message'; readonly message: InboundMessage }
  /** A request that names `executionId`: the execution itself, or its family (VAR-07). */
  | { readonly type: 'resume'; readonly call: ResumingRequest; readonly executionId: string }
  | CancelCall
  | ReleaseCall
  | MigrateCall
  | UndoMigrationCall
  | RetryCall
  | ForkCall;

interface LaneAnswers {
  readonly start: Started;
  readonly signal: boolean;
  readonly message: { readonly outcome: MessageOutcome };
  readonly resume: WebhookAccepted;
  readonly cancel: ExecutionRecord;
  readonly release: ExecutionRecord;
  readonly migrate: Migrated;
  readonly undoMigration: Migrated;
  readonly retry: Started;
  readonly fork: Started;
}

/** The answer of a lane to a call. */
export type LaneAnswer<Call extends LaneCall> = LaneAnswers[Call['type']];

/** The answer for a caller. `busy`: an effect blocks the lane; nothing was done, try again. */
export type LaneReply =
  | { readonly kind: 'answer'; readonly value: Json }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly details: Json }
  | { readonly kind: 'busy' };

/** Whether an error is one that a caller or an operator can act on. */
export const isKnown = (error: unknown): error is HiloError => error instanceof HiloError;

/** The answer for a caller who is refused. */
export const createRefusal = ({ code, details }: HiloError): LaneReply => ({
  kind: 'refused',
  code,
  details: details as unknown as Json, // every detail of an error is JSON
});

/** Everything that can happen in a lane. JSON: a runtime records it before it is decided. */
export type LaneInput =
  | LaneCall
  /** The answer of an effect. */
  | { readonly type: 'effect'; readonly companyId: string; readonly executionId: string; readonly key: string; readonly settled: Settled }
  | { readonly type: 'timer'; readonly wait: DueWait }
  /** An event that another lane sent. */
  | { readonly type: 'inbox'; readonly item: Omit<InboxItem, 'seq'> }
  /** The next accepted item has its turn. */
  | { readonly type: 'turn' }
  /** An execution that repeatedly killed its process, or cannot process what is for it (P17). */
  | { readonly type: 'quarantine'; readonly companyId: string; readonly executionId: string; readonly reason: string }
  /** The next accepted item cannot be processed. `isRepeated`: an earlier process died at this very attempt (P17). */
  | { readonly type: 'poison'; readonly reason: string; readonly isRepeated: boolean }
  /** In place of a call that repeatedly killed its process (P17). */
  | { readonly type: 'refusal'; readonly reason: string };
