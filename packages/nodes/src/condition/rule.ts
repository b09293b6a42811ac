// The rules of the node `condition`.
import {
  formatPath,
  HiloError,
  instantMs,
  isExpression,
  isScopeName,
  isTemplate,
  type Json,
  type JsonTemplate,
  kindOf,
  Operand,
  parsePath,
  tooMuchInAll,
  ValueTemplate,
  type Variables,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { fieldsOfTypes, isMessageType } from '../messages/type-fields.ts';
import { expressionSchema, orExpression } from '../json-schema.ts';
import { findZone } from '../fields/reading/clean.ts';
import { comparisons } from './compare.ts';
import { inUtc } from './moment.ts';

/** The right side. A constant that looks like a variable is an error: it would be compared as a text. */
const Right = ValueTemplate.refine(({ source }) => typeof source !== 'string' || isTemplate(source) || scopePath(source) === undefined, {
  error: 'This would compare with the text itself; put the variable in braces: {{$context.name}}',
}).meta({ description: 'The value to compare "left" with: a constant, or an {{expression}}' });

/** A right side of one kind only, unless it is an expression. */
const requireRight = (isRight: (constant: Json) => boolean, what: string, forms: readonly z.core.JSONSchema.JSONSchema[]) =>
  Right.superRefine(({ source }, context) => {
    if (isRight(source) || isExpression(source)) return;
    const number = typeof source === 'string' ? /^\s*([+-]?\d{1,15}(?:\.\d{1,15})?)\s*$/.exec(source)?.[1] : undefined;
    const hint = number === undefined ? '' : `; a number has no quotes: ${number}`;
    context.addIssue(`Give ${what}, or one {{expression}} that gives it${hint}`);
  }).meta({
    description: 'The value to compare "left" with: a constant, or an {{expression}}',
    ...orExpression(...forms),
  });

/** Whether a constant has an order: a number, an instant as ISO 8601 with a zone, or a day or a time as an `ask` saves them. */
const isOrdered = (constant: Json): boolean =>
  typeof constant === 'number' || (typeof constant === 'string' && (instantMs(constant) !== undefined || isDayOrTime(constant)));
const isDayOrTime = (text: string): boolean =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) || (/^\d{4}-\d\d-\d\d$/.test(text) && instantMs(`${text}T00:00:00Z`) !== undefined);

/** A place in the variables that may be empty: reading it never fails. */
const Place = z
  .string()
  .meta({ description: 'A path such as $context.age', examples: ['$context.age'] })
  .transform((text, context) => {
    const path = scopePath(text);
    if (path !== undefined) {
      return Object.assign((variables: Variables) => variables.get(path), { source: text, reads: [{ path, isOptional: true }] });
    }
    context.addIssue(`"${text}" is not a path; write $context.name, without braces`);
    return z.NEVER;
  });

const Left = Operand.meta({
  description: 'The value to test: a path such as $context.age, or an expression',
  examples: ['$context.age', '{{size($context.items)}}'],
});

const kinds = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;

const SimpleRule = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.enum(['eq', 'neq', 'contains']).meta({
      description:
        'Whether left equals right, differs from it, or holds it, by value: 7 is "7", "9:00" is "09:00", a day is any instant of it in the zone of the user, and a phone number has its + or not',
    }),
    left: Left,
    right: Right,
  }),
  z.strictObject({
    op: z.enum(['gt', 'gte', 'lt', 'lte']).meta({
      description:
        'Whether left is above right, at least right, below right, or at most right: numbers, also as texts, instants, days, times, or texts',
    }),
    left: Left,
    right: requireRight(isOrdered, 'a number, an instant, a day such as "2026-12-01" or a time such as "09:00"', [
      { type: 'number' },
      { type: 'string', pattern: String.raw`^\d{4}-|^\d\d:\d\d$` },
    ]),
  }),
  z.strictObject({
    op: z.enum(['startsWith', 'endsWith']).meta({ description: 'Whether left is a text that begins or ends with right' }),
    left: Left,
    right: requireRight((constant) => typeof constant === 'string', 'a text', [{ type: 'string' }]),
  }),
  z.strictObject({
    op: z.literal('in').meta({ description: 'Whether left is one of the list right' }),
    left: Left,
    right: requireRight(Array.isArray, 'a list', [{ type: 'array' }]),
  }),
  z.strictObject({
    op: z.literal('isType').meta({ description: 'Whether left is of the type right' }),
    left: Left,
    right: z.enum(kinds).meta({ description: 'The type that "left" must have' }),
  }),
  z.strictObject({
    op: z.literal('empty').meta({ description: 'Whether left is a text, a list or an object with nothing in it' }),
    left: Left,
  }),
  z.strictObject({ op: z.literal('exists').meta({ description: 'Whether left has a value other than null' }), left: Place }),
  z.strictObject({
    op: z.literal('expression').meta({ description: 'Whether the expression is true' }),
    expression: ValueTemplate.refine(({ source }) => isExpression(source), {
      error: 'Give one single {{expression}} that is true or false',
    }).meta({ description: 'One {{expression}} that gives true or false', anyOf: [expressionSchema] }),
  }),
]);

type SimpleRule = z.output<typeof SimpleRule>;
type AuthoredSimpleRule = z.input<typeof SimpleRule>;

/** A condition on the variables. */
export type Rule = SimpleRule | { op: 'all' | 'any'; rules: Rule[] } | { op: 'not'; rule: Rule };
type AuthoredRule = AuthoredSimpleRule | { op: 'all' | 'any'; rules: AuthoredRule[] } | { op: 'not'; rule: AuthoredRule };

export const Rule: z.ZodType<Rule, AuthoredRule> = z.lazy(() => AnyRule);

const AnyRule = z.discriminatedUnion('op', [
  ...SimpleRule.options,
  z.strictObject({
    op: z.enum(['all', 'any']).meta({ description: 'Whether all of the rules hold, or any of them' }),
    rules: z.array(Rule).min(1).max(20).meta({ description: 'The rules to combine' }),
  }),
  z.strictObject({
    op: z.literal('not').meta({ description: 'Whether the rule does not hold' }),
    rule: Rule.meta({ description: 'The rule that must not hold' }),
  }),
]);

/** `{{$message.type == "text"}}`, with its sides in either order. */
const typeIs =
  /^\{\{\s{0,9}(?:\$message\.type\s{0,9}==\s{0,9}(["'])(\w{1,40})\1|(["'])(\w{1,40})\3\s{0,9}==\s{0,9}\$message\.type)\s{0,9}\}\}$/;

function findTypeFields(expression: Json): readonly string[] {
  const [, , right, , left] = typeof expression === 'string' ? (typeIs.exec(expression) ?? []) : [];
  return fieldsOfTypes(right ?? left ?? null);
}

/**
 * The places that surely have a value where a rule holds, or where it does not: those that it asks for by `exists`, and those
 * that every message of a type has which it asks for. Rules inside more
 * than one `all` or `any` are left out, so that a canvas of many rules is checked in time.
 */
export function findPlaces(rule: Rule, holds: boolean, levels = 1): readonly string[] {
  switch (rule.op) {
    case 'exists':
      return holds ? [rule.left.source] : [];
    case 'empty':
      return findDefaulted(rule.left, holds, isEmpty);
    case 'isType':
      return findDefaulted(rule.left, holds, (value) => kindOf(value) === rule.right);
    case 'eq':
    case 'in':
      if (holds && isMessageType(rule.left.source)) return fieldsOfTypes(rule.right.source);
      return findCompared(rule, holds);
    case 'expression': {
      const { ifTrue = [], ifFalse = [] } = rule.expression.asked ?? {};
      return [...(holds ? ifTrue : ifFalse).map(formatPath), ...(holds ? findTypeFields(rule.expression.source) : [])];
    }
    case 'not':
      return findPlaces(rule.rule, !holds, levels);
    case 'all':
    case 'any':
      return levels > 0 && (rule.op === 'all') === holds ? rule.rules.flatMap((inner) => findPlaces(inner, holds, levels - 1)) : [];
    default:
      return findCompared(rule, holds);
  }
}

/** The place that the left side gives a default, where the rule would come out otherwise without it. */
function findDefaulted({ asked }: JsonTemplate, holds: boolean, holdsFor: (value: Json) => boolean): readonly string[] {
  return asked?.without === undefined || holdsFor(asked.without.value) === holds ? [] : [formatPath(asked.without.path)];
}

/** The same of a comparison with a short constant. */
function findCompared({ op, left, right }: Extract<SimpleRule, { readonly right: JsonTemplate }>, holds: boolean): readonly string[] {
  const { source, reads } = right;
  if (reads.length > 0 || typeof source === 'object' || (typeof source === 'string' && source.length > maxConstant)) return [];
  if (typeof source === 'boolean' && (op === 'eq' || op === 'neq')) {
    const isTrue = source === ((op === 'eq') === holds);
    return ((isTrue ? left.asked?.ifTrue : left.asked?.ifFalse) ?? []).map(formatPath);
  }
  return findDefaulted(left, holds, (value) => comparisons[op](value, source, () => undefined, inUtc) === true);
}

/** Constants of conditions are words: of a longer one nothing is told. */
const maxConstant = 200;

/**
 * The places that surely have a value when a rule comes to the part of itself at some steps: the rules before that part, in the same `all`
 * or `any`, ask for them.
 */
export function findPlacesBefore(rule: Rule, steps: readonly (string | number)[]): readonly string[] {
  let part: Rule | undefined = rule;
  let earlier: readonly Rule[] = [];
  let isAll = true;
  for (const step of steps) {
    if (part?.op === 'not') part = part.rule;
    else if ((part?.op === 'all' || part?.op === 'any') && typeof step === 'number') {
      earlier = part.rules.slice(0, step);
      isAll = part.op === 'all';
      part = part.rules[step];
    }
  }
  return earlier.flatMap((before) => findPlaces(before, isAll, 0));
}

/** Whether a rule holds. @throws {HiloError} `EXPRESSION`, see {@link compileRule} */
type Holds = (variables: Variables) => boolean;

/**
 * Compiles a rule to a closure. It compares by value: the number 7 equals the text "7", an instant any spelling of it and its day. It throws
 * `EXPRESSION` when an operand other than that of `exists` is missing, when two values have no order or are no texts where texts are
 * compared, and when an `expression` is neither true nor false.
 */
export function compileRule(rule: Rule): Holds {
  switch (rule.op) {
    case 'all':
    case 'any': {
      const rules = rule.rules.map(compileRule);
      return rule.op === 'all'
        ? (variables) => rules.every((holds) => holds(variables))
        : (variables) => rules.some((holds) => holds(variables));
    }
    case 'not': {
      const holds = compileRule(rule.rule);
      return (variables) => !holds(variables);
    }
    case 'exists':
      return (variables) => (rule.left(variables) ?? null) !== null; // as `??` sees it: null is no value
    case 'empty':
      return (variables) => isEmpty(rule.left(variables));
    case 'isType':
      return (variables) => kindOf(rule.left(variables)) === rule.right;
    case 'expression':
      return (variables) => evaluateBoolean(rule.expression, variables);
    default: {
      const { op, left, right } = rule;
      const compare = comparisons[op];
      return (variables) => {
        const countWork = (work: number): void => spend(work, op, variables);
        const holds = compare(left(variables), right(variables), countWork, () => findZone(variables));
        if (typeof holds === 'boolean') return holds;
        throw new HiloError('EXPRESSION', { source: op, reason: holds });
      };
    }
  }
}

/** Counts the work of a rule. @throws {HiloError} `EXPRESSION` when all rules and expressions since the last wait exceed their limit (P20) */
function spend(work: number, op: string, variables: Variables): void {
  if (variables.spend?.(work) !== false) return;
  throw new HiloError('EXPRESSION', { source: op, reason: tooMuchInAll });
}

/** The value of an expression. @throws {HiloError} `EXPRESSION` for anything but true and false */
function evaluateBoolean(expression: JsonTemplate, variables: Variables): boolean {
  const value = expression(variables);
  if (typeof value === 'boolean') return value;
  const source = typeof expression.source === 'string' ? expression.source.slice(2, -2).trim() : '';
  throw new HiloError('EXPRESSION', { source, reason: `it gives ${kindOf(value)}, and must give true or false` });
}

/** The steps of a text that names a place in the variables. */
function scopePath(text: string) {
  const path = parsePath(text);
  return isScopeName(path?.[0]) ? path : undefined;
}

/** Whether a text, a list or an object is empty. Other values, including null, are not. */
function isEmpty(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return (Array.isArray(value) ? value : Object.keys(value)).length === 0;
  return value === '';
}
