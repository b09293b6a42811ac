// What the engine asks about companies and bots.
import type { Directory } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import type { Conversations } from '../conversations/conversations.ts';
import type { Companies, Company } from '../tenants/companies.ts';
import { describeCompany } from '../tenants/described-company.ts';

/** Describes a company once for as long as it stays as it is: each message reads it. @param isDraft - for what runs drafts */
function createDescriptions(isDraft: boolean): (company: Company) => JsonObject {
  const known = new WeakMap<Company, JsonObject>();
  return (company) => {
    const described = known.get(company) ?? describeCompany(company, { isDraft });
    known.set(company, described);
    return described;
  };
}

/** What canvases see of their company and their bot: `$company` and `$bot`. No provider, no secret. */
export function createEngineDirectory(
  companies: Companies,
  conversations: Pick<Conversations, 'isActive' | 'questionPausedUntil'>,
  campaign: NonNullable<Directory['campaign']>,
): Directory {
  const describe = { test: createDescriptions(true), production: createDescriptions(false) };
  return {
    isArchived: companies.isArchived,
    isAttended: conversations.isActive,
    campaign,
    questionPausedUntil: conversations.questionPausedUntil,
    failureWorkflow: (companyId) => companies.company(companyId)?.failureWorkflowId,
    startsDrafts: (companyId, botId) => companies.botOf(companyId, botId)?.settings.environment === 'test',
    company(companyId, route) {
      const company = companies.company(companyId);
      if (company === undefined) return undefined;
      return describe[route === 'test' ? 'test' : 'production'](company);
    },
    bot(companyId, botId) {
      const bot = companies.botOf(companyId, botId);
      return bot === undefined ? undefined : { id: bot.id, name: bot.name, channel: bot.channel };
    },
  };
}
