import type { JsonObject } from '@hilo/engine/contract';
import { commonTexts, shapes } from './shapes.ts';

/**
 * JSON without what stands in it twice: an object with keys that are known beforehand is a list of its values, and a text, an
 * instant, a list or an object that stood before is a number. Every list begins with what it is:
 *
 * - `[0, …items]` is a list, `[n, …values]` an object with the keys of shape `n`, `[-n]` the n-th thing that may stand again.
 * - An object with other keys stays an object, and texts and numbers stay what they are.
 */
type Packed = string | number | boolean | null | readonly Packed[] | { readonly [key: string]: Packed };

const isList = (packed: Packed & object): packed is readonly Packed[] => Array.isArray(packed);

/** Texts and numbers that are worth pointing to: shorter ones take no more room than what points to them. Instants are longer. */
const isLong = (value: string | number): boolean =>
  typeof value === 'string' ? value.length >= 6 : value >= 1e9 && Number.isSafeInteger(value);

/** Leads from key to key to the number of the shape that has them all. */
interface Step {
  readonly key: string;
  /** What may come after it: few, and found sooner by going through them than by a hash. */
  readonly next: Step[];
  shape: number | undefined;
}

const first: Step = { key: '', next: [], shape: undefined };
for (const [index, keys] of shapes.entries()) {
  let step = first;
  for (const key of keys) {
    let next = stepTo(step, key);
    if (next === undefined) step.next.push((next = { key, next: [], shape: undefined }));
    step = next;
  }
  step.shape = index + 1;
}

function stepTo({ next }: Step, key: string): Step | undefined {
  for (const step of next) if (step.key === key) return step;
  return undefined;
}

/** The shape of an object, where it has one. */
function shapeOf(value: JsonObject): number | undefined {
  let step: Step | undefined = first;
  for (const key in value) {
    if (value[key] === undefined) continue;
    step = stepTo(step, key);
    if (step === undefined) return undefined;
  }
  return step.shape;
}

/** What every packer knows beforehand, by its number. */
const common: ReadonlyMap<string, number> = new Map(commonTexts.map((text, index) => [text, index + 1]));
const longestCommon = Math.max(...commonTexts.map(({ length }) => length));

/** Packs values that are unpacked together and in the same order. */
export interface Packer {
  /** @returns JSON */
  pack(value: unknown): string;
}

/** @param given - what whoever unpacks knows beforehand, besides the common texts */
export function createPacker(given: readonly string[]): Packer {
  const known = new Map<unknown, number>();
  let last = common.size;
  for (const text of given) if (!known.has(text)) known.set(text, (last += 1));

  const pack = (value: unknown): Packed => {
    if (typeof value === 'string') {
      if (value.length < 6) return value;
      const number = known.get(value) ?? (value.length <= longestCommon ? common.get(value) : undefined);
      if (number !== undefined) return [-number];
      known.set(value, (last += 1));
      return value;
    }
    if (typeof value === 'number') {
      if (value < 1e9 || !Number.isSafeInteger(value)) return value;
      const number = known.get(value);
      if (number !== undefined) return [-number];
      known.set(value, (last += 1));
      return value;
    }
    if (typeof value !== 'object' || value === null) return value as Packed;
    const number = known.get(value);
    if (number !== undefined) return [-number];
    const packed = Array.isArray(value) ? packList(value) : packObject(value as JsonObject);
    known.set(value, (last += 1));
    return packed;
  };

  const packList = (items: readonly unknown[]): Packed => {
    const packed: Packed[] = [0];
    for (const item of items) packed.push(pack(item));
    return packed;
  };

  /** Fields without a value are left out, as by `JSON.stringify`. */
  const packObject = (value: JsonObject): Packed => {
    const shape = shapeOf(value);
    const list: Packed[] = [shape ?? 0];
    const fields: { [key: string]: Packed } = {};
    for (const key in value) {
      const field = value[key];
      if (field === undefined) continue;
      const packed = pack(field);
      if (shape !== undefined) list.push(packed);
      else if (key !== '__proto__') fields[key] = packed;
      else Object.defineProperty(fields, key, { value: packed, enumerable: true });
    }
    return shape === undefined ? fields : list;
  };

  return { pack: (value) => JSON.stringify(pack(value)) };
}

/** Unpacks what a packer packed, text by text in the same order. */
export interface Unpacker {
  /** @throws {SyntaxError} for what no packer gives: a bug wrote it, or a disk */
  unpack(text: string): unknown;
}

/** @param given - the same texts that the packer was given */
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
    if (number > known.length) throw new SyntaxError('What is said to stand before does not');
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

  /** In its place: what was parsed is nobody else's, and a key `__proto__` is its own already. */
  const unpackFields = (fields: { [key: string]: unknown }): unknown => {
    for (const key of Object.keys(fields)) fields[key] = unpack(fields[key] as Packed);
    known.push(fields);
    return fields;
  };

  return { unpack: (text) => unpack(JSON.parse(text) as Packed) };
}
