import type { Json } from '../../contract/json.ts';
import type { Path } from '../../variables/path.ts';
import { dateWork, type Evaluation, spend, wrong } from '../evaluation.ts';
import { parseTimestamp } from '../time.ts';
import { type Kind, kindOf, type Value, type ValueOfKind } from '../value.ts';

/** A function of the language. `f(a, b)` and `a.f(b)` are the same call. */
export interface LanguageFunction {
  readonly name: string;
  readonly group: FunctionGroup;
  /** Its call as the documentation has it: `slice(text|list, number, number?)`. */
  readonly form: string;
  readonly parameters: readonly Parameter[];
  readonly gives: StaticKind;
  /** One sentence for authors. */
  readonly says: string;
  readonly examples: Examples;
  /** The source of defaults, such as the time zone. */
  readonly reads?: readonly Path[];
  /** Why no call with these literal texts can succeed; each at the index of its argument. */
  readonly refuses?: Refuses;
  /** Calls it with values that fit its parameters. */
  call(evaluation: Evaluation, values: readonly Value[]): Value | undefined;
}

export type Refuses = (literals: readonly (string | undefined)[]) => string | undefined;
export type FunctionGroup = 'texts' | 'numbers' | 'lists' | 'objects' | 'time' | 'bytes' | 'conversions';
/** Expressions over nothing, and what they come to: the documentation shows them, and a test runs them. */
export type Examples = { readonly [source: string]: Json };

/** The statically known kind, or `any`. */
export type StaticKind = Kind | 'any';

/** One argument of a call. */
export interface Parameter {
  /** Kinds that fit; every kind when left out. */
  readonly kinds?: ReadonlySet<string>;
  readonly isOptional: boolean;
  /** Whether any number of values may follow. */
  readonly isRest: boolean;
}

type Argument<Text extends string> = Text extends `${infer Inner}?`
  ? Argument<Inner> | undefined
  : Text extends `${infer First}|${infer Rest}`
    ? Argument<First> | Argument<Rest>
    : Text extends Kind
      ? ValueOfKind[Text]
      : Text extends 'any'
        ? Value
        : never;

type Arguments<Texts extends readonly string[]> = Texts extends readonly [...infer Head extends readonly string[], `${infer Rest}...`]
  ? [...Arguments<Head>, ...Argument<Rest>[]]
  : { [Index in keyof Texts]: Argument<Texts[Index]> };

/** The parameters that a signature has between its brackets. */
type ParametersOf<Signature extends string> = Signature extends `${string}(${infer Texts}): ${string}` ? Listed<Texts> : never;
type Listed<Texts extends string> = Texts extends `${infer First}, ${infer Rest}` ? [First, ...Listed<Rest>] : [Texts];

/**
 * Functions of one group, each by its signature as the documentation has it, which defines the types of its values:
 * `slice(text|list, number, number?): any`.
 */
export const createDefiner =
  (group: FunctionGroup) =>
  <const Signature extends `${string}(${string}): ${StaticKind}`>(
    signature: Signature,
    says: string,
    examples: Examples,
    run: (evaluation: Evaluation, ...values: Arguments<ParametersOf<Signature>>) => Value | undefined,
    more?: Pick<LanguageFunction, 'reads' | 'refuses'>,
  ): LanguageFunction => {
    const [form, gives] = signature.split(': ') as [string, StaticKind]; // that is its type
    const [name = '', parameters = ''] = form.slice(0, -1).split('(');
    return {
      name,
      group,
      form,
      parameters: parameters.split(', ').map(parseParameter),
      gives,
      says,
      examples,
      ...more,
      // The values were compared with the parameters, of which `Arguments` is the type.
      call: (evaluation, values) => run(evaluation, ...(values as Arguments<ParametersOf<Signature>>)),
    };
  };

function parseParameter(text: string): Parameter {
  const kinds = text.replace(/\?$|\.\.\.$/, '');
  return {
    ...(kinds === 'any' ? {} : { kinds: new Set(kinds.split('|')) }),
    isOptional: text.endsWith('?'),
    isRest: text.endsWith('...'),
  };
}

/** The parameter that a value in some place of a call is for. */
export const getParameter = ({ parameters }: LanguageFunction, index: number): Parameter | undefined =>
  parameters[index] ?? (parameters.at(-1)?.isRest === true ? parameters.at(-1) : undefined);

/** Whether a call with these kinds can succeed for some values. */
export function takesKinds(definition: LanguageFunction, kinds: readonly StaticKind[]): boolean {
  const least = definition.parameters.filter(({ isOptional, isRest }) => !isOptional && !isRest).length;
  return kinds.length >= least && kinds.every((kind, index) => fitsKind(getParameter(definition, index), kind));
}

function fitsKind(parameter: Parameter | undefined, kind: StaticKind): boolean {
  if (parameter === undefined) return false;
  const { kinds } = parameter;
  return kind === 'any' || kinds === undefined || kinds.has(kind) || (kind === 'text' && kinds.has('timestamp'));
}

/** A value as a parameter needs it: a saved timestamp is a text, and is accepted as a timestamp. `undefined` when it does not fit. */
export function fitValue(evaluation: Evaluation, parameter: Parameter | undefined, value: Value): Value | undefined {
  const kinds = parameter?.kinds;
  if (kinds === undefined || kinds.has(kindOf(value))) return value;
  return kinds.has('timestamp') ? readTimestamp(evaluation, value) : undefined;
}

/** A value as the timestamp that it is or was saved from. */
export function readTimestamp(evaluation: Evaluation, value: Value): Value | undefined {
  if (typeof value !== 'string') return undefined;
  spend(evaluation, dateWork);
  return parseTimestamp(value);
}

/** Fails for an invalid position. */
export const wholeNumber = (evaluation: Evaluation, value: number, what: string): number | undefined =>
  Number.isSafeInteger(value) ? value : wrong(evaluation, `${what} must be a whole number, not ${value}`);
