import { commonTexts, shapes } from './shapes.ts';

/**
 * Reads rows of the first format, which no release writes any longer: JSON without repetitions. An object with a known set of keys is a
 * list of its values, and a repeated text, instant, list or object is a number. Every list begins with its kind:
 *
 * - `[0, …items]` is a list, `[n, …values]` an object with the keys of shape `n`, `[-n]` the n-th value that may be repeated.
 * - An object with other keys stays an object, and other texts and numbers are unchanged.
 */
type Packed = string | number | boolean | null | readonly Packed[] | { readonly [key: string]: Packed };

const isList = (packed: Packed & object): packed is readonly Packed[] => Array.isArray(packed);

/** The shortest texts and numbers worth a reference: shorter ones take no more space than the reference. Instants are longer. */
const isLong = (value: string | number): boolean =>
  typeof value === 'string' ? value.length >= 6 : value >= 1e9 && Number.isSafeInteger(value);

/** Unpacks what was packed, text by text in the same order. */
export interface Unpacker {
  /** @throws {SyntaxError} for text that nothing packed: a bug or a disk error */
  unpack(text: string): unknown;
}

/** @param given - the texts that were known when it was packed */
export function createUnpacker(given: readonly string[]): Unpacker {
  const known: unknown[] = [...commonTexts, ...new Set(given)];

  const unpack = (packed: Packed): unknown => {
    if (typeof packed === 'string' || typeof packed === 'number') {
      if (isLong(packed)) known.push(packed);
      return packed;
    }
    if (typeof packed !== 'object' || packed === null) return packed;
    if (!isList(packed)) return unpackFields(packed);
    const [shape] = packed;
    if (typeof shape !== 'number') throw new SyntaxError('This list does not say what it is');
    if (shape < 0) return knownBefore(-shape);
    const value = shape === 0 ? unpackItems(packed) : unpackShape(packed, shapes[shape - 1]);
    known.push(value);
    return value;
  };

  const knownBefore = (number: number): unknown => {
    if (number > known.length) throw new SyntaxError('A reference leads to no earlier value');
    return known[number - 1];
  };

  const unpackItems = (packed: readonly Packed[]): unknown => {
    const items: unknown[] = [];
    for (let index = 1; index < packed.length; index += 1) items.push(unpack(packed[index] ?? null));
    return items;
  };

  const unpackShape = (packed: readonly Packed[], keys: readonly string[] = []): unknown => {
    if (keys.length === 0 || keys.length !== packed.length - 1) throw new SyntaxError('There is no such shape');
    const value: { [key: string]: unknown } = {};
    let index = 0;
    for (const key of keys) value[key] = unpack(packed[(index += 1)] ?? null);
    return value;
  };

  /** In place: the parsed value is not shared, and a key `__proto__` is an own property already. */
  const unpackFields = (fields: { [key: string]: unknown }): unknown => {
    for (const key of Object.keys(fields)) fields[key] = unpack(fields[key] as Packed);
    known.push(fields);
    return fields;
  };

  return { unpack: (text) => unpack(JSON.parse(text) as Packed) };
}
