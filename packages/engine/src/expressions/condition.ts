// A condition over the values of one thing, such as a contact: compiled once, asked of very many, and with what a database may sort out first.
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Variables } from '../contract/variables.ts';
import type { Path } from '../variables/path.ts';
import { compile, type KindOfVariable } from './compile.ts';
import { beginEvaluation, maxWork } from './evaluation.ts';
import { compileExpression, inferKind } from './expression.ts';
import { type Node, parse, scopePrefix } from './parse.ts';
import { inspect, readPath } from './reads.ts';
import type { Value } from './value.ts';

/** A comparison that must hold for the whole condition to be true. */
export interface Bound {
  readonly path: Path;
  readonly symbol: '==' | '<' | '<=' | '>' | '>=' | 'in';
  /** What the path is compared with, where that is a constant in JSON. With `in` it is what a list at the path must have. */
  readonly value: string | number | boolean | undefined;
}

/** A compiled condition. */
export interface Condition {
  /** Whether it is true; false where a value that it needs is missing or of another kind. */
  (variables: Variables): boolean;
  /** Every path that it reads. */
  readonly paths: readonly Path[];
  /** Comparisons without which it cannot be true: a database may leave out what does not meet them. */
  readonly bounds: readonly Bound[];
}

/**
 * Compiles a condition.
 *
 * @param kindOfVariable - the kinds of values by path; a comparison of kinds that never match is refused
 * @throws {HiloError} `EXPRESSION` for what cannot be compiled, or can never be true or false
 */
export function compileCondition(source: string, kindOfVariable: KindOfVariable): Condition {
  const evaluate = compileExpression(source);
  const inferred = inferKind(source, kindOfVariable);
  const fail = (reason: string): never => {
    throw new HiloError('EXPRESSION', { source: source.trim().slice(0, 200), reason });
  };
  if ('reason' in inferred) return fail(inferred.reason);
  if (inferred.kind !== 'bool' && inferred.kind !== 'any') return fail(`it gives a ${inferred.kind}; a condition is true or false`);
  const holds = (variables: Variables): boolean => {
    try {
      return evaluate(variables) === true;
    } catch (error) {
      if (isHiloError(error, 'EXPRESSION')) return false;
      throw error;
    }
  };
  return Object.assign(holds, { paths: evaluate.reads.map(({ path }) => path), bounds: findBounds(parse(source.trim())) });
}

const mirrored = { '==': '==', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
type Compared = keyof typeof mirrored;
const isCompared = (op: string): op is Compared => Object.hasOwn(mirrored, op);

function findBounds(node: Node): readonly Bound[] {
  if (node.op === '&&') return node.args.flatMap(findBounds);
  if (node.op === 'in') {
    const [left, right] = node.args;
    const path = findScopePath(right);
    return path === undefined ? [] : [{ path, symbol: 'in', value: findConstant(left) }];
  }
  if (!isCompared(node.op)) return [];
  const [left, right] = node.args as readonly [Node, Node];
  const [leftPath, rightPath] = [findScopePath(left), findScopePath(right)];
  return [
    ...(leftPath === undefined ? [] : [{ path: leftPath, symbol: node.op, value: findConstant(right) }]),
    ...(rightPath === undefined ? [] : [{ path: rightPath, symbol: mirrored[node.op], value: findConstant(left) }]),
  ];
}

/** The path of a variable that must be there, from its scope on. */
function findScopePath(node: Node): Path | undefined {
  const { path: [root, ...steps] = [], optionalFrom = 0 } = readPath(node) ?? {};
  const isVariable = typeof root === 'string' && root.startsWith(scopePrefix) && root !== `${scopePrefix}now`;
  return isVariable && optionalFrom > steps.length ? [`$${root.slice(scopePrefix.length)}`, ...steps] : undefined;
}

/** The value of a part that reads nothing, where it is JSON. */
function findConstant(node: Node): string | number | boolean | undefined {
  const { reads, isTimed } = inspect(node);
  if (reads.length > 0 || isTimed) return undefined;
  const value: Value | undefined = compile(node).run(beginEvaluation('', { get: () => undefined }, maxWork));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
