// Which template a canvas means: the one of an id, or of those with one element name the one in the user's language.
import type { MessageTemplate } from '../tenants/companies.ts';

/**
 * The template in the language that is nearest to the first of these locales that one of them has the language of; else the first.
 *
 * @param locales - the user's, then the company's
 */
export function chooseByLanguage<Template extends Pick<MessageTemplate, 'language'>>(
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
