// Which keys came before, of millions, in eight bytes for each: as fingerprints of 52 bits in an open table.

/** Keys that came. */
export interface SeenKeys {
  /** @returns whether it is new; of a million keys, one in some twenty thousand files has two that are taken for one */
  add(key: string): boolean;
}

const smallest = 1_024;

export function createSeenKeys(): SeenKeys {
  let table = new Float64Array(smallest);
  let count = 0;
  const put = (into: Float64Array, print: number): boolean => {
    let place = print % into.length;
    for (; into[place] !== 0; place = (place + 1) % into.length) if (into[place] === print) return false;
    into[place] = print;
    return true;
  };
  return {
    add(key) {
      if (!put(table, fingerprint(key))) return false;
      count += 1;
      if (count * 2 > table.length) {
        const larger = new Float64Array(table.length * 2);
        for (const print of table) if (print !== 0) put(larger, print);
        table = larger;
      }
      return true;
    },
  };
}

/** A number from 1 to 2^52: two multiplicative hashes of the characters, mixed. */
function fingerprint(key: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 1 + (low >>> 0) + (high & 0xfffff) * 4_294_967_296;
}
