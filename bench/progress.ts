/** One line with the current measurement. */
export interface Progress {
  say(what: string): void;
  clear(): void;
}

/** On stderr, over and over in one line; where stderr is no terminal, a line now and then. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let saidMs = performance.now();
  return {
    say(what) {
      if (stream.isTTY) {
        stream.write(`\r\u001B[2K${what.slice(0, stream.columns - 1)}`);
        return;
      }
      const nowMs = performance.now();
      if (nowMs - saidMs < 5_000) return;
      saidMs = nowMs;
      stream.write(`[bench] ${what}\n`);
    },
    clear() {
      if (stream.isTTY) stream.write('\r\u001B[2K');
    },
  };
}
