import type { JsonObject } from '@hilo/engine/contract';
import { commonTexts, shapes } from './shapes.ts';

/**
 * JSON without repetitions: an object with a known set of keys is a list of its values, and a repeated text, instant, list or object is
 * a number. Every list begins with its kind:
 *
 * - `[0, …items]` is a list, `[n, …values]` an object with the keys of shape `n`, `[-n]` the n-th value that may be repeated.
 * - An object with other keys stays an object, and other texts and numbers are unchanged.
 */
type Packed = string | number | boolean | null | readonly Packed[] | { readonly [key: string]: Packed };

const isList = (packed: Packed & object): packed is readonly Packed[] => Array.isArray(packed);

/** The shortest texts and numbers worth a reference: shorter ones take no more space than the reference. Instants are longer. */
const isLong = (value: string | number): boolean =>
  typeof value === 'string' ? value.length >= 6 : value >= 1e9 && Number.isSafeInteger(value);

/** Leads from key to key to the number of the shape that has them all. */
interface Step {
  readonly next: Map<string, Step>;
  shape: number | undefined;
}

const first: Step = { next: new Map(), shape: undefined };
for (const [index, keys] of shapes.entries()) {
  let step = first;
  for (const key of keys) {
    const next = step.next.get(key) ?? { next: new Map(), shape: undefined };
    step.next.set(key, next);
    step = next;
  }
  step.shape = index + 1;
}

/** The shape of an object, where it has one. */
function findShape(value: JsonObject): number | undefined {
  let step: Step | undefined = first;
  for (const key in value) if (value[key] !== undefined && (step = step.next.get(key)) === undefined) return undefined;
  return step.shape;
}

/** A repeatable text or instant, and its number. */
interface Known {
  readonly value: string | number;
  readonly number: number;
  /** The one before it in its slot. */
  readonly before: Known | undefined;
}

/** By a text's length, or an instant's last bits: computing a hash of a text would take longer than the rest. */
const slotOf = (value: string | number): number => (typeof value === 'string' ? value.length : value) % 32;

/** Values known to every packer, by slot. */
const common: (Known | undefined)[] = Array.from({ length: 32 }, () => undefined);
for (const [index, value] of commonTexts.entries()) common[slotOf(value)] = { value, number: index + 1, before: common[slotOf(value)] };

/** Up to this number, a scan is faster than a hash. */
const few = 64;

/** Where short texts are written one behind the other, whoever packs: each text of its own would be an object or two. */
const written = Buffer.alloc(4_096);
const bytes = { quote: 0x22, comma: 0x2c, colon: 0x3a, backslash: 0x5c, closeBracket: 0x5d, openBrace: 0x7b, closeBrace: 0x7d } as const;

/**
 * Packs values that are unpacked together and in the same order. Writes text directly: building lists for `JSON.stringify` would take
 * twice the time, a good part of a start's.
 */
export class Packer {
  /** What precedes the written bytes. */
  #packed = '';
  #bytes = 0;
  #last = commonTexts.length;
  /** The latest of the first texts and instants in each slot, and their number besides the common ones. */
  readonly #slots = common.slice();
  #inSlots = 0;
  /** The first objects, and their numbers. */
  readonly #objects: object[] = [];
  readonly #numbers: number[] = [];
  /** Later ones, by number. */
  readonly #more = new Map<unknown, number>();

  /** @param given - values known to the unpacker, besides the common texts */
  constructor(given: readonly string[]) {
    for (const text of given) this.#know(text);
  }

  /** @returns JSON */
  pack(value: unknown): string {
    [this.#packed, this.#bytes] = ['', 0];
    this.#add(value);
    this.#flush();
    return this.#packed;
  }

  #flush(): void {
    this.#packed += written.toString('latin1', 0, this.#bytes);
    this.#bytes = 0;
  }

  #writeByte(byte: number): void {
    if (this.#bytes === written.length) this.#flush();
    written[this.#bytes++] = byte;
  }

  /** Writes a short text of characters that are each a byte. */
  #write(text: string): void {
    if (text.length > written.length - this.#bytes) this.#flush();
    let end = this.#bytes;
    for (let at = 0; at < text.length; at += 1) written[end++] = text.charCodeAt(at);
    this.#bytes = end;
  }

  /** Writes a text as JSON. Few have a character that needs an escape, and most are so short that a call would take longer. */
  #quote(text: string): void {
    if (text.length + 2 > written.length - this.#bytes) this.#flush();
    let end = this.#bytes;
    let isPlain = text.length <= 64;
    written[end++] = bytes.quote;
    for (let at = 0; isPlain && at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      isPlain = code >= 0x20 && code !== bytes.quote && code !== bytes.backslash && code <= 0xff;
      written[end++] = code;
    }
    if (!isPlain) {
      this.#flush(); // nothing of this text
      this.#packed += JSON.stringify(text);
      return;
    }
    written[end++] = bytes.quote;
    this.#bytes = end;
  }

  /** @returns its number, where it stood before; else it has one from now on */
  #know(value: string | number): number | undefined {
    const slot = slotOf(value);
    const latest = this.#slots[slot];
    for (let known = latest; known !== undefined; known = known.before) if (known.value === value) return known.number;
    const number = this.#inSlots === few ? this.#more.get(value) : undefined;
    if (number !== undefined) return number;
    this.#last += 1;
    if (this.#inSlots === few) return void this.#more.set(value, this.#last);
    this.#slots[slot] = { value, number: this.#last, before: latest };
    this.#inSlots += 1;
    return undefined;
  }

  #numberOf(value: object): number | undefined {
    const objects = this.#objects;
    for (let index = 0; index < objects.length; index += 1) if (objects[index] === value) return this.#numbers[index];
    return objects.length === few ? this.#more.get(value) : undefined;
  }

  #add(value: unknown): void {
    if (typeof value === 'string') {
      const number = isLong(value) ? this.#know(value) : undefined;
      if (number === undefined) this.#quote(value);
      else this.#write(pointer(number));
    } else if (typeof value === 'number') {
      const number = isLong(value) ? this.#know(value) : undefined;
      this.#write(number === undefined ? (Number.isFinite(value) ? String(value) : 'null') : pointer(number));
    } else if (typeof value !== 'object' || value === null) this.#write(typeof value === 'boolean' ? String(value) : 'null');
    else {
      const number = this.#numberOf(value);
      if (number === undefined) this.#addObject(value);
      else this.#write(pointer(number));
    }
  }

  #addObject(value: object): void {
    if (Array.isArray(value)) this.#addList(value);
    else this.#addFields(value as JsonObject);
    this.#last += 1;
    if (this.#objects.length === few) this.#more.set(value, this.#last);
    else this.#numbers[this.#objects.push(value) - 1] = this.#last;
  }

  #addList(items: readonly unknown[]): void {
    this.#write('[0');
    for (const item of items) {
      this.#writeByte(bytes.comma);
      this.#add(item);
    }
    this.#writeByte(bytes.closeBracket);
  }

  /** Fields without a value are left out, as by `JSON.stringify`. */
  #addFields(value: JsonObject): void {
    const shape = findShape(value);
    let isFirst = true;
    if (shape === undefined) this.#writeByte(bytes.openBrace);
    else this.#write(shapeBegins[shape] ?? '');
    for (const key in value) {
      const field = value[key];
      if (field === undefined) continue;
      if (shape !== undefined || !isFirst) this.#writeByte(bytes.comma);
      isFirst = false;
      if (shape === undefined) {
        this.#quote(key);
        this.#writeByte(bytes.colon);
      }
      this.#add(field);
    }
    this.#writeByte(shape === undefined ? bytes.closeBrace : bytes.closeBracket);
  }
}

const shapeBegins: readonly string[] = ['', ...shapes.map((_keys, index) => `[${index + 1}`)];

/** References to earlier values; those that nearly every execution has are made once. */
const pointer = (number: number): string => pointers[number] ?? `[-${number}]`;
const pointers: readonly string[] = Array.from({ length: 200 }, (_, number) => `[-${number}]`);

/** Unpacks what a packer packed, text by text in the same order. */
export interface Unpacker {
  /** @throws {SyntaxError} for text that no packer writes: a bug or a disk error */
  unpack(text: string): unknown;
}

/** @param given - the same texts that the packer had */
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
