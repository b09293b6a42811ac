import { LRUCache } from 'lru-cache';
/** From this size on, links are kept for the next page, and streamed instead of copied. */
export const longLinksBytes = 65_536;

/** The size of what is kept: two lists of a million conversations by ten, or more shorter ones. */
const keptBytes = 32 * 1024 * 1024;

/** {@link writeLinks} for lists that are read page by page, with the same links each time: the last long ones are kept. */
export function keepLinks(): typeof writeLinks {
  const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({ maxSize: keptBytes, sizeCalculation: ({ length }) => length });
  return (...given) => {
    const key = JSON.stringify(given);
    const known = kept.get(key);
    const links = known ?? writeLinks(...given);
    if (known === undefined && links.length >= longLinksBytes) kept.set(key, links);
    return links;
  };
}

/**
 * One entry for each page: its number and its relative address, with the same filters (CON-09). There may be a hundred thousand,
 * megabytes that differ in a few digits; so they are written as bytes, a run of pages with equally long numbers at a time.
 *
 * @param filters - in their order in the address
 * @returns a JSON array
 */
export function writeLinks(
  path: string,
  filters: readonly (readonly [name: string, value: string])[],
  limit: number,
  totalPages: number,
): Uint8Array<ArrayBuffer> {
  const query = [...filters, ['limit', String(limit)] as const]
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
  const entry = { name: Buffer.from('{"number":'), address: Buffer.from(`,"url":"${path}?${query}&page=`) };
  const runs = listRuns(totalPages);
  if (runs.length === 0) return Buffer.from('[]');
  const bytes = runs.reduce((sum, run) => sum + (run.last - run.first + 1) * measureEntry(entry, run), 0);
  const all = Buffer.allocUnsafe(1 + bytes); // every byte of it is written
  all[0] = opening;
  let at = 1;
  for (const run of runs) at = writeRun(all, at, entry, run);
  all[bytes] = closing; // in the place of the last comma
  return all;
}

/** Pages whose numbers have the same number of digits: their entries have the same length. */
interface Run {
  readonly digits: number;
  readonly first: number;
  readonly last: number;
}

function listRuns(totalPages: number): readonly Run[] {
  const runs: Run[] = [];
  for (let digits = 1, first = 1; first <= totalPages; digits += 1, first *= 10)
    runs.push({ digits, first, last: Math.min(totalPages, 10 * first - 1) });
  return runs;
}

/** The text before the number of a page, and the text between it and its repetition in the address. */
interface Entry {
  readonly name: Uint8Array;
  readonly address: Uint8Array;
}

const end = Buffer.from('"},');
const [zero, opening, closing] = [0x30, 0x5b, 0x5d];

const measureEntry = ({ name, address }: Entry, { digits }: Pick<Run, 'digits'>): number =>
  name.length + digits + address.length + digits + end.length;

/** @returns where the next one begins */
function writeRun(all: Buffer, at: number, entry: Entry, run: Run): number {
  const { digits, first, last } = run;
  const number = Buffer.alloc(digits, '0');
  const one = Buffer.concat([entry.name, number, entry.address, number, end]);
  const next = at + one.length * (last - first + 1);
  all.fill(one, at, next);
  const toSecond = digits + entry.address.length;
  for (let page = first, lastDigit = at + entry.name.length + digits - 1; page <= last; page += 1, lastDigit += one.length)
    for (let rest = page, place = lastDigit; rest > 0; rest = Math.floor(rest / 10), place -= 1) {
      all[place] = zero + (rest % 10);
      all[place + toSecond] = zero + (rest % 10);
    }
  return next;
}
