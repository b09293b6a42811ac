/**
 * A value in an expression: JSON, and further kinds that functions create. Each non-JSON kind has its own class, of which no JSON value
 * is an instance: kinds are distinguished by class and never by a key, such as `constructor`.
 */
export type Value = string | number | boolean | null | Uint8Array | Special | ListValue | ObjectValue;
export type ListValue = readonly Value[];
export interface ObjectValue {
  readonly [key: string]: Value;
}

/** A value of the language that is not JSON. */
abstract class Special {
  declare private readonly brand: never;
}

/** A kind that is a number of milliseconds. */
abstract class OfTime extends Special {
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }
}

/** A point in time, counted from the Unix epoch. */
export class Timestamp extends OfTime {}

/** A length of time, which may be negative: milliseconds, and calendar months, which have no fixed length. */
export class TimeSpan extends OfTime {
  readonly months: number;

  constructor(ms: number, months = 0) {
    super(ms);
    this.months = months;
  }
}

/** The result of `.?` and `[?]`, which may be empty. */
export class Optional extends Special {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
}

/** The value of `type(x)`, for comparisons. */
export class TypeName extends Special {
  readonly kind: Kind;

  constructor(kind: Kind) {
    super();
    this.kind = kind;
  }
}

/** The name of a value's type, in errors and in the documentation. */
export type Kind = keyof ValueOfKind;

/** The type of the values of each kind. */
export interface ValueOfKind {
  readonly null: null;
  readonly bool: boolean;
  readonly number: number;
  readonly text: string;
  readonly list: ListValue;
  readonly object: ObjectValue;
  readonly timestamp: Timestamp;
  readonly duration: TimeSpan;
  readonly bytes: Uint8Array;
  readonly optional: Optional;
  readonly type: TypeName;
}

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'bool';
    default:
      if (value === null) return 'null';
      if (isList(value)) return 'list';
      return value instanceof Special || value instanceof Uint8Array ? kindOfSpecial(value) : 'object';
  }
}

function kindOfSpecial(value: Special | Uint8Array): Kind {
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof TimeSpan) return 'duration';
  if (value instanceof Optional) return 'optional';
  return value instanceof TypeName ? 'type' : 'bytes';
}

export const isList = (value: Value | undefined): value is ListValue => Array.isArray(value);

/** Whether a value is a JSON object. */
export const isObject = (value: Value | undefined): value is ObjectValue =>
  typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Special) && !(value instanceof Uint8Array);

/** The value at a key of an object or at an index of a list: own properties only. `undefined` when there is none. */
export function own(value: Value, key: string | number): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isList(value)) return typeof key === 'number' ? value[key] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
