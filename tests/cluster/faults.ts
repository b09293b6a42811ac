import { createDice, type Dice } from './dice.ts';

/** Everything that can go wrong in a simulated cluster, with the highest rate at which it does: of tasks, or of calls. */
export const faultKinds = {
  /** A process dies between two tasks; calls that it had sent may still arrive. */
  kill: 0.02,
  /** A process hangs for some seconds, perhaps for longer than its lease, and then continues. */
  pause: 0.01,
  /** A live process is declared dead. */
  'early expiry': 0.005,
  /** A store call fails and did nothing. */
  'store error before': 0.1,
  /** A store call fails although it took effect. */
  'store error after': 0.1,
  /** The answer of a store never arrives; the caller times out. */
  'lost reply': 0.05,
  /** The answer of a store takes up to two seconds. */
  'slow store': 0.3,
  /** For a while every write fails. */
  'disk full': 0.004,
  /** A delivery comes twice, at two processes. */
  duplicate: 0.3,
  /** Requests to the cluster take up to half a minute to arrive. */
  reorder: 0.5,
  /** The remote system refuses: a status of 4xx, a message that the channel does not take. */
  'driver refuses': 0.2,
  /** The remote system is at fault: a status of 5xx, a connection cut. */
  'driver fails': 0.3,
  /** The remote system never answers. */
  'driver hangs': 0.1,
  /** The remote system answers with malformed data. */
  'driver rubbish': 0.1,
  /** The remote system takes up to a minute. */
  'driver slow': 0.4,
  /** The clock of the process jumps by up to a day. Only where no database lends its own. */
  'clock jump': 0.005,
  /** Canvases are published repeatedly. */
  'publish storm': 0.03,
} as const;

/** One way in which things go wrong. */
export type FaultKind = keyof typeof faultKinds;

/** The rate of each fault, 0 to 1; a fault that is left out never happens. */
export type FaultRates = { readonly [Kind in FaultKind]?: number };

/** Lets things go wrong, as long as they may. */
export interface Faults {
  /** Whether this fault strikes now. */
  strikes(kind: FaultKind): boolean;
  /** Draws for a fault that happens: its duration, target and kind. */
  dice(kind: FaultKind): Dice;
  /** From now on nothing goes wrong. */
  end(): void;
}

/** Each kind has its own dice: without one fault, the others happen at the same places as far as possible. */
export function createFaults(seed: number, rates: FaultRates): Faults {
  const strikeDice = new Map<FaultKind, Dice>();
  const detailDice = new Map<FaultKind, Dice>();
  let isOver = false;
  const kept = (dice: Map<FaultKind, Dice>, kind: FaultKind, purpose: string): Dice => {
    const known = dice.get(kind) ?? createDice(seed, `${purpose} ${kind}`);
    dice.set(kind, known);
    return known;
  };
  return {
    strikes(kind) {
      const rate = isOver ? 0 : (rates[kind] ?? 0);
      return rate > 0 && kept(strikeDice, kind, 'strike').chance(rate);
    },
    dice: (kind) => kept(detailDice, kind, 'detail'),
    end() {
      isOver = true;
    },
  };
}

/** A random subset of all faults at random rates: many at once hide what one alone would show. */
export function drawFaults(dice: Dice): FaultRates {
  const share = dice.pick([0, 0.15, 0.35, 0.6]);
  const kinds = Object.entries(faultKinds).filter(() => dice.chance(share));
  return Object.fromEntries(kinds.map(([kind, highest]) => [kind, highest * dice.pick([0.1, 0.4, 1])]));
}
