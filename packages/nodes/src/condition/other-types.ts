/** Rules and cases that compare a variable whose type is known with a constant of another type: they never hold, or fail when they run. */
import { type CheckSurroundings, type ConfigProblem, isTemplate, type Json, kindOf, type ValueKind } from '@hilo/engine/contract';
import { readAs } from './compare.ts';
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

/** What is wrong with a constant that a variable is said to equal. */
export function checkEqual(name: string, type: ValueKind | undefined, constant: Json, at: Steps): readonly ConfigProblem[] {
  if (type === undefined || (typeof constant === 'string' && isTemplate(constant)) || canEqual(type, constant)) return [];
  const value = type === 'boolean' ? meant.get(typeof constant === 'string' ? constant.toLowerCase() : constant) : undefined;
  const fix = value === undefined ? undefined : { label: `Compare with ${value}`, at, value };
  return [otherType(`${name} is ${names[type]}, and never equals ${show(constant)}`, at, fix)];
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
export function checkRule(rule: Rule, at: Steps, typeOf: CheckSurroundings['typeOf']): readonly ConfigProblem[] {
  switch (rule.op) {
    case 'all':
    case 'any':
      return rule.rules.flatMap((inner, index) => checkRule(inner, [...at, 'rules', index], typeOf));
    case 'not':
      return checkRule(rule.rule, [...at, 'rule'], typeOf);
    case 'exists':
    case 'expression':
      return [];
    default: {
      const { source } = rule.left;
      const type = typeof source === 'string' ? typeOf?.(source) : undefined;
      if (type === undefined || typeof source !== 'string') return [];
      const right = !('right' in rule) ? null : typeof rule.right === 'string' ? rule.right : rule.right.source;
      if (rule.op !== 'isType' && typeof right === 'string' && isTemplate(right)) return [];
      const place = [...at, 'right'];
      if (rule.op === 'eq' || rule.op === 'neq') return checkEqual(source, type, right, place);
      if (rule.op === 'in')
        return Array.isArray(right) ? right.flatMap((item: Json, index) => checkEqual(source, type, item, [...place, index])) : [];
      const wrong = describe(rule.op, type, right);
      return wrong === undefined ? [] : [otherType(`${source} is ${wrong}`, 'right' in rule ? place : [...at, 'left'])];
    }
  }
}
