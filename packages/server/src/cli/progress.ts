import { spinner } from '@clack/prompts';

/** Work of this length shows that it goes on. */
const noticeableMs = 1_000;

/** Waits for work. Where a person reads and it takes longer than a second, says on standard error that it is under way. */
export async function withProgress<Result>(what: string, work: Promise<Result>): Promise<Result> {
  if (!process.stderr.isTTY) return work;
  const sign = spinner({ output: process.stderr });
  let isShown = false;
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
