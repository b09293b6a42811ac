// Makes templates at the provider of their bot, and deletes them there.
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import { HttpError, notFound } from '../platform/http/errors.ts';
import { type MessageTemplate, requireBot } from '../tenants/companies.ts';
import { isSameLanguage } from '../tenants/template-status.ts';
import type { CompanyRecords } from '../tenants/workspace/records.ts';
import { providerRefused, requireManaged } from './bot-templates.ts';
import { takeTemplateChanges, type TakingParts } from './take-changes.ts';

/** What changing templates works with. */
export type ChangingParts = TakingParts & { readonly records: CompanyRecords };

/** @throws {HttpError} 404 */
function requireTemplate({ companies }: Pick<TakingParts, 'companies'>, companyId: string, id: string): MessageTemplate {
  const template = companies.template(companyId, id);
  if (template === undefined) throw unknownTemplate(companyId, id);
  return template;
}

const unknownTemplate = (companyId: string, id: string): HttpError =>
  notFound('RECORD_NOT_FOUND', `Company ${companyId} has no "${id}" among its templates`);

/** What a template is that is to be made. */
export interface TemplateRequest {
  readonly id?: string | undefined;
  readonly botId: string;
  readonly elementName: string;
  readonly language: string;
  readonly [field: string]: unknown;
}

/**
 * Adds a template to a company and submits it. One that its provider refuses is not there afterwards.
 *
 * @throws {HttpError} 409 where there is one already, or the provider refuses; 404 for an unknown bot
 * @throws {HiloError} `WORKSPACE_REFUSED` for what no template is
 */
export async function makeTemplate(
  parts: ChangingParts,
  companyId: string,
  request: TemplateRequest,
  record: JsonObject,
): Promise<MessageTemplate> {
  const { botId, elementName, language, id = `${elementName}.${language}` } = request;
  const bot = requireBot(parts, companyId, botId);
  requireManaged(parts.channels, bot);
  const twin = parts.companies
    .templates(companyId)
    .find((one) => one.id === id || (one.botId === botId && one.elementName === elementName && isSameLanguage(one.language, language)));
  if (twin !== undefined)
    throw new HttpError(
      409,
      'TEMPLATE_EXISTS',
      `Company ${companyId} has template "${twin.id}" already: POST …/templates/${encodeURIComponent(twin.id)}/submit submits it, another language or name is another template`,
    );
  const place = { companyId, kind: 'templates', id } as const;
  await parts.records.put(place, { ...record, id, status: 'PENDING' });
  try {
    return await submitTemplate(parts, companyId, id);
  } catch (error) {
    if (error instanceof HttpError && error.status === 409) await parts.records.remove(place);
    throw error;
  }
}

/** Clocks differ: a review that ends at once must not seem older than the submission. */
const allowedSkewMs = 60_000;

/** Submits a template that the company has. @throws {HttpError} 404; 409 where the provider has it already, or refuses */
export async function submitTemplate(parts: ChangingParts, companyId: string, id: string): Promise<MessageTemplate> {
  const template = requireTemplate(parts, companyId, id);
  const { botId, elementName, language, category, reported } = template;
  const bot = requireBot(parts, companyId, botId);
  const { templates, host } = requireManaged(parts.channels, bot);
  if (reported?.providerId !== undefined && reported.status?.status !== 'DELETED')
    throw new HttpError(
      409,
      'TEMPLATE_EXISTS',
      `The provider of bot "${botId}" has template "${id}" already: it is ${template.status} there`,
    );
  const { body, components } = template;
  const created = await templates.create({ elementName, language, category, body, components }, host);
  if (created.kind === 'refused') throw providerRefused(bot, created);
  const told = { elementName, language, providerId: created.providerId, atMs: parts.clock.now() - allowedSkewMs };
  await takeTemplateChanges(
    parts,
    bot,
    [
      { ...told, what: 'status', status: created.status },
      { ...told, what: 'category', category: created.category },
    ],
    { actor: `provider ${bot.provider.kind}`, via: 'provider', requestId: randomUUID(), isList: true },
  );
  return requireTemplate(parts, companyId, id);
}

/**
 * Removes a template, at its provider too where that can be asked.
 *
 * @param keepsThere - whether the provider keeps it
 * @returns whether it is deleted at the provider
 * @throws {HttpError} 404; 409 while something uses it, or where the provider refuses: nothing is removed then
 */
export async function deleteTemplate(parts: ChangingParts, companyId: string, id: string, keepsThere: boolean): Promise<boolean> {
  const { botId, elementName, language, reported } = requireTemplate(parts, companyId, id);
  const place = { companyId, kind: 'templates', id } as const;
  await parts.records.requireUnused(place);
  const bot = parts.companies.botOf(companyId, botId);
  const connected = bot === undefined ? undefined : parts.channels.of(bot)?.connected;
  const isManaged = connected !== undefined && 'templates' in connected && connected.templates?.account !== undefined;
  if (bot !== undefined && isManaged && !keepsThere) {
    const { templates, host } = requireManaged(parts.channels, bot);
    const removed = await templates.remove({ elementName, language, providerId: reported?.providerId }, host);
    if (removed.kind === 'refused') throw providerRefused(bot, removed);
  }
  if (!(await parts.records.remove(place))) throw unknownTemplate(companyId, id);
  return isManaged && !keepsThere;
}
