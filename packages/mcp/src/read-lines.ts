// The lines that a client writes, one message each: what is none is left out and told, where the library says nothing of it, or ends.
import { Transform } from 'node:stream';
import { parseForeignJson } from '@hilo/engine/contract';

/** The longest line, without its end. The largest message is one with a canvas, which a service takes up to 1 MB. */
export const maxLineBytes = 4 * 1024 * 1024;
/** More than any canvas has, and nothing that walks a value runs out of its stack. */
const bounds = { depth: 500, keys: 500_000 };

/**
 * Passes on lines that are JSON.
 *
 * @param onFault - gets each line that is left out; empty lines are nothing
 */
export function readLines(onFault: (fault: SyntaxError | RangeError) => void): Transform {
  let pieces: Buffer[] = [];
  let bytes = 0;
  /** Takes a part of a line. Nothing more is kept of one that is too long. */
  const take = (part: Buffer): void => {
    bytes += part.byteLength;
    if (bytes <= maxLineBytes) pieces.push(part);
    else pieces = [];
  };
  const tell = (fault: SyntaxError | RangeError): undefined => {
    onFault(fault);
    return undefined;
  };
  /** The line that has ended, where it is passed on. */
  const finish = (): Buffer | undefined => {
    const [line, length] = [Buffer.concat(pieces), bytes];
    pieces = [];
    bytes = 0;
    if (length > maxLineBytes) return tell(new RangeError(`A line has more than ${maxLineBytes} bytes`));
    const text = line.toString('utf8');
    if (text.trim() === '') return undefined;
    return parseForeignJson(text, bounds) === undefined ? tell(new SyntaxError('A line is no JSON')) : line;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, end));
        from = end + 1;
        const line = finish();
        if (line !== undefined) this.push(Buffer.concat([line, Buffer.from('\n')]));
      }
      take(chunk.subarray(from));
      done();
    },
  });
}
