const streams = [process.stdout, process.stderr];

/** From now on the process ends when its output is not taken: quietly where the reader has read enough, as `head` does. */
export function endWithOutput(): void {
  for (const stream of streams) stream.on('error', end);
}

/** From now on the process ignores errors of its output, because a service must outlive the reader of its log. */
export function outliveOutput(): void {
  for (const stream of streams) stream.off('error', end).on('error', () => {});
}

function end(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`hilo: The output cannot be written: ${error.message}\n`);
  process.exit(1);
}
