// What became of a user's message, as events of the engine.
import type { JsonObject } from '../contract/json.ts';

/** The user whom a message is from. */
export interface UserRef {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
}

/** The events about messages, emitted after the commit. */
export interface MessageEvents {
  'message.received': [message: UserRef & { readonly message: JsonObject; readonly atMs: number }];
  /** A message came while a node held its user, and was discarded or kept for the next wait (RET-06). */
  'message.held': [message: UserRef & { readonly kept: boolean }];
  /** It is the operator's, who talks with its user: no workflow gets it, also where a node kept it for a next wait (RET-06). */
  'message.attended': [message: UserRef & { readonly message: JsonObject }];
  /** No wait and no start matched it. */
  'message.unmatched': [message: UserRef & { readonly message: JsonObject; readonly cause: UnmatchedCause }];
}

/** One of them, as data. */
export type MessageTell = { [Name in keyof MessageEvents]: readonly [name: Name, event: MessageEvents[Name][0]] }[keyof MessageEvents];

/**
 * Why a message reached no workflow: the company has published none with a `start`; no `start` matches it; the one
 * that does is of a paused workflow; or it repeatedly could not be
 * processed, and there is neither a wait nor a start to quarantine it with (P17).
 */
export type UnmatchedCause = 'NO_START_PUBLISHED' | 'NO_START_MATCHED' | 'WORKFLOW_PAUSED' | 'NOT_PROCESSABLE' | 'ANSWERS_NO_OPEN_QUESTION';

/**
 * The outcome of a message: it started a workflow, it answered a wait, nothing matched it, or it is `held`, since an operator or a node
 * has its user and no workflow gets it.
 */
export type RoutedMessage = 'started' | 'resumed' | 'unmatched' | 'held';
