import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { type Call, read } from '@hilo/stores';
import type { collections } from '../../platform/database/collections.ts';
import type { CompanyRow } from '../../platform/database/company-rows.ts';

type RowsOf<Kind extends keyof typeof collections> =
  ReturnType<(typeof collections)[Kind]['rows']> extends Call<infer Row> ? readonly Row[] : never;

/** What is kept of a company. */
export type CompanyContents = {
  readonly [Kind in Exclude<keyof typeof collections, 'companies' | 'secrets' | 'importedWorkflows'>]: RowsOf<Kind>;
} & {
  readonly lastMessages: readonly { readonly userId: string; readonly botId: string; readonly atMs: number }[];
};

/** A company as a workspace file describes it, without a secret. */
export function companyFile(company: CompanyRow, contents: CompanyContents, workflows: readonly Json[]): JsonObject {
  const { lastMessages, recipients, roomTags, runtimeTokens } = contents;
  const recipientsOf = Map.groupBy(recipients, ({ campaign_id }) => campaign_id);
  const tagsOf = Map.groupBy(roomTags, ({ room_id }) => room_id);
  const tokensOf = Map.groupBy(runtimeTokens, ({ function_id }) => function_id);
  const lastOf = Map.groupBy(lastMessages, ({ userId }) => userId);
  return {
    id: Number(company.company_id),
    name: company.name,
    kind: company.kind,
    plan: company.plan,
    settings: json(company.settings),
    clients: contents.clients.map(({ client_id }) => ({ clientId: client_id })),
    apiKeys: contents.apiKeys.map(({ id, name, created_at_ms, revoked_at_ms }) =>
      given({ id, name, createdAt: instant(created_at_ms), revokedAt: instant(revoked_at_ms) }),
    ),
    bots: contents.bots.map(({ bot_id, name, channel, connected_at_ms, provider_kind, provider, settings }) => ({
      id: bot_id,
      name,
      channel,
      connectedAt: instant(connected_at_ms),
      provider: { kind: provider_kind, ...fieldsOf(provider) },
      settings: json(settings),
    })),
    users: contents.users.map(({ user_id, names, phone, bsuid }) => ({
      ...given({ id: read(user_id), names: readOrNull(names), phone, bsuid }),
      lastMessageAt: Object.fromEntries((lastOf.get(user_id) ?? []).map(({ botId, atMs }) => [botId, instant(atMs)])),
    })),
    templates: contents.templates.map((row) =>
      given({
        id: row.id,
        botId: row.bot_id,
        elementName: row.element_name,
        language: row.language,
        category: row.category,
        status: row.status,
        body: row.body,
        components: json(row.components ?? 'null'),
      }),
    ),
    campaigns: contents.campaigns.map((row) => ({
      ...given({
        id: row.id,
        name: read(row.name),
        elementName: read(row.element_name),
        templateId: row.template_id,
        botId: row.bot_id,
        status: row.status,
        scheduledAt: instant(row.scheduled_at_ms),
        completedAt: instant(row.completed_at_ms),
        totalMessages: row.total_messages,
        deliveredMessages: row.delivered_messages,
        failedMessages: row.failed_messages,
      }),
      createdAt: instant(row.created_at_ms),
      recipients: (recipientsOf.get(row.id) ?? [])
        .toSorted((left, right) => left.position - right.position)
        .map(({ user_id, parameters }) => ({ userId: read(user_id), parameters: json(parameters) })),
    })),
    teams: contents.teams.map(({ id, name }) => ({ id, name: read(name) })),
    operators: contents.operators.map(({ id, names, email, team_ids }) => ({
      id,
      names: read(names),
      email: read(email),
      teamIds: json(team_ids),
    })),
    tags: contents.tags.map(({ id, name, color, text_color, language, teams, channels }) => ({
      id,
      name: read(name),
      color,
      textColor: text_color,
      language: read(language),
      teams: json(teams),
      channels: json(channels),
    })),
    rooms: contents.rooms.map(({ id, bot_id, user_id }) => ({
      id,
      botId: bot_id,
      userId: read(user_id),
      tags: (tagsOf.get(id) ?? []).map(({ tag_id }) => tag_id),
    })),
    conversations: contents.conversations.map((row) => ({
      ...given({
        _id: row.id,
        roomId: row.room_id,
        botId: row.bot_id,
        userId: read(row.user_id),
        operatorId: row.operator_id,
        teamName: readOrNull(row.team_name),
        state: row.state,
        endedReason: readOrNull(row.ended_reason),
        origin: read(row.origin),
        endAt: instant(row.end_at_ms),
        firstRepliedAtOperator: instant(row.first_replied_at_ms),
        childConversation: row.child_conversation,
        parentConversation: row.parent_conversation,
        lastMessageBy: row.last_message_by,
      }),
      wasReplied: row.was_replied === 1,
      startAt: instant(row.start_at_ms),
      operatorResponseTimesMs: json(row.response_times_ms ?? '[]'),
    })),
    functions: contents.functions.map(({ function_id, name, source, tools }) => ({
      id: function_id,
      name,
      source,
      tools: json(tools),
      runtimeTokens: (tokensOf.get(function_id) ?? []).map((token) =>
        given({
          id: token.id,
          name: token.name,
          createdAt: instant(token.created_at_ms),
          lastUsedAt: instant(token.last_used_at_ms),
          revokedAt: instant(token.revoked_at_ms),
        }),
      ),
    })),
    credentials: contents.credentials.map(({ id, kind, fields }) => ({ id, kind, ...fieldsOf(fields) })),
    workflows,
  };
}

const readOrNull = (column: string | null): string | null => (column === null ? null : read(column));

const json = (text: string): Json => JSON.parse(text) as Json;

function fieldsOf(text: string): JsonObject {
  const fields = json(text);
  return isJsonObject(fields) ? fields : {};
}

const instant = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** Without the fields that have nothing. */
const given = (fields: JsonObject): JsonObject => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
