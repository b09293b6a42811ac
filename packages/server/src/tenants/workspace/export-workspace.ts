// Writes the configuration as a workspace.
import { type Canvas, type Json, type JsonObject, sessionWindowMs } from '@hilo/engine/contract';
import { type DurableStore, type ItemOf, type Runner, integer, text } from '@hilo/stores';
import { campaigns, recipients } from '../../platform/tables/campaigns.ts';
import * as tables from '../../platform/tables/companies.ts';
import { conversations, operators, rooms, roomTags, teams } from '../../platform/tables/conversations.ts';
import { eventSubscriptions } from '../../platform/tables/events.ts';
import { functions, runtimeTokens } from '../../platform/tables/functions.ts';
import { sql } from 'kysely';
import { companyQuery } from '../../platform/database/schema.ts';
import { transcripts } from '../../platform/database/transcripts.ts';
import { readWorkflowIds } from '../../platform/database/workflow-ids.ts';
import { tags } from '../../platform/tables/tags.ts';
import { createTurns } from '../../platform/turns.ts';
import { templates } from '../../platform/tables/templates.ts';

const windows = companyQuery({}, { userId: text(), botId: text(), windowUntilMs: integer() }, (company) =>
  company
    .selectFrom('contacts')
    .innerJoin('people', (join) =>
      join
        .onRef('people.company_id', '=', 'contacts.company_id')
        .on('people.person_key', '=', ({ fn, ref }) => fn.coalesce(ref('contacts.person_key'), ref('contacts.user_key'))),
    )
    .select(['people.user_id', 'contacts.bot_id', sql<number>`contacts.window_until_ms`.as('window_until_ms')])
    .where('contacts.window_until_ms', 'is not', null),
);

/**
 * The configuration as a workspace, including canvases and modules, without secrets: importing it into the same store changes
 * nothing; importing it elsewhere needs the secrets to be added first.
 *
 * @param only - the ids of the companies; all, when left out
 */
export async function exportWorkspace(
  { store }: { readonly store: Pick<DurableStore, 'runner' | 'canvases'> },
  only?: ReadonlySet<string>,
): Promise<JsonObject> {
  const all = await store.runner.read(tables.companies.allOfEveryCompany());
  const companies = only === undefined ? all : all.filter(({ companyId }) => only.has(companyId));
  const described: JsonObject[] = [];
  for (const company of companies.toSorted((left, right) => Number(left.companyId) - Number(right.companyId))) {
    const contents = await readContents(store.runner, company.companyId);
    described.push(describeCompanyContents(company, contents, await readWorkflows(store, company.companyId)));
  }
  return { companies: described };
}

async function readContents(runner: Runner, companyId: string) {
  return {
    clients: await runner.read(tables.clients.all(companyId)),
    apiKeys: await runner.read(tables.apiKeys.all(companyId)),
    bots: await runner.read(tables.bots.all(companyId)),
    users: (await runner.read(tables.people.all(companyId))).filter(({ isListed }) => isListed),
    lastMessages: (await runner.read(windows({ companyId }))).map(({ windowUntilMs, ...of }) => ({
      ...of,
      atMs: windowUntilMs - sessionWindowMs,
    })),
    templates: await runner.read(templates.all(companyId)),
    campaigns: await runner.read(campaigns.all(companyId)),
    recipients: await runner.read(recipients.all(companyId)),
    teams: await runner.read(teams.all(companyId)),
    operators: await runner.read(operators.all(companyId)),
    tags: await runner.read(tags.all(companyId)),
    rooms: await runner.read(rooms.all(companyId)),
    roomTags: await runner.read(roomTags.all(companyId)),
    conversations: await runner.read(conversations.all(companyId)),
    functions: await runner.read(functions.all(companyId)),
    runtimeTokens: await runner.read(runtimeTokens.all(companyId)),
    credentials: await runner.read(tables.credentials.all(companyId)),
    eventSubscriptions: await runner.read(eventSubscriptions.all(companyId)),
  };
}

/** The published version, and the draft when it differs. */
async function readWorkflows(
  { runner, canvases }: Pick<DurableStore, 'runner' | 'canvases'>,
  companyId: string,
): Promise<readonly JsonObject[]> {
  const ids = await readWorkflowIds(runner, companyId);
  const nextTurn = createTurns(20); // three reads each, and a canvas of up to 1 MB
  const described: JsonObject[] = [];
  for (const id of ids) {
    await nextTurn();
    const latest = await canvases.latest(companyId, id);
    const draft = await canvases.draft(companyId, id);
    const tests = await transcripts.all({ runner }, companyId, id);
    const kept = tests.length === 0 ? {} : { transcripts: Object.fromEntries(tests.map(({ name, content }) => [name, content])) };
    if (latest === undefined) described.push(draft === undefined ? {} : { canvas: toJson(draft.canvas), publish: false, ...kept });
    else {
      const isAhead = draft !== undefined && draft.hash !== latest.hash;
      described.push({ canvas: toJson(latest.canvas), publish: true, ...(isAhead && { draft: toJson(draft.canvas) }), ...kept });
    }
  }
  return described;
}

/** A canvas as JSON: fields that are not there are left out. */
const toJson = (canvas: Canvas): Json => JSON.parse(JSON.stringify(canvas)) as Json;

type ItemIn<Of extends { readonly columns: object }> = ItemOf<Of['columns']>;

/** A company as a workspace file describes it, without a secret. */
function describeCompanyContents(
  company: ItemIn<typeof tables.companies>,
  contents: Awaited<ReturnType<typeof readContents>>,
  workflows: readonly Json[],
): JsonObject {
  const recipientsByCampaign = Map.groupBy(contents.recipients, ({ campaignId }) => campaignId);
  const tagsByRoom = Map.groupBy(contents.roomTags, ({ roomId }) => roomId);
  const tokensByFunction = Map.groupBy(contents.runtimeTokens, ({ functionId }) => functionId);
  const lastMessagesByUser = Map.groupBy(contents.lastMessages, ({ userId }) => userId);
  return {
    ...describeCompany(company),
    clients: contents.clients.map(({ clientId }) => ({ clientId })),
    apiKeys: contents.apiKeys.map(({ id, name, createdAtMs, revokedAtMs }) =>
      omitAbsent({ id, name, createdAt: formatInstant(createdAtMs), revokedAt: formatInstant(revokedAtMs) }),
    ),
    bots: contents.bots.map(describeBot),
    users: contents.users.map((user) => ({
      ...describeUser(user),
      lastMessageAt: Object.fromEntries(
        (lastMessagesByUser.get(user.userId) ?? []).map(({ botId, atMs }) => [botId, new Date(atMs).toISOString()]),
      ),
    })),
    templates: contents.templates.map(describeItem),
    campaigns: contents.campaigns.map((campaign) => describeCampaign(campaign, recipientsByCampaign.get(campaign.id))),
    teams: contents.teams.map(describeItem),
    operators: contents.operators.map(describeOperator),
    tags: contents.tags.map(describeItem),
    rooms: contents.rooms.map((room) => ({ ...describeItem(room), tags: (tagsByRoom.get(room.id) ?? []).map(({ tagId }) => tagId) })),
    conversations: contents.conversations.map(describeConversation),
    functions: contents.functions.map((one) => describeFunction(one, tokensByFunction.get(one.functionId))),
    credentials: contents.credentials.map(describeCredential),
    eventSubscriptions: contents.eventSubscriptions.map(describeSubscription),
    workflows,
  };
}

const describeCampaign = (
  { createdAtMs, ...campaign }: ItemIn<typeof campaigns>,
  given: readonly ItemIn<typeof recipients>[] = [],
): JsonObject => ({
  ...omitAbsent({
    id: campaign.id,
    name: campaign.name,
    elementName: campaign.elementName,
    templateId: campaign.templateId,
    botId: campaign.botId,
    status: campaign.status,
    scheduledAt: formatInstant(campaign.scheduledAtMs),
    completedAt: formatInstant(campaign.completedAtMs),
    totalMessages: campaign.totalMessages,
    deliveredMessages: campaign.deliveredMessages,
    failedMessages: campaign.failedMessages,
    createdAt: formatInstant(createdAtMs),
  }),
  recipients: given.toSorted((left, right) => left.position - right.position).map(({ userId, parameters }) => ({ userId, parameters })),
});

const describeConversation = (conversation: ItemIn<typeof conversations>): JsonObject => ({
  ...omitAbsent({
    _id: conversation.id,
    roomId: conversation.roomId,
    botId: conversation.botId,
    userId: conversation.userId,
    operatorId: conversation.operatorId,
    teamName: conversation.teamName,
    state: conversation.state,
    endedReason: conversation.endedReason,
    origin: conversation.origin,
    endAt: formatInstant(conversation.endAtMs),
    firstRepliedAtOperator: formatInstant(conversation.firstRepliedAtMs),
    childConversation: conversation.childConversation,
    parentConversation: conversation.parentConversation,
    lastMessageBy: conversation.lastMessageBy,
    wasReplied: conversation.wasReplied,
    startAt: formatInstant(conversation.startAtMs),
  }),
  operatorResponseTimesMs: conversation.responseTimesMs ?? [],
});

const describeFunction = (
  { functionId, name, source, tools }: ItemIn<typeof functions>,
  tokens: readonly ItemIn<typeof runtimeTokens>[] = [],
): JsonObject => ({
  id: functionId,
  name,
  source,
  tools,
  runtimeTokens: tokens.map((token) =>
    omitAbsent({
      id: token.id,
      name: token.name,
      createdAt: formatInstant(token.createdAtMs),
      lastUsedAt: formatInstant(token.lastUsedAtMs),
      revokedAt: formatInstant(token.revokedAtMs),
    }),
  ),
});

/** The fields of the company itself in a workspace. */
export const describeCompany = ({
  companyId,
  settings,
  fields,
  consent,
  limits,
  keepDays,
  ...company
}: ItemIn<typeof tables.companies>): JsonObject => ({
  id: Number(companyId),
  ...omitAbsent(company),
  ...(fields !== undefined && { fields: fields.map((field) => omitAbsent({ ...field })) }),
  ...(consent !== undefined && { consent: omitAbsent({ ...consent }) }),
  ...(limits !== undefined && { limits: omitAbsent({ ...limits }) }),
  ...(keepDays !== undefined && { keepDays: omitAbsent({ ...keepDays }) }),
  settings,
});

/** A bot in a workspace, without the secrets of its provider. */
export const describeBot = ({ botId, name, channel, connectedAtMs, providerKind, provider, settings }: ItemIn<typeof tables.bots>) =>
  omitAbsent({
    id: botId,
    name,
    channel,
    connectedAt: formatInstant(connectedAtMs),
    provider: { kind: providerKind, ...provider },
    settings,
  });

/** A user in a workspace, without the times of their messages. */
export const describeUser = ({ companyId: _company, userId, isListed: _isListed, ...user }: ItemIn<typeof tables.people>): JsonObject =>
  omitAbsent({ id: userId, ...user });

/** An item in a workspace: all of it but the company that it is listed in, and what it does not have. */
export const describeItem = ({ companyId: _company, ...fields }: Fields & { readonly companyId: string }): JsonObject => omitAbsent(fields);

/** An operator in a workspace. */
export const describeOperator = ({ leftAtMs, ...operator }: ItemIn<typeof operators>): JsonObject => ({
  ...describeItem(operator),
  ...omitAbsent({ leftAt: formatInstant(leftAtMs) }),
});

/** A credential in a workspace, without its secrets. */
export const describeCredential = ({ id, kind, fields }: ItemIn<typeof tables.credentials>): JsonObject => ({ id, kind, ...fields });

/** An event subscription in a workspace, without its secret. */
const describeSubscription = ({ id, url, events, isPaused, createdAtMs }: ItemIn<typeof eventSubscriptions>): JsonObject =>
  omitAbsent({ id, url, events, paused: isPaused, createdAt: formatInstant(createdAtMs) });

type Fields = { readonly [field: string]: Json | undefined };

const formatInstant = (atMs: number | undefined): string | undefined => (atMs === undefined ? undefined : new Date(atMs).toISOString());

/** Without the fields that have nothing. */
const omitAbsent = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
