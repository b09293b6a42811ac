import { listRows, type RowLists, type Value } from '@hilo/stores';
import type { WorkspaceTables } from './schema.ts';

type Columns = { readonly [column: string]: Value };
/** A row without the columns that the database or the service fills by itself. */
type RowOf<Name extends keyof WorkspaceTables> = {
  readonly [Column in ColumnOf<Name> as WorkspaceTables[Name][Column] extends Value ? Column : never]: WorkspaceTables[Name][Column];
} & Columns;
type ColumnOf<Name extends keyof WorkspaceTables> = keyof WorkspaceTables[Name] & string;
/** Columns that hold a number. */
type NumberColumnOf<Name extends keyof WorkspaceTables> = {
  [Column in keyof RowOf<Name>]: number extends RowOf<Name>[Column] ? Column : never;
}[ColumnOf<Name>] &
  string;

/** How a table is described to {@link collection}. */
interface Description<Name extends keyof WorkspaceTables> {
  /** The key of a row; a row of another company is never overwritten. */
  readonly keys: readonly ColumnOf<Name>[];
  readonly columns: readonly ColumnOf<Name>[];
  /** All of them that hold numbers; the others hold texts. */
  readonly numbers?: readonly NumberColumnOf<Name>[];
  /** Columns that keep their value when a row comes without one. */
  readonly lasting?: readonly ColumnOf<Name>[];
}

/** Describes a table for import and export. */
const collection = <Name extends keyof WorkspaceTables>(
  name: Name,
  { keys, columns, numbers = [], lasting = [] }: Description<Name>,
): RowLists<RowOf<Name>> => listRows<RowOf<Name>>({ name, keys, columns, numbers, lasting });

/** Every table that a workspace describes, by its name; see `collection`. */
export const collections = {
  companies: collection('companies', {
    keys: ['company_id'],
    columns: ['name', 'kind', 'plan', 'time_zone', 'locale', 'failure_workflow_id', 'settings'],
  }),
  clients: collection('clients', { keys: ['client_id'], columns: ['company_id', 'secret_hash'] }),
  // A revoked key is never restored by an old file.
  apiKeys: collection('api_keys', {
    keys: ['company_id', 'id'],
    columns: ['name', 'prefix', 'hash', 'created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    numbers: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    lasting: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
  }),
  bots: collection('bots', {
    keys: ['bot_id'],
    columns: ['company_id', 'name', 'channel', 'connected_at_ms', 'provider_kind', 'provider', 'settings'],
    numbers: ['connected_at_ms'],
  }),
  secrets: collection('secrets', { keys: ['company_id', 'secret_id'], columns: ['sealed'] }),
  users: collection('users', { keys: ['company_id', 'user_key'], columns: ['user_id', 'names', 'phone', 'bsuid', 'time_zone', 'locale'] }),
  campaigns: collection('campaigns', {
    keys: ['company_id', 'id'],
    columns: [
      'name',
      'element_name',
      'template_id',
      'bot_id',
      'status',
      'scheduled_at_ms',
      'created_at_ms',
      'completed_at_ms',
      'total_messages',
      'delivered_messages',
      'failed_messages',
    ],
    numbers: ['scheduled_at_ms', 'created_at_ms', 'completed_at_ms', 'total_messages', 'delivered_messages', 'failed_messages'],
  }),
  recipients: collection('campaign_recipients', {
    keys: ['company_id', 'campaign_id', 'user_key'],
    columns: ['user_id', 'position', 'parameters', 'status', 'message_id'],
    numbers: ['position'],
  }),
  teams: collection('teams', { keys: ['company_id', 'id'], columns: ['name'], numbers: ['id'] }),
  operators: collection('operators', { keys: ['company_id', 'id'], columns: ['names', 'email', 'team_ids'], numbers: ['id'] }),
  rooms: collection('rooms', { keys: ['company_id', 'id'], columns: ['bot_id', 'user_key', 'user_id'] }),
  roomTags: collection('room_tags', { keys: ['company_id', 'room_id', 'tag_id'], columns: [], numbers: ['tag_id'] }),
  conversations: collection('conversations', {
    keys: ['company_id', 'id'],
    columns: [
      'room_id',
      'bot_id',
      'user_key',
      'user_id',
      'operator_id',
      'team_name',
      'state',
      'was_replied',
      'ended_reason',
      'origin',
      'start_at_ms',
      'end_at_ms',
      'first_replied_at_ms',
      'response_count',
      'response_total_ms',
      'response_times_ms',
      'child_conversation',
      'parent_conversation',
      'last_message_by',
    ],
    numbers: ['operator_id', 'was_replied', 'start_at_ms', 'end_at_ms', 'first_replied_at_ms', 'response_count', 'response_total_ms'],
  }),
  functions: collection('functions', { keys: ['function_id'], columns: ['company_id', 'name', 'source', 'tools'] }),
  runtimeTokens: collection('runtime_tokens', {
    keys: ['company_id', 'function_id', 'id'],
    columns: ['name', 'prefix', 'hash', 'created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    numbers: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
    lasting: ['created_at_ms', 'last_used_at_ms', 'revoked_at_ms'],
  }),
  credentials: collection('credentials', { keys: ['company_id', 'id'], columns: ['kind', 'fields'] }),
  importedWorkflows: collection('imported_workflows', { keys: ['company_id', 'workflow_id'], columns: ['fingerprint'] }),
} as const;
