// A text as a QR code (ISO/IEC 18004): in bytes, with error correction M, which a camera reads from a screen.

/** Bytes of correction of a block, and the blocks of a code, by version from 1; the last one has room for 997 bytes. */
const correction = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28];
const blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21];

/** A grid of modules, by row: dark or light. */
export type QrCode = readonly (readonly boolean[])[];

/** @returns `undefined` for a text that is too long for a code that a camera reads easily */
export function qrOf(text: string): QrCode | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = blocks.findIndex((_, index) => bytes.length <= capacityOf(index + 1)) + 1;
  if (version === 0) return undefined;
  const { grid, isFixed } = frameOf(version);
  const words = interleave(version, dataWords(version, bytes));
  place(words, grid, isFixed);
  const masked = masks.map((flips, mask) => {
    const rows = grid.map((row, y) => row.map((isDark, x) => (isFixed[y]?.[x] !== true && flips(x, y) ? !isDark : isDark)));
    writeFormat(rows, mask);
    return rows;
  });
  return masked.reduce((best, next) => (penaltyOf(next) < penaltyOf(best) ? next : best));
}

/** Bits of all words of a version. */
function rawBits(version: number): number {
  const bits = (16 * version + 128) * version + 64;
  if (version === 1) return bits;
  const aligned = Math.floor(version / 7) + 2;
  return bits - ((25 * aligned - 10) * aligned - 55) - (version >= 7 ? 36 : 0);
}
const wordsOf = (version: number): number => Math.floor(rawBits(version) / 8);
const dataLength = (version: number): number => wordsOf(version) - at(correction, version) * at(blocks, version);
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);
const capacityOf = (version: number): number => Math.floor((dataLength(version) * 8 - 4 - lengthBits(version)) / 8);
const at = (table: readonly number[], version: number): number => table[version - 1] ?? 0;

/** The text with its kind, its length and what fills the rest. */
function dataWords(version: number, bytes: Uint8Array): readonly number[] {
  const bits: number[] = [];
  const write = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  write(4, 4);
  write(bytes.length, lengthBits(version));
  for (const byte of bytes) write(byte, 8);
  const all = dataLength(version) * 8;
  write(0, Math.min(4, all - bits.length));
  write(0, (8 - (bits.length % 8)) % 8);
  for (let filler = 0xec; bits.length < all; filler ^= 0xec ^ 0x11) write(filler, 8);
  return Array.from({ length: all / 8 }, (_, index) => bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0));
}

/** The product of two elements of GF(256) with the polynomial of the standard. */
function times(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((right >>> bit) & 1) * left;
  }
  return product;
}

function divisorOf(degree: number): readonly number[] {
  const divisor = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1) divisor[index] = times(divisor[index] ?? 0, root) ^ (divisor[index + 1] ?? 0);
    root = times(root, 2);
  }
  return divisor;
}

/** What Reed and Solomon add to the words of a block. */
function correctionOf(words: readonly number[], divisor: readonly number[]): readonly number[] {
  const rest = divisor.map(() => 0);
  for (const word of words) {
    const factor = word ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((coefficient, index) => {
      rest[index] = (rest[index] ?? 0) ^ times(coefficient, factor);
    });
  }
  return rest;
}

/** The words of all blocks with their correction, in the order in which they are drawn. */
function interleave(version: number, data: readonly number[]): readonly number[] {
  const count = at(blocks, version);
  const divisor = divisorOf(at(correction, version));
  const short = Math.floor(data.length / count);
  const longs = data.length % count;
  let taken = 0;
  const parts = Array.from({ length: count }, (_, index) => {
    const words = data.slice(taken, (taken += index < count - longs ? short : short + 1));
    return { words, more: correctionOf(words, divisor) };
  });
  const columns = (of: (part: (typeof parts)[number]) => readonly number[], length: number): readonly number[] =>
    Array.from({ length }, (_, column) => parts.flatMap((part) => of(part)[column] ?? [])).flat();
  return [...columns(({ words }) => words, short + 1), ...columns(({ more }) => more, divisor.length)];
}

/** Where the small squares are, in both directions. */
function alignedAt(version: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => version * 4 + 10 - (count - 2 - index) * step)];
}

/** All that does not depend on the text, and where it is. */
function frameOf(version: number): { readonly grid: boolean[][]; readonly isFixed: boolean[][] } {
  const size = version * 4 + 17;
  const grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const isFixed = grid.map((row) => [...row]);
  const set = (x: number, y: number, isDark: boolean): void => {
    const [row, fixed] = [grid[y], isFixed[y]];
    if (row === undefined || fixed === undefined || x < 0 || x >= size) return;
    row[x] = isDark;
    fixed[x] = true;
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  const square = (centreX: number, centreY: number, reach: number, isDark: (distance: number) => boolean): void => {
    for (let y = -reach; y <= reach; y += 1)
      for (let x = -reach; x <= reach; x += 1) set(centreX + x, centreY + y, isDark(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  const places = alignedAt(version);
  const [first, last] = [0, places.length - 1];
  places.forEach((y, row) =>
    places.forEach((x, column) => {
      const isCorner = (row === first && column === first) || (row === first && column === last) || (row === last && column === first);
      if (!isCorner) square(x, y, 2, (distance) => distance !== 1);
    }),
  );
  for (const [x, y] of formatPlaces(size).flat()) set(x, y, false);
  set(8, size - 8, true);
  if (version >= 7) {
    const bits = (version << 12) | remainder(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit += 1) {
      const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      set(far, near, ((bits >>> bit) & 1) === 1);
      set(near, far, ((bits >>> bit) & 1) === 1);
    }
  }
  return { grid, isFixed };
}

/** The rest of a polynomial over GF(2), shifted by its degree. */
function remainder(value: number, degree: number, divisor: number): number {
  let rest = value;
  for (let step = 0; step < degree; step += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * divisor);
  return rest;
}

/** The modules of the two copies of the format, by bit. */
function formatPlaces(size: number): readonly (readonly (readonly [x: number, y: number])[])[] {
  const copy = (of: (bit: number) => readonly [number, number]) => Array.from({ length: 15 }, (_, bit) => of(bit));
  return [
    copy((bit) => (bit < 6 ? [8, bit] : bit < 8 ? [8, bit + 1] : bit === 8 ? [7, 8] : [14 - bit, 8])),
    copy((bit) => (bit < 8 ? [size - 1 - bit, 8] : [8, size - 15 + bit])),
  ];
}

/** Writes which mask was taken; the two bits of correction M are 0. */
function writeFormat(rows: boolean[][], mask: number): void {
  const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412;
  for (const places of formatPlaces(rows.length))
    places.forEach(([x, y], bit) => {
      const row = rows[y];
      if (row !== undefined) row[x] = ((bits >>> bit) & 1) === 1;
    });
}

/** Draws words in columns of two, up and down from the right; one column is that of the dotted line. */
function place(words: readonly number[], grid: boolean[][], isFixed: readonly (readonly boolean[])[]): void {
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = grid[y];
        if (row === undefined || isFixed[y]?.[x] === true) continue;
        row[x] = (((words[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
  }
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** How hard a code is to read: long runs, plain squares, what looks like a corner, and more of one colour. */
function penaltyOf(rows: QrCode): number {
  const lines = [...rows, ...rows.map((_, x) => rows.map((row) => row[x] === true))];
  let penalty = 0;
  for (const line of lines) {
    const text = line.map((isDark) => (isDark ? '1' : '0')).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    penalty += 40 * ((text.match(/(?=10111010000)/g) ?? []).length + (text.match(/(?=00001011101)/g) ?? []).length);
  }
  rows.forEach((row, y) =>
    row.forEach((isDark, x) => {
      if (row[x + 1] === isDark && rows[y + 1]?.[x] === isDark && rows[y + 1]?.[x + 1] === isDark) penalty += 3;
    }),
  );
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return penalty + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
