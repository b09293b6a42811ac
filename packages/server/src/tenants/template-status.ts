// The status of a template: what a workspace claims of it, or what its provider has said since, and what that means for sending it.
import type { ItemOf } from '@hilo/stores';
import { type TemplateReport, templates } from '../platform/tables/templates.ts';

/** A template as the workspace has it. */
type ClaimedTemplate = Omit<ItemOf<typeof templates.columns>, 'companyId'>;

/** The templates of a company as they are stored, each with what its provider has said of it, or of one that the record was before. */
export const templatesWithReports = templates.read(
  ['id', 'botId', 'elementName', 'language', 'category', 'status', 'body', 'components', 'reported'],
  {},
  (rows) => rows,
);

/** A template of a company: its status and category are those of its provider, where that has told them. */
export interface MessageTemplate extends ClaimedTemplate {
  readonly reported?: TemplateReport;
}

/** The template with what its provider has said of it. */
export function withReport(claimed: ClaimedTemplate, reported: TemplateReport | undefined): MessageTemplate {
  if (reported === undefined || !isAbout(claimed, reported)) return claimed;
  return {
    ...claimed,
    status: reported.status?.status ?? claimed.status,
    category: reported.category?.category ?? claimed.category,
    reported,
  };
}

/** Whether a report is about this template, and not about one that the record was before. */
const isAbout = (template: Pick<ClaimedTemplate, 'botId' | 'elementName' | 'language'>, report: TemplateReport): boolean =>
  report.botId === template.botId && report.elementName === template.elementName && isSameLanguage(report.language, template.language);

/** Providers write `es_MX` in one place and `es-MX` in another. */
export const isSameLanguage = (one: string, other: string): boolean => normalizeLanguage(one) === normalizeLanguage(other);

const normalizeLanguage = (language: string): string => language.replaceAll('-', '_').toLowerCase();

/** Statuses into which providers put a template that was sent before: nothing is sent with it until they take that back. */
const heldStatuses: ReadonlySet<string> = new Set([
  'PAUSED',
  'DISABLED',
  'REJECTED',
  'DELETED',
  'PENDING_DELETION',
  'IN_APPEAL',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
]);

/** Whether its provider has stopped a template. */
export const isHeld = (template: Pick<MessageTemplate, 'status'> | undefined): boolean =>
  template !== undefined && heldStatuses.has(template.status);

/** Why what sends a template waits. */
export function heldReason({ elementName, status, reported }: Pick<MessageTemplate, 'elementName' | 'status' | 'reported'>): string {
  const reason = reported?.status?.reason;
  return `template "${elementName}" is ${status}: its provider has stopped it${reason === undefined ? '' : ` (${reason})`}`;
}

/** Why a template cannot be sent by a bot, in words that lead to what to do. */
export function explainUnapproved(name: string, botId: string | undefined, template: MessageTemplate | undefined): string {
  const why = template === undefined || template.botId !== botId ? '' : `: it is ${template.status}`;
  const reason = why === '' || template?.reported?.status?.reason === undefined ? '' : ` (${template.reported.status.reason})`;
  return `Template "${name}" is missing, of another bot, or not approved${why}${reason}`;
}
