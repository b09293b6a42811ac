import type { JsonObject } from '@hilo/engine/contract';
import type { BotRow } from '../platform/database/workspace-rows.ts';
import type { Bot } from './companies.ts';

/** What a secret of a bot's provider is kept by. */
export const botSecretId = (botId: string, field: string): string => `bot/${botId}/${field}`;

/** What a secret of a credential is kept by. */
export const credentialSecretId = (credentialId: string, field: string): string => `credential/${credentialId}/${field}`;

/** A bot's settings, with what is left out as UID-05, WIN-02 and WIN-03 have it. */
export function botSettings({ settings, provider_kind }: Pick<BotRow, 'settings' | 'provider_kind'>): Bot['settings'] {
  return {
    userIdFormat: 'strict',
    enforceSessionWindow: true,
    templateReopensWindow: provider_kind === 'whatsapp-cloud' ? 'onReply' : 'onSend',
    ...(JSON.parse(settings) as Partial<Bot['settings']>),
  };
}

/** @param secrets - those of its provider, by field */
export const botOf = (row: BotRow, secrets: { readonly [field: string]: string }): Bot => ({
  companyId: row.company_id,
  id: row.bot_id,
  name: row.name,
  channel: row.channel,
  connectedAtMs: row.connected_at_ms,
  provider: { kind: row.provider_kind, fields: { ...(JSON.parse(row.provider) as JsonObject), ...secrets } },
  settings: botSettings(row),
});
