// What an operator of some companies sees: those, as if there were no others. A list is of them alone, and another company's id is unknown.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv, Reach } from '../platform/http/context.ts';
import type { Route } from '../platform/http/define-route.ts';
import { type MountOptions, mountForEach } from '../platform/http/mount-routes.ts';
import { type Bot, type Companies, requireCompany, type Tenancy } from './companies.ts';

/** Mounts routes of operators: each handler works with the companies of the operator who asks. */
export const mountOperatorRoutes = <Parts extends Tenancy>(
  app: OpenAPIHono<HttpEnv>,
  parts: Parts,
  routes: readonly Route<Parts>[],
  options: MountOptions = {},
): void => mountForEach(app, (c) => narrowParts(parts, c.get('reach')), routes, options);

/** Lets a request of an operator to its handler where the company in its path is one of the operator's, and tells the handler which. */
export const ofOwnCompany =
  ({ companies }: Tenancy): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const named: string | undefined = c.req.param('companyId');
    if (named !== undefined) c.set('companyId', requireCompany(narrowParts({ companies }, c.get('reach')), named).id);
    await next();
  };

/** The same parts with the companies of an operator. @param reach - all of them, when undefined */
export const narrowParts = <Parts extends Tenancy>(parts: Parts, reach: Reach | undefined = 'all'): Parts =>
  reach === 'all' ? parts : { ...parts, companies: narrowCompanies(parts.companies, reach) };

/** Each member is written out: a new one must say what it is to those who have some companies alone. */
function narrowCompanies(companies: Companies, own: ReadonlySet<string>): Companies {
  const only = companies.only === undefined ? own : new Set([...own].filter((id) => companies.only?.has(id)));
  const ofOwn = (bot: Bot | undefined): Bot | undefined => (bot !== undefined && only.has(bot.companyId) ? bot : undefined);
  const ownOf = (companyId: string | undefined): string | undefined =>
    companyId !== undefined && only.has(companyId) ? companyId : undefined;
  return {
    only,
    all: () => companies.all().filter(({ id }) => only.has(id)),
    company: (companyId) => (only.has(companyId) ? companies.company(companyId) : undefined),
    bot: (botId) => ofOwn(companies.bot(botId)),
    botToProve: (botId) => ofOwn(companies.botToProve(botId)),
    botOf: (companyId, botId) => ofOwn(companies.botOf(companyId, botId)),
    bots: (companyId) => (only.has(companyId) ? companies.bots(companyId) : []),
    botOfChannel: (companyId, channel) => ofOwn(companies.botOfChannel(companyId, channel)),
    companyOfApiKey: (key) => ownOf(companies.companyOfApiKey(key)),
    companyOfClient: async (...client) => ownOf(await companies.companyOfClient(...client)),
    template: (companyId, templateId) => (only.has(companyId) ? companies.template(companyId, templateId) : undefined),
    templates: (companyId) => (only.has(companyId) ? companies.templates(companyId) : []),
    isArchived: (companyId, workflowId) => only.has(companyId) && companies.isArchived(companyId, workflowId),
    refresh: () => companies.refresh(),
    credential: async (companyId, credentialId) => (only.has(companyId) ? companies.credential(companyId, credentialId) : undefined),
    credentialToProve: async (companyId, credentialId) =>
      only.has(companyId) ? companies.credentialToProve(companyId, credentialId) : undefined,
    secrets: () => companies.secrets(),
  };
}
