/** `E`, an error, and `N`, a notice. */
const reports: ReadonlySet<number> = new Set([0x45, 0x4e]);
const headBytes = 5;

/**
 * Looks at what a server of PostgreSQL sends before its client does: that one would read an error or a notice without an end
 * for ever, and take this process with it (P20). What else is broken makes it throw, which breaks the connection.
 *
 * @returns what to show all that comes, in order: false when it is no message
 */
export function createMessageCheck(): (chunk: Uint8Array) => boolean {
  let head: number[] = [];
  let left = 0;
  /** Where in a report it is: before the letter of a field, in its text, or behind the last; `undefined` in what is none. */
  let place: 'field' | 'text' | 'end' | undefined;

  /** A letter for the kind, and the length of what follows with its own four bytes. */
  const begin = (kind: number, length: number): boolean => {
    head = [];
    left = length - 4;
    place = reports.has(kind) ? 'field' : undefined;
    return left > 0 || (left === 0 && place === undefined);
  };
  const read = (part: Uint8Array): boolean => {
    left -= part.length;
    if (place === undefined) return true;
    for (const byte of part) if (place !== 'end') place = byte !== 0 ? 'text' : place === 'field' ? 'end' : 'field';
    return left > 0 || place === 'end';
  };

  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const part = chunk.subarray(at, at + left);
        at += part.length;
        if (!read(part)) return false;
      } else {
        head.push(chunk[at] ?? 0);
        at += 1;
        const [kind = 0, ...length] = head;
        if (head.length === headBytes && !begin(kind, Buffer.from(length).readUInt32BE())) return false;
      }
    }
    return true;
  };
}
