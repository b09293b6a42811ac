// Reads the templates of an account and keeps what is known of them now; those that the company does not have can be added.
import { randomUUID } from 'node:crypto';
import type { ListedTemplate, TemplateChange } from '@hilo/channels';
import { growRevision, holdRevision, readRevision } from '../platform/database/revision.ts';
import { HttpError, unavailable } from '../platform/http/errors.ts';
import { templates as templateTable } from '../platform/tables/templates.ts';
import { waitUpTo } from '../platform/waiting.ts';
import type { Bot, MessageTemplate } from '../tenants/companies.ts';
import { isSameLanguage } from '../tenants/template-status.ts';
import type { AskTemplates } from '../tenants/workspace/compare-templates.ts';
import { templateCategories, templateStatuses } from '../tenants/workspace/template-words.ts';
import { accountOf, providerRefused, requireManaged } from './bot-templates.ts';
import { takeTemplateChanges, type TakingParts } from './take-changes.ts';

/** What a synchronisation has found and done. */
export interface SyncedTemplates {
  readonly botId: string;
  /** Templates that the account has. */
  readonly listed: number;
  /** The ids of those that the company did not have. */
  readonly added: readonly string[];
  /** The ids of those of which something else is known now. */
  readonly changed: readonly string[];
  /** The ids of those of the bot that the account does not have. */
  readonly missing: readonly string[];
  /** Templates of the account that a workspace could not hold. */
  readonly leftOut: number;
}

/** Pages of an account, at most: one has 6,000 templates, and a page 100. */
const maxPages = 100;

/**
 * Brings what is known of the templates of a bot up to date.
 *
 * @param adds - whether templates that the company does not have are added to it
 * @throws {HttpError} 409 for a provider that cannot be asked, or refuses
 */
export async function syncTemplates(parts: TakingParts, bot: Bot, { adds }: { readonly adds: boolean }): Promise<SyncedTemplates> {
  const startedMs = parts.clock.now();
  const listed = await listTemplates(parts, bot);
  const missing = parts.companies
    .templates(bot.companyId)
    .filter((one) => one.botId === bot.id && !listed.some((other) => isSame(one, other)));
  const { added, leftOut } = adds ? await addTemplates(parts, bot, listed) : { added: [], leftOut: 0 };
  const deleted = missing.flatMap(({ elementName, language, reported }) =>
    reported?.providerId === undefined || reported.status?.status === 'DELETED'
      ? []
      : [{ what: 'status' as const, status: 'DELETED', elementName, language, providerId: reported.providerId, atMs: startedMs }],
  );
  const source = { actor: `provider ${bot.provider.kind}`, via: 'provider', requestId: randomUUID(), isList: true } as const;
  const changes = [...listed.flatMap((one) => describeListed(one, startedMs)), ...deleted];
  const { changed } = await takeTemplateChanges(parts, bot, changes, source);
  return {
    botId: bot.id,
    listed: listed.length,
    added,
    changed: changed.filter((id) => !added.includes(id)),
    missing: missing.map(({ id }) => id),
    leftOut,
  };
}

/** How long an import waits for a provider. */
const askMs = 10_000;

/** Asks providers for the templates of bots whose file claims something of them; none is added. */
export const createTemplateAsker =
  (parts: TakingParts): AskTemplates =>
  async (companyId, botId) => {
    const bot = parts.companies.botOf(companyId, botId);
    if (bot === undefined || accountOf(parts.channels, bot) === undefined) return 'nobody';
    const asking = syncTemplates(parts, bot, { adds: false }).then(
      () => 'asked' as const,
      (error: unknown) => {
        if (error instanceof HttpError) return { refused: error.message };
        throw error;
      },
    );
    return waitUpTo(parts.clock, askMs, asking, { refused: `it has not answered within ${askMs / 1_000} s` });
  };

/** All templates of an account. @throws {HttpError} 409 */
async function listTemplates({ channels }: TakingParts, bot: Bot): Promise<readonly ListedTemplate[]> {
  const { templates, host } = requireManaged(channels, bot);
  const listed: ListedTemplate[] = [];
  const seen = new Set<string>();
  let from: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await templates.list(from, host);
    if ('kind' in page) throw providerRefused(bot, page);
    listed.push(...page.templates);
    if (page.next === undefined) return listed;
    if (seen.has(page.next)) break;
    seen.add(page.next);
    from = page.next;
  }
  throw new HttpError(409, 'PROVIDER_REFUSED', `The provider of bot "${bot.id}" lists its templates without an end: nothing was changed`);
}

const isSame = (one: Pick<MessageTemplate, 'elementName' | 'language'>, other: Pick<ListedTemplate, 'elementName' | 'language'>): boolean =>
  one.elementName === other.elementName && isSameLanguage(one.language, other.language);

/** All that a list says of a template. */
function describeListed(listed: ListedTemplate, atMs: number): readonly TemplateChange[] {
  const { elementName, language, providerId, status, reason, category, categoryToCome, quality } = listed;
  const told = { elementName, language, providerId, atMs };
  return [
    { ...told, what: 'status', status, reason },
    { ...told, what: 'category', category },
    ...(categoryToCome === undefined ? [] : [{ ...told, what: 'categoryToCome' as const, category: categoryToCome }]),
    ...(quality === undefined || quality === 'UNKNOWN' ? [] : [{ ...told, what: 'quality' as const, quality }]),
  ];
}

/** How often it is tried again after another change of the configuration. */
const maxTries = 20;

/** Adds what a workspace can hold, each under an id that is free. */
async function addTemplates(
  { store: { runner }, companies }: TakingParts,
  bot: Bot,
  listed: readonly ListedTemplate[],
): Promise<Pick<SyncedTemplates, 'added' | 'leftOut'>> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const revision = await readRevision(runner);
    const kept = await runner.read(templateTable.all(bot.companyId));
    const fresh = listed.filter((one) => !kept.some((other) => other.botId === bot.id && isSame(other, one)));
    const taken = new Set(kept.map(({ id }) => id));
    const items = fresh.flatMap((one) => {
      const id = [`${one.elementName}.${one.language}`, `${one.elementName}.${one.language}.${bot.id}`].find((name) => !taken.has(name));
      if (id === undefined || !fitsWorkspace(one)) return [];
      taken.add(id);
      const { elementName, language, category, components, status } = one;
      const claimed = templateStatuses.find((known) => known === status) ?? 'PENDING';
      return [
        { companyId: bot.companyId, id, botId: bot.id, elementName, language, category, status: claimed, components: [...components] },
      ];
    });
    const found = { added: items.map(({ id }) => id), leftOut: fresh.length - items.length };
    if (items.length === 0) return found;
    const { failed } = await runner.write([holdRevision(revision), ...templateTable.insert(items), growRevision()]);
    if (failed !== undefined) continue; // another change came first
    await companies.refresh();
    return found;
  }
  throw unavailable('Templates are changed by many requests at once; send this again in a moment');
}

/** Whether a file of a workspace can have the template: an export holds it, and is imported again. */
const fitsWorkspace = ({ elementName, language, category, components }: ListedTemplate): boolean =>
  [elementName, language].every((text) => text.length <= 200 && text.isWellFormed() && !text.includes('\0')) &&
  templateCategories.some((known) => known === category) &&
  components.length > 0 &&
  JSON.stringify(components).isWellFormed();
