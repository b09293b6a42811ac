// The deliveries about the account or the number itself that operators have to know of: a restriction, a poor quality, a form that fails.
import { isJsonObject, type Json } from '@hilo/engine/contract';
import { type AccountNews, accountNews } from '../account-news.ts';
import { nameAt } from '../provider-answer.ts';
import type { WhatsAppConfig } from './config.ts';

/** The word by which a field tells what happened, and those of them that ask nothing of an operator; one of next year is told. */
const fields: { readonly [field: string]: { readonly word: string; readonly fine: readonly string[] } } = {
  account_update: {
    word: 'event',
    fine: [
      'VERIFIED_ACCOUNT',
      'AD_ACCOUNT_LINKED',
      'PARTNER_ADDED',
      'PARTNER_APP_INSTALLED',
      'MM_LITE_TERMS_SIGNED',
      'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE',
      'VOLUME_BASED_PRICING_TIER_UPDATE',
      'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
      'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
    ],
  },
  account_alerts: { word: 'alert_severity', fine: ['INFORMATIONAL', 'INFO'] },
  account_review_update: { word: 'decision', fine: ['APPROVED', 'PENDING', 'DEFERRED'] },
  account_offboarded: { word: 'event', fine: [] },
  business_status_update: { word: 'event', fine: [] },
  phone_number_name_update: { word: 'decision', fine: ['APPROVED', 'PENDING', 'DEFERRED'] },
  phone_number_quality_update: { word: 'event', fine: ['ONBOARDING', 'UPGRADE', 'UNFLAGGED', 'THROUGHPUT_UPGRADE'] },
  security: { word: 'event', fine: [] },
};

/** The states in which a form asks for an operator. */
const brokenForms: ReadonlySet<string> = new Set(['BLOCKED', 'THROTTLED', 'ACTIVATED']);

/**
 * What a change says of the bot's account that an operator has to know. The app delivers what concerns all of its business accounts to one
 * address: with the id of the bot's own account in its settings, what concerns another one is not told.
 *
 * @param account - of the entry
 */
export function readAccountChange(
  field: string,
  value: Json,
  account: string | undefined,
  { businessAccountId }: Pick<WhatsAppConfig, 'businessAccountId'>,
): readonly AccountNews[] {
  if (!isJsonObject(value) || (businessAccountId !== undefined && account !== businessAccountId)) return [];
  if (field === 'flows') {
    const isBroken = ['new_status', 'alert_state'].some((name) => brokenForms.has(nameAt(value, name) ?? ''));
    return isBroken ? [accountNews(nameAt(value, 'event') ?? 'flows', field, value)] : [];
  }
  const { word, fine } = (Object.hasOwn(fields, field) ? fields[field] : undefined) ?? {};
  const said = word === undefined ? undefined : nameAt(value, word)?.toUpperCase();
  if (word === undefined || fine === undefined || fine.includes(said ?? '')) return [];
  return [accountNews(nameAt(value, 'alert_type') ?? said ?? field, field, value)];
}
