import { createInterface } from 'node:readline';

/**
 * The program of the process that ends others when the one that started them is gone, however it went: a child that loops
 * hears of nothing itself. A line `+123` names a process, and `-123` one that has ended; the end of the input is the end of
 * whoever wrote it.
 */
const watched = new Set<number>();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const pid = Number(line.slice(1));
    if (line.startsWith('+')) watched.add(pid);
    else watched.delete(pid);
  })
  .on('close', () => {
    for (const pid of watched) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  });

// These are for the one that is guarded: until that is gone there is work here.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
