/**
 * One entry for each page: its number and its relative address, with the same filters (CON-09). There can be a hundred
 * thousand of them, megabytes that differ in a few digits: they are written as bytes, pages of one length at a time.
 *
 * @param filters - in the order in which they are named
 * @returns a JSON array, in parts
 */
export function linksJson(
  path: string,
  filters: readonly (readonly [name: string, value: string])[],
  limit: number,
  totalPages: number,
): readonly Uint8Array[] {
  const query = [...filters, ['limit', String(limit)] as const]
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
  const [before, between] = [Buffer.from('{"number":'), Buffer.from(`,"url":"${path}?${query}&page=`)];
  const parts: Uint8Array[] = [];
  for (let digits = 1; 10 ** (digits - 1) <= totalPages; digits += 1) {
    const first = 10 ** (digits - 1);
    parts.push(entries(before, between, digits, first, Math.min(totalPages, 10 * first - 1)));
  }
  const last = parts.at(-1);
  if (last === undefined) return [Buffer.from('[]')];
  last[last.length - 1] = closing; // in the place of its comma
  return [Buffer.from('['), ...parts];
}

const end = Buffer.from('"},');
const [zero, closing] = [0x30, 0x5d];

/** Entries of the pages whose numbers have as many digits: all as long as one. */
function entries(before: Uint8Array, between: Uint8Array, digits: number, first: number, last: number): Uint8Array {
  const number = Buffer.alloc(digits, '0');
  const one = Buffer.concat([before, number, between, number, end]);
  const all = Buffer.alloc(one.length * (last - first + 1), one);
  const toSecond = digits + between.length;
  for (let page = first, at = before.length + digits - 1; page <= last; page += 1, at += one.length)
    for (let rest = page, place = at; rest > 0; rest = Math.floor(rest / 10), place -= 1) {
      all[place] = zero + (rest % 10);
      all[place + toSecond] = zero + (rest % 10);
    }
  return all;
}
