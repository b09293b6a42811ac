import type { ChannelAdapter, ChannelTemplate } from '@hilo/channels';
import type { MessageTemplate } from './template-status.ts';

/** A template of a company, stored or about to be. */
type CompanyTemplate = Omit<ChannelTemplate, 'body' | 'components'> &
  Partial<Pick<ChannelTemplate, 'body' | 'components'>> & { readonly id: string; readonly botId: string };

/**
 * Why no bot can ever send the template that a canvas names, by its id or its element name.
 *
 * @param kindOf - the kind of provider of a bot
 * @returns `undefined` when one of that name may be sent, and when there is none
 */
export function explainUnsendable(
  name: string,
  templates: readonly CompanyTemplate[],
  adapters: readonly Pick<ChannelAdapter, 'kind' | 'templateRefusal'>[],
  kindOf: (botId: string) => string | undefined,
): string | undefined {
  const refusals = listNamed(name, templates).map(({ body, components, ...template }) =>
    adapters.find(({ kind }) => kind === kindOf(template.botId))?.templateRefusal({ ...template, body, components }),
  );
  return refusals.includes(undefined) ? undefined : refusals[0];
}

/** Those that a canvas means by a name. */
function listNamed<Template extends { readonly id: string; readonly elementName: string }>(
  name: string,
  templates: readonly Template[],
): readonly Template[] {
  const byId = templates.filter(({ id }) => id === name);
  return byId.length > 0 ? byId : templates.filter(({ elementName }) => elementName === name);
}

/**
 * What keeps the template that a canvas names from being sent: for ever, as {@link explainUnsendable} says, or until it is approved.
 *
 * @returns `undefined` when one of that name is approved, and when there is none
 */
export function judgeTemplate(
  name: string,
  templates: readonly (CompanyTemplate & Pick<MessageTemplate, 'status' | 'reported'>)[],
  ...[adapters, kindOf]: [Parameters<typeof explainUnsendable>[2], Parameters<typeof explainUnsendable>[3]]
): string | { readonly notNow: string } | undefined {
  const unsendable = explainUnsendable(name, templates, adapters, kindOf);
  const named = listNamed(name, templates);
  if (unsendable !== undefined || named.length === 0 || named.some(({ status }) => status === 'APPROVED')) return unsendable;
  const statuses = new Set(
    named.map(({ status, reported }) => (reported?.status?.reason === undefined ? status : `${status} (${reported.status.reason})`)),
  );
  return { notNow: `it is ${[...statuses].join(' and ')}` };
}
