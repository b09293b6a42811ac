import type { Channel } from '@hilo/engine/contract';
import type { Generated } from 'kysely';

/** A company; its id is the number of the workspace, as text. */
export type CompanyRow = {
  readonly company_id: string;
  readonly name: string;
  readonly kind: string;
  readonly plan: string;
  /** An IANA name. */
  readonly time_zone: string | null;
  readonly locale: string | null;
  readonly failure_workflow_id: string | null;
  /** JSON. */
  readonly settings: string;
};

/** A bot without the secrets of its provider. */
export type BotRow = {
  /** Unique across companies. */
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

/** The user as the workspace describes them. What a bot has learned of them is the engine's contact. */
export type UserRow = {
  readonly company_id: string;
  readonly user_key: string;
  readonly user_id: string;
  readonly names: string | null;
  readonly phone: string | null;
  readonly bsuid: string | null;
  readonly time_zone: string | null;
  readonly locale: string | null;
};

/** The workflow as a workspace last imported it: only a changed one is imported again. */
export type ImportedWorkflowRow = {
  readonly company_id: string;
  readonly workflow_id: string;
  readonly fingerprint: string;
};

/** A client of the REST API (AUT-01). */
export type ClientRow = {
  /** Unique across companies, so that it identifies one. */
  readonly client_id: string;
  readonly company_id: string;
  /** Salted scrypt. */
  readonly secret_hash: string;
};

/** An API key of a company (AUT-02), by its hash. */
export type ApiKeyRow = {
  readonly company_id: string;
  readonly id: string;
  readonly name: string | null;
  /** The first characters, to recognise it by. */
  readonly prefix: string;
  /** SHA-256; unique across companies. */
  readonly hash: string;
  readonly created_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  readonly revoked_at_ms: number | null;
};

/** An encrypted value: a provider's or a credential's. */
export type SecretRow = {
  readonly company_id: string;
  /** `bot/{botId}/{field}` or `credential/{id}/{field}`. */
  readonly secret_id: string;
  readonly sealed: string;
};

/** A credential that canvases name, without its secrets. */
export type CredentialRow = {
  readonly company_id: string;
  readonly id: string;
  readonly kind: string;
  /** JSON: the fields that are no secrets. */
  readonly fields: string;
};

/** A deployed function. */
export type FunctionRow = {
  /** Unique across companies: paths name no company. */
  readonly function_id: string;
  readonly company_id: string;
  readonly name: string;
  /** The source of the deployed module. */
  readonly source: string;
  /** JSON. */
  readonly tools: string;
};

export interface FunctionTable extends FunctionRow {
  /** Grows with each redeploy. */
  readonly deployment: Generated<number>;
}

/** A token of one function (AUT-09), by its hash. */
export type RuntimeTokenRow = {
  readonly company_id: string;
  readonly function_id: string;
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256; unique across companies. */
  readonly hash: string;
  readonly created_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  /** When it is or was revoked; it is refused from the end of the redeploy on (TOK-04). */
  readonly revoked_at_ms: number | null;
};

export interface RuntimeTokenTable extends RuntimeTokenRow {
  /** When the redeploy after its revocation ended: from then on the token is refused. */
  readonly redeployed_at_ms: Generated<number | null>;
}

/** A campaign (CAM rules). */
export type CampaignRow = {
  readonly company_id: string;
  readonly id: string;
  readonly name: string;
  readonly element_name: string;
  readonly template_id: string;
  readonly bot_id: string;
  readonly status: string;
  readonly scheduled_at_ms: number | null;
  readonly created_at_ms: number;
  readonly completed_at_ms: number | null;
  readonly total_messages: number;
  readonly delivered_messages: number;
  readonly failed_messages: number;
};

export interface CampaignTable extends CampaignRow {
  /** The process that sends it, and until when; after that any process may claim it. */
  readonly claimed_by: Generated<string | null>;
  readonly claimed_until_ms: Generated<number | null>;
}

/** A recipient of a campaign, and how far its message is. */
export type RecipientRow = {
  readonly company_id: string;
  readonly campaign_id: string;
  readonly user_key: string;
  readonly user_id: string;
  /** In the order of the list, from 0. */
  readonly position: number;
  /** JSON. */
  readonly parameters: string;
  /** `pending`, `sent` or `failed`. */
  readonly status: string;
  readonly message_id: string | null;
};

/** A team of operators. */
export type TeamRow = {
  readonly company_id: string;
  readonly id: number;
  readonly name: string;
};

/** An operator, who answers users. */
export type OperatorRow = {
  readonly company_id: string;
  readonly id: number;
  readonly names: string;
  readonly email: string;
  /** JSON. */
  readonly team_ids: string;
};

/** The room of a user with a bot. */
export type RoomRow = {
  readonly company_id: string;
  readonly id: string;
  readonly bot_id: string;
  readonly user_key: string;
  readonly user_id: string;
};

export interface RoomTable extends RoomRow {
  /** Grows with each change of its tags. */
  readonly tags_revision: Generated<number>;
}

/** A tag on a room. */
export type RoomTagRow = {
  readonly company_id: string;
  readonly room_id: string;
  readonly tag_id: number;
};

/** A conversation between a user and an operator (CON rules). */
export type ConversationRow = {
  readonly company_id: string;
  readonly id: string;
  readonly room_id: string | null;
  readonly bot_id: string;
  readonly user_key: string;
  readonly user_id: string;
  readonly operator_id: number | null;
  readonly team_name: string | null;
  readonly state: string;
  /** 1 or 0. */
  readonly was_replied: number;
  readonly ended_reason: string | null;
  readonly origin: string;
  readonly start_at_ms: number;
  readonly end_at_ms: number | null;
  readonly first_replied_at_ms: number | null;
  /** How many answers of the operator were measured, and how long they took together. */
  readonly response_count: number;
  readonly response_total_ms: number;
  /** JSON: the times one by one. */
  readonly response_times_ms: string | null;
  readonly child_conversation: string | null;
  readonly parent_conversation: string | null;
  /** `operator`, `user` or `bot`. */
  readonly last_message_by: string | null;
};
