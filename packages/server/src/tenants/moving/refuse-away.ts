import { HiloError, isHiloError } from '@hilo/engine/contract';
import { unavailable } from '../../platform/http/errors.ts';
import type { Bot, Companies } from '../companies.ts';
import type { LiveCompanies } from '../open-companies.ts';

/** How long callers of a company that is being moved wait before they send the request again. */
const retryAfterS = 5;

/**
 * A bot as a caller without a credential may know it: one whose company has another address is as unknown, since whoever asks is told that
 * address only for a credential.
 *
 * @throws {HttpError} 503 with `Retry-After` while its company is being moved
 */
export function findServedBot(companies: Pick<Companies, 'bot'>, botId: string): Bot | undefined {
  try {
    return companies.bot(botId);
  } catch (error) {
    if (isHiloError(error, 'CELL_ELSEWHERE')) return undefined;
    throw error;
  }
}

/**
 * Companies as requests see them: each access to a company that is leaving or has left is refused, with 503 while it is being moved, and
 * with 421 once its new place is known.
 *
 * @throws {HttpError} 503 with `Retry-After`
 * @throws {HiloError} `CELL_ELSEWHERE`
 */
export function refuseAway(companies: LiveCompanies): Companies {
  const requireServed = <Found extends string | undefined>(companyId: Found): Found => {
    const away = companyId === undefined ? undefined : companies.awayOf(companyId);
    if (away === undefined) return companyId;
    const { cell, url } = away;
    if (url === undefined) throw unavailable('This company is being moved to another store: send this again in a moment', retryAfterS);
    throw new HiloError('CELL_ELSEWHERE', { cell, url });
  };
  const requireServedBot = (bot: Bot | undefined): Bot | undefined => {
    requireServed(bot?.companyId);
    return bot;
  };
  return {
    all: () => companies.all().filter(({ id }) => companies.awayOf(id) === undefined),
    company: (companyId) => companies.company(requireServed(companyId)),
    bot: (botId) => requireServedBot(companies.bot(botId)),
    botToProve: companies.botToProve,
    botOf: (companyId, botId) => companies.botOf(requireServed(companyId), botId),
    bots: (companyId) => companies.bots(requireServed(companyId)),
    isArchived: companies.isArchived,
    refresh: companies.refresh,
    botOfChannel: (companyId, channel) => companies.botOfChannel(requireServed(companyId), channel),
    companyOfApiKey: (key) => requireServed(companies.companyOfApiKey(key)),
    companyOfClient(clientId, clientSecret, network) {
      const found = companies.companyOfClient(clientId, clientSecret, network);
      return found instanceof Promise ? found.then(requireServed) : requireServed(found);
    },
    template: (companyId, templateId) => companies.template(requireServed(companyId), templateId),
    templates: (companyId) => companies.templates(requireServed(companyId)),
    credential: (companyId, credentialId) => companies.credential(requireServed(companyId), credentialId),
    credentialToProve: companies.credentialToProve,
    secrets: companies.secrets,
  };
}
