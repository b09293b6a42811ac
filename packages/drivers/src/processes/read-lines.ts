import type { Readable } from 'node:stream';

interface Lines {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line was longer than that; nothing more is read. */
  readonly onExcess: () => void;
}

/** Reads a stream line by line, and keeps no more of it than one line may have. */
export function readLines(stream: Readable, { maxBytes, onLine, onExcess }: Lines): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  stream.on('data', (data: Buffer) => {
    let from = 0;
    for (let at = data.indexOf(newline); at !== -1 && !isOver; at = data.indexOf(newline, from)) {
      add(data.subarray(from, at));
      from = at + 1;
      if (isOver) return;
      const line = Buffer.concat(chunks, bytes).toString('utf8');
      [chunks, bytes] = [[], 0];
      onLine(line);
    }
    if (!isOver) add(data.subarray(from));
  });

  function add(chunk: Buffer): void {
    bytes += chunk.byteLength;
    if (chunk.byteLength > 0) chunks.push(chunk);
    if (bytes <= maxBytes) return;
    isOver = true;
    chunks = [];
    onExcess();
  }
}

const newline = 0x0a;
