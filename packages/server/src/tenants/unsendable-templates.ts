import type { ChannelAdapter, ChannelTemplate } from '@hilo/drivers';

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
  const byId = templates.filter(({ id }) => id === name);
  const named = byId.length > 0 ? byId : templates.filter(({ elementName }) => elementName === name);
  const refusals = named.map(({ body, components, ...template }) =>
    adapters.find(({ kind }) => kind === kindOf(template.botId))?.templateRefusal({ ...template, body, components }),
  );
  return refusals.includes(undefined) ? undefined : refusals[0];
}
