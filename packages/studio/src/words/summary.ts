// What a card says of its node, in the words of the reader: the engine says it in English, with the values that the canvas has.
import { createContext, useContext } from 'react';
import type { InboxPeople } from '../api/inbox-calls.ts';
import type { Card } from '../canvas/flow.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { fieldText } from '../forms/field-text.ts';
import type { WordKey } from './en.ts';
import { type Say, useLanguage } from './words.tsx';

/** The field of a type whose value, one of few, stands in its summary, and where: at one of these places it is told by its label. */
const named: { readonly [type: string]: { readonly field: string; readonly usual?: string; readonly at: 'first' | 'last' } } = {
  ask: { field: 'input.kind', at: 'last' },
  consent: { field: 'marketing', at: 'first' },
  database: { field: 'operation', at: 'first' },
  end: { field: 'outcome', usual: 'done', at: 'first' },
  group: { field: 'action', at: 'first' },
  handoff: { field: 'mode', at: 'last' },
  log: { field: 'level', usual: 'info', at: 'first' },
  tags: { field: 'action', at: 'first' },
};

/** What summaries of the standard nodes say of their own accord. */
const phrases: { readonly [type: string]: readonly (readonly [RegExp, WordKey])[] } = {
  start: [
    [/(?<=^|, )anything else(?=$|, )/, 'summary.else'],
    [/^When called$/, 'summary.called'],
  ],
  'wait-until': [
    [/^the next opening$/, 'summary.opening'],
    [/^(?<time>[^ ]{1,40}) before (?<what>.*)$/s, 'summary.before'],
  ],
  'wait-external': [
    [/^Until it is called$/, 'summary.untilCalled'],
    [/^At most (?<time>.*)$/s, 'summary.atMost'],
  ],
  collect: [[/^(?<time>[^ ]{1,40}) of silence, at most (?<count>\d{1,9}) messages$/, 'summary.silence']],
  handoff: [
    [/^operator (?<id>\d{1,16})/, 'summary.operator'],
    [/(?<=^|· )team (?<id>\d{1,16})/, 'summary.team'],
  ],
  webhook: [[/^No method(?= →)/, 'summary.noMethod']],
  respond: [[/^Status (?<status>\d{1,3})$/, 'summary.status']],
  jump: [[/, version (?<version>\d{1,9})$/, 'summary.version']],
  workflow: [[/, version (?<version>\d{1,9})$/, 'summary.version']],
};

const timed: ReadonlySet<string> = new Set(['delay', 'wait-until', 'wait-external', 'collect']);
const duration = /^P(?!T?$)(?:(?<day>\d{1,9})D)?(?:T(?=\d)(?:(?<hour>\d{1,9})H)?(?:(?<minute>\d{1,9})M)?(?:(?<second>\d{1,9})S)?)?$/;

/** A stretch of time in words, `1 day 2 hours`; as it stands where it is no constant of days and less. */
export function timeInWords(text: string, locale: string): string {
  const parts = duration.exec(text)?.groups;
  if (parts === undefined) return text;
  return Object.entries(parts)
    .filter(([, amount]) => amount !== undefined)
    .map(([unit, amount]) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(amount)))
    .join(' ');
}

/** Who is called by a name in summaries: a canvas has their ids alone. */
export type People = Pick<InboxPeople, 'operators' | 'teams'>;

/** @returns the summary of a card, as its reader says it */
export function summaryIn(
  { node, entry, summary }: Pick<Card, 'node' | 'entry' | 'summary'>,
  say: Say,
  locale: string,
  people?: People,
): string {
  if (entry === undefined) return summary === '' ? '' : say('summary.unknown');
  const inWords = (text: string): string => timeInWords(text, locale);
  let said = summary;
  for (const [pattern, key] of Object.hasOwn(phrases, node.type) ? (phrases[node.type] ?? []) : []) {
    const found = pattern.exec(said);
    if (found === null) continue;
    const { time, id, ...others } = found.groups ?? {};
    const words = say(key, {
      ...others,
      ...(id !== undefined && { id: nameOf(key, id, people) }),
      ...(time !== undefined && { time: inWords(time) }),
    });
    said = said.slice(0, found.index) + words + said.slice(found.index + found[0].length);
  }
  return withName(timed.has(node.type) ? inWords(said) : said, { node, entry }, locale);
}

const nameOf = (key: WordKey, id: string, people: People | undefined): string =>
  (key === 'summary.team'
    ? people?.teams.find((one) => String(one.id) === id)?.name
    : people?.operators.find((one) => String(one.id) === id)?.names) ?? id;

/** With the label of the one value that is told, where the catalogue has one. */
function withName(summary: string, { node, entry }: Pick<Card, 'node' | 'entry'>, locale: string): string {
  const about = Object.hasOwn(named, node.type) ? named[node.type] : undefined;
  if (about === undefined || entry?.fields === undefined) return summary;
  const [field = '', inner] = about.field.split('.');
  const whole = node.data?.[field];
  const value = (inner === undefined ? whole : isRecord(whole) ? whole[inner] : undefined) ?? about.usual;
  if (typeof value !== 'string' || value === '') return summary;
  const label = fieldText(entry.fields, `${about.field}=${value}`, locale)?.label;
  if (label === undefined) return summary;
  if (about.at === 'last') return summary.endsWith(value) ? summary.slice(0, -value.length) + label : summary;
  return summary.startsWith(value) ? label + summary.slice(value.length) : summary;
}

/** The people and teams of the company, for the cards of a canvas that names some. */
export const PeopleContext = createContext<People | undefined>(undefined);

/** Says summaries in the language of the reader. */
export function useSummary(): (card: Pick<Card, 'node' | 'entry' | 'summary'>) => string {
  const { say, locale } = useLanguage();
  const people = useContext(PeopleContext);
  return (card) => summaryIn(card, say, locale, people);
}
