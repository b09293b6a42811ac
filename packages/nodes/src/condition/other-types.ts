/** Rules and cases that compare what is known with a constant of another type or shape: they never hold, or fail when they run. */
import {
  type CheckSurroundings,
  type ConfigProblem,
  isScopeName,
  isTemplate,
  type Json,
  kindOf,
  type ValueKind,
} from '@hilo/engine/contract';
import { equalsByValue, readAs } from './compare.ts';
import type { Rule } from './rule.ts';

type Steps = readonly (string | number)[];

const otherType = (message: string, at: Steps, fix?: ConfigProblem['fix']): ConfigProblem => ({
  code: 'OTHER_TYPE',
  severity: 'warning',
  message,
  at,
  hint: 'Compare with a value of the type of the variable, or convert the variable before.',
  ...(fix !== undefined && { fix }),
});

/** A value of a type, to read texts as. */
const zeros: { readonly [Kind in ValueKind]: Json } = { string: '', number: 0, boolean: false, object: {}, array: [] };

/** Whether a value of a type can equal a constant: by its value, where one of them is a text. Null is what nothing is known of. */
function canEqual(type: ValueKind, constant: Json): boolean {
  const kind = kindOf(constant);
  if (kind === type || constant === null) return true;
  if (type === 'string') return typeof constant !== 'object';
  return typeof constant === 'string' && readAs(zeros[type], constant) !== undefined;
}

/** Words that people write for yes and no. */
const meant = new Map<Json, boolean>([
  ...['yes', 'y', 'si', 'sí', 'sim', 'on', '1', 1].map((word) => [word, true] as const),
  ...['no', 'n', 'nao', 'não', 'off', '0', 0].map((word) => [word, false] as const),
]);

const show = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const names: { readonly [Kind in ValueKind]: string } = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** What is wrong with a constant that a variable or an expression is said to equal. */
export function checkEqual(source: string, constant: Json, at: Steps, around: CheckSurroundings): readonly ConfigProblem[] {
  if (typeof constant === 'string' && isTemplate(constant)) return [];
  const type = around.typeOf?.(source);
  if (type === undefined || canEqual(type, constant)) {
    const unfit = checkForm(source, constant, at, around);
    return unfit.length > 0 ? unfit : checkShape(source, constant, at, 'whole', around);
  }
  const value = type === 'boolean' ? meant.get(typeof constant === 'string' ? constant.toLowerCase() : constant) : undefined;
  const fix = value === undefined ? undefined : { label: `Compare with ${value}`, at, value };
  return [otherType(`${source} is ${names[type]}, and never equals ${show(constant)}`, at, fix)];
}

/** What is wrong with a constant for a text that is kept in one form, such as a day as `29/11/2026`. */
function checkForm(source: string, constant: Json, at: Steps, around: CheckSurroundings): readonly ConfigProblem[] {
  const form = typeof constant === 'string' ? around.formOf?.(source) : undefined;
  if (form === undefined || typeof constant !== 'string' || constant === '') return [];
  const meant = form.meant(constant);
  if (meant !== undefined && equalsByValue(meant, constant, () => undefined)) return [];
  const fix = meant === undefined ? undefined : { label: `Compare with "${meant}"`, at, value: meant };
  const message = `${source} is ${form.says}, and never ${show(constant)}${meant === undefined ? '' : `; write "${meant}"`}`;
  return [{ ...misread(message, at, 'Compare with a value as it is kept.'), ...(fix !== undefined && { fix }) }];
}

/** What is wrong with a constant that the functions of an expression never give: capitals behind `lower`, a month 12. */
function checkShape(source: string, constant: Json, at: Steps, how: 'whole' | 'part', around: CheckSurroundings): readonly ConfigProblem[] {
  const why = typeof constant === 'string' || typeof constant === 'number' ? around.explainNever?.(source, constant, how) : undefined;
  return why === undefined ? [] : [misread(`${source} may be meant otherwise: ${why}`, at, 'Compare with what the expression gives.')];
}

const misread = (message: string, at: Steps, hint: string): ConfigProblem => ({
  code: 'MISREAD_EXPRESSION',
  severity: 'warning',
  message,
  at,
  hint,
});

/** A left side that is a constant text, or has a blank around its expression, which makes a text of any value. */
export function checkCompared(source: Json, at: Steps): readonly ConfigProblem[] {
  if (typeof source !== 'string' || isScopeName(/^\$\w+/.exec(source)?.[0])) return [];
  if (!isTemplate(source))
    return [
      misread(
        `${show(source)} is this text itself, and always the same`,
        at,
        'Write a variable as $context.name, an expression in braces: {{lower($context.name)}}.',
      ),
    ];
  return /^\s+\{\{[^{}]*\}\}\s*$|^\s*\{\{[^{}]*\}\}\s+$/.test(source.slice(0, 1_000))
    ? [
        misread(
          `${show(source)} has a blank beside its expression, which makes a text with that blank of any value`,
          at,
          'Remove the blank.',
        ),
      ]
    : [];
}

/** What is wrong with an operation on a variable of a type, in words; `undefined` where it may hold. */
function describe(op: string, type: ValueKind, right: Json): string | undefined {
  switch (op) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (type === 'string')
        return typeof right === 'number' ? `a text: where it is that of no number, the comparison with ${show(right)} fails` : undefined;
      return type === kindOf(right) ? undefined : `${names[type]}, and has no order with ${show(right)}`;
    case 'startsWith':
    case 'endsWith':
      return type === 'object' || type === 'array' ? `${names[type]}, and no text` : undefined;
    case 'contains':
      return type === 'object' ? `${names[type]}: only texts and lists contain something` : undefined;
    case 'empty':
      return type === 'number' || type === 'boolean' ? `${names[type]}, which is never empty` : undefined;
    case 'isType':
      return type === right || right === 'null' ? undefined : `${names[type]}, and never of the type ${show(right)}`;
    default:
      return undefined;
  }
}

/** The warnings of a rule, at its place in the config. */
export function checkRule(rule: Rule, at: Steps, around: CheckSurroundings): readonly ConfigProblem[] {
  switch (rule.op) {
    case 'all':
    case 'any':
      return rule.rules.flatMap((inner, index) => checkRule(inner, [...at, 'rules', index], around));
    case 'not':
      return checkRule(rule.rule, [...at, 'rule'], around);
    case 'exists':
      return [];
    case 'expression': {
      const { source } = rule.expression;
      const type = typeof source === 'string' ? around.typeOf?.(source) : undefined;
      if (typeof source !== 'string' || type === undefined || type === 'boolean') return [];
      return [otherType(`${source} is ${names[type]}, and not true or false`, [...at, 'expression'])];
    }
    default:
      return [...checkCompared(rule.left.source, [...at, 'left']), ...checkSides(rule, at, around)];
  }
}

/** What is wrong with the right side of a rule that compares. */
function checkSides(rule: Comparing, at: Steps, around: CheckSurroundings): readonly ConfigProblem[] {
  const { source } = rule.left;
  if (typeof source !== 'string') return [];
  const right = !('right' in rule) ? null : typeof rule.right === 'string' ? rule.right : rule.right.source;
  if (rule.op !== 'isType' && typeof right === 'string' && isTemplate(right)) return [];
  const place = [...at, 'right'];
  if (rule.op === 'eq' || rule.op === 'neq') return checkEqual(source, right, place, around);
  if (rule.op === 'in')
    return Array.isArray(right) ? right.flatMap((item: Json, index) => checkEqual(source, item, [...place, index], around)) : [];
  if (rule.op === 'contains' || rule.op === 'startsWith' || rule.op === 'endsWith') {
    const unfit = checkShape(source, right, place, 'part', around);
    if (unfit.length > 0) return unfit;
  }
  if (isOrder(rule.op)) {
    const unfit = checkForm(source, right, place, around);
    if (unfit.length > 0) return unfit;
  }
  const type = around.typeOf?.(source);
  const wrong = type === undefined ? undefined : describe(rule.op, type, right);
  return wrong === undefined ? [] : [otherType(`${source} is ${wrong}`, 'right' in rule ? place : [...at, 'left'])];
}

const isOrder = (op: string): boolean => op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte';

/** A rule with a left side. */
type Comparing =
  Extract<Rule, { readonly left: unknown }> extends infer Found ? (Found extends { readonly op: 'exists' } ? never : Found) : never;
