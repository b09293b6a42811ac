// Bots as their rows have them: defaults of their settings, and the ids of their secrets.
import type { ChannelAdapter } from '@hilo/channels';
import type { ItemOf } from '@hilo/stores';
import type { bots } from '../platform/tables/companies.ts';
import type { Bot } from './companies.ts';

type StoredBot = ItemOf<typeof bots.columns>;

/** The id under which a secret of a bot's provider is stored. */
export const botSecretId = (botId: string, field: string): string => `bot/${botId}/${field}`;

/** The id under which a secret of a credential is stored. */
export const credentialSecretId = (credentialId: string, field: string): string => `credential/${credentialId}/${field}`;

/** The id under which the secret of an event subscription is stored. */
export const subscriptionSecretId = (subscriptionId: string): string => `subscription/${subscriptionId}/secret`;
export const isSubscriptionSecret = (secretId: string): boolean => secretId.startsWith('subscription/');

/** The kind of user ids that a bot's own settings accept (UID-05). */
export const readUserIdFormat = ({ settings }: Pick<StoredBot, 'settings'>): Bot['settings']['userIdFormat'] =>
  (settings as Partial<Bot['settings']>).userIdFormat ?? 'strict';

/** Default settings of a bot (UID-05, WIN-02), by the kind of its provider. */
export type BotDefaults = (kind: string) => Pick<Bot['settings'], 'userIdFormat' | 'templateReopensWindow'>;

/** The defaults of the kind's adapter; those of the specification for a kind without one. */
export const createBotDefaults =
  (adapters: readonly Pick<ChannelAdapter, 'kind' | 'templateReopensWindow' | 'userIdFormat'>[]): BotDefaults =>
  (kind) => {
    const { userIdFormat = 'strict', templateReopensWindow = 'onSend' } = adapters.find((adapter) => adapter.kind === kind) ?? {};
    return { userIdFormat, templateReopensWindow };
  };

/** A bot's settings, with the defaults of UID-05, WIN-02 and WIN-03. */
const mergeSettings = (
  { settings, providerKind }: Pick<StoredBot, 'settings' | 'providerKind'>,
  defaults: BotDefaults,
): Bot['settings'] => ({
  enforceSessionWindow: true,
  ...defaults(providerKind),
  ...(settings as Partial<Bot['settings']>),
});

/** @param secrets - those of its provider, by field */
export const withSecrets = (stored: StoredBot, secrets: { readonly [field: string]: string }, defaults: BotDefaults): Bot => ({
  companyId: stored.companyId,
  id: stored.botId,
  name: stored.name,
  channel: stored.channel,
  connectedAtMs: stored.connectedAtMs,
  provider: { kind: stored.providerKind, fields: { ...stored.provider, ...secrets } },
  settings: mergeSettings(stored, defaults),
});
