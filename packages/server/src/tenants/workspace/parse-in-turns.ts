// Reads a workspace against its schema, the long lists of its companies part by part: others have their turn in between (P20). A workspace of
// 100,000 workflows held the loop for seconds where it was read at once.
import type { Problem } from '@hilo/engine/contract';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { parseShape } from './problems.ts';
import type { Workspace, WorkspaceSchema } from './schema.ts';

/** Longer lists are read in parts of this length, each in a turn of its own. */
const partLength = 100;
/** Problems of one list that are told: at most. */
const mostProblems = 250;

/** A list that was taken out of the workspace. */
interface LongList {
  readonly at: readonly [companies: 'companies', index: number, field: string];
  readonly items: readonly unknown[];
  /** The schema of an object with nothing but this list. */
  readonly schema: z.ZodObject;
}

/** The same as `parseShape` of the whole workspace. */
export async function parseWorkspaceShape(
  schema: WorkspaceSchema,
  input: object,
): Promise<{ readonly value?: Workspace; readonly problems: readonly Problem[] }> {
  const companies: unknown = Reflect.get(input, 'companies');
  if (!Array.isArray(companies) || companies.length <= partLength) return parsePart(schema, input, 0);
  const problems: Problem[] = [];
  const read: Workspace['companies'] = [];
  let first: Workspace | undefined;
  for (let start = 0; start < companies.length; start += partLength) {
    if (start > 0) await turn();
    const some = companies.slice(start, start + partLength);
    const part = await parsePart(schema, start === 0 ? { ...input, companies: some } : { companies: some }, start);
    for (const problem of part.problems) problems.push(problem);
    if (start === 0) first = part.value;
    for (const company of part.value?.companies ?? []) read.push(company);
  }
  return { problems, ...(read.length === companies.length && first !== undefined && { value: { ...first, companies: read } }) };
}

/** Reads a workspace whose companies are a part of those that are given. @param start - which of them is the first */
async function parsePart(
  schema: WorkspaceSchema,
  input: object,
  start: number,
): Promise<{ readonly value?: Workspace; readonly problems: readonly Problem[] }> {
  const long: LongList[] = [];
  const shape = parseShape(schema, takeLongListsOut(schema, input, long), [], ([list, index, ...rest]) => [
    ...(list === undefined ? [] : [list]),
    ...(typeof index === 'number' ? [index + start] : index === undefined ? [] : [index]),
    ...rest,
  ]);
  const problems = [...shape.problems];
  let isWhole = true;
  for (const { at, items, schema: ofList } of long) {
    const [, , field] = at;
    const read: unknown[] = [];
    const found: Problem[] = [];
    for (let from = 0; from < items.length && found.length < mostProblems; from += partLength) {
      await turn();
      const part = { [field]: items.slice(from, from + partLength) };
      const within = ['companies', at[1] + start];
      const parsed = parseShape(ofList, part, within, ([list, index, ...rest]) => [
        ...(list === undefined ? [] : [list]),
        ...(typeof index === 'number' ? [index + from] : []),
        ...rest,
      ]);
      found.push(...parsed.problems.slice(0, mostProblems - found.length));
      const values: unknown = parsed.value?.[field];
      if (Array.isArray(values)) for (const value of values) read.push(value);
      else isWhole = false;
    }
    problems.push(...found);
    const company = shape.value?.companies[at[1]];
    if (company !== undefined) Reflect.set(company, field, read); // of the schema of this very field
  }
  return { problems, ...(isWhole && shape.value !== undefined && { value: shape.value }) };
}

/** The workspace with empty lists in their place. */
function takeLongListsOut(schema: WorkspaceSchema, input: object, long: LongList[]): object {
  const companies: unknown = Reflect.get(input, 'companies');
  if (!Array.isArray(companies)) return input;
  const lists = new Map<string, z.core.$ZodType>(
    Object.entries(schema.shape.companies.element.shape).filter(([, field]) => isPlainList(field)),
  );
  const without = companies.map((company: unknown, index) => {
    if (typeof company !== 'object' || company === null || Array.isArray(company)) return company;
    const entries = Object.entries(company).map(([field, value]: [string, unknown]): readonly [string, unknown] => {
      const ofList = lists.get(field);
      if (ofList === undefined || !Array.isArray(value) || value.length <= partLength) return [field, value];
      const items: readonly unknown[] = value;
      long.push({ at: ['companies', index, field], items, schema: z.object({ [field]: ofList }) });
      return [field, []];
    });
    return Object.fromEntries(entries);
  });
  return { ...input, companies: without };
}

/** Whether the schema is of a list, which may be left out, and has no rule for the list as a whole. */
function isPlainList(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'default' || def.type === 'optional') return isPlainList(def.innerType);
  return def.type === 'array' && (def.checks ?? []).length === 0;
}
