// Packs as releases did before: rows of the first format are read for ever, and what reads them is tried with more than a few of them.
import { commonTexts, shapes } from '../src/shapes.ts';

const numberOfShape = new Map(shapes.map((keys, index) => [keys.join(), index + 1]));

const isRepeatable = (value: unknown): boolean =>
  typeof value === 'string' ? value.length >= 6 : typeof value === 'number' && value >= 1e9 && Number.isSafeInteger(value);

/** @returns packs one value after the other; a later text refers to those before it */
export function createPacker(given: readonly string[]): (value: unknown) => string {
  const numbers = new Map<unknown, number>();
  const know = (value: unknown): void => void numbers.set(value, numbers.size + 1);
  for (const text of new Set([...commonTexts, ...given])) know(text);

  const pack = (value: unknown): unknown => {
    const number = numbers.get(value);
    if (number !== undefined) return [-number];
    if (typeof value !== 'object' || value === null) {
      if (isRepeatable(value)) know(value);
      return value;
    }
    const packed = Array.isArray(value) ? [0, ...value.map(pack)] : packFields(value);
    know(value);
    return packed;
  };

  const packFields = (value: object): unknown => {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    const shape = numberOfShape.get(fields.map(([key]) => key).join());
    const packed = fields.map(([key, field]) => [key, pack(field)] as const);
    return shape === undefined ? Object.fromEntries(packed) : [shape, ...packed.map(([, field]) => field)];
  };

  return (value) => JSON.stringify(pack(value));
}
