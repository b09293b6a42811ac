// Expressions that compile and are most likely meant otherwise: they never hold, or do something else in silence.
import { foldText } from '../contract/folded-text.ts';
import { isScopeName } from '../contract/variables.ts';
import { parsePath } from '../variables/path.ts';
import { type Node, parse } from './parse.ts';
import { listArguments, listChildren } from './reads.ts';

/** What is likely meant otherwise, in a sentence for each; an expression of a user's language has at most a few. */
export function findMisread(node: Node, source = ''): readonly string[] {
  const found = new Set<string>();
  const comment = readComment(source);
  if (comment !== undefined) found.add(comment);
  walk(node, found);
  return [...found];
}

/** `$context.n // 2`: what is behind is a comment, and nothing is divided. */
function readComment(source: string): string | undefined {
  const parts = source.includes('//') ? source.slice(0, 4_096).split(/("[^"\\]*"|'[^'\\]*')/) : [];
  const isDivided = parts.some((part, index) => index % 2 === 0 && /\/\/ ?[\d$(]/.test(part));
  return isDivided ? '"//" begins a comment, and divides nothing: a whole quotient is int($context.n / 2)' : undefined;
}

function walk(node: Node, found: Set<string>): void {
  const said = [readText(node), readPosition(node), readDefault(node), readComparison(node), ...readCall(node)];
  for (const one of said) if (one !== undefined) found.add(one);
  for (const child of listChildren(node)) walk(child, found);
}

const textOf = (node: Node | undefined): string | undefined =>
  node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
const quote = (text: string): string => JSON.stringify(text.slice(0, 40));

/** A text in quotes that has braces, or is a variable, stays as it is. */
function readText(node: Node): string | undefined {
  const text = textOf(node);
  if (text === undefined) return undefined;
  if (/\{\{?\s{0,9}\$\w/.test(text)) return 'braces inside of quotes stay as they are: join texts by "+"';
  const path = text.startsWith('$') && text.length <= 200 ? parsePath(text) : undefined;
  const isVariable = path !== undefined && path.length > 1 && isScopeName(path[0]) && /^[\w$.[\]]+$/.test(text);
  return isVariable ? `${quote(text)} is this text itself: a variable has no quotes` : undefined;
}

/** `list[-1]`. */
const readPosition = (node: Node): string | undefined =>
  (node.op === '[]' || node.op === '[?]') && readLiteralNumber(node.args[1]) < 0
    ? 'positions count from 0, and there is none below: the last item is last(list)'
    : undefined;

const readLiteralNumber = (node: Node): number => {
  if (node.op === '-_') return -readLiteralNumber(node.args);
  return node.op === 'value' && (typeof node.args === 'bigint' || typeof node.args === 'number') ? Number(node.args) : Number.NaN;
};

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const joining: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '&&', '||']);

type Binary = Node & { readonly op: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%' | '&&' | '||' };
const isBinary = (node: Node): node is Binary => comparisons.has(node.op) || joining.has(node.op);

/** `$context.count ?? 0 + 1` takes `0 + 1` as the default, and never adds. */
function readDefault(node: Node): string | undefined {
  if (node.op !== 'call' || node.args[0] !== 'coalesce') return undefined;
  let inner = node.args[1][1];
  let operator: string | undefined;
  while (inner !== undefined && isBinary(inner)) {
    operator = inner.op;
    inner = inner.args[0];
  }
  if (operator === undefined || inner === undefined || !isDefault(inner, comparisons.has(operator))) return undefined;
  return `"??" binds weaker than "${operator}": what stands before "${operator}" belongs in brackets, as in ($context.n ?? 0) ${operator} …`;
}

/** Whether a literal is likely a default by itself: before a comparison any is, before another operator one that stands for nothing. */
function isDefault(node: Node, isCompared: boolean): boolean {
  if (node.op === 'list') return node.args.length === 0;
  if (node.op !== 'value') return false;
  return isCompared || typeof node.args === 'boolean' || node.args === '' || Number(node.args) === 0;
}

/** What a function always gives, so that another literal never equals it. */
interface Shape {
  readonly fits: (text: string) => boolean;
  readonly says: string;
  /** The same for a part of it, or for a beginning that it is compared with in their order; none fails, when left out. */
  readonly fitsPart?: (text: string) => boolean;
}

/** Letters of one case: as the whole is, so are its parts. */
const letters = (says: string, change: (text: string) => string): Shape => {
  const fits = (text: string): boolean => text === change(text);
  return { says, fits, fitsPart: fits };
};

const shapes: { readonly [name: string]: Shape | undefined } = {
  lower: letters('lower() gives small letters', (text) => text.toLowerCase()),
  fold: { fits: (text) => text === foldText(text), says: 'fold() gives small letters without accents, and no signs at the ends' },
  lowerAscii: letters('lowerAscii() gives small letters', (text) => text.replaceAll(/[A-Z]/g, '')),
  upper: letters('upper() gives capital letters', (text) => text.toUpperCase()),
  upperAscii: letters('upperAscii() gives capital letters', (text) => text.replaceAll(/[a-z]/g, '')),
  trim: { fits: (text) => text === text.trim(), says: 'trim() leaves no blanks at the ends' },
  date: {
    fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
    fitsPart: (text) => /^\d{4}(?:-\d\d){0,2}$/.test(text),
    says: 'date() gives a text such as "2026-12-01"',
  },
  time: {
    fits: (text) => /^\d\d:\d\d$/.test(text),
    fitsPart: (text) => /^\d\d(?::\d\d)?$/.test(text),
    says: 'time() gives a text such as "09:00"',
  },
};

/** Functions that keep what another one has given. */
const keeping: ReadonlySet<string> = new Set(['lower', 'lowerAscii', 'upper', 'upperAscii', 'trim']);

/** Numbers from the first to the last that a function gives. */
const ranges: { readonly [name: string]: readonly [first: number, last: number, says: string] | undefined } = {
  getMonth: [0, 11, 'getMonth() counts from 0 for January to 11 for December'],
  getDayOfWeek: [0, 6, 'getDayOfWeek() counts from 0 for Sunday to 6 for Saturday'],
  getDate: [1, 31, 'getDate() counts from 1 to 31'],
  getDayOfMonth: [0, 30, 'getDayOfMonth() counts from 0 to 30: getDate() counts from 1'],
};

/** The name of the function that a part calls, and what it is called with. */
const readCalled = (node: Node): { readonly name: string; readonly args: readonly Node[] } | undefined =>
  node.op === 'call' || node.op === 'rcall'
    ? { name: node.args[0], args: node.op === 'rcall' ? [node.args[1], ...listArguments(node)] : listArguments(node) }
    : undefined;

/** What a part always gives, as in `trim(lower(…))`. */
function listShapes(node: Node): readonly Shape[] {
  const called = readCalled(node);
  const shape = called === undefined ? undefined : shapes[called.name];
  if (called === undefined || shape === undefined) return [];
  const [inner] = called.args;
  const within = inner !== undefined && keeping.has(called.name) ? listShapes(inner) : [];
  return [shape, ...within.filter(({ fits, fitsPart }) => shape.fits !== shape.fitsPart || fits !== fitsPart)];
}

function readComparison(node: Node): string | undefined {
  if (!isBinary(node) || !comparisons.has(node.op)) return undefined;
  const [left, right] = node.args;
  if (node.op === 'in')
    return right.op === 'list' ? right.args.map((one) => compareConstant(left, constantOf(one), 'whole')).find(Boolean) : undefined;
  const how = node.op === '==' || node.op === '!=' ? 'whole' : 'part';
  return compareConstant(left, constantOf(right), how) ?? compareConstant(right, constantOf(left), how);
}

const constantOf = (node: Node): string | number => textOf(node) ?? readLiteralNumber(node);

/** Why what a part gives never is a constant; `how` is whether all of it must be, or it is compared in their order, or a part of it. */
function compareConstant(made: Node, constant: string | number, how: 'whole' | 'part'): string | undefined {
  if (typeof constant === 'string') {
    const unfit = listShapes(made).find(({ fits, fitsPart }) => (how === 'whole' ? !fits(constant) : fitsPart?.(constant) === false));
    return unfit === undefined ? undefined : `${unfit.says}, and never ${quote(constant)}`;
  }
  const range = ranges[readCalled(made)?.name ?? ''];
  return range !== undefined && (constant < range[0] || constant > range[1]) ? `${range[2]}, and never to ${constant}` : undefined;
}

/**
 * Why what an expression gives never equals a constant, or holds it; `undefined` where it may.
 *
 * @param source - of an expression, without its braces
 */
export function explainNever(source: string, constant: string | number, how: 'whole' | 'part'): string | undefined {
  try {
    const made = parse(source.trim());
    return how === 'whole' ? compareConstant(made, constant, how) : compareLetters(made, constant);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // which is a problem of its own
    throw error;
  }
}

/** Functions that look for their second argument as it stands. */
const plain: ReadonlySet<string> = new Set(['replace', 'split', 'contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf']);
/** Those whose text the second argument is looked for in. */
const searching: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'replace']);
/** Parts of a date or a time are any of their characters. */
const compareLetters = (made: Node, constant: string | number): string | undefined =>
  listShapes(made).some(({ fits, fitsPart }) => fits !== fitsPart) ? undefined : compareConstant(made, constant, 'part');

/** Whether a text is a regular expression of JavaScript: `/…/i`, and not a part of an address such as `/orders/`. */
const isDelimited = (text: string): boolean => text.startsWith('/') && /\/[dgimsuvy]{1,6}$|\$\/$/.test(text.slice(1));

/** Tokens of a pattern of times that Luxon has too, for something else: `dd/mm/yyyy` with minutes, `HH:MM` with the month. */
function readTimePattern(pattern: string): string | undefined {
  if (pattern.length > 100) return undefined;
  const tokens = pattern.replaceAll(/'[^']*'/g, ' ');
  if (/[dy][-/. ]mm?(?![a-zA-Z])|(?<![a-zA-Z])mm?[-/. ][dy]/.test(tokens))
    return '"mm" in a pattern are the minutes: the month is "MM", as in "dd/MM/yyyy"';
  if (/[Hh]:MM?(?![a-zA-Z])/.test(tokens)) return '"MM" in a pattern is the month: the minutes are "mm", as in "HH:mm"';
  if (/m ?tt?(?![a-zA-Z])/.test(tokens)) return '"t" in a pattern is the whole time: "a" is AM or PM, as in "h:mm a"';
  return /h:mm/.test(tokens) && !tokens.includes('a')
    ? '"h" in a pattern counts to 12: write "HH:mm", or "h:mm a" with AM or PM'
    : undefined;
}

function readCall(node: Node): readonly (string | undefined)[] {
  const called = readCalled(node);
  const text = textOf(called?.args[1]);
  if (called === undefined || text === undefined) return [];
  const { name, args } = called;
  if (name === 'format') return [readTimePattern(text)];
  const isPattern = name === 'like' || name === 'matches';
  return [
    isPattern && isDelimited(text)
      ? `the slashes of ${quote(text)} would be looked for: a pattern stands alone, and "(?i)" at its start ignores case`
      : undefined,
    isPattern && /^%|[A-Za-z]%$/.test(text)
      ? `"%" in ${quote(text)} is no wildcard: contains(), startsWith() and endsWith() look for a part`
      : undefined,
    plain.has(name) && (/\\[dDsSwW]|\[\^|\[(?:0-9|a-z|A-Z)/.test(text) || isDelimited(text))
      ? `${name}() takes ${quote(text)} as it stands, and no pattern: like() takes one, and a code node replaces by one`
      : undefined,
    searching.has(name) && args[0] !== undefined ? compareLetters(args[0], text) : undefined,
  ];
}
