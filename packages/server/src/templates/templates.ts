// What other parts of the service ask of templates.
import type { JsonObject } from '@hilo/engine/contract';
import { parametersProblem } from '@hilo/nodes/effects';
import { templateMessage } from '../messages/messages.ts';
import { HttpError } from '../platform/http/errors.ts';
import type { Bot } from '../tenants/companies.ts';
import { explainUnapproved } from '../tenants/template-status.ts';
import { explainUnsendable } from '../tenants/unsendable-templates.ts';
import type { TemplateParts } from './find-campaign.ts';

export { createTemplatePoller, syncTemplatesJob } from './poll-templates.ts';
export { noteTemplateStatus } from './take-changes.ts';
export { createTemplateAsker } from './sync-templates.ts';
export { takeTemplateChanges } from './take-changes.ts';

/** What the judging of a template works with. */
export type ReadyParts = Pick<TemplateParts, 'companies' | 'channels'>;

/** The message that a template becomes with its parameters. @throws {HttpError} 400 `INVALID_TEMPLATE`, `INVALID_PARAMETERS` (TPL-03, TPL-05) */
export function readyTemplate(
  { companies, channels }: ReadyParts,
  { companyId, id: botId, provider }: Bot,
  templateId: string,
  parameters: { readonly [name: string]: string },
): JsonObject {
  const template = companies.template(companyId, templateId);
  if (template === undefined || template.botId !== botId || template.status !== 'APPROVED')
    throw new HttpError(400, 'INVALID_TEMPLATE', explainUnapproved(templateId, botId, template));
  const unsendable = explainUnsendable(templateId, [template], channels.adapters, () => provider.kind);
  if (unsendable !== undefined)
    throw new HttpError(400, 'INVALID_TEMPLATE', `Template "${templateId}" can never be sent by bot "${botId}": ${unsendable}`);
  const problem = parametersProblem(template, parameters);
  if (problem !== undefined) throw new HttpError(400, 'INVALID_PARAMETERS', problem);
  return templateMessage(template, parameters);
}
