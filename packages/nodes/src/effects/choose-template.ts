// Which template a canvas means: the one of an id, or of those with one element name the one in the user's language.
import { type TemplateContent, templateParameters } from '../messages/template-parameters.ts';

/** A template as far as it decides whether it can be sent (TPL-03). */
export interface SendableTemplate extends TemplateContent {
  readonly id: string;
  readonly botId: string;
  readonly elementName: string;
  readonly language: string;
  readonly status: string;
}

/** What a canvas names, and for whom. */
interface WantedTemplate {
  /** Its id, or else its element name. */
  readonly templateId: string;
  readonly botId: string | undefined;
  /** The user's, then the company's. */
  readonly locales: readonly (string | null | undefined)[];
  readonly parameters: { readonly [name: string]: string };
}

/** The template that is sent, or why none is. */
type FoundTemplate<Template> =
  | { readonly kind: 'found'; readonly template: Template }
  | { readonly kind: 'refused'; readonly cause: 'INVALID_TEMPLATE' | 'INVALID_PARAMETERS'; readonly message: string };

/**
 * The template that a canvas means: the one of this id, else of those with this element name the one in the user's language. It must be
 * the bot's, approved, and get exactly its parameters.
 *
 * @param company - its templates: one by id, and all
 */
export function findTemplate<Template extends SendableTemplate>(
  company: { template(id: string): Template | undefined; templates(): readonly Template[] },
  { templateId, botId, locales, parameters }: WantedTemplate,
): FoundTemplate<Template> {
  const isUsable = (one: Template): boolean => one.botId === botId && one.status === 'APPROVED';
  const alike = (): readonly Template[] => company.templates().filter((one) => one.elementName === templateId && isUsable(one));
  const template = company.template(templateId) ?? chooseByLanguage(alike(), locales);
  if (template === undefined || !isUsable(template))
    return { kind: 'refused', cause: 'INVALID_TEMPLATE', message: `Template "${templateId}" is missing, of another bot, or not approved` };
  const problem = parametersProblem(template, parameters);
  return problem === undefined ? { kind: 'found', template } : { kind: 'refused', cause: 'INVALID_PARAMETERS', message: problem };
}

/**
 * The template in the language that is nearest to the first of these locales that one of them has the language of; else the first.
 *
 * @param locales - the user's, then the company's
 */
export function chooseByLanguage<Template extends Pick<SendableTemplate, 'language'>>(
  templates: readonly Template[],
  locales: readonly (string | null | undefined)[],
): Template | undefined {
  for (const locale of locales) {
    const wanted = parseLocale(locale ?? '');
    if (wanted === undefined) continue;
    const ranked = templates.map((template) => ({ template, nearness: rateNearness(parseLocale(template.language), wanted) }));
    const best = Math.max(0, ...ranked.map(({ nearness }) => nearness));
    if (best > 0) return ranked.find(({ nearness }) => nearness === best)?.template;
  }
  return templates[0];
}

/** 5 for the same locale, 4 for its usual form (`es-ES` for `es`), 3 for its language alone, 2 for another country, 1 for another script. */
function rateNearness(offered: Intl.Locale | undefined, wanted: Intl.Locale): number {
  if (offered === undefined || offered.language !== wanted.language) return 0;
  if (offered.baseName === wanted.baseName) return 5;
  if (offered.maximize().baseName === wanted.maximize().baseName) return 4;
  if (offered.maximize().script !== wanted.maximize().script) return 1;
  return offered.region === undefined ? 3 : 2;
}

/** A language as providers (`es_MX`) and locales (`es-MX`) write it. */
function parseLocale(text: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(text.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}

/** What is wrong with the parameters of a template, which must match exactly (TPL-05); `undefined` when they match. */
export function parametersProblem(
  template: Pick<SendableTemplate, 'id' | 'body' | 'components'>,
  parameters: { readonly [name: string]: string },
): string | undefined {
  const { required, optional } = templateParameters(template);
  const missing = [...required].filter((name) => !Object.hasOwn(parameters, name));
  const surplus = Object.keys(parameters).filter((name) => !required.has(name) && !optional.has(name));
  if (missing.length === 0 && surplus.length === 0) return undefined;
  const say = (names: readonly string[], what: string): readonly string[] => (names.length === 0 ? [] : [`${names.join(', ')} ${what}`]);
  return `The parameters of template "${template.id}" do not match: ${[...say(missing, 'missing'), ...say(surplus, 'not known')].join('; ')}`;
}
