// Texts and JSON with expressions in them: compiled once, with their canvas.
import { HiloError, isHiloError } from '../contract/errors.ts';
import { type Json, kindOf, type ValueKind } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { isScopeName, type Variables } from '../contract/variables.ts';
import { type Bounds, measure, unbounded } from '../variables/measure.ts';
import { tooMuchInAll } from './evaluation.ts';
import { type AddressCall, createAddress, findAddressCall } from './address.ts';
import type { KindOfVariable } from './compile.ts';
import { compileExpression, type Evaluated, type Expression, inferKind } from './expression.ts';
import type { CallbackUse, PatternUse, RawUse, VariableRead } from './reads.ts';

/** A text with values in place of its `{{ … }}`. Values are never evaluated again. */
export type TextTemplate = Evaluated<string, string> & Addressed;

/** Any JSON with templates in its texts. A text that is one single expression keeps the type of its value. */
export type JsonTemplate = Evaluated<Json, Json> & Addressed;

/** What a template with addresses in it also has. */
interface Addressed {
  /** Its calls of `raw`, which insert a value into an address as it is; left out where there is none. */
  readonly raws?: readonly RawUse[];
}

/** Whether the text at a place inside a value is an address: see {@link compileAddress}. */
export type IsAddress = (at: ValuePath) => boolean;

/** Text as it is, or an expression. */
type Part = string | Expression;
/** The steps to a text inside a value. */
export type ValuePath = readonly (string | number)[];

/** Compiles a text with expressions in it. @throws {HiloError} `EXPRESSION` for one that cannot be compiled */
export const compileText = (source: string): TextTemplate => compileParts(source, split(source));

function compileParts(source: string, parts: readonly Part[]): TextTemplate {
  const [only] = parts;
  const render =
    parts.length <= 1 && typeof only !== 'function'
      ? () => source
      : (variables: Variables) => {
          let text = '';
          for (let index = 0; index < parts.length; index += 1) {
            const part = parts[index] as Part;
            text += typeof part === 'string' ? part : formatText(part(variables));
            if (text.length > limits.renderedBytes) throw tooLong(source);
          }
          if (variables.spend?.(text.length) === false) throw refusal(source, tooMuchInAll);
          return text;
        };
  const expressions = parts.filter((part) => typeof part !== 'string');
  return Object.assign(render, {
    source,
    reads: expressions.flatMap(({ reads }) => reads),
    patterns: expressions.flatMap(({ patterns }) => patterns),
    ...someCallbacks(expressions.flatMap(({ callbacks = [] }) => callbacks)),
  });
}

/**
 * Compiles the address of something on the web. What an expression gives behind the origin is one segment of the path, one name or value of
 * the query, or the fragment, percent-encoded, whatever characters it has: a user's text cannot reach another path. An expression that makes
 * the whole address, or its beginning, is inserted as it is; `raw(…)` and `encodeURIComponent(…)` around one are, too.
 *
 * @throws {HiloError} `EXPRESSION` for one that cannot be compiled
 */
export function compileAddress(source: string): TextTemplate {
  const parts = split(source);
  if (parts.length <= 1) return compileParts(source, parts);
  const calls = parts.map((part): AddressCall => (typeof part === 'string' ? undefined : findAddressCall(part.source)));
  const render = (variables: Variables): string => {
    const address = createAddress((reason) => {
      throw refusal(source, `the address cannot be made: ${reason}`);
    });
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') address.append(part);
      else {
        const value = part(variables);
        address.insert(value, formatText(value), calls[index]);
      }
    }
    const text = address.finish();
    if (variables.spend?.(text.length) === false) throw refusal(source, tooMuchInAll);
    return text;
  };
  const { reads, patterns, callbacks = [] } = compileParts(source, parts);
  const raws = parts.flatMap((part, index) => (typeof part !== 'string' && calls[index] === 'raw' ? [{ reads: part.reads }] : []));
  return Object.assign(render, { source, reads, patterns, ...(raws.length > 0 && { raws }), ...someCallbacks(callbacks) });
}

/** What a template with calls of `resumeUrl` in it also has. */
const someCallbacks = (callbacks: readonly CallbackUse[]): Pick<TextTemplate, 'callbacks'> => (callbacks.length === 0 ? {} : { callbacks });

/**
 * Compiles a value with expressions in its texts.
 *
 * @param isAddress - which texts are addresses; none, when left out
 * @throws {HiloError} `EXPRESSION` for an expression that cannot be compiled
 */
export function compileJson(source: Json, isAddress?: IsAddress): JsonTemplate {
  const template = compileValue(source, [], isAddress);
  if (typeof source !== 'object' || template.reads.length === 0) return template;
  const render = (variables: Variables): Json => {
    const value = template(variables);
    if (measure(value, rendered).kind === 'refused') throw tooLong(JSON.stringify(source));
    return value;
  };
  const { reads, patterns, raws, callbacks = [] } = template;
  return Object.assign(render, { source, reads, patterns, ...(raws !== undefined && { raws }), ...someCallbacks(callbacks) });
}

const rendered: Bounds = { ...unbounded, bytes: limits.renderedBytes };

/** The error for an expression. */
const refuse = (expression: string, reason: string): HiloError<'EXPRESSION'> =>
  new HiloError('EXPRESSION', { source: expression.trim().slice(0, 60), reason });
/** The error for a whole text, which names its first expression. */
const refusal = (source: string, reason: string): HiloError<'EXPRESSION'> => {
  const [from, to] = [source.indexOf('{{') + 2, source.indexOf('}}', source.indexOf('{{') + 2)];
  return refuse(from > 1 && to > from ? source.slice(from, to) : source, reason);
};
const tooLong = (source: string): HiloError => refusal(source, `with its values it has more than ${limits.renderedBytes} bytes`);

function compileValue(source: Json, at: ValuePath, isAddress: IsAddress | undefined): JsonTemplate {
  if (typeof source === 'string') {
    const parts = split(source);
    if (parts.length > 1 && isAddress?.(at) === true) return compileAddress(source);
    const [only] = parts;
    if (typeof only !== 'function' || parts.length > 1) return compileParts(source, parts);
    return Object.assign((variables: Variables) => only(variables), {
      source,
      reads: only.reads,
      patterns: only.patterns,
      ...someCallbacks(only.callbacks ?? []),
      ...(only.asked && { asked: only.asked }),
    });
  }
  if (typeof source !== 'object' || source === null) return constant(source);
  if (Array.isArray(source)) {
    const items = source.map((item: Json, index) => compileValue(item, [...at, index], isAddress));
    const render = (variables: Variables) => items.map((item) => item(variables));
    return compileParent(source, [...items.entries()], render);
  }
  const entries = Object.entries(source).map(([key, value]) => [key, compileValue(value, [...at, key], isAddress)] as const);
  return compileParent(source, entries, (variables) => Object.fromEntries(entries.map(([key, value]) => [key, value(variables)])));
}

/** An invalid expression, and the place of its text inside a value. */
export interface Fault {
  readonly at: ValuePath;
  readonly error: HiloError<'EXPRESSION'>;
}

/** Finds every expression in the texts of a value that cannot be compiled. */
export function findFaults(source: Json, at: ValuePath = []): readonly Fault[] {
  if (typeof source === 'string') {
    const faults: Fault[] = [];
    split(source, (error) => void faults.push({ at, error }));
    return faults;
  }
  if (typeof source !== 'object' || source === null) return [];
  if (Array.isArray(source)) return source.flatMap((item: Json, index) => findFaults(item, [...at, index]));
  return Object.entries(source).flatMap(([key, item]) => findFaults(item, [...at, key]));
}

/**
 * Compiles the expressions in the texts of a value, a text at a time, so that the caller can give way in between.
 *
 * @param into - gets those that can be compiled, by their source
 */
export function* compileEach(source: Json, into: Map<string, Expression>): Generator<void> {
  if (typeof source === 'string') {
    if (!source.includes('{{')) return;
    for (const part of split(source, () => {})) if (typeof part !== 'string') into.set(part.source, part);
    yield;
  } else if (typeof source === 'object' && source !== null) {
    for (const item of Object.values<Json>(source)) yield* compileEach(item, into);
  }
}

/** A text with what is written around its expressions changed; the expressions stay as they are. */
export function mapAround(source: string, change: (text: string) => string): string {
  let changed = '';
  let from = 0;
  for (;;) {
    const open = source.indexOf('{{', from);
    const close = open < 0 ? -1 : findClosing(source, open + 2);
    if (close < 0) return changed + change(source.slice(from));
    changed += change(source.slice(from, open)) + source.slice(open, close + 2);
    from = close + 2;
  }
}

/** Whether a text contains an expression, valid or not. */
export function isTemplate(text: string): boolean {
  const open = text.indexOf('{{');
  return open >= 0 && (findClosing(text, open + 2) >= 0 || isUnclosed(text, open + 2));
}

/** Whether a value is a text that is one single expression, which may have a value of any type. */
export const isExpression = (value: Json): value is string =>
  typeof value === 'string' && value.startsWith('{{') && findClosing(value, 2) === value.length - 2;

const constant = (source: Json): JsonTemplate => Object.assign(() => source, { source, reads: [], patterns: [] });

const compileParent = (
  source: Json,
  inner: readonly (readonly [string | number, JsonTemplate])[],
  render: (variables: Variables) => Json,
): JsonTemplate => {
  const reads = inner.flatMap(([step, item]) => item.reads.map((read) => prefixPlace(step, read)));
  const patterns = inner.flatMap(([step, item]) => item.patterns.map((pattern) => prefixPlace(step, pattern)));
  const isConstant = reads.length === 0 && !JSON.stringify(source).includes('{{');
  const raws = inner.flatMap(([step, item]) => (item.raws ?? []).map((raw) => prefixPlace(step, raw)));
  const callbacks = inner.flatMap(([step, item]) => (item.callbacks ?? []).map((use) => prefixPlace(step, use)));
  return isConstant
    ? constant(source)
    : Object.assign(render, { source, reads, patterns, ...(raws.length > 0 && { raws }), ...someCallbacks(callbacks) });
};

/** Prefixes the place of a finding with the step to the value that it is in. */
const prefixPlace = <Found extends { readonly at?: readonly (string | number)[] }>(step: string | number, found: Found) => ({
  ...found,
  at: [step, ...(found.at ?? [])],
});

/** The text of a value inside a longer text: texts unchanged, null as the empty text, the rest as JSON. */
const formatText = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/**
 * Splits a text into texts and compiled expressions. `{{` without its `}}` is text, since pasted JSON often has such braces; but before a
 * variable, or with a `}}` in a quote that has no end, it is reported, so that no user receives it.
 *
 * @param onFault - called with the error of each expression that cannot be compiled, which is then left out; throws it by default
 */
function split(
  source: string,
  onFault = (error: HiloError<'EXPRESSION'>): void => {
    throw error;
  },
): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (;;) {
    const open = source.indexOf('{{', from);
    const close = open < 0 ? -1 : findClosing(source, open + 2);
    if (close < 0) {
      if (open >= 0 && isUnclosed(source, open + 2)) onFault(refuse(source.slice(open + 2), unclosed));
      break;
    }
    if (open > from) parts.push(source.slice(from, open));
    try {
      parts.push(compileExpression(source.slice(open + 2, close)));
    } catch (error) {
      if (!isHiloError(error, 'EXPRESSION')) throw error;
      onFault(error);
    }
    from = close + 2;
  }
  if (from < source.length) parts.push(source.slice(from));
  return parts;
}

/** Whether `{{` begins an expression whose end is missing: a variable follows, or a `}}` inside an open quote or bracket. */
const isUnclosed = (source: string, from: number): boolean =>
  isScopeName(/^\s*(\$\w+)/.exec(source.slice(from, from + 30))?.[1]) || source.includes('}}', from);

const unclosed = 'the "}}" at its end is missing, or a quote or a bracket in it has no end';

/** The index of the `}}` that ends an expression, past quotes, comments and inner braces; -1 when there is none. */
function findClosing(source: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let index = from; index < source.length; index += 1) {
    const char = source[index];
    if (quote !== '') {
      if (char === '\\') index += 1;
      else if (source.startsWith(quote, index)) {
        index += quote.length - 1;
        quote = '';
      }
    } else if (char === '"' || char === "'") {
      quote = source.startsWith(char.repeat(3), index) ? char.repeat(3) : char;
      index += quote.length - 1;
    } else if (source.startsWith('//', index)) index = findCommentEnd(source, index) - 1;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      if (depth === 0 && source[index + 1] === '}') return index;
      depth -= 1;
    }
  }
  return -1;
}

/**
 * The index of what ends a comment: a line break, or the `}}` of the expression that it is in. Nothing behind that is looked at: a text
 * may have a comment every few characters.
 */
function findCommentEnd(source: string, from: number): number {
  let end = from;
  while (end < source.length && source[end] !== '\n' && !source.startsWith('}}', end)) end += 1;
  return end;
}

/** A finding with the place of its text inside a parsed config. */
export type Located<Found> = Found & { readonly at: ValuePath };

/** Every read of every template inside a parsed config. */
export const findReads = (config: unknown): readonly Located<VariableRead>[] => collect<VariableRead>(config, 'reads');

/** Every literal pattern of `like` in expressions of a parsed config. */
export const findPatterns = (config: unknown): readonly Located<PatternUse>[] => collect<PatternUse>(config, 'patterns');

/** Every text of every template inside a parsed config, with its place. */
export function findTexts(config: unknown, at: ValuePath = []): readonly { readonly text: string; readonly at: ValuePath }[] {
  if (typeof config === 'function') {
    const reads: unknown = Reflect.get(config, 'reads');
    const source: unknown = Reflect.get(config, 'source') ?? Reflect.get(config, 'authored');
    if (!Array.isArray(reads) || (typeof source === 'string' && reads.length > 0 && !isTemplate(source))) return [];
    return textsIn(source, at);
  }
  if (typeof config !== 'object' || config === null) return [];
  const inner: readonly (readonly [string | number, unknown])[] = Array.isArray(config) ? [...config.entries()] : Object.entries(config);
  return inner.flatMap(([step, value]) => findTexts(value, [...at, step]));
}

/** A text with a sign that nobody writes in place of each character of its expressions: what is left stands where it stood. */
export function blankExpressions(text: string): string {
  let rest = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    const close = findClosing(text, open + 2);
    if (close < 0) break;
    rest += text.slice(from, open) + '\0'.repeat(close + 2 - open);
    from = close + 2;
  }
  return rest + text.slice(from);
}

function textsIn(value: unknown, at: ValuePath): readonly { readonly text: string; readonly at: ValuePath }[] {
  if (typeof value === 'string') return [{ text: value, at }];
  if (typeof value !== 'object' || value === null) return [];
  const inner: readonly (readonly [string | number, unknown])[] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([step, item]) => textsIn(item, [...at, step]));
}

/** Every expression inside a parsed config, without its braces. */
export function findExpressions(config: unknown, at: ValuePath = []): readonly { readonly source: string; readonly at: ValuePath }[] {
  if (typeof config === 'function') {
    const reads: unknown = Reflect.get(config, 'reads');
    const source: unknown = Reflect.get(config, 'source') ?? Reflect.get(config, 'authored');
    if (!Array.isArray(reads)) return [];
    if (typeof source === 'string' && !isTemplate(source)) return reads.length === 0 ? [] : [{ source, at }];
    return textsIn(source, at).flatMap((text) => listExpressions(text.text).map((inner) => ({ source: inner, at: text.at })));
  }
  if (typeof config !== 'object' || config === null) return [];
  const inner: readonly (readonly [string | number, unknown])[] = Array.isArray(config) ? [...config.entries()] : Object.entries(config);
  return inner.flatMap(([step, value]) => findExpressions(value, [...at, step]));
}

/** The insides of the braces of a text that compiles. */
function listExpressions(text: string): readonly string[] {
  const found: string[] = [];
  for (let open = text.indexOf('{{'); open >= 0; ) {
    const close = findClosing(text, open + 2);
    if (close < 0) break;
    found.push(text.slice(open + 2, close));
    open = text.indexOf('{{', close + 2);
  }
  return found;
}

/** The kinds of JSON values by those of the language; a timestamp or a duration is kept as a text. */
const jsonKinds: { readonly [kind: string]: ValueKind | undefined } = {
  text: 'string',
  bool: 'boolean',
  list: 'array',
  number: 'number',
  object: 'object',
  timestamp: 'string',
  duration: 'string',
};

/** The kind of value that a template surely gives, with variables of these kinds; `undefined` where it may be of several, or null. */
export function kindOfTemplate(source: Json, kindOfVariable: KindOfVariable = () => 'any'): ValueKind | undefined {
  if (!isExpression(source)) return source === null ? undefined : (kindOf(source) as ValueKind);
  const inferred = inferKind(source.slice(2, -2), kindOfVariable);
  return 'kind' in inferred ? jsonKinds[inferred.kind] : undefined;
}

/** Every call of `resumeUrl` inside a parsed config. */
export const findCallbacks = (config: unknown): readonly Located<CallbackUse>[] => collect<CallbackUse>(config, 'callbacks');

/** Every call of `raw` in an address inside a parsed config. */
export const findRaws = (config: unknown): readonly Located<RawUse>[] => collect<RawUse>(config, 'raws');

function collect<Found extends { readonly at?: ValuePath }>(
  config: unknown,
  what: 'reads' | 'patterns' | 'raws' | 'callbacks',
  at: ValuePath = [],
): readonly Located<Found>[] {
  if (typeof config === 'function') {
    const found: unknown = Reflect.get(config, what);
    return Array.isArray(found) ? found.map((one: Found) => ({ ...one, at: [...at, ...(one.at ?? [])] })) : [];
  }
  if (typeof config !== 'object' || config === null) return [];
  if (Array.isArray(config)) return config.flatMap((item, index) => collect<Found>(item, what, [...at, index]));
  return Object.entries(config).flatMap(([key, value]) => collect<Found>(value, what, [...at, key]));
}
