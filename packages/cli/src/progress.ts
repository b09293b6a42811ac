import { spinner } from '@clack/prompts';

/** Work of this length shows that it continues. */
const noticeableMs = 1_000;

/**
 * Waits for work. On a terminal, after a second, shows on standard error that it is in progress.
 *
 * @param begin - begins the work; the progress that it reports is shown after `what`
 */
export async function withProgress<Result>(
  what: string,
  begin: Promise<Result> | ((say: (howFar: string) => void) => Promise<Result>),
): Promise<Result> {
  const sign = process.stderr.isTTY ? spinner({ output: process.stderr }) : undefined;
  let isShown = false;
  const work =
    typeof begin === 'function'
      ? begin((howFar) => {
          if (isShown) sign?.message(`${what}: ${howFar}`);
        })
      : begin;
  if (sign === undefined) return work;
  const timer = setTimeout(() => {
    isShown = true;
    sign.start(what);
  }, noticeableMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isShown) sign.clear();
  }
}
