import type { ChannelAdapter } from '@hilo/drivers';
import type { JsonObject } from '@hilo/engine/contract';
import type { BotRow } from '../platform/database/workspace-rows.ts';
import type { Bot } from './companies.ts';

/** The id under which a secret of a bot's provider is stored. */
export const botSecretId = (botId: string, field: string): string => `bot/${botId}/${field}`;

/** The id under which a secret of a credential is stored. */
export const credentialSecretId = (credentialId: string, field: string): string => `credential/${credentialId}/${field}`;

/** The kind of user ids that a bot's own settings accept (UID-05). */
export const readUserIdFormat = ({ settings }: Pick<BotRow, 'settings'>): Bot['settings']['userIdFormat'] =>
  (JSON.parse(settings) as Partial<Bot['settings']>).userIdFormat ?? 'strict';

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
  { settings, provider_kind }: Pick<BotRow, 'settings' | 'provider_kind'>,
  defaults: BotDefaults,
): Bot['settings'] => ({
  enforceSessionWindow: true,
  ...defaults(provider_kind),
  ...(JSON.parse(settings) as Partial<Bot['settings']>),
});

/** @param secrets - those of its provider, by field */
export const decodeBot = (row: BotRow, secrets: { readonly [field: string]: string }, defaults: BotDefaults): Bot => ({
  companyId: row.company_id,
  id: row.bot_id,
  name: row.name,
  channel: row.channel,
  connectedAtMs: row.connected_at_ms,
  provider: { kind: row.provider_kind, fields: { ...(JSON.parse(row.provider) as JsonObject), ...secrets } },
  settings: mergeSettings(row, defaults),
});
