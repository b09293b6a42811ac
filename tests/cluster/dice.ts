import { mulberry32 } from '../../packages/simulator/src/seeded-random.ts';

/** Draws that a seed reproduces. Each purpose has its own dice, so that more draws of one do not change the others. */
export interface Dice {
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean;
  /** @throws {RangeError} when there is nothing to choose from */
  pick<Item>(items: readonly Item[]): Item;
}

/** @param seed - a whole number, of which the lower 32 bits are used @param purpose - what is drawn */
export function createDice(seed: number, purpose: string): Dice {
  const word = mulberry32(hashText(purpose, seed | 0));
  /** From 0 to below 1. */
  const fraction = (): number => (word() >>> 0) / 0x1_0000_0000;
  const below = (count: number): number => Math.floor(fraction() * count);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => fraction() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('There is nothing to choose from');
      return item;
    },
  };
}

/** The 32-bit hash FNV-1a of a text, continued from another hash. */
export function hashText(text: string, from = 0x811c9dc5): number {
  let hash = from ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
