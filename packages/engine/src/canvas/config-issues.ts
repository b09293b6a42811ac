import { z } from 'zod';
import { isJsonObject, type Json, typeWords } from '../contract/json.ts';
import { findMeantConstant, findMeantField } from '../contract/field-names.ts';
import { pointer } from '../contract/problem.ts';
import { joinNames, type ProblemCode, shorten } from './problem-codes.ts';

/** One thing to correct, from an issue of zod: an unknown field, an invalid expression, or any other mistake of the shape. */
export interface Finding {
  readonly code: ProblemCode;
  /** The place of the mistake, from the root of the parsed value. */
  readonly at: readonly PropertyKey[];
  readonly message: string;
  /** The invalid expression, as in its text. */
  readonly expression?: string;
}

/**
 * One finding for each thing to correct.
 *
 * @param shapeCode - the code of every mistake that is neither an unknown field nor an invalid expression
 * @param within - the place of the value that the issues are about
 */
export function collectFindings(
  issues: readonly z.core.$ZodIssue[],
  shapeCode: ProblemCode,
  within: readonly PropertyKey[] = [],
): readonly Finding[] {
  return dropConsequences(
    issues.flatMap((issue): readonly Finding[] => {
      const at = [...within, ...issue.path];
      switch (issue.code) {
        case 'unrecognized_keys':
          return readUnknownFields(issue, at);
        case 'invalid_union': {
          const closest = findClosest(issue.errors);
          return closest === undefined ? [{ code: shapeCode, at, message: issue.message }] : collectFindings(closest, shapeCode, at);
        }
        case 'invalid_key':
          return [{ code: shapeCode, at, message: issue.issues[0]?.message ?? issue.message }];
        case 'custom':
          return [readCustomIssue(issue, at, shapeCode)];
        default:
          return [{ code: shapeCode, at, message: issue.message }];
      }
    }),
  );
}

/** A finding for each field; {@link describeIssue} wrote a line for each. */
function readUnknownFields({ keys, message }: z.core.$ZodIssueUnrecognizedKeys, at: readonly PropertyKey[]): readonly Finding[] {
  const lines = message.split('\n');
  return keys.map((key, index) => ({
    code: 'UNKNOWN_FIELD',
    at: [...at, key],
    message: (lines.length === keys.length ? lines[index] : undefined) ?? nameUnknownField(key, []),
  }));
}

/** @param known - the fields that there are; empty where this is not known */
function nameUnknownField(key: string, known: readonly string[]): string {
  const nearest = findMeantField(key, known);
  const others = known.length === 0 ? '' : `; there ${known.length === 1 ? 'is' : 'are'} ${joinNames(known, 20)}`;
  const remedy = nearest === undefined ? others : `; did you mean "${nearest}"?`;
  return `There is no field "${shorten(key, 64).replaceAll('\n', ' ')}" here${remedy}`;
}

/** The fields of the object that refused others. */
const knownFields = (schema: unknown): readonly string[] => (schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : []);

/**
 * One finding for a value that is wrong in itself: zod goes on to the rules of what is around a text of the wrong form, and to further
 * rules of the same value. Unknown fields and expressions are mistakes of their own.
 */
function dropConsequences(all: readonly Finding[]): readonly Finding[] {
  if (all.length < 2) return all;
  const findings = dropMisnamed(all);
  const isRule = ({ code }: Finding) => code !== 'UNKNOWN_FIELD' && code !== 'INVALID_EXPRESSION';
  const seen = new Set<string>();
  const around = new Set<string>();
  for (const { at } of findings) for (let length = 0; length < at.length; length += 1) around.add(pointer(at.slice(0, length)));
  return findings.filter((finding) => {
    if (!isRule(finding)) return true;
    const place = pointer(finding.at);
    if (around.has(place) || seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

/** A field of another name is what is missing under its own. */
function dropMisnamed(findings: readonly Finding[]): readonly Finding[] {
  const meant = new Set(
    findings.flatMap(({ code, at, message }) => {
      const [, name] = code === 'UNKNOWN_FIELD' ? (/did you mean "([^"]{1,64})"\?$/.exec(message) ?? []) : [];
      return name === undefined ? [] : [pointer([...at.slice(0, -1), name])];
    }),
  );
  return meant.size === 0 ? findings : findings.filter(({ at, message }) => !meant.has(pointer(at)) || !/ is missing(?:$|:)/.test(message));
}

/** An issue of a schema's own code: it may say in `params` that it is about an expression, or about an unknown field. */
function readCustomIssue({ message, params }: z.core.$ZodIssueCustom, at: readonly PropertyKey[], shapeCode: ProblemCode): Finding {
  if (params?.['code'] === 'UNKNOWN_FIELD') return { code: 'UNKNOWN_FIELD', at, message };
  if (params?.['code'] !== 'EXPRESSION') return { code: shapeCode, at, message };
  const expression: unknown = params['source'];
  return { code: 'INVALID_EXPRESSION', at, message, ...(typeof expression === 'string' && { expression }) };
}

/** The alternative that the author most likely meant: of those that fail inside the value and not as a whole, the one with the least to correct. */
function findClosest(alternatives: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const misspelt = alternatives.find((issues) =>
    issues.some((issue) => issue.code === 'custom' && issue.params?.['code'] === 'EXPRESSION'),
  );
  if (misspelt !== undefined) return misspelt;
  const inside = alternatives.filter((issues) => issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'));
  // A wrong discriminator or constant: probably another alternative was meant.
  const effort = (issues: readonly z.core.$ZodIssue[]) => issues.length + (issues.some(({ code }) => code === 'invalid_value') ? 100 : 0);
  return inside.toSorted((left, right) => effort(left) - effort(right))[0];
}

/**
 * What there is to correct in a value, in words, with the place of each.
 *
 * @returns none for a value that the schema takes
 */
export function explainValue(schema: z.ZodType, value: unknown): readonly Pick<Finding, 'at' | 'message'>[] {
  const { error } = schema.safeParse(value, { error: describeIssue });
  return collectFindings(error?.issues ?? [], 'INVALID_CONFIG').map(({ at, message }) => ({ at, message }));
}

/** Describes in words what is wrong with a value. Messages of the schema itself take precedence. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  const name = issue.path === undefined || issue.path.length === 0 ? 'The value' : `"${shorten(issue.path.join('.'), 64)}"`;
  const { input } = issue;
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    const kind = isJsonObject(input as Json) ? (input as { readonly [field: string]: unknown })[issue.discriminator] : undefined;
    return kind === undefined
      ? `${name} is missing${findMisnamed(input, issue.discriminator) || listOptions(issue.options)}`
      : `${name} is ${formatJson(kind)}${listOptions(issue.options)}${suggestOption(kind, issue.options)}`;
  }
  if (input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union'))
    return `${name} is missing`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => nameUnknownField(key, knownFields(issue.inst))).join('\n');
    case 'invalid_type':
      return `${name} must be ${typeWords[issue.expected] ?? issue.expected}, not ${kindOf(input)}`;
    case 'invalid_value':
      return `${name} is ${formatJson(input)}${listOptions(issue.values)}${suggestOption(input, issue.values)}`;
    case 'invalid_union': {
      const expected = new Set(
        issue.errors.flatMap(([first]) =>
          first?.code === 'invalid_type' && first.path.length === 0 ? [typeWords[first.expected] ?? first.expected] : [],
        ),
      );
      return `${name} must be ${expected.size > 0 ? [...expected].join(' or ') : 'something else'}, not ${kindOf(input)}`;
    }
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? `${name} must not be empty`
        : `${name} must have ${amount(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `${name} must have ${amount(issue.origin, 'at most', issue.maximum)}`;
    case 'not_multiple_of':
      return `${name} must be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
};

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : (typeWords[typeof value] ?? typeof value);

const amount = (origin: string, bound: string, count: number | bigint): string => {
  const unit = origin === 'string' ? 'character' : 'item';
  return origin === 'string' || origin === 'array'
    ? `${bound} ${count} ${unit}${Number(count) === 1 ? '' : 's'}`
    : `a value of ${bound} ${count}`;
};

const formatJson = (value: unknown): string =>
  typeof value === 'object' && value !== null ? kindOf(value) : shorten(JSON.stringify(value) ?? typeof value, 64);

/** The option that is written otherwise: in other letters, with a mistake, or as it is called elsewhere. */
function suggestOption(input: unknown, options: unknown): string {
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  const meant = typeof input === 'string' ? findMeantConstant(input, texts) : undefined;
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** The field that says of which kind an object is, under another name. */
function findMisnamed(input: unknown, discriminator: string): string {
  const other = isJsonObject(input as Json)
    ? Object.keys(input as object).find((key) => findMeantField(key, [discriminator]) !== undefined)
    : undefined;
  return other === undefined ? '' : `; it is called "${discriminator}", not "${shorten(other, 64)}"`;
}

const listOptions = (options: unknown): string =>
  !Array.isArray(options) ? '' : `; it must be ${options.length === 1 ? '' : 'one of '}${joinNames(options.map(formatJson))}`;
