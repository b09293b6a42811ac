import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { isOwnPort } from '../canvas/own-ports.ts';
import { en, type WordKey, type Words } from './en.ts';

/** The text of a key in the chosen language. A text without a key, such as one of the catalogue, has its own `fallback`. */
export type Say = (key: WordKey, values?: { readonly [name: string]: string | number }) => string;

/** The language of the studio, and how its texts are found. */
export interface Language {
  readonly say: Say;
  /** A text of a custom node: translated when the host has a translation. */
  readonly own: (key: string, fallback: string) => string;
  readonly locale: string;
}

const LanguageContext = createContext<Language>(languageOf('en', {}));

function languageOf(locale: string, words: { readonly [key: string]: string | undefined }): Language {
  const plurals = new Intl.PluralRules(locale); // one for the language: making one takes longer than all texts of a card
  return {
    locale,
    own: (key, fallback) => words[key] ?? fallback,
    say: (key, values) => (values === undefined ? (words[key] ?? en[key]) : fillIn(words[key] ?? en[key], values, plurals)),
  };
}

/** Replaces `{name}`, and selects by number in `{count|way|ways}`. A name without a value is unchanged. */
export function fillIn(word: string, values: { readonly [name: string]: string | number }, plurals: Intl.PluralRules): string {
  return word.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one: string | undefined, other: string | undefined) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    if (one === undefined) return String(value);
    return (plurals.select(Number(value)) === 'one' ? one : other) ?? '';
  });
}

/** @param words - a host's own texts, which override those of the language */
export function LanguageProvider({
  locale,
  dictionary,
  words,
  children,
}: {
  readonly locale: string;
  readonly dictionary: { readonly [key: string]: string };
  readonly words: Words | undefined;
  readonly children: ReactNode;
}) {
  const language = useMemo(() => languageOf(locale, { ...dictionary, ...words }), [locale, dictionary, words]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export const useLanguage = (): Language => useContext(LanguageContext);
export const useWords = (): Say => useContext(LanguageContext).say;

/** Groups of engine names that have a translation. */
type Named = 'port' | 'type' | 'status' | 'wait' | 'kind' | 'channel' | 'cause' | 'effect';

/** The label of an engine name: a translation for known ones, otherwise the name itself, as for ports that an author names. */
export function useNames(group: Named): (name: string) => string {
  const say = useWords();
  return (name) => (`${group}.${name}` in en ? say(`${group}.${name}` as WordKey) : name);
}

/** The label of a port of a node of a type: its author's own, where it has one. */
export function usePortWord(): (port: string, type: string | undefined) => string {
  const word = useNames('port');
  return (port, type) => (isOwnPort(type, port) ? port : word(port));
}

/** An instant, as the reader's language and zone have it. */
export function useInstant(): (instant: string | number) => string {
  const { locale } = useLanguage();
  const format = useMemo(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }), [locale]);
  return (instant) => {
    const date = new Date(instant);
    return Number.isNaN(date.getTime()) ? String(instant) : format.format(date);
  };
}

/** A stretch of time in its two largest units: `2 d 4 h`. */
export function shortTime(ms: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ];
  const first = units.findIndex(([, size]) => ms >= size);
  if (first < 0) return `${Math.max(0, Math.round(ms))} ms`;
  let rest = ms;
  return units
    .slice(first, first + 2)
    .flatMap(([unit, size]) => {
      const amount = Math.floor(rest / size);
      rest -= amount * size;
      return amount === 0 ? [] : [`${amount} ${unit}`];
    })
    .join(' ');
}
