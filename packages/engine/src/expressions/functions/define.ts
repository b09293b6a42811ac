import type { Json } from '../../contract/json.ts';
import type { Path } from '../../variables/path.ts';
import { dateWork, type Evaluation, spend, wrong } from '../evaluation.ts';
import { parseTimestamp } from '../time.ts';
import { type Kind, kindOf, type Value, type ValueOfKind } from '../value.ts';

/** A function of the language. `f(a, b)` and `a.f(b)` are the same call. */
export interface LanguageFunction {
  readonly name: string;
  readonly group: FunctionGroup;
  /** Its signature in the documentation: `slice(text|list, number, number?)`. */
  readonly form: string;
  readonly parameters: readonly Parameter[];
  /** The kind of its result. */
  readonly gives: StaticKind;
  /** Its description for authors, in one sentence. */
  readonly says: string;
  readonly examples: Examples;
  /** The variables that its defaults come from, such as the time zone of the user. */
  readonly reads?: readonly Path[];
  /** See {@link Refuses}. */
  readonly refuses?: Refuses;
  /** Calls it with values that fit its parameters. `undefined`: it failed, with the reason in the evaluation. */
  call(evaluation: Evaluation, values: readonly Value[]): Value | undefined;
}

/** Why every call with these literal texts fails, each at the index of its argument; `undefined` when some call may succeed. */
export type Refuses = (literals: readonly (string | undefined)[]) => string | undefined;
export type FunctionGroup = 'texts' | 'numbers' | 'lists' | 'objects' | 'time' | 'bytes' | 'conversions';
/** Expressions without variables, and their values: shown in the documentation and run by a test. */
export type Examples = { readonly [source: string]: Json };

/** The kind of a value as far as it is known at compile time. */
export type StaticKind = Kind | 'any';

/** One parameter of a function. */
export interface Parameter {
  /** Kinds that fit; every kind when left out. */
  readonly kinds?: ReadonlySet<string>;
  readonly isOptional: boolean;
  /** Whether it takes any number of values; only the last parameter may. */
  readonly isRest: boolean;
}

/** The type of the values for one parameter of a signature. */
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

/** The texts of the parameters in a signature. */
type ParametersOf<Signature extends string> = Signature extends `${string}(${infer Texts}): ${string}` ? Listed<Texts> : never;
type Listed<Texts extends string> = Texts extends `${infer First}, ${infer Rest}` ? [First, ...Listed<Rest>] : [Texts];

/**
 * Creates a function that defines the functions of one group. The types of the arguments follow from the signature, such as
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
    const [form, gives] = signature.split(': ') as [string, StaticKind]; // as the type of the signature has it
    const [name = '', parameters = ''] = form.slice(0, -1).split('(');
    return {
      name,
      group,
      form,
      parameters: parameters === '' ? [] : parameters.split(', ').map(parseParameter),
      gives,
      says,
      examples,
      ...more,
      // `compileCall` has fitted the values to the parameters.
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

/** The parameter that takes the argument at an index; `undefined` for one argument too many. */
export const getParameter = ({ parameters }: LanguageFunction, index: number): Parameter | undefined =>
  parameters[index] ?? (parameters.at(-1)?.isRest === true ? parameters.at(-1) : undefined);

/** Whether a call with arguments of these kinds may succeed. */
export function takesKinds(definition: LanguageFunction, kinds: readonly StaticKind[]): boolean {
  const least = definition.parameters.filter(({ isOptional, isRest }) => !isOptional && !isRest).length;
  return kinds.length >= least && kinds.every((kind, index) => fitsKind(getParameter(definition, index), kind));
}

function fitsKind(parameter: Parameter | undefined, kind: StaticKind): boolean {
  if (parameter === undefined) return false;
  const { kinds } = parameter;
  return kind === 'any' || kinds === undefined || kinds.has(kind) || (kind === 'text' && kinds.has('timestamp'));
}

/** A value as a parameter takes it; `undefined` when it does not fit. A timestamp that was saved as text is read back. */
export function fitValue(evaluation: Evaluation, parameter: Parameter | undefined, value: Value): Value | undefined {
  const kinds = parameter?.kinds;
  if (kinds === undefined || kinds.has(kindOf(value))) return value;
  return kinds.has('timestamp') ? readTimestamp(evaluation, value) : undefined;
}

/** The timestamp that was saved as this text; `undefined` for any other value. */
export function readTimestamp(evaluation: Evaluation, value: Value): Value | undefined {
  if (typeof value !== 'string') return undefined;
  spend(evaluation, dateWork);
  return parseTimestamp(value);
}

/** A whole number, or a failure that says `what` must be one. */
export const wholeNumber = (evaluation: Evaluation, value: number, what: string): number | undefined =>
  Number.isSafeInteger(value) ? value : wrong(evaluation, `${what} must be a whole number, not ${value}`);
