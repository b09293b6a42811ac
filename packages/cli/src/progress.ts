// Shows on a terminal that work goes on.

/** Work of this length shows that it continues. */
const noticeableMs = 1_000;
const frameMs = 120;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧'];
const clearLine = '\r\u001b[K';

/**
 * Waits for work. On a terminal, after a second, shows on standard error that it is in progress. The keyboard is left alone: a terminal whose
 * keys are read one by one would not tell of Ctrl-C.
 *
 * @param begin - begins the work; the progress that it reports is shown after `what`
 */
export async function withProgress<Result>(
  what: string,
  begin: Promise<Result> | ((say: (howFar: string) => void) => Promise<Result>),
): Promise<Result> {
  let said = what;
  const work =
    typeof begin === 'function'
      ? begin((howFar) => {
          said = `${what}: ${howFar}`;
        })
      : begin;
  if (!process.stderr.isTTY) return work;
  let drawn = 0;
  const draw = (): void => {
    drawn += 1;
    process.stderr.write(`${clearLine}${frames[drawn % frames.length]} ${said}`);
  };
  let timer: NodeJS.Timeout = setTimeout(() => {
    draw();
    timer = setInterval(draw, frameMs);
  }, noticeableMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (drawn > 0) process.stderr.write(clearLine);
  }
}
