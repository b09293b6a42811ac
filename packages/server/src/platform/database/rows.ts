import type { ApiKeyRow, ClientRow, CredentialRow, SecretRow } from './access-rows.ts';
import type { ConversationRow, OperatorRow, RoomTable, RoomTagRow, TagRow, TeamRow } from './attention-rows.ts';
import type { CampaignTable, RecipientRow, TemplateRow } from './campaign-rows.ts';
import type { BotRow, CompanyRow, ImportedWorkflowRow, UserRow } from './company-rows.ts';
import type { FunctionTable, RuntimeTokenTable } from './function-rows.ts';
import type { MessageTable } from './message-rows.ts';

/**
 * Rows as they are kept, beside the engine's own in one database. Every table but the revision's is scoped by the company.
 * Instants are milliseconds since the Unix epoch; `…_key` columns hold what `keyOf` of `@hilo/stores` gives; columns that
 * say JSON hold it as text. Rows that a `collection` takes are types and no interfaces, so that a list of their columns can be
 * gone through.
 */
export type ServiceTables = {
  readonly service_revision: RevisionRow;
  readonly companies: CompanyRow;
  readonly clients: ClientRow;
  readonly api_keys: ApiKeyRow;
  readonly bots: BotRow;
  readonly secrets: SecretRow;
  readonly users: UserRow;
  readonly templates: TemplateRow;
  readonly campaigns: CampaignTable;
  readonly campaign_recipients: RecipientRow;
  readonly teams: TeamRow;
  readonly operators: OperatorRow;
  readonly tags: TagRow;
  readonly rooms: RoomTable;
  readonly room_tags: RoomTagRow;
  readonly conversations: ConversationRow;
  readonly functions: FunctionTable;
  readonly runtime_tokens: RuntimeTokenTable;
  readonly credentials: CredentialRow;
  readonly imported_workflows: ImportedWorkflowRow;
  readonly messages: MessageTable;
};

/** One row. Its number grows with each change of what every process keeps in memory. */
type RevisionRow = {
  readonly id: number;
  readonly number: number;
};
