import { templateParameters } from '@hilo/drivers';
import type { JsonObject } from '@hilo/engine/contract';
import type { MessageTemplate } from '../tenants/companies.ts';

/** A place for a value: `{{code}}`, `{{ 1 }}`, `{{first name}}`. A blank one is no place, and stays as it is. */
const placeholder = /\{\{([^{}]*)\}\}/g;

/** What is wrong with the parameters of a template: they must match exactly (TPL-05); `undefined` when they do. */
export function parametersProblem(
  template: Pick<MessageTemplate, 'id' | 'body' | 'components'>,
  parameters: { readonly [name: string]: string },
): string | undefined {
  const { required, optional } = templateParameters(template);
  const missing = [...required].filter((name) => !Object.hasOwn(parameters, name));
  const surplus = Object.keys(parameters).filter((name) => !required.has(name) && !optional.has(name));
  if (missing.length === 0 && surplus.length === 0) return undefined;
  const say = (names: readonly string[], what: string): readonly string[] => (names.length === 0 ? [] : [`${names.join(', ')} ${what}`]);
  return `The parameters of template "${template.id}" do not match: ${[...say(missing, 'missing'), ...say(surplus, 'not known')].join('; ')}`;
}

/** A template with its parameters as a message of the log: what is said, and of what it is made. */
export const templateMessage = (template: MessageTemplate, parameters: { readonly [name: string]: string }): JsonObject => ({
  type: 'template',
  templateId: template.id,
  elementName: template.elementName,
  language: template.language,
  parameters,
  // Values put in are never looked at again.
  ...(template.body !== undefined && {
    text: template.body.replace(placeholder, (place, inside: string) => parameters[inside.trim()] ?? place),
  }),
});
