// Keeps what providers say of templates: with the record of it, and with the campaigns that are paused by it, in one transaction.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TemplateChange } from '@hilo/channels';
import type { JsonObject } from '@hilo/engine/contract';
import { asCondition, type Call, json, optional, text } from '@hilo/stores';
import { type Act, type AuditParts, createAudit } from '../audit/audit.ts';
import { growRevision, holdRevision, readRevision } from '../platform/database/revision.ts';
import { unavailable } from '../platform/http/errors.ts';
import { campaigns } from '../platform/tables/campaigns.ts';
import { type TemplateReport, templates } from '../platform/tables/templates.ts';
import type { Bot, MessageTemplate, Tenancy } from '../tenants/companies.ts';
import { heldReason, isHeld, isSameLanguage, templatesWithReports, withReport } from '../tenants/template-status.ts';
import { applyChange } from './apply-change.ts';
import { accountOf, type ChannelsOfBots } from './bot-templates.ts';

/** What keeping the news of templates works with. */
export type TakingParts = AuditParts & Tenancy & { readonly channels: ChannelsOfBots };

/** Who has said it, and by which door. @property isList - whether it is all that the provider has now, so that ids of before are over */
export interface ChangeSource extends Pick<Act, 'actor' | 'via' | 'requestId'> {
  readonly isList: boolean;
}

/** What became of changes. */
export interface TakenChanges {
  /** The ids of the templates of which something is known now that was not. */
  readonly changed: readonly string[];
  /** Changes of templates that the company does not have. */
  readonly unknown: number;
}

/** How often it is tried again after another change of the configuration. */
const maxTries = 20;

/**
 * Keeps changes durably. Templates of other companies are never touched; those of bots of the same account are.
 *
 * @throws {HttpError} 503 where so many changes come at once that none of the tries was the first
 */
export async function takeTemplateChanges(
  parts: TakingParts,
  bot: Bot,
  changes: readonly TemplateChange[],
  source: ChangeSource,
): Promise<TakenChanges> {
  const { companyId } = bot;
  const { runner } = parts.store;
  const botIds = listBotsOfAccount(parts, bot);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const revision = await readRevision(runner);
    const all = await runner.read(templatesWithReports({ companyId }));
    const own = all.filter(({ botId }) => botIds.has(botId));
    const { found, unknown } = matchChanges(own, changes, parts.clock.now(), source.isList);
    const changed = found.filter(({ before, after }) => !isDeepStrictEqual(before.reported, after.reported));
    if (changed.length === 0) return { changed: [], unknown };
    const { failed } = await runner.write([
      holdRevision(revision),
      ...changed.flatMap((one) => saveChange(parts, companyId, one, source)),
      growRevision(),
    ]);
    if (failed !== undefined) continue; // another change came first
    await parts.companies.refresh();
    for (const { before, after } of changed)
      parts.log.info(
        { companyId, botId: after.botId, templateId: after.id, before: describeFacts(before), after: describeFacts(after) },
        `The provider of bot "${after.botId}" has changed template "${after.elementName}"`,
      );
    return { changed: changed.map(({ after }) => after.id), unknown };
  }
  throw unavailable('Templates are changed by many requests at once; send this again in a moment');
}

/** Keeps the status of a template that its provider gave as the reason to send nothing: its campaigns wait, as after a delivery that says it. */
export const noteTemplateStatus =
  (parts: TakingParts) =>
  (bot: Bot, { elementName, language }: Pick<MessageTemplate, 'elementName' | 'language'>, status: string): Promise<TakenChanges> =>
    takeTemplateChanges(parts, bot, [{ what: 'status', elementName, language, status, atMs: parts.clock.now() }], {
      actor: `provider ${bot.provider.kind}`,
      via: 'provider',
      requestId: randomUUID(),
      isList: false,
    });

/** The bot, and those of its company that are of the same account at the same kind of provider. */
function listBotsOfAccount({ companies, channels }: Pick<TakingParts, 'companies' | 'channels'>, bot: Bot): ReadonlySet<string> {
  const account = accountOf(channels, bot);
  const others = companies.bots(bot.companyId).filter(({ provider: { kind } }) => kind === bot.provider.kind);
  return new Set([bot.id, ...others.filter((one) => account !== undefined && accountOf(channels, one) === account).map(({ id }) => id)]);
}

/** A template before and after what was said of it. */
interface ChangedTemplate {
  readonly before: MessageTemplate;
  readonly after: MessageTemplate;
}

type StoredTemplate = Omit<MessageTemplate, 'reported'> & { readonly reported: TemplateReport | undefined };

/** Each change with every template that has its name and language. */
function matchChanges(
  own: readonly StoredTemplate[],
  changes: readonly TemplateChange[],
  nowMs: number,
  isList: boolean,
): { readonly found: readonly ChangedTemplate[]; readonly unknown: number } {
  const byName = Map.groupBy(own, ({ elementName }) => elementName);
  const reports = new Map<StoredTemplate, TemplateReport>();
  let unknown = 0;
  for (const change of changes) {
    const named = (byName.get(change.elementName) ?? []).filter(({ language }) => isSameLanguage(language, change.language));
    if (named.length === 0) unknown += 1;
    for (const template of named) {
      const report = reports.get(template) ?? reportOf(template);
      const isOver = isList && change.providerId !== undefined && report.providerId !== change.providerId;
      reports.set(template, applyChange(isOver ? emptyReport(template) : report, change, nowMs));
    }
  }
  const found = [...reports].map(([{ reported, ...claimed }, report]) => ({
    before: withReport(claimed, reported),
    after: withReport(claimed, report),
  }));
  return { found, unknown };
}

/** What is known of a template; nothing where the record was of another one. */
function reportOf(template: StoredTemplate): TemplateReport {
  const { reported, ...claimed } = template;
  return withReport(claimed, reported).reported ?? emptyReport(template);
}

const emptyReport = ({ botId, elementName, language }: StoredTemplate): TemplateReport => ({ botId, elementName, language });

const saveReport = templates.change({ id: templates.columns.id, reported: optional(json<TemplateReport>()) }, (rows, { id, reported }) =>
  rows.set({ reported }).where('id', '=', id),
);

/** Sends nothing more of the campaigns that send a template, until they are resumed; one that is paused keeps its reason. */
const pauseCampaigns = campaigns.change(
  { templateId: campaigns.columns.templateId, atMs: campaigns.columns.createdAtMs, reason: text() },
  (rows, { templateId, atMs, reason }) =>
    rows
      .set({ paused_at_ms: atMs, pause_reason: reason })
      .where('template_id', '=', templateId)
      .where('status', 'in', ['SCHEDULED', 'PENDING', 'IN_PROGRESS'])
      .where('paused_at_ms', 'is', null),
);

function saveChange(parts: TakingParts, companyId: string, { before, after }: ChangedTemplate, source: ChangeSource): readonly Call[] {
  const { id, reported } = after;
  const reason = explainPause(before, after);
  const act = { ...source, action: 'reportTemplate' };
  const on = { companyId, kind: 'template', id, before: describeFacts(before), after: describeFacts(after) };
  // Each message that is refused says again that a template is held: what is told already is no act.
  const isNews = !isDeepStrictEqual(on.before, on.after);
  return [
    asCondition(saveReport({ companyId, id, reported })),
    ...(isNews ? [createAudit(parts).row(act, on, 'reported')] : []),
    ...(reason === undefined ? [] : [pauseCampaigns({ companyId, templateId: id, atMs: parts.clock.now(), reason })]),
  ];
}

/** Why campaigns do not go on by themselves: their template was stopped, or is of another category than when they were made. */
function explainPause(before: MessageTemplate, after: MessageTemplate): string | undefined {
  if (isHeld(after) && before.status !== after.status) return heldReason(after);
  if (before.category !== after.category)
    return `template "${after.elementName}" is ${after.category} for its provider now, and was ${before.category}`;
  return undefined;
}

/** What the record has of a template. */
const describeFacts = ({ status, category, reported }: MessageTemplate): JsonObject => ({
  status,
  category,
  ...(reported?.status?.reason !== undefined && { reason: reported.status.reason }),
  ...(reported?.quality !== undefined && { quality: reported.quality.quality }),
  ...(reported?.categoryToCome !== undefined && { categoryToCome: reported.categoryToCome.category }),
  ...(reported?.notice !== undefined && { notice: reported.notice.reason }),
});
