import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseByLanguage } from './choose-template.ts';

const choose = (languages: readonly string[], locales: readonly (string | null | undefined)[]) =>
  chooseByLanguage(
    languages.map((language) => ({ language })),
    locales,
  )?.language;

describe('of templates with one name', () => {
  it.for<[readonly string[], readonly (string | null | undefined)[], string | undefined]>([
    [['en', 'es'], ['es-MX', 'en'], 'es'],
    [['en', 'es', 'es_MX'], ['es-MX', 'en'], 'es_MX'],
    [['es_AR', 'es'], ['es-MX'], 'es'],
    [['en', 'es_AR'], ['es-MX'], 'es_AR'],
    [['es_MX', 'es'], ['es'], 'es'],
    [['en_US', 'en_GB'], ['en-GB'], 'en_GB'],
    [['en', 'pt_BR'], [null, 'pt-BR'], 'pt_BR'],
    [['en', 'pt_BR'], ['fr', 'pt-PT'], 'pt_BR'],
    [['en', 'es'], ['fr-FR', null], 'en'],
    [['en', 'es'], [undefined, undefined], 'en'],
    [['zh_CN', 'zh_TW', 'zh_HK'], ['zh-Hant-HK'], 'zh_HK'],
    [['pt_PT', 'pt_BR'], ['pt'], 'pt_BR'],
    [['zh_CN', 'zh_HK'], ['zh-TW'], 'zh_HK'],
    [['not a language', 'es'], ['es-PE'], 'es'],
    [['ES_mx', 'en'], ['es-MX'], 'ES_mx'],
    [[], ['es'], undefined],
  ])('%j, for %j it is %s', ([languages, locales, expected]) => {
    expect(choose(languages, locales)).toBe(expected);
  });

  it('the one in exactly the locale is chosen wherever there is one, and one is chosen wherever there are any', () => {
    const language = fc.constantFrom('en', 'en_GB', 'en_US', 'es', 'es_MX', 'pt_BR', 'pt_PT', 'zh_CN', 'x', '');
    const locale = fc.option(fc.constantFrom('en', 'en-GB', 'es', 'es-MX', 'es-PE', 'pt-PT', 'de', '?'));
    fc.assert(
      fc.property(fc.uniqueArray(language), fc.array(locale, { maxLength: 3 }), (languages, locales) => {
        const chosen = choose(languages, locales);
        expect(chosen === undefined).toBe(languages.length === 0);
        const exact = languages.filter((offered) => offered.replace('_', '-') === locales[0]);
        expect(exact.length === 0 || exact.some((offered) => offered === chosen)).toBe(true);
      }),
    );
  });
});
