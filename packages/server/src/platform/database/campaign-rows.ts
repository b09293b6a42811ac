import type { Generated } from 'kysely';

export type TemplateRow = {
  readonly company_id: string;
  readonly id: string;
  readonly bot_id: string;
  readonly element_name: string;
  readonly language: string;
  readonly category: string;
  readonly status: string;
  readonly body: string | null;
  /** JSON. */
  readonly components: string | null;
};

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
  /** Which process sends it, and until when; after that it is anybody's again. */
  readonly claimed_by: Generated<string | null>;
  readonly claimed_until_ms: Generated<number | null>;
}

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
