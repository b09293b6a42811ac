// The kinds of records of a company, and what is told apart of them: their channels, their names in a list, a first id.
import { isReservedName, type Json, type JsonObject } from '@hilo/engine/contract';
import { isRecord, type JsonSchema } from '../canvas/canvas-json.ts';

/** Kinds that the service lists as a whole. */
export const listedKinds = ['bots', 'templates', 'credentials', 'operators', 'teams', 'tags'] as const;
export type ListedKind = (typeof listedKinds)[number];
export const isListed = (name: string): name is ListedKind => listedKinds.some((kind) => kind === name);

/** Whose ids are numbers. */
export const isNumbered = (kind: ListedKind): boolean => kind === 'operators' || kind === 'teams' || kind === 'tags';

/** The channel that a kind of provider serves, where it is not called like it. */
const channels: { readonly [provider: string]: string } = { 'whatsapp-cloud': 'whatsapp', x: 'twitter', messenger: 'facebook' };
export const channelOf = (provider: string): string => (Object.hasOwn(channels, provider) ? (channels[provider] ?? provider) : provider);

/** What a record is called in a list. */
export function nameOf({ id, name, names, elementName, kind }: JsonObject): string {
  const found = [names, elementName, name, id].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : typeof id === 'number' ? String(id) : typeof kind === 'string' ? kind : '';
}

/** What is said of each kind of record beside its name. */
const about: { readonly [Kind in ListedKind]: readonly string[] } = {
  bots: ['channel'],
  templates: ['language', 'status'],
  credentials: ['kind'],
  operators: ['email'],
  teams: [],
  tags: [],
};

/**
 * What is said of a record beside its name.
 *
 * @param labelOf - the label of a value that a field may have, such as `status=APPROVED`
 */
export function aboutOf(kind: ListedKind, record: JsonObject, labelOf: (at: string) => string | undefined): string {
  const { settings } = record;
  const environment = kind === 'bots' && isRecord(settings) ? settings['environment'] : undefined;
  return [
    ...about[kind].flatMap((field) => {
      const value = record[field];
      return typeof value === 'string' ? [labelOf(`${field}=${value}`) ?? value] : [];
    }),
    // A bot for tests is told apart from those that people write to.
    ...(environment === 'test' ? [labelOf('settings.environment=test') ?? 'test'] : []),
  ].join(' · ');
}

/** The id of a record, which may be a number. */
export const idOf = ({ id }: JsonObject): string => (typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '');

/** An id that no other has, made of a name where ids are texts. */
export function freshId(kind: ListedKind, records: readonly JsonObject[], name = ''): string {
  const taken = new Set(records.map(idOf));
  if (isNumbered(kind)) return String(1 + Math.max(0, ...records.map(({ id }) => (typeof id === 'number' ? id : 0))));
  const word = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const one = kind.slice(0, -1);
  const base = word === '' ? one : isReservedName(word) ? `${one}-${word}` : word;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** Fields that a form fills in by itself. */
const hidden: ReadonlySet<string> = new Set(['id', 'connectedAt', 'createdAt']);

/** The schema of a form: without what it fills in. */
export function formSchema(schema: JsonSchema): JsonSchema {
  const without = (one: Json | undefined): Json | undefined => {
    if (!isRecord(one)) return one;
    const { properties, required } = one;
    if (!isRecord(properties)) return one;
    return {
      ...one,
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))),
      ...(Array.isArray(required) && { required: required.filter((name: Json) => typeof name !== 'string' || !hidden.has(name)) }),
    };
  };
  const whole = without(schema as Json);
  const base: JsonSchema = isRecord(whole) ? whole : schema;
  const list = (forms: Json | undefined): Json | undefined =>
    Array.isArray(forms) ? forms.map((form: Json) => without(form) ?? null) : undefined;
  const [oneOf, anyOf] = [list(base['oneOf']), list(base['anyOf'])];
  return { ...base, ...(oneOf !== undefined && { oneOf }), ...(anyOf !== undefined && { anyOf }) };
}

/** A record without what its form fills in. */
export const formValue = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name)));

/** The kinds of provider that a bot may have, as the schema of one says. */
export function providersOf(schema: JsonSchema): readonly string[] {
  const properties = schema['properties'];
  const provider = isRecord(properties) ? properties['provider'] : undefined;
  const forms = isRecord(provider) ? (provider['oneOf'] ?? provider['anyOf']) : undefined;
  const alone: readonly Json[] = isRecord(provider) ? [provider] : [];
  return (Array.isArray(forms) ? (forms as readonly Json[]) : alone).flatMap((form) => {
    const fields = isRecord(form) ? form['properties'] : undefined;
    const kind = isRecord(fields) ? fields['kind'] : undefined;
    const name = isRecord(kind) ? kind['const'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
