const streams = [process.stdout, process.stderr];

/** Ends the process when its output cannot be written: quietly when the reader has closed it, as `head` does. */
export function endWithOutput(): void {
  for (const stream of streams) stream.on('error', end);
}

/** Ignores errors of the output, since a service must outlive the reader of its log. */
export function outliveOutput(): void {
  for (const stream of streams) stream.off('error', end).on('error', () => {});
}

function end(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`hilo: The output cannot be written: ${error.message}\n`);
  process.exit(1);
}
