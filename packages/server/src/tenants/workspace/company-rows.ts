import { encodeKey, encodeText } from '@hilo/stores';
import type {
  BotRow,
  CampaignRow,
  CompanyRow,
  ConversationRow,
  CredentialRow,
  FunctionRow,
  OperatorRow,
  RecipientRow,
  RoomRow,
  RoomTagRow,
  TeamRow,
  UserRow,
} from '../../platform/database/workspace-rows.ts';
import { credentialSecrets, type WorkspaceCompany } from './schema.ts';
import { botSecretId, credentialSecretId } from '../bots.ts';

// Each item of a workspace as a row of its table. Texts that people or channels choose are encoded; the others are ids, JSON or constants.

/** A secret in plain text, and the id under which it is stored. */
export interface GivenSecret {
  readonly secretId: string;
  readonly value: string;
}

/** The row of a company, without its users, which are written in batches. */
export const encodeCompany = ({
  id,
  name,
  kind,
  plan,
  timeZone,
  locale,
  failureWorkflowId,
  settings,
}: Omit<WorkspaceCompany, 'users'>): CompanyRow => ({
  company_id: String(id),
  name,
  kind,
  plan,
  time_zone: timeZone ?? null,
  locale: locale ?? null,
  failure_workflow_id: failureWorkflowId ?? null,
  settings: JSON.stringify(settings),
});

type Item<List extends keyof WorkspaceCompany> = WorkspaceCompany[List] extends readonly (infer Each)[] ? Each : never;

/** The row of a bot; its secrets are those of `listBotSecrets`. */
export const encodeBot = (companyId: string, { id, name, channel, connectedAt, provider, settings }: Item<'bots'>): BotRow => ({
  bot_id: id,
  company_id: companyId,
  name,
  channel,
  connected_at_ms: connectedAt,
  provider_kind: provider.kind,
  provider: JSON.stringify(provider.fields),
  settings: JSON.stringify(settings),
});

export const listBotSecrets = ({ id, provider }: Item<'bots'>): readonly GivenSecret[] =>
  Object.entries(provider.secrets).map(([field, value]) => ({ secretId: botSecretId(id, field), value }));

export const encodeCredential = (companyId: string, { id, kind, ...fields }: Item<'credentials'>): CredentialRow => ({
  company_id: companyId,
  id,
  kind,
  fields: JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([field]) => credentialSecrets[kind][field] === undefined))),
});

export const listCredentialSecrets = ({ id, kind, ...fields }: Item<'credentials'>): readonly GivenSecret[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    credentialSecrets[kind][field] !== undefined && typeof value === 'string' ? [{ secretId: credentialSecretId(id, field), value }] : [],
  );

export const encodeFunction = (companyId: string, { id, name, tools }: Item<'functions'>, source: string): FunctionRow => ({
  function_id: id,
  company_id: companyId,
  name,
  source,
  tools: JSON.stringify(tools),
});

export const encodeUser = (companyId: string, { id, names, phone, bsuid, timeZone, locale }: Item<'users'>): UserRow => ({
  company_id: companyId,
  user_key: encodeKey(id),
  user_id: encodeText(id),
  names: encodeTextOrNull(names),
  phone: phone ?? null,
  bsuid: bsuid ?? null,
  time_zone: timeZone ?? null,
  locale: locale ?? null,
});

export const encodeCampaign = (companyId: string, campaign: Item<'campaigns'>): CampaignRow => ({
  company_id: companyId,
  id: campaign.id,
  name: encodeText(campaign.name),
  element_name: encodeText(campaign.elementName),
  template_id: campaign.templateId,
  bot_id: campaign.botId,
  status: campaign.status,
  scheduled_at_ms: campaign.scheduledAt ?? null,
  created_at_ms: campaign.createdAt,
  completed_at_ms: campaign.completedAt ?? null,
  total_messages: campaign.totalMessages,
  delivered_messages: campaign.deliveredMessages,
  failed_messages: campaign.failedMessages,
});

export const encodeRecipients = (companyId: string, { id, recipients }: Item<'campaigns'>): readonly RecipientRow[] =>
  recipients.map(({ userId, parameters }, position) => ({
    company_id: companyId,
    campaign_id: id,
    user_key: encodeKey(userId),
    user_id: encodeText(userId),
    position,
    parameters: JSON.stringify(parameters),
    status: 'pending',
    message_id: null,
  }));

export const encodeTeam = (companyId: string, { id, name }: Item<'teams'>): TeamRow => ({
  company_id: companyId,
  id,
  name: encodeText(name),
});

export const encodeOperator = (companyId: string, { id, names, email, teamIds }: Item<'operators'>): OperatorRow => ({
  company_id: companyId,
  id,
  names: encodeText(names),
  email: encodeText(email),
  team_ids: JSON.stringify(teamIds),
});

export const encodeRoom = (companyId: string, { id, botId, userId }: Item<'rooms'>): RoomRow => ({
  company_id: companyId,
  id,
  bot_id: botId,
  user_key: encodeKey(userId),
  user_id: encodeText(userId),
});

export const encodeRoomTags = (companyId: string, { id, tags }: Item<'rooms'>): readonly RoomTagRow[] =>
  tags.map((tag_id) => ({ company_id: companyId, room_id: id, tag_id }));

export const encodeConversation = (companyId: string, conversation: Item<'conversations'>): ConversationRow => {
  const times = conversation.operatorResponseTimesMs;
  return {
    company_id: companyId,
    id: conversation._id,
    room_id: conversation.roomId ?? null,
    bot_id: conversation.botId,
    user_key: encodeKey(conversation.userId),
    user_id: encodeText(conversation.userId),
    operator_id: conversation.operatorId ?? null,
    team_name: encodeTextOrNull(conversation.teamName),
    state: conversation.state,
    was_replied: conversation.wasReplied ? 1 : 0,
    ended_reason: encodeTextOrNull(conversation.endedReason),
    origin: encodeText(conversation.origin),
    start_at_ms: conversation.startAt,
    end_at_ms: conversation.endAt ?? null,
    first_replied_at_ms: conversation.firstRepliedAtOperator ?? null,
    response_count: times.length,
    response_total_ms: times.reduce((total, timeMs) => total + timeMs, 0),
    response_times_ms: times.length === 0 ? null : JSON.stringify(times),
    child_conversation: conversation.childConversation ?? null,
    parent_conversation: conversation.parentConversation ?? null,
    last_message_by: conversation.lastMessageBy ?? null,
  };
};

const encodeTextOrNull = (text: string | undefined): string | null => (text === undefined ? null : encodeText(text));
