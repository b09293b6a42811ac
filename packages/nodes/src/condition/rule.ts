import {
  containsText,
  HiloError,
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

/** The right side. A constant that looks like a variable is an error: it would be compared as a text. */
const Right = ValueTemplate.refine(({ source }) => typeof source !== 'string' || isTemplate(source) || scopePath(source) === undefined, {
  error: 'This would compare with the text itself; put the variable in braces: {{$context.name}}',
}).meta({ description: 'The value to compare "left" with: a constant, or an {{expression}}' });

/** A right side of one kind only, unless it is an expression. */
const requireRight = (isRight: (constant: Json) => boolean, what: string) =>
  Right.refine(({ source }) => isRight(source) || isExpression(source), {
    error: `Give ${what}, or one {{expression}} that gives it`,
  });

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
    op: z.enum(['eq', 'neq', 'contains']).meta({ description: 'Whether left equals right, differs from it, or holds it' }),
    left: Left,
    right: Right,
  }),
  z.strictObject({
    op: z
      .enum(['gt', 'gte', 'lt', 'lte'])
      .meta({ description: 'Whether left is a number above right, at least right, below right, or at most right' }),
    left: Left,
    right: requireRight((constant) => typeof constant === 'number', 'a number'),
  }),
  z.strictObject({
    op: z.enum(['startsWith', 'endsWith']).meta({ description: 'Whether left is a text that begins or ends with right' }),
    left: Left,
    right: requireRight((constant) => typeof constant === 'string', 'a text'),
  }),
  z.strictObject({
    op: z.literal('in').meta({ description: 'Whether left is one of the list right' }),
    left: Left,
    right: requireRight(Array.isArray, 'a list'),
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
    }).meta({ description: 'One {{expression}} that gives true or false' }),
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

/**
 * The places that surely have a value where a rule holds, or where it does not: those that it asks for by `exists`. Rules inside more
 * than one `all` or `any` are left out, so that a canvas of many rules is checked in time.
 */
export function findPlaces(rule: Rule, holds: boolean, levels = 1): readonly string[] {
  switch (rule.op) {
    case 'exists':
      return holds ? [rule.left.source] : [];
    case 'not':
      return findPlaces(rule.rule, !holds, levels);
    case 'all':
    case 'any':
      return levels > 0 && (rule.op === 'all') === holds ? rule.rules.flatMap((inner) => findPlaces(inner, holds, levels - 1)) : [];
    default:
      return [];
  }
}

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
 * Compiles a rule to a closure. It compares without coercion: the number 7 never equals the text "7" and is never below it. It throws
 * `EXPRESSION` when an operand other than that of `exists` is missing, or an `expression` is neither true nor false.
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
      return (variables) => compare(left(variables), right(variables), (work) => spend(work, op, variables));
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

/** Counts the work of a comparison, in characters read; throws when it is too much (P20). */
type CountWork = (work: number) => void;

type Comparison = (left: Json, right: Json, countWork: CountWork) => boolean;

const compareNumbers =
  (compare: (left: number, right: number) => boolean): Comparison =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' && compare(left, right);

const compareTexts =
  (compare: (left: string, right: string) => boolean): Comparison =>
  (left, right, countWork) => {
    if (typeof left !== 'string' || typeof right !== 'string') return false;
    countWork(left.length + right.length);
    return compare(left, right);
  };

/** The operations on two values. Nothing is coerced: a value of another kind is not equal, below, or within. */
const comparisons = {
  eq: (left, right, countWork) => isEqual(left, right, countWork),
  neq: (left, right, countWork) => !isEqual(left, right, countWork),
  gt: compareNumbers((left, right) => left > right),
  gte: compareNumbers((left, right) => left >= right),
  lt: compareNumbers((left, right) => left < right),
  lte: compareNumbers((left, right) => left <= right),
  startsWith: compareTexts((left, right) => left.startsWith(right)),
  endsWith: compareTexts((left, right) => left.endsWith(right)),
  contains: (left, right, countWork) =>
    isList(left) ? containsItem(left, right, countWork) : compareTexts(containsText)(left, right, countWork),
  in: (left, right, countWork) => isList(right) && containsItem(right, left, countWork),
} satisfies { readonly [op: string]: Comparison };

const containsItem = (list: readonly Json[], wanted: Json, countWork: CountWork): boolean =>
  list.some((item) => isEqual(item, wanted, countWork));

/** The work of one item of a list or one entry of an object, without its texts. */
const itemWork = 5;

/** Equal as JSON: same kind, same value; the order of an object's keys does not count. */
function isEqual(left: Json, right: Json, countWork: CountWork): boolean {
  countWork(itemWork + (typeof left === 'string' && typeof right === 'string' && left.length === right.length ? left.length : 0));
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (isList(left) || isList(right)) {
    return (
      isList(left) &&
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index] ?? null, countWork))
    );
  }
  const entries = Object.entries(left);
  countWork(entries.length * itemWork);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && isEqual(value, right[key] ?? null, countWork))
  );
}

/** Whether a text, a list or an object is empty. Other values, including null, are not. */
function isEmpty(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return (isList(value) ? value : Object.keys(value)).length === 0;
  return value === '';
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
