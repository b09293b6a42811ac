import type { Json } from '../contract/json.ts';
import type { Variables } from '../contract/variables.ts';
import type { Comprehension, Part, VariableRead } from './reads.ts';

/** What one operator costs beside what it works on: the unit is about what a character of a text costs, some 5 ns. */
const nodeWork = 30;
const keyWork = 60;
const itemWork = 5;

/**
 * How much work list operations can be over these values, at most (P20): each item meets all of the body, and all of what
 * the body looks at. A list that an expression makes has no more items, and no bigger ones, than what it is made of.
 */
export function comprehensionWork(comprehensions: readonly Comprehension[], variables: Variables): number {
  const weigh = ({ reads }: Part): number => weightOfReads(reads, variables);
  let work = 0;
  for (const { source, isPath, body } of comprehensions) {
    const made = isPath ? 0 : weigh(source);
    const items = isPath ? sizeOf(variables.get(source.reads[0]?.path ?? [])) : made + source.nodes;
    work += items * (body.nodes * nodeWork + weigh(body) + made);
  }
  return work;
}

/** What it costs to look once at all that is read, each time that it is. */
export const weightOfReads = (reads: readonly VariableRead[], variables: Variables): number =>
  reads.reduce((sum, { path }) => sum + weightOf(variables.get(path)), 0);

const sizeOf = (value: Json | undefined): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0);

/** What it costs to look at all of a value once. */
function weightOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? itemWork : keyWork;
  return Object.values<Json>(value).reduce<number>((sum, inner) => sum + own + weightOf(inner), 0);
}
