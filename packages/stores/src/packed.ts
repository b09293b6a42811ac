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
  // As keys of an object, they are compared to other objects' keys by where they are, and not letter by letter.
  for (const key in Object.fromEntries(keys.map((name) => [name, 0]))) {
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

/** Objects among which one is found sooner by going through them than by a hash, which each would have to be given first. */
const fewObjects = 32;

/**
 * Writes text as it goes: lists for `JSON.stringify` to go through once more would take twice the time, which is a good part of a start's.
 *
 * @param given - what whoever unpacks knows beforehand, besides the common texts
 */
export function createPacker(given: readonly string[]): Packer {
  const known = new Map<unknown, number>();
  /** The first objects, and their numbers; those after them are in `known`. */
  const objects: object[] = [];
  const numbers: number[] = [];
  let last = common.size;
  for (const text of given) if (!known.has(text)) known.set(text, (last += 1));

  const numberOf = (value: object): number | undefined => {
    for (let index = 0; index < objects.length; index += 1) if (objects[index] === value) return numbers[index];
    return objects.length < fewObjects ? undefined : known.get(value);
  };
  const remember = (value: object): void => {
    last += 1;
    if (objects.length === fewObjects) return void known.set(value, last);
    objects.push(value);
    numbers.push(last);
  };

  const pack = (value: unknown): string => {
    if (typeof value === 'string') {
      if (value.length < 6) return quoted(value);
      const number = known.get(value) ?? (value.length <= longestCommon ? common.get(value) : undefined);
      if (number !== undefined) return `[-${number}]`;
      known.set(value, (last += 1));
      return quoted(value);
    }
    if (typeof value === 'number') {
      if (value < 1e9 || !Number.isSafeInteger(value)) return Number.isFinite(value) ? `${value}` : 'null';
      const number = known.get(value);
      if (number !== undefined) return `[-${number}]`;
      known.set(value, (last += 1));
      return `${value}`;
    }
    if (typeof value !== 'object' || value === null) return value === true ? 'true' : value === false ? 'false' : 'null';
    const number = numberOf(value);
    if (number !== undefined) return `[-${number}]`;
    const packed = Array.isArray(value) ? packList(value) : packObject(value as JsonObject);
    remember(value);
    return packed;
  };

  const packList = (items: readonly unknown[]): string => {
    let packed = '[0';
    for (const item of items) packed += `,${pack(item)}`;
    return `${packed}]`;
  };

  /** Fields without a value are left out, as by `JSON.stringify`. */
  const packObject = (value: JsonObject): string => {
    const shape = shapeOf(value);
    let packed = shape === undefined ? '' : `[${shape}`;
    for (const key in value) {
      const field = value[key];
      if (field === undefined) continue;
      if (shape !== undefined) packed += `,${pack(field)}`;
      else packed += `${packed === '' ? '' : ','}${quoted(key)}:${pack(field)}`;
    }
    return shape === undefined ? `{${packed}}` : `${packed}]`;
  };

  return { pack };
}

/** A text as JSON has it. Few have a character that may be escaped, and most are so short that a look at each takes less than a call. */
function quoted(text: string): string {
  if (text.length > 64) return JSON.stringify(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
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
