// The condition of a segment: in the language of expressions, over `user` and `now()`, checked against what a company declares.
import {
  type Bound,
  compileCondition,
  type Condition,
  type ContactField,
  findNearestName,
  isHiloError,
  suggest,
} from '@hilo/engine/contract';
import { type HttpError, invalidFields } from '../platform/http/errors.ts';

/** What a condition may know of a contact beside its fields, and the kind of each. */
const knownOfUser = {
  id: 'text',
  names: 'text',
  phone: 'text',
  locale: 'text',
  timeZone: 'text',
  groups: 'list',
  consent: 'text',
  firstSeenAt: 'text',
  lastInboundAt: 'text',
  lastOutboundAt: 'text',
  fields: 'object',
} as const;
type KnownName = keyof typeof knownOfUser;
const isKnown = (name: unknown): name is KnownName => typeof name === 'string' && Object.hasOwn(knownOfUser, name);

const kindOfField = { text: 'text', number: 'number', bool: 'bool', date: 'text', list: 'list' } as const;

/** Quoted texts, which stay as they are, and the two names that expressions write with a "$". */
const names = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w$.])(?:user|row)(?![\w(])|(?<![\w$.])now\(\s*\)/g;

/** An expression over `user`, `now()` and, in a list of one's own, `row`, as the language has them. */
export const writeScopes = (source: string): string =>
  source.replace(names, (found) => {
    if (found === 'user') return '$user';
    if (found === 'row') return '$input';
    return found.startsWith('now') ? '$now' : found;
  });

/** A condition has at most so many characters. */
export const maxConditionChars = 4_000;

/**
 * Compiles the condition of a segment.
 *
 * @throws {HttpError} 422 with the reason: what is no condition, or names what no contact of the company has
 */
export function compileSegment(fields: readonly ContactField[], source: string): Condition {
  const refuse = (reason: string): HttpError => invalidFields({ condition: [reason] });
  try {
    const condition = compileCondition(writeScopes(source), ([scope, name, key, ...deeper]) => {
      if (scope !== '$user' || !isKnown(name)) return 'any';
      if (name !== 'fields' || key === undefined) return key === undefined ? knownOfUser[name] : 'any';
      const field = fields.find((one) => one.key === key);
      return field === undefined || deeper.length > 0 ? 'any' : kindOfField[field.type];
    });
    const problem = condition.paths.map((path) => explainUnknown(fields, path)).find((found) => found !== undefined);
    if (problem !== undefined) throw refuse(problem);
    return condition;
  } catch (error) {
    throw isHiloError(error, 'EXPRESSION') ? refuse(error.message) : error;
  }
}

/** Why a path is of nothing that a segment may read; `undefined` where it may be. */
function explainUnknown(fields: readonly ContactField[], path: Bound['path']): string | undefined {
  const [scope, name] = path;
  if (scope !== '$user') return `a segment is a condition over user and now(), not over ${String(scope)}`;
  if (name === undefined) return 'a segment reads a part of user, such as user.fields.city';
  return explainUnknownOfUser(fields, path);
}

/** Why a path is of nothing that a contact of the company has; `undefined` where it may be. */
export function explainUnknownOfUser(fields: readonly ContactField[], [, name, key]: Bound['path']): string | undefined {
  const known = Object.keys(knownOfUser);
  if (!isKnown(name))
    return `a contact has no "${String(name)}": ${suggest(findNearestName(String(name), known)) ?? `it has ${known.join(', ')}`}`;
  const keys = fields.map((field) => field.key);
  if (name !== 'fields' || key === undefined || keys.includes(String(key))) return undefined;
  const nearest = suggest(findNearestName(String(key), keys));
  return `"${String(key)}" is no field of this company: ${nearest ?? (keys.length === 0 ? 'it declares none' : `it has ${keys.slice(0, 20).join(', ')}`)}`;
}
