import { useMemo } from 'react';
import { fillIn, useLanguage } from './words.tsx';

/** The words of a part that is loaded when it is shown: who draws a workflow does not wait for those of the inbox. */
export interface PartWords<Key extends string> {
  readonly en: { readonly [Name in Key]: string };
  readonly es: { readonly [Name in Key]: string };
}

/** The text of a key of a part, in the chosen language; a host's own texts come first, as they do for all others. */
export function usePartWords<Key extends string>({
  en,
  es,
}: PartWords<Key>): (key: Key, values?: { readonly [name: string]: string | number }) => string {
  const { locale, own } = useLanguage();
  return useMemo(() => {
    const plurals = new Intl.PluralRules(locale);
    const words = locale.startsWith('es') ? es : en;
    return (key, values) => (values === undefined ? own(key, words[key]) : fillIn(own(key, words[key]), values, plurals));
  }, [locale, own, en, es]);
}
