/** Resolves when the process is told to stop. From the call on a signal no longer ends it by itself. */
export const signalled = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
