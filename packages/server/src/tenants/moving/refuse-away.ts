import { HiloError } from '@hilo/engine/contract';
import { unavailable } from '../../platform/http/errors.ts';
import type { Bot, Companies } from '../companies.ts';
import type { LiveCompanies } from '../open-companies.ts';

/** While a company is on its way, its callers are asked to repeat. */
const retryAfterS = 5;

/**
 * Companies as requests see them. What is asked of one that is about to leave, or has left, is refused: with 503 while it is on its way,
 * with 421 once it is known where it is.
 *
 * @throws {HttpError} 503 with `Retry-After`
 * @throws {HiloError} `CELL_ELSEWHERE`
 */
export function refusingAway(companies: LiveCompanies): Companies {
  const ofServed = <Found extends string | undefined>(companyId: Found): Found => {
    const away = companyId === undefined ? undefined : companies.awayOf(companyId);
    if (away === undefined) return companyId;
    const { cell, url } = away;
    if (url === undefined) throw unavailable('This company is being moved: send it again', retryAfterS);
    throw new HiloError('CELL_ELSEWHERE', { cell, url });
  };
  const served = (bot: Bot | undefined): Bot | undefined => {
    ofServed(bot?.companyId);
    return bot;
  };
  return {
    all: () => companies.all().filter(({ id }) => companies.awayOf(id) === undefined),
    company: (companyId) => companies.company(ofServed(companyId)),
    bot: (botId) => served(companies.bot(botId)),
    botOf: (companyId, botId) => companies.botOf(ofServed(companyId), botId),
    bots: (companyId) => companies.bots(ofServed(companyId)),
    botOfChannel: (companyId, channel) => companies.botOfChannel(ofServed(companyId), channel),
    companyOfApiKey: (key) => ofServed(companies.companyOfApiKey(key)),
    companyOfClient(clientId, clientSecret, network) {
      const found = companies.companyOfClient(clientId, clientSecret, network);
      return found instanceof Promise ? found.then(ofServed) : ofServed(found);
    },
    template: (companyId, templateId) => companies.template(ofServed(companyId), templateId),
    templates: (companyId) => companies.templates(ofServed(companyId)),
    credential: (companyId, credentialId) => companies.credential(ofServed(companyId), credentialId),
    secrets: companies.secrets,
  };
}
