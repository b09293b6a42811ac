import type { Write } from './variables.ts';
import type { WebhookRequest } from './webhook.ts';

/** The wait that the address of a callback stands for: one visit of one node, which is answered once. */
export interface ResumeClaim {
  readonly companyId: string;
  readonly executionId: string;
  readonly nodeId: string;
  /** The number of the visit, from 1: the address for one round of a loop is of no use in the next. */
  readonly visit: number;
  /** Of all addresses of the node in an execution, only the first that is called counts (WEB-15). */
  readonly oneTimeOnly: boolean;
  /** When the address is of no use any more, in milliseconds since the Unix epoch. */
  readonly expiresAtMs: number;
}

/**
 * Writes the address for a claim, which whoever has it may call. Pure: the same claim is the same address, since a replay makes it again.
 */
export type WriteResumeUrl = (claim: ResumeClaim) => string;

/** What a node says of the addresses that lead to its wait. */
export interface CallbackRules {
  readonly methods: readonly string[];
  /** Whether a `GET` shows a page that asks for a confirmation, and resumes nothing by itself. */
  readonly confirm: boolean;
  readonly oneTimeOnly: boolean;
  /** How long an address is of use, in milliseconds. */
  readonly lifeMs: number;
  readonly respond: 'onAccept' | 'onFinish';
}

/** How a third party resumes a node by an address, without a key. */
export interface Callback<Config> {
  rules(config: Config): CallbackRules;
  /** What a call writes; of a node that is no webhook itself, beside what a request to the webhook of its canvas writes. */
  writes(config: Config, request: WebhookRequest, execution: { readonly executionId: string }): readonly Write[];
}
