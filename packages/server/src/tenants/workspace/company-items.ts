// What a workspace has of a company, as items of the tables: only where the two differ.
import type { JsonObject } from '@hilo/engine/contract';
import type { GivenOf } from '@hilo/stores';
import type { campaigns, recipients } from '../../platform/tables/campaigns.ts';
import type { bots, companies, credentials } from '../../platform/tables/companies.ts';
import type { conversations } from '../../platform/tables/conversations.ts';
import type { eventSubscriptions } from '../../platform/tables/events.ts';
import { botSecretId, credentialSecretId, subscriptionSecretId } from '../bots.ts';
import { credentialSecrets, type WorkspaceCompany } from './schema.ts';

/** A secret in plain text, and the id under which it is stored. */
export interface GivenSecret {
  readonly secretId: string;
  readonly value: string;
}

/** One of a list of a workspace. */
export type Item<List extends keyof WorkspaceCompany> = WorkspaceCompany[List] extends readonly (infer Each)[] ? Each : never;

/** A company, without its users, which are written in batches. */
export const companyItem = ({ id, ...company }: Omit<WorkspaceCompany, 'users'>): GivenOf<typeof companies.columns> => ({
  companyId: String(id),
  ...company,
});

/** A bot; its secrets are those of `listBotSecrets`. */
export const botItem = (companyId: string, { id, connectedAt, provider, ...bot }: Item<'bots'>): GivenOf<typeof bots.columns> => ({
  companyId,
  botId: id,
  connectedAtMs: connectedAt,
  providerKind: provider.kind,
  provider: provider.fields,
  ...bot,
});

export const listBotSecrets = ({ id, provider }: Item<'bots'>): readonly GivenSecret[] =>
  Object.entries(provider.secrets).map(([field, value]) => ({ secretId: botSecretId(id, field), value }));

/** A credential; its secrets are those of `listCredentialSecrets`. */
export const credentialItem = (companyId: string, { id, kind, ...fields }: Item<'credentials'>): GivenOf<typeof credentials.columns> => ({
  companyId,
  id,
  kind,
  fields: Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== undefined && credentialSecrets[kind][field] === undefined),
  ) as JsonObject,
});

export const listCredentialSecrets = ({ id, kind, ...fields }: Item<'credentials'>): readonly GivenSecret[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    credentialSecrets[kind][field] !== undefined && typeof value === 'string' ? [{ secretId: credentialSecretId(id, field), value }] : [],
  );

export const subscriptionItem = (
  companyId: string,
  { id, url, events, paused, createdAt }: Item<'eventSubscriptions'>,
): GivenOf<typeof eventSubscriptions.columns> => ({ companyId, id, url, events, isPaused: paused, createdAtMs: createdAt });

export const listSubscriptionSecrets = ({ id, secret }: Item<'eventSubscriptions'>): readonly GivenSecret[] =>
  secret === undefined ? [] : [{ secretId: subscriptionSecretId(id), value: secret }];

export const campaignItem = (
  companyId: string,
  { scheduledAt, createdAt, completedAt, ...campaign }: Item<'campaigns'>,
): GivenOf<typeof campaigns.columns> => ({
  companyId,
  scheduledAtMs: scheduledAt,
  createdAtMs: createdAt,
  completedAtMs: completedAt,
  ...campaign,
});

export const recipientItems = (
  companyId: string,
  { id, recipients: given }: Item<'campaigns'>,
): readonly GivenOf<typeof recipients.columns>[] =>
  given.map((recipient, position) => ({ companyId, campaignId: id, position, status: 'pending', ...recipient }));

export const conversationItem = (
  companyId: string,
  { _id: id, startAt, endAt, firstRepliedAtOperator, operatorResponseTimesMs: times, ...conversation }: Item<'conversations'>,
): GivenOf<typeof conversations.columns> => ({
  companyId,
  id,
  startAtMs: startAt,
  endAtMs: endAt,
  firstRepliedAtMs: firstRepliedAtOperator,
  responseCount: times.length,
  responseTotalMs: times.reduce((total, timeMs) => total + timeMs, 0),
  responseTimesMs: times.length === 0 ? undefined : times,
  ...conversation,
});
