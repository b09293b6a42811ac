/**
 * Long values of an agent that no model may see, each looked for as it is and as one program writes the whole of it. A text is read once for all of them, also where there are
 * thousands: at which places it has a piece of a value, and which values begin there.
 */
/** A place at which a value stands in a text. */
export interface FoundValue<Value> {
  readonly at: number;
  readonly end: number;
  readonly value: Value;
}

export interface LongValues<Value> {
  readonly isEmpty: boolean;
  /**
   * The places at which values stand, from the first to the last. Where two overlap, it is the one that was given first.
   *
   * @returns `undefined` for a text that would take long to look through: it repeats pieces of values
   */
  find(text: string): readonly FoundValue<Value>[] | undefined;
}

/** Signs of a piece: of shorter ones a text has too many. */
const mostSigns = 12;

/** Signs that are compared at most for one text: some 20 ms. */
const mostWork = 20_000_000;

/** A value in one way to write it, with pieces from its beginning, middle and end. */
interface Form<Value> {
  readonly text: string;
  readonly value: Value;
  readonly pieces: readonly { readonly text: string; readonly from: number }[];
}

/** @param given - values with the ways in which they are written; the first ones have precedence */
export function createLongValues<Value>(given: readonly { readonly value: Value; readonly forms: readonly string[] }[]): LongValues<Value> {
  const size = given.reduce((least, { forms }) => forms.reduce((most, form) => Math.min(most, form.length), least), mostSigns);
  const forms: readonly Form<Value>[] = given.flatMap(({ value, forms: ways }) =>
    ways.map((text) => {
      const last = text.length - size;
      return { text, value, pieces: [0, last >> 1, last].map((from) => ({ text: text.slice(from, from + size), from })) };
    }),
  );
  const pieces = new Set(forms.flatMap((form) => form.pieces.map(({ text }) => text)));

  /** The places of each piece that the text has. */
  const placesOf = (text: string): ReadonlyMap<string, readonly number[]> => {
    const places = new Map<string, number[]>();
    for (let at = 0; at + size <= text.length; at += 1) {
      const piece = text.slice(at, at + size);
      if (!pieces.has(piece)) continue;
      const known = places.get(piece);
      if (known === undefined) places.set(piece, [at]);
      else known.push(at);
    }
    return places;
  };

  return {
    isEmpty: forms.length === 0,
    find(text) {
      if (forms.length === 0) return none;
      const places = placesOf(text);
      const found: FoundValue<Value>[] = [];
      const taken = new Uint8Array(text.length);
      let work = 0;
      for (const form of forms) {
        const [from, candidates] = rarest(form, places);
        for (const place of candidates) {
          const [at, end] = [place - from, place - from + form.text.length];
          const mayStand = at >= 0 && end <= text.length && taken[at] === 0;
          work += mayStand ? form.text.length : 1;
          if (work > mostWork) return undefined;
          if (!mayStand || !text.startsWith(form.text, at) || taken.subarray(at, end).includes(1)) continue;
          taken.fill(1, at, end);
          found.push({ at, end, value: form.value });
        }
      }
      return found.sort((one, other) => one.at - other.at);
    },
  };
}

/** The piece of a value that has the fewest places: where it begins in the value, and the places. */
function rarest(
  { pieces }: Pick<Form<unknown>, 'pieces'>,
  places: ReadonlyMap<string, readonly number[]>,
): readonly [from: number, places: readonly number[]] {
  let [from, fewest]: readonly [number, readonly number[] | undefined] = [0, undefined];
  for (const piece of pieces) {
    const known = places.get(piece.text) ?? none;
    if (fewest === undefined || known.length < fewest.length) [from, fewest] = [piece.from, known];
  }
  return [from, fewest ?? none];
}

const none: readonly never[] = [];
