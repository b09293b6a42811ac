import type { Generated } from 'kysely';

export type TeamRow = {
  readonly company_id: string;
  readonly id: number;
  readonly name: string;
};

export type OperatorRow = {
  readonly company_id: string;
  readonly id: number;
  readonly names: string;
  readonly email: string;
  /** JSON. */
  readonly team_ids: string;
};

export type TagRow = {
  readonly company_id: string;
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly text_color: string;
  readonly language: string;
  /** JSON. */
  readonly teams: string;
  /** JSON. */
  readonly channels: string;
};

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

export type RoomTagRow = {
  readonly company_id: string;
  readonly room_id: string;
  readonly tag_id: number;
};

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
