import { seededRandom } from '../../packages/simulator/src/seeded-random.ts';
import { crashPoints, type Kill, sides } from './points.ts';

/** So many worlds in a row come by every point, on both sides. */
export const worldsPerDeck = 4;

/** The deaths of a world, in order: the same for the same number. */
export function planWorld(number: number): readonly Kill[] {
  const deck = crashPoints.flatMap((point) => sides.map((side) => ({ point, side })));
  const cards = shuffled(deck, drawing(Math.floor(number / worldsPerDeck)));
  const draw = drawing(~number);
  const kills = cards
    .filter((_card, index) => index % worldsPerDeck === number % worldsPerDeck)
    .map(({ point: { name, maxSkipped }, side }): Kill => ({ point: name, side, skipped: draw(maxSkipped + 1) }));
  // Tables are made once, and what there is to recover must have been begun.
  return kills.sort((a, b) => turnOf(a) - turnOf(b));
}

/**
 * Half of the deaths of a world: one side of each point, and both sides in two consecutive decks. A half deck contains every point.
 */
export function planHalf(number: number): readonly Kill[] {
  const deck = Math.floor(number / worldsPerDeck);
  const sideOf = new Map(crashPoints.map(({ name }, index) => [name, sides[(index + deck) % sides.length]]));
  return planWorld(number).filter(({ point, side }) => sideOf.get(point) === side);
}

const turnOf = ({ point }: Kill): number => (point === 'sql.migration' ? 0 : point === 'recovery' ? 2 : 1);

/** Draws whole numbers from 0 up to a bound. */
function drawing(seed: number): (bound: number) => number {
  const random = seededRandom(seed);
  return (bound) => {
    const [high = 0, low = 0] = random.bytes(2);
    return ((high << 8) | low) % bound;
  };
}

function shuffled<Card>(cards: readonly Card[], draw: (bound: number) => number): readonly Card[] {
  const left = [...cards];
  return cards.flatMap(() => left.splice(draw(left.length), 1));
}
