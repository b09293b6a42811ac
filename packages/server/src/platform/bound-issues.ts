// Bounds what a schema costs for wrong values: zod makes an issue of each item of a list before it looks at the length of the list, and 49,000
// wrong ones held the loop for 0.2 s to 4 s, and made answers of 8 MB. A list or record is left after so many issues, since no answer shows more.
import type { z } from 'zod';

/** Issues of one list that are looked for: somewhat more than a refusal shows. */
const maxIssues = 250;
/** Shorter lists are left to zod. */
const shortest = 256;

type Schema = z.core.$ZodType;
type Run = Schema['_zod']['run'];

const bounded = new WeakSet<Schema>();

/** The same schema, whose lists and records stop at 250 issues; what fits is read as before. */
export function boundIssues<Given extends Schema>(schema: Given): Given {
  if (!bounded.has(schema)) {
    bounded.add(schema);
    boundParts(schema as Schema as z.core.$ZodTypes);
  }
  return schema;
}

/** The parts of a schema, and the schema itself where it is of a list. What is made lazily is JSON of any kind, which is never wrong. */
function boundParts(schema: z.core.$ZodTypes): void {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      for (const field of Object.values(def.shape)) boundIssues(field);
      return;
    case 'array':
      boundIssues(def.element);
      schema._zod.run = stopEarly(schema._zod.run, def.element, readList);
      return;
    case 'record':
      boundIssues(def.valueType);
      schema._zod.run = stopEarly(schema._zod.run, def.valueType, readRecord);
      return;
    case 'tuple':
      for (const item of def.items) boundIssues(item);
      return;
    case 'union':
      for (const option of def.options) boundIssues(option);
      return;
    case 'intersection':
      for (const side of [def.left, def.right]) boundIssues(side);
      return;
    case 'pipe':
      for (const side of [def.in, def.out]) boundIssues(side);
      return;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      boundIssues(def.innerType);
      return;
    default:
  }
}

interface Items {
  readonly all: readonly unknown[];
  /** The value with only the first of its items. */
  readonly first: (count: number) => unknown;
}

function readList(value: unknown): Items | undefined {
  if (!Array.isArray(value)) return undefined;
  const all: readonly unknown[] = value;
  return { all, first: (count) => all.slice(0, count) };
}

const readRecord = (value: unknown): Items | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { all: Object.values(value), first: (count) => Object.fromEntries(Object.entries(value).slice(0, count)) }
    : undefined;

function stopEarly(run: Run, item: Schema, read: (value: unknown) => Items | undefined): Run {
  return (payload, context) => {
    const items = read(payload.value);
    if (items === undefined || items.all.length < shortest) return run(payload, context);
    let issues = 0;
    for (const [index, value] of items.all.entries()) {
      const judged = item._zod.run({ value, issues: [] }, context);
      if (judged instanceof Promise) return run(payload, context);
      issues += countIssues(judged.issues);
      if (issues > maxIssues) {
        payload.value = items.first(index + 1);
        return run(payload, context);
      }
    }
    return run(payload, context);
  };
}

/** A value that fits no alternative is one issue that holds those of each. */
const countIssues = (issues: readonly z.core.$ZodRawIssue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'invalid_union' ? 1 + issue.errors.flat().length : 1), 0);
