import type { Channel } from '@hilo/engine/contract';

export type CompanyRow = {
  readonly company_id: string;
  readonly name: string;
  readonly kind: string;
  readonly plan: string;
  /** JSON. */
  readonly settings: string;
};

export type BotRow = {
  /** Unique among all companies. */
  readonly bot_id: string;
  readonly company_id: string;
  readonly name: string;
  readonly channel: Channel;
  readonly connected_at_ms: number;
  readonly provider_kind: string;
  /** JSON: the fields of the provider that are no secrets. */
  readonly provider: string;
  /** JSON. */
  readonly settings: string;
};

/** What a workspace says of a user. What a bot knows of them is the engine's contact. */
export type UserRow = {
  readonly company_id: string;
  readonly user_key: string;
  readonly user_id: string;
  readonly names: string | null;
  readonly phone: string | null;
  readonly bsuid: string | null;
};

/** What a workflow was when a workspace last brought it: only a change of that is imported again. */
export type ImportedWorkflowRow = {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly fingerprint: string;
};
